//! Counts of the cells that wait at the inputs of a switch for one output. Little's law connects
//! their waiting times and their mean number: Little, "A Proof for the Queuing Formula: L = λW",
//! Operations Research 9(3), 1961.

use kernel::{Duration, Time};

use super::metric::{Measurement, Metric};
use super::table::port;

/// Counts the cells for one output in the queues of all inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrossingMeter {
    /// Time at which counting began.
    begun: Time,
    /// Cells that wait.
    queue: u64,
    /// Time of the last change of the queue.
    changed: Time,
    /// Sum of the time that the cells waited until the last change, in picoseconds.
    queued: u128,
    max_queue: u64,
    /// Sum of the waiting times of the cells that crossed, in picoseconds.
    waited: u128,
    crossed: u64,
    requested: Option<u64>,
}

/// Measurements of the cells that waited at the inputs for one output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossingReading {
    /// Mean number of cells that waited.
    pub mean_queue: f64,
    /// Largest number of cells that waited.
    pub max_queue: u64,
    /// Sum of the waiting times of the cells that crossed, in seconds.
    pub waited: f64,
    /// Cells that crossed the fabric.
    pub crossed: u64,
    /// Matchings in which an input requested the output; none without matchings.
    pub requested: Option<u64>,
    /// Most octets that waited at the output for the rest of their packet, or for packets before it;
    /// none if packets cross in order.
    pub reordering: Option<u64>,
}

impl CrossingMeter {
    /// A meter that counts matchings too.
    pub fn of_matchings() -> CrossingMeter {
        CrossingMeter {
            requested: Some(0),
            ..CrossingMeter::default()
        }
    }

    /// Restarts the counts.
    pub fn begin(&mut self, now: Time) {
        *self = CrossingMeter {
            begun: now,
            queue: self.queue,
            changed: now,
            max_queue: self.queue,
            requested: self.requested.map(|_| 0),
            ..CrossingMeter::default()
        };
    }

    /// A cell joins a virtual output queue.
    #[inline]
    pub fn join(&mut self, now: Time) {
        self.catch_up(now);
        self.queue += 1;
        self.max_queue = self.max_queue.max(self.queue);
    }

    /// A cell crosses to the output after it has waited.
    #[inline]
    pub fn cross(&mut self, now: Time, waited: Duration) {
        self.catch_up(now);
        self.queue -= 1;
        self.crossed += 1;
        self.waited += u128::from(waited.ps());
    }

    /// A cell that waits is dropped.
    pub fn drop_waiting(&mut self, now: Time) {
        self.catch_up(now);
        self.queue -= 1;
    }

    /// A matching begins; `is_requested` is true if an input requests the output.
    #[inline]
    pub fn request(&mut self, is_requested: bool) {
        if let Some(requested) = &mut self.requested {
            *requested += u64::from(is_requested);
        }
    }

    fn catch_up(&mut self, now: Time) {
        self.queued += u128::from(self.queue) * u128::from(now.since(self.changed).ps());
        self.changed = now;
    }

    /// The counts until `now`.
    pub fn read(&self, now: Time) -> CrossingReading {
        let mut until = *self;
        until.catch_up(now);
        let span = now.since(self.begun).ps().max(1);
        CrossingReading {
            mean_queue: until.queued as f64 / span as f64,
            max_queue: self.max_queue,
            waited: self.waited as f64 / 1e12,
            crossed: self.crossed,
            requested: self.requested,
            reordering: None,
        }
    }
}

impl CrossingReading {
    /// Metrics with their values; a mean of no cell is left out.
    pub fn metrics(&self) -> impl Iterator<Item = Measurement> {
        let ratio = |part: f64, whole: u64| (whole > 0).then(|| part / whole as f64);
        let requested = self.requested;
        let matched = requested.and_then(|requested| ratio(self.crossed as f64, requested));
        let metrics = [
            (port::input_wait::mean, ratio(self.waited, self.crossed)),
            (port::matched_share, matched),
            (port::input_queue::mean, Some(self.mean_queue)),
            (port::input_queue::max, Some(self.max_queue as f64)),
            (
                port::reorder_buffer::max,
                self.reordering.map(|octets| octets as f64),
            ),
            (port::cells_crossed, Some(self.crossed as f64)),
            (
                port::requested_matchings,
                requested.map(|count| count as f64),
            ),
        ];
        let known = |(metric, value): (&'static Metric, Option<f64>)| Some((metric, value?));
        metrics.into_iter().filter_map(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_counts_for_the_time_that_it_waits() {
        let us = |us: u64| Time::from_ps(us * 1_000_000);
        let mut meter = CrossingMeter::of_matchings();
        meter.join(us(0));
        meter.begin(us(10));
        meter.join(us(12));
        meter.request(true);
        meter.cross(us(14), Duration::from_us(14));
        meter.cross(us(18), Duration::from_us(6));
        meter.request(false);
        let reading = meter.read(us(20));
        // One cell waits until 12, two until 14 and one until 18.
        assert!((reading.mean_queue - 1.0).abs() < 1e-12);
        assert!((reading.waited - 20e-6).abs() < 1e-15);
        assert_eq!(
            (reading.max_queue, reading.crossed, reading.requested),
            (2, 2, Some(1))
        );
    }
}
