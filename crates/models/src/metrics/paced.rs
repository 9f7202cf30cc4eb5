//! Counts of a VC whose cells a host paces. Our own addition: a report shows by them whether the
//! rate, the contract or the credit of the VC delayed its cells.

use kernel::{Duration, Time};

use super::metric::Measurement;
use super::table::flow;

/// Counts of a paced VC.
#[derive(Clone, Copy, Debug)]
pub struct PacedMeter {
    /// Forward RM cells sent in rate.
    pub in_rate: u64,
    /// Forward RM cells sent out of rate.
    pub out_of_rate: u64,
    /// Forward RM cells from the other end that were turned around.
    pub turned_around: u64,
    /// Forward RM cells from the other end that were not turned around, because a later RM cell
    /// took their place.
    pub overwritten: u64,
    /// Backward RM cells that arrived.
    pub returned: u64,
    /// Number of cells waiting, and time of the last change of this number.
    waiting: u64,
    changed: Time,
    /// Sum of the waiting times of cells, in picoseconds.
    waited: u128,
    /// Time in which at least one cell waited.
    limited: Duration,
    /// Time in which a cell waited for credit, and start of the present wait for credit;
    /// [`Time::NEVER`] if no cell waits for it.
    starved: Duration,
    starving: Time,
    /// Largest number of cells waiting.
    most: u64,
}

impl Default for PacedMeter {
    fn default() -> PacedMeter {
        PacedMeter {
            in_rate: 0,
            out_of_rate: 0,
            turned_around: 0,
            overwritten: 0,
            returned: 0,
            waiting: 0,
            changed: Time::ZERO,
            waited: 0,
            limited: Duration::ZERO,
            starved: Duration::ZERO,
            starving: Time::NEVER,
            most: 0,
        }
    }
}

impl PacedMeter {
    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = PacedMeter {
            waiting: self.waiting,
            changed: self.changed.max(now),
            most: self.waiting,
            starving: if self.starving < Time::NEVER {
                now
            } else {
                Time::NEVER
            },
            ..PacedMeter::default()
        };
    }

    /// From `now` on, `cells` cells wait.
    #[inline]
    pub fn waits(&mut self, now: Time, cells: u64) {
        let span = now.since(self.changed);
        if self.waiting > 0 {
            self.waited += u128::from(self.waiting) * u128::from(span.ps());
            self.limited += span;
        }
        self.waiting = cells;
        self.changed = self.changed.max(now);
        self.most = self.most.max(cells);
    }

    /// A cell arrives and leaves at `now`, when no other cell waits.
    #[inline]
    pub fn passes(&mut self, now: Time) {
        self.changed = self.changed.max(now);
        self.most = self.most.max(1);
    }

    /// All `cells` waiting cells leave, one by one, `spacing` apart.
    pub fn drains(&mut self, spacing: Duration, cells: u32) {
        if cells == 0 {
            return;
        }
        // All cells wait until the first has left, all but one until the second has left, and so
        // on: the sum is an arithmetic series.
        let [count, spacing_ps] = [u64::from(cells), spacing.ps()].map(u128::from);
        let sum = u128::from(self.waiting) * count - count * (count - 1) / 2;
        self.waited += sum * spacing_ps;
        self.limited += spacing * u64::from(cells);
        self.waiting -= u64::from(cells);
        self.changed += spacing * u64::from(cells);
    }

    /// A cell begins to wait for credit, unless another cell waits already.
    pub fn wants_credit(&mut self, now: Time) {
        self.starving = self.starving.min(now);
    }

    /// The VC has credit again, which ends the wait.
    pub fn has_credit(&mut self, now: Time) {
        self.starved = self.wanted_credit(now);
        self.starving = Time::NEVER;
    }

    /// Time until `now` in which a cell waited for credit, since counting began.
    pub fn wanted_credit(&self, now: Time) -> Duration {
        self.starved + now.since(self.starving)
    }

    /// Time until `now` in which at least one cell waited, since counting began.
    pub fn waited(&self, now: Time) -> Duration {
        if self.waiting > 0 {
            self.limited + now.since(self.changed)
        } else {
            self.limited
        }
    }

    /// Metrics of the queue with their values, over the `span` that ends at `now`.
    pub fn queue(mut self, now: Time, span: Duration) -> [Measurement; 2] {
        self.waits(now, self.waiting);
        let mean = self.waited as f64 / span.ps().max(1) as f64;
        [
            (flow::source_queue::mean, mean),
            (flow::source_queue::max, self.most as f64),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_is_averaged_over_the_time_that_is_counted() {
        let at = |us: u64| Time::from_ps(us * 1_000_000);
        let mut meter = PacedMeter::default();
        meter.waits(at(0), 4);
        meter.begin(at(10));
        meter.waits(at(15), 2);
        meter.drains(Duration::from_us(3), 1);
        meter.waits(at(18), 0);
        let span = Duration::from_us(10);
        let [(_, mean), (_, most)] = meter.queue(at(20), span);
        assert!((mean - 2.6).abs() < 1e-12 && (most - 4.0).abs() < 1e-12);
        assert_eq!(meter.waited(at(20)), Duration::from_us(8));
    }
}
