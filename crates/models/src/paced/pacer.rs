//! Pacers: the next cell of a VC, and the time from which it may leave.
//!
//! With a contract, a pacer is the shaper of ITU-T Recommendation I.371, by the GCRA; with ABR, the
//! source of TM 4.0, section 5.10.4.

use kernel::{Duration, Time};

use crate::abr::{AbrCell, AbrSource, Contract, RateCap};
use crate::gcra::{Buckets, Descriptor};
use crate::metrics::CellLimit;
use crate::wire::format::CellFormat;

/// Decides when the cells of a VC leave.
#[derive(Clone, Debug)]
pub enum Pacer {
    /// Cells leave at least one interval apart.
    Spaced {
        /// Time from the start of one cell to the start of the next.
        interval: Duration,
        /// Earliest start of the next cell.
        next: Time,
        /// True if the interval is that of a contract, false if it is that of the link.
        agreed: bool,
    },
    /// Cells leave when they conform to a contract of more than one interval.
    Shaped(Box<Buckets>),
    /// Cells leave at the allowed cell rate of ABR.
    Abr(Box<AbrSource>),
    /// Cells leave at once: packets do not wait, but the VC answers RM cells.
    Immediate,
}

impl Pacer {
    /// A pacer that sends at most one cell an `interval`.
    pub fn at_most(interval: Duration) -> Pacer {
        Pacer::spaced(interval, false)
    }

    fn spaced(interval: Duration, agreed: bool) -> Pacer {
        Pacer::Spaced {
            interval,
            next: Time::ZERO,
            agreed,
        }
    }

    /// A pacer that sends cells of this format as soon as they conform to the contract.
    pub fn shaped(agreed: &Descriptor, cells: CellFormat) -> Pacer {
        if agreed.cdvt == Duration::ZERO && agreed.sustained.is_none() {
            return Pacer::spaced(cells.time(agreed.peak), true);
        }
        Pacer::Shaped(Box::new(Buckets::new(agreed, cells)))
    }

    /// A pacer that sends as the ABR contract and the network allow.
    pub fn abr(contract: Contract) -> Pacer {
        Pacer::Abr(Box::new(AbrSource::new(contract)))
    }

    /// The earliest start of the next cell; `data` is true if a data cell waits. [`Time::NEVER`] if
    /// no cell waits.
    #[inline]
    pub fn next_departure(&self, data: bool) -> Time {
        match self {
            Pacer::Spaced { next, .. } if data => *next,
            Pacer::Shaped(buckets) if data => buckets.earliest(),
            Pacer::Abr(source) => source.next_departure(data),
            Pacer::Spaced { .. } | Pacer::Shaped(_) | Pacer::Immediate => Time::NEVER,
        }
    }

    /// The cell that starts at `start`, which is [`Pacer::next_departure`] or later.
    #[inline]
    pub fn depart(&mut self, start: Time, data: bool) -> AbrCell {
        match self {
            Pacer::Spaced { interval, next, .. } => {
                *next = start + *interval;
                AbrCell::Data
            }
            Pacer::Shaped(buckets) => {
                buckets.take(start);
                AbrCell::Data
            }
            Pacer::Abr(source) => source.depart(start, data),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// If a data cell may leave at `now`, and no other cell has to start before it, starts the cell
    /// and returns true.
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

    /// Interval between cells that leave back to back.
    pub fn interval(&self) -> Duration {
        match self {
            Pacer::Spaced { interval, .. } => *interval,
            Pacer::Abr(source) => source.interval(),
            Pacer::Shaped(_) => Duration::ZERO,
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// The number of data cells that may leave back to back, the first at `start`, if no unit
    /// arrives; zero if each cell must be decided by itself.
    pub fn data_from(&self, start: Time) -> u32 {
        match self {
            Pacer::Spaced { .. } => u32::MAX,
            Pacer::Shaped(_) => 0,
            Pacer::Abr(source) => source.data_from(start),
            Pacer::Immediate => unreachable!("nothing waits"),
        }
    }

    /// Records that `cells` data cells, at least one, leave back to back from `start` on.
    pub fn run(&mut self, start: Time, cells: u32) {
        match self {
            Pacer::Spaced { interval, next, .. } => {
                *next = start + *interval * u64::from(cells);
            }
            Pacer::Abr(source) => source.run(start, cells),
            Pacer::Shaped(_) | Pacer::Immediate => unreachable!("no cells run on"),
        }
    }

    /// The cause for which cells wait.
    pub fn pacing(&self) -> CellLimit {
        match self {
            Pacer::Spaced { agreed: false, .. } | Pacer::Immediate => CellLimit::Link,
            Pacer::Spaced { agreed: true, .. } | Pacer::Shaped(_) => CellLimit::Contract,
            Pacer::Abr(_) => CellLimit::Acr,
        }
    }

    /// The bound of the allowed rate, if the rate varies.
    pub fn rate_cap(&mut self) -> Option<RateCap<'_>> {
        match self {
            Pacer::Abr(source) => Some(source.cap()),
            Pacer::Spaced { .. } | Pacer::Shaped(_) | Pacer::Immediate => None,
        }
    }

    /// The allowed rate, in cells per second, if it varies.
    pub fn acr(&self) -> Option<f64> {
        match self {
            Pacer::Abr(source) => Some(source.acr()),
            Pacer::Spaced { .. } | Pacer::Shaped(_) | Pacer::Immediate => None,
        }
    }
}
