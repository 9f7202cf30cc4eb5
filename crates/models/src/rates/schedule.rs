//! The rates of a link that are known before the run.

use std::sync::Arc;

use kernel::{Duration, Rate, Time};

use super::Change;

/// The rates of a link over time: changes that are known before the run, once or again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Rate before the first change.
    pub first: Rate,
    changes: Arc<[Change]>,
    repeat: Option<Duration>,
    /// True if the program that steers the run may change the rate.
    pub is_steered: bool,
}

impl Schedule {
    /// These changes in order of time, which begin again after `repeat`.
    pub fn new(first: Rate, changes: Vec<Change>, repeat: Option<Duration>) -> Schedule {
        Schedule {
            first,
            changes: changes.into(),
            repeat,
            is_steered: false,
        }
    }

    /// A rate that the program that steers the run may lower from `first`, and raise again.
    pub fn steered(first: Rate) -> Schedule {
        Schedule {
            is_steered: true,
            ..Schedule::new(first, Vec::new(), None)
        }
    }

    /// The fastest rate ever: no unit takes less time than at this rate.
    pub fn fastest(&self) -> Rate {
        self.rates().max().unwrap_or(self.first)
    }

    /// The slowest rate ever, outages apart.
    pub fn slowest(&self) -> Rate {
        self.rates().min().unwrap_or(self.first)
    }

    fn rates(&self) -> impl Iterator<Item = Rate> {
        let changes = self.changes.iter();
        let above_zero = changes.filter_map(|(_, rate)| rate_above_zero(rate.0));
        above_zero.chain([self.first])
    }

    /// Change number `number` since the start of the run, with its time; none if there are fewer.
    pub(super) fn change(&self, number: usize) -> Option<(Time, Option<Rate>)> {
        let count = self.changes.len();
        let (place, before) = match self.repeat {
            Some(repeat) if count > 0 => {
                let cycles = (number / count) as u64;
                let before = Duration::from_ps(repeat.ps().saturating_mul(cycles));
                (number % count, before)
            }
            _ => (number, Duration::ZERO),
        };
        let (at, rate) = self.changes.get(place)?;
        Some((Time::ZERO + before + *at, rate_above_zero(rate.0)))
    }

    /// The end of an outage that begins with change number `number`.
    pub(super) fn end_of_outage(&self, number: usize) -> Time {
        let later = (number + 1..).map_while(|number| self.change(number));
        let mut ends = later.filter(|(_, rate)| rate.is_some());
        ends.next().map_or(Time::NEVER, |(at, _)| at)
    }
}

fn rate_above_zero(bits: u64) -> Option<Rate> {
    (bits > 0).then(|| Rate::from_bits_per_second(bits))
}
