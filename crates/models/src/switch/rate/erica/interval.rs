//! Averaging intervals of ERICA: their ends, and their counts of cells. Kalyanaraman, dissertation,
//! Ohio State University, 1997, chapter 6.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::{Erica, IntervalCount};
use crate::output::scheduler::ClassDemand;
use crate::wire::class::ByClass;

/// An averaging interval.
pub struct Interval {
    /// Number of the interval; the first is 1.
    pub number: u64,
    /// Start of the interval.
    pub since: Time,
    /// ABR cells that arrived.
    pub cells: u64,
    /// Cells of other classes that arrived.
    pub others: ByClass<u64>,
    /// Cells of each class that waited at the start of the interval.
    waited: ByClass<u64>,
    /// Length of the previous interval, in seconds.
    pub length_before: f64,
    /// Maximum length.
    longest: Duration,
    /// The maximum length in seconds.
    longest_seconds: f64,
    /// Number of cells that ends an interval early; zero if only time ends it.
    most: u64,
    /// Number of further cells that end the interval.
    left: u64,
    /// Start times of the cells that leave in this interval or later, if departures end intervals.
    starts: Option<VecDeque<Time>>,
}

impl Interval {
    /// The first interval.
    pub fn new(spec: &Erica) -> Interval {
        let most = u64::from(spec.cells.unwrap_or(0));
        Interval {
            number: 1,
            since: Time::ZERO,
            cells: 0,
            others: ByClass::default(),
            waited: ByClass::default(),
            length_before: spec.interval.seconds(),
            longest: spec.interval,
            longest_seconds: spec.interval.seconds(),
            most,
            left: most,
            starts: (most > 0 && spec.count == IntervalCount::AbrOut).then(VecDeque::new),
        }
    }

    /// Counts a cell that arrives at `now`; true if the cell ends the interval. Cells that arrive
    /// at the start of an interval do not end it, because an interval of length zero would measure
    /// nothing.
    #[inline]
    pub fn counts_down(&mut self, now: Time) -> bool {
        if self.most == 0 {
            return false;
        }
        self.left = self.left.saturating_sub(1);
        self.left == 0 && now > self.since
    }

    /// Records the start of a transmission; starts are reported in their order.
    pub fn starts(&mut self, start: Time) {
        if let Some(starts) = &mut self.starts {
            starts.push_back(start);
        }
    }

    /// Time at which the interval ends, unless an arriving cell ends it earlier.
    pub fn due(&self) -> Time {
        let latest = self.since + self.longest;
        self.last_start().map_or(latest, |start| start.min(latest))
    }

    /// Start time of the departing cell that ends the interval, if it is known.
    fn last_start(&self) -> Option<Time> {
        let starts = self.starts.as_ref()?;
        let last = *starts.get(self.most as usize - 1)?;
        Some(last.max(self.since + Duration::from_ps(1)))
    }

    /// True if no cell of another class arrived, and no cell of any class waited at the start.
    pub fn is_idle(&self) -> bool {
        is_none(&self.others) && is_none(&self.waited)
    }

    /// Length of the interval in seconds, if it ends at `now`.
    pub fn seconds_until(&self, now: Time) -> f64 {
        let length = now.since(self.since);
        if length == self.longest {
            self.longest_seconds
        } else {
            length.seconds()
        }
    }

    /// The demand of the other classes, if the interval ends after `seconds`.
    pub fn demand(&self, seconds: f64) -> ClassDemand {
        ClassDemand {
            arrived: self.others,
            queued: self.waited,
            seconds,
        }
    }

    /// Ends the interval at `now` after `seconds`, with these queues, and begins the next one.
    #[inline]
    pub fn end(&mut self, now: Time, seconds: f64, waiting: ByClass<u64>) {
        if self.starts.is_some() {
            self.forget_starts(now);
        }
        self.length_before = seconds;
        self.number += 1;
        self.since = now;
        self.cells = 0;
        self.others = ByClass::default();
        self.waited = waiting;
        self.left = self.most;
    }

    /// Ends an interval without cells at `now`, after `seconds`, and begins the next one.
    #[inline]
    pub fn pass(&mut self, now: Time, seconds: f64) {
        self.length_before = seconds;
        self.number += 1;
        self.since = now;
    }

    /// Removes the starts of cells that belong to the interval that ends at `now`.
    fn forget_starts(&mut self, now: Time) {
        let last_start = self.last_start();
        if let Some(starts) = &mut self.starts {
            let left = if last_start == Some(now) {
                self.most as usize
            } else {
                starts.partition_point(|start| *start < now)
            };
            starts.drain(..left);
        }
    }
}

/// True if no class has cells.
pub fn is_none(cells: &ByClass<u64>) -> bool {
    cells.iter().fold(0, |some, of_class| some | of_class) == 0
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    const US: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    fn interval(count: IntervalCount) -> Interval {
        Interval::new(&Erica {
            interval: Duration::from_us(100),
            cells: Some(3),
            count,
            ..Erica::defaults()
        })
    }

    #[test]
    fn the_last_cell_ends_the_interval_except_at_its_start() {
        let mut interval = interval(IntervalCount::AbrIn);
        let ends = [0, 0, 0, 0, 7].map(|us| interval.counts_down(US(us)));
        assert_eq!(ends, [false, false, false, false, true]);
        interval.end(US(7), 7e-6, ByClass::default());
        assert_eq!(interval.due(), US(107));
        let ends = [8, 9, 10].map(|us| interval.counts_down(US(us)));
        assert_eq!(ends, [false, false, true]);
    }

    #[test]
    fn the_start_of_the_last_cell_ends_the_interval_even_if_it_is_known_long_before() {
        let mut interval = interval(IntervalCount::AbrOut);
        for us in [1, 2, 3, 4, 5, 90, 150] {
            interval.starts(US(us));
        }
        let ends = [(); 3].map(|()| {
            let due = interval.due();
            interval.end(due, interval.seconds_until(due), ByClass::default());
            due
        });
        // Three cells end the first two intervals, and time ends the third.
        assert_eq!(ends, [US(3), US(90), US(190)]);
    }
}
