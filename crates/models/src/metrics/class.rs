//! Counts of service classes (TM 4.0, section 2) at an output port.

use kernel::{Duration, Time};

use super::backlog::Backlog;
use super::metric::Measurement;
use super::table::class;

/// Counts of one service class at an output port, in cells.
#[derive(Clone, Debug, Default)]
pub struct ClassMeter {
    offered: u64,
    dropped: u64,
    /// Cells whose transmission began; their waiting times are counted.
    started: u64,
    /// Sum of the waiting times of the cells in `started`, in picoseconds.
    waits: u128,
    longest_wait: Duration,
    /// Sum of the waiting times of cells since counting began, in picoseconds.
    waited: u128,
    /// Time until which `waited` is up to date.
    told: Time,
    max_queue: u64,
    /// Number of cells waiting when counting began.
    before: u64,
    since: Time,
    /// Time at which the transmission of a cell last began.
    last_start: Option<Time>,
    /// Remaining time of the transmission in progress when counting began.
    serving_before: Duration,
}

impl ClassMeter {
    /// Restarts the counts at `now`, with the cells of `backlog` in the port.
    pub fn begin(&mut self, now: Time, backlog: Backlog) {
        *self = ClassMeter {
            since: now,
            told: now,
            max_queue: backlog.waiting,
            before: backlog.waiting,
            last_start: self.last_start,
            serving_before: backlog.serving,
            ..ClassMeter::default()
        };
    }

    /// Counts the wait of `waiting` cells until `now`; the caller reports this before the number
    /// changes.
    #[inline]
    pub fn waited(&mut self, now: Time, waiting: u64) {
        self.waited += u128::from(now.since(self.told).ps()) * u128::from(waiting);
        self.told = now;
    }

    /// A cell joins the queue, which then has `waiting` cells; zero if the cell starts at once.
    #[inline]
    pub fn accept(&mut self, waiting: u64) {
        self.offered += 1;
        self.max_queue = self.max_queue.max(waiting);
    }

    /// A cell is dropped.
    #[inline]
    pub fn drop_unit(&mut self) {
        self.offered += 1;
        self.dropped += 1;
    }

    /// A cell is dropped that was accepted.
    #[inline]
    pub fn drop_accepted(&mut self) {
        self.dropped += 1;
    }

    /// The transmission of a cell begins at `now`, after `wait`.
    #[inline]
    pub fn start(&mut self, now: Time, wait: Duration) {
        self.last_start = Some(now);
        self.started += 1;
        self.waits += u128::from(wait.ps());
        self.longest_wait = self.longest_wait.max(wait);
    }

    /// Remaining time of a transmission in progress at `now`, where a cell takes `cell_time`.
    pub fn serving(&self, now: Time, cell_time: Duration) -> Duration {
        let end = self.last_start.map(|start| start + cell_time);
        end.map_or(Duration::ZERO, |end| end.since(now))
    }

    /// True if cells of the class have been in the port since counting began.
    pub fn is_used(&self) -> bool {
        self.offered > 0 || self.max_queue > 0 || self.serving_before > Duration::ZERO
    }

    /// Metrics with their values until `now`, up to which `waited` is current; `backlog` is the
    /// backlog of the port, and a cell takes `cell_time`. A mean over events is not reported if
    /// there was no event.
    pub fn metrics(&self, now: Time, backlog: Backlog, cell_time: Duration) -> Vec<Measurement> {
        let span = now.since(self.since);
        let begun = self.offered + self.before - self.dropped - backlog.waiting;
        let carried_over = self.serving_before.seconds() - backlog.serving.seconds();
        let sent = begun as f64 * cell_time.seconds() + carried_over;
        let mut metrics = vec![(class::utilization, sent / span.seconds())];
        if self.offered > 0 {
            let ratio = self.dropped as f64 / self.offered as f64;
            metrics.push((class::cell_loss_ratio, ratio));
            metrics.push((class::cells_offered, self.offered as f64));
        }
        let seconds = |ps: u128| ps as f64 * 1e-12;
        if self.started > 0 {
            metrics.push((class::wait::mean, seconds(self.waits) / self.started as f64));
            metrics.push((class::wait::max, self.longest_wait.seconds()));
            metrics.push((class::cells_started, self.started as f64));
        }
        let mean_queue = seconds(self.waited) / span.seconds();
        metrics.push((class::queue::mean, mean_queue));
        metrics.push((class::queue::max, self.max_queue as f64));
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
        let two_wait = Backlog {
            waiting: 2,
            ..Backlog::default()
        };
        meter.begin(US(10), two_wait);
        // At 12 us one of the two queued units starts, after a wait of 6 us. At 14 us one unit
        // arrives, and another is dropped.
        meter.waited(US(12), 2);
        meter.start(US(12), Duration::from_us(6));
        meter.waited(US(14), 1);
        meter.accept(2);
        meter.drop_unit();
        meter.waited(US(20), 2);
        let metrics = meter.metrics(US(20), two_wait, Duration::from_us(1));
        let expected = [
            (class::utilization, 0.1),
            (class::cell_loss_ratio, 0.5),
            (class::cells_offered, 2.0),
            (class::wait::mean, 6e-6),
            (class::wait::max, 6e-6),
            (class::cells_started, 1.0),
            (class::queue::mean, (2.0 * 2.0 + 2.0 + 2.0 * 6.0) / 10.0),
            (class::queue::max, 2.0),
        ];
        for ((metric, value), (expected_metric, expected)) in metrics.iter().zip(expected) {
            assert_eq!(*metric, expected_metric);
            assert!((value - expected).abs() < 1e-12, "{}: {value}", metric.name);
        }
    }
    #[test]
    fn a_transmission_counts_only_within_the_time_counted() {
        let cell_time = Duration::from_us(4);
        let mut meter = ClassMeter::default();
        assert_eq!(meter.serving(US(1), cell_time), Duration::ZERO);
        let sends = |meter: &mut ClassMeter, at| {
            meter.accept(0);
            meter.start(US(at), Duration::ZERO);
        };
        let backlog = |meter: &ClassMeter, at| Backlog {
            serving: meter.serving(US(at), cell_time),
            ..Backlog::default()
        };
        // Transmissions from 9 to 13 us, from 13 to 17 and from 17 to 21 take all of the time from
        // 10 to 20 us.
        sends(&mut meter, 9);
        meter.begin(US(10), backlog(&meter, 10));
        sends(&mut meter, 13);
        sends(&mut meter, 17);
        let metrics = meter.metrics(US(20), backlog(&meter, 20), cell_time);
        let (metric, utilization) = metrics[0];
        assert_eq!(metric, class::utilization);
        assert!((utilization - 1.0).abs() < 1e-12, "{utilization}");
    }
}
