//! Pacers: when the next cell of a channel may leave, and which it is.

use kernel::{Duration, Rate, Time};

use crate::abr::{Contract, Departure, Source};
use crate::cell::CELL_BITS;

/// Lets the cells of a channel leave.
#[derive(Clone, Debug)]
pub enum Pacer {
    /// No sooner than an interval after one another.
    Spaced {
        /// From the start of one cell to that of the next.
        interval: Duration,
        /// Earliest start of the next.
        next: Time,
    },
    /// As ABR allows.
    Abr(Box<Source>),
    /// At once: packets do not wait, but the channel answers RM cells.
    Immediate,
}

impl Pacer {
    /// Cells that leave at `rate`, in bits of cells, or more slowly.
    pub fn at_most(rate: Rate) -> Pacer {
        Pacer::Spaced {
            interval: rate.transmission(CELL_BITS),
            next: Time::ZERO,
        }
    }

    /// Cells that leave as is agreed, and as the network then allows.
    pub fn abr(contract: Contract) -> Pacer {
        Pacer::Abr(Box::new(Source::new(contract)))
    }

    /// The earliest start of the next cell, where `data` tells whether a data cell waits;
    /// [`Time::NEVER`] if there is nothing to send.
    #[inline]
    pub fn next_departure(&self, data: bool) -> Time {
        match self {
            Pacer::Spaced { next, .. } if data => *next,
            Pacer::Abr(source) => source.next_departure(data),
            Pacer::Spaced { .. } | Pacer::Immediate => Time::NEVER,
        }
    }

    /// What starts at `start`, which is [`Pacer::next_departure`] or later.
    #[inline]
    pub fn depart(&mut self, start: Time, data: bool) -> Departure {
        match self {
            Pacer::Spaced { interval, next } => {
                *next = start + *interval;
                Departure::Data
            }
            Pacer::Abr(source) => source.depart(start, data),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// From one cell to the next.
    pub fn interval(&self) -> Duration {
        match self {
            Pacer::Spaced { interval, .. } => *interval,
            Pacer::Abr(source) => source.interval(),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// How many data cells leave one after another, the first of them at `start`, if nothing arrives
    /// and there are enough.
    pub fn data_from(&self, start: Time) -> u32 {
        match self {
            Pacer::Spaced { .. } => u32::MAX,
            Pacer::Abr(source) => source.data_from(start),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// So many data cells, one at least, leave one after another from `start` on.
    pub fn run(&mut self, start: Time, cells: u32) {
        match self {
            Pacer::Spaced { interval, next } => *next = start + *interval * u64::from(cells),
            Pacer::Abr(source) => source.run(start, cells),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// The rate allowed now, in cells per second, if that changes.
    pub fn acr(&self) -> Option<f64> {
        match self {
            Pacer::Abr(source) => Some(source.acr()),
            Pacer::Spaced { .. } | Pacer::Immediate => None,
        }
    }
}
