//! What an output does with a unit: its answer to an offer, and what it did when a unit was due.

use super::queue::Queued;
use crate::wire::vc::Vc;

/// What became of a unit that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// It waits for the scheduler.
    Waits,
    /// It is committed to the link, or has started.
    Starts,
    /// It was dropped.
    Dropped,
    /// It is to go back to its sender: what is left of it found no room either.
    Returned,
}

/// What an output did when a unit was due to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served<U> {
    /// Nothing: an outage of the link has begun, or the unit waits for a shaper.
    Nothing,
    /// The unit has started.
    Started(U),
    /// The policy has dropped the unit.
    Dropped(U),
}

impl<U: Queued> Served<U> {
    /// The virtual channel of the unit that has left the buffer; none of a credit or a check cell.
    #[inline]
    pub fn left(&self) -> Option<Vc> {
        match self {
            Served::Started(unit) | Served::Dropped(unit) if unit.passes() => Some(unit.vc()),
            _ => None,
        }
    }
}
