//! When averaging intervals end, and what is counted in them.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::{Erica, IntervalCount};
use crate::class::ByClass;
use crate::output::scheduler::ClassDemand;

/// An averaging interval.
pub struct Interval {
    /// Counted from one.
    pub number: u64,
    /// When it began.
    pub since: Time,
    /// ABR cells that came.
    pub cells: u64,
    /// Cells of other classes that came.
    pub others: ByClass<u64>,
    /// Cells of all classes that waited when it began.
    waited: ByClass<u64>,
    /// How long the one before it was, in seconds.
    pub length_before: f64,
    /// How long it is at most, and that in seconds.
    longest: Duration,
    longest_seconds: f64,
    /// How many cells end it; none do if this is zero.
    most: u64,
    /// How many cells are left until then.
    left: u64,
    /// When cells start that leave in this interval or a later one, where those are counted.
    starts: Option<VecDeque<Time>>,
}

impl Interval {
    /// The first one.
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

    /// Counts a cell that comes at `now`; whether that is the last. An interval takes some time, or
    /// nothing could be measured in it, so cells that come as it begins do not end it.
    #[inline]
    pub fn counts_down(&mut self, now: Time) -> bool {
        if self.most == 0 {
            return false;
        }
        self.left = self.left.saturating_sub(1);
        self.left == 0 && now > self.since
    }

    /// Notes when a cell starts; starts do not go back in time.
    pub fn starts(&mut self, start: Time) {
        if let Some(starts) = &mut self.starts {
            starts.push_back(start);
        }
    }

    /// When it ends, unless a cell that comes ends it before.
    pub fn due(&self) -> Time {
        let latest = self.since + self.longest;
        self.last_start().map_or(latest, |start| start.min(latest))
    }

    /// When the cell starts with which it ends, if that is known.
    fn last_start(&self) -> Option<Time> {
        let starts = self.starts.as_ref()?;
        let last = *starts.get(self.most as usize - 1)?;
        Some(last.max(self.since + Duration::from_ps(1)))
    }

    /// Whether no cell of another class has come, and none of any class waited when it began.
    pub fn is_idle(&self) -> bool {
        is_none(&self.others) && is_none(&self.waited)
    }

    /// How long it is if it ends at `now`, in seconds.
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

    /// It ends at `now` after so many seconds, when so many cells of each class wait, and the next one
    /// begins.
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

    /// It ends at `now` after so many seconds as it began, and the next one begins likewise.
    #[inline]
    pub fn pass(&mut self, now: Time, seconds: f64) {
        self.length_before = seconds;
        self.number += 1;
        self.since = now;
    }

    /// Forgets the starts of cells that belong to the interval that ends at `now`.
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

/// Whether there are no cells of any class.
pub fn is_none(cells: &ByClass<u64>) -> bool {
    cells.iter().fold(0, |some, of_class| some | of_class) == 0
}

#[cfg(test)]
mod tests {
    use parameters::Record;

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
    fn the_last_cell_ends_it_but_not_as_it_begins() {
        let mut interval = interval(IntervalCount::AbrIn);
        let ends = [0, 0, 0, 0, 7].map(|us| interval.counts_down(US(us)));
        assert_eq!(ends, [false, false, false, false, true]);
        interval.end(US(7), 7e-6, ByClass::default());
        assert_eq!(interval.due(), US(107));
        let ends = [8, 9, 10].map(|us| interval.counts_down(US(us)));
        assert_eq!(ends, [false, false, true]);
    }

    #[test]
    fn the_start_of_the_last_cell_ends_it_though_it_be_known_long_before() {
        let mut interval = interval(IntervalCount::AbrOut);
        for us in [1, 2, 3, 4, 5, 90, 150] {
            interval.starts(US(us));
        }
        let ends = [(); 3].map(|()| {
            let due = interval.due();
            interval.end(due, interval.seconds_until(due), ByClass::default());
            due
        });
        // Three, three, and then time.
        assert_eq!(ends, [US(3), US(90), US(190)]);
    }
}
