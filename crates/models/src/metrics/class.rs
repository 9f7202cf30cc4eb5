//! Counting at an output port that tells service classes apart.

use kernel::{Duration, Time};

/// What an output port counts of one service class, in cells.
#[derive(Clone, Debug, Default)]
pub struct ClassMeter {
    offered: u64,
    refused: u64,
    /// Cells whose wait has been counted.
    started: u64,
    /// How long these had waited, all together, in picoseconds.
    waits: u128,
    longest_wait: Duration,
    /// How long cells waited since counting began, all together, in picoseconds.
    waited: u128,
    /// Until when that has been counted.
    told: Time,
    max_queue: u64,
    /// Cells that waited when counting began.
    before: u64,
    since: Time,
}

impl ClassMeter {
    /// Starts again at `now`, when so many wait.
    pub fn begin(&mut self, now: Time, waiting: u64) {
        *self = ClassMeter {
            since: now,
            told: now,
            max_queue: waiting,
            before: waiting,
            ..ClassMeter::default()
        };
    }

    /// So many have waited until `now`; to be told before that changes.
    #[inline]
    pub fn waited(&mut self, now: Time, waiting: u64) {
        self.waited += u128::from(now.since(self.told).ps()) * u128::from(waiting);
        self.told = now;
    }

    /// A cell joins the queue, which is so long then; none waits if it starts at once.
    #[inline]
    pub fn accept(&mut self, waiting: u64) {
        self.offered += 1;
        self.max_queue = self.max_queue.max(waiting);
    }

    /// A cell is refused.
    #[inline]
    pub fn refuse(&mut self) {
        self.offered += 1;
        self.refused += 1;
    }

    /// The transmission of a cell begins, for which it has waited.
    #[inline]
    pub fn start(&mut self, wait: Duration) {
        self.started += 1;
        self.waits += u128::from(wait.ps());
        self.longest_wait = self.longest_wait.max(wait);
    }

    /// Whether cells of the class have come, or were there already, since counting began.
    pub fn is_used(&self) -> bool {
        self.offered > 0 || self.max_queue > 0
    }

    /// Metrics by name until `now`, up to which it has been told what waited; so many wait then, and a
    /// cell takes `cell_time`. What never happened has no mean, and is not reported.
    pub fn metrics(
        &self,
        now: Time,
        waiting: u64,
        cell_time: Duration,
    ) -> Vec<(&'static str, f64)> {
        let span = now.since(self.since);
        let begun = self.offered - self.refused + self.before - waiting;
        let sent = begun as f64 * cell_time.seconds() / span.seconds();
        let mut metrics = vec![("utilization", sent)];
        if self.offered > 0 {
            let ratio = self.refused as f64 / self.offered as f64;
            metrics.push(("cell_loss_ratio", ratio));
            metrics.push(("cells_offered", self.offered as f64));
        }
        let seconds = |ps: u128| ps as f64 * 1e-12;
        if self.started > 0 {
            metrics.push(("mean_wait", seconds(self.waits) / self.started as f64));
            metrics.push(("max_wait", self.longest_wait.seconds()));
            metrics.push(("cells_started", self.started as f64));
        }
        let mean_queue = seconds(self.waited) / span.seconds();
        metrics.push(("mean_queue", mean_queue));
        metrics.push(("max_queue", self.max_queue as f64));
        metrics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    #[test]
    fn waits_and_queues_are_counted_from_the_end_of_the_warm_up() {
        let mut meter = ClassMeter::default();
        meter.accept(1);
        meter.accept(2);
        meter.waited(US(10), 2);
        meter.begin(US(10), 2);
        // One of the two leaves at 12 us after 6 us, one comes at 14 us, and one is refused.
        meter.waited(US(12), 2);
        meter.start(Duration::from_us(6));
        meter.waited(US(14), 1);
        meter.accept(2);
        meter.refuse();
        meter.waited(US(20), 2);
        let metrics = meter.metrics(US(20), 2, Duration::from_us(1));
        let expected = [
            ("utilization", 0.1),
            ("cell_loss_ratio", 0.5),
            ("cells_offered", 2.0),
            ("mean_wait", 6e-6),
            ("max_wait", 6e-6),
            ("cells_started", 1.0),
            ("mean_queue", (2.0 * 2.0 + 2.0 + 2.0 * 6.0) / 10.0),
            ("max_queue", 2.0),
        ];
        for ((name, value), (expected_name, expected)) in metrics.iter().zip(expected) {
            assert_eq!(*name, expected_name);
            assert!((value - expected).abs() < 1e-12, "{name}: {value}");
        }
    }
}
