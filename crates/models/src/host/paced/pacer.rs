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

    /// How many data cells leave one after another if nothing arrives and there are enough, after the
    /// cell that starts at `start`, and how far apart.
    pub fn ahead(&self, start: Time) -> (u32, Duration) {
        match self {
            Pacer::Spaced { interval, .. } => (u32::MAX, *interval),
            Pacer::Abr(source) => (source.ahead(start), source.interval()),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// So many data cells leave one after another behind the last cell.
    pub fn run(&mut self, cells: u32) {
        match self {
            Pacer::Spaced { interval, next } => *next += *interval * u64::from(cells),
            Pacer::Abr(source) => source.run(cells),
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
