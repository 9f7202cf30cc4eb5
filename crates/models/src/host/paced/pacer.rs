//! Pacers: when the next cell of a channel may leave, and which it is.

use kernel::{Duration, Rate, Time};

use crate::abr::{Contract, Departure, Source};
use crate::cell::CELL_BITS;
use crate::gcra::{Buckets, Descriptor};
use crate::metrics::Pacing;

/// Lets the cells of a channel leave.
#[derive(Clone, Debug)]
pub enum Pacer {
    /// No sooner than an interval after one another.
    Spaced {
        /// From the start of one cell to that of the next.
        interval: Duration,
        /// Earliest start of the next.
        next: Time,
        /// That is agreed, and not only what the link allows.
        agreed: bool,
    },
    /// No sooner than cells conform to what was agreed, where that is more than an interval.
    Shaped(Box<Buckets>),
    /// As ABR allows.
    Abr(Box<Source>),
    /// At once: packets do not wait, but the channel answers RM cells.
    Immediate,
}

impl Pacer {
    /// Cells that leave at the `rate` of their link, in bits of cells, or more slowly.
    pub fn at_most(rate: Rate) -> Pacer {
        Pacer::spaced(rate, false)
    }

    fn spaced(rate: Rate, agreed: bool) -> Pacer {
        Pacer::Spaced {
            interval: rate.transmission(CELL_BITS),
            next: Time::ZERO,
            agreed,
        }
    }

    /// Cells that leave as soon as they conform to what is agreed.
    pub fn shaped(agreed: &Descriptor) -> Pacer {
        if agreed.cdvt == Duration::ZERO && agreed.sustained.is_none() {
            return Pacer::spaced(agreed.peak, true);
        }
        Pacer::Shaped(Box::new(Buckets::new(agreed)))
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
            Pacer::Shaped(buckets) if data => buckets.earliest(),
            Pacer::Abr(source) => source.next_departure(data),
            Pacer::Spaced { .. } | Pacer::Shaped(_) | Pacer::Immediate => Time::NEVER,
        }
    }

    /// What starts at `start`, which is [`Pacer::next_departure`] or later.
    #[inline]
    pub fn depart(&mut self, start: Time, data: bool) -> Departure {
        match self {
            Pacer::Spaced { interval, next, .. } => {
                *next = start + *interval;
                Departure::Data
            }
            Pacer::Shaped(buckets) => {
                buckets.take(start);
                Departure::Data
            }
            Pacer::Abr(source) => source.depart(start, data),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// Lets a data cell start at `now` if one may and nothing else has to start before it; whether it
    /// does.
    #[inline]
    pub fn passes(&mut self, now: Time) -> bool {
        if let Pacer::Abr(source) = self {
            return source.passes(now);
        }
        let may = self.next_departure(true) <= now;
        if may {
            self.depart(now, true);
        }
        may
    }

    /// From one cell to the next, of those that leave one after another.
    pub fn interval(&self) -> Duration {
        match self {
            Pacer::Spaced { interval, .. } => *interval,
            Pacer::Abr(source) => source.interval(),
            Pacer::Shaped(_) => Duration::ZERO,
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// How many data cells leave one after another, the first of them at `start`, if nothing arrives
    /// and there are enough; none of which each is looked at.
    pub fn data_from(&self, start: Time) -> u32 {
        match self {
            Pacer::Spaced { .. } => u32::MAX,
            Pacer::Shaped(_) => 0,
            Pacer::Abr(source) => source.data_from(start),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// So many data cells, one at least, leave one after another from `start` on.
    pub fn run(&mut self, start: Time, cells: u32) {
        match self {
            Pacer::Spaced { interval, next, .. } => {
                *next = start + *interval * u64::from(cells);
            }
            Pacer::Abr(source) => source.run(start, cells),
            Pacer::Shaped(_) | Pacer::Immediate => unreachable!("no cells run on"),
        }
    }

    /// What it is that lets cells wait.
    pub fn pacing(&self) -> Pacing {
        match self {
            Pacer::Spaced { agreed: false, .. } | Pacer::Immediate => Pacing::Link,
            Pacer::Spaced { agreed: true, .. } | Pacer::Shaped(_) => Pacing::Contract,
            Pacer::Abr(_) => Pacing::Acr,
        }
    }

    /// The rate allowed now, in cells per second, if that changes.
    pub fn acr(&self) -> Option<f64> {
        match self {
            Pacer::Abr(source) => Some(source.acr()),
            Pacer::Spaced { .. } | Pacer::Shaped(_) | Pacer::Immediate => None,
        }
    }
}
