//! Marking: telling receivers that a queue is long, instead of, or before, refusing.
//!
//! A mark is the explicit forward congestion indication (EFCI) of a cell, a bit of the payload type
//! in its header (ITU-T Recommendations I.361 and I.371), or the "congestion experienced" (CE) code
//! point of a packet (RFC 3168). It is set on the way and never taken back; what the ends of a flow
//! make of it is theirs.

use crate::output::discard::{Buffer, Occupancy};

parameters::registry! {
    /// Rule by which an output marks cells or packets as having met congestion.
    pub enum MarkSpec builds Box<dyn Mark>, for Buffer {
        threshold => Threshold,
    }
}

/// Decides, for each unit that is accepted.
pub trait Mark {
    /// Whether a unit is marked that joins a queue of this output; what waits at others does not
    /// count, even where they share the memory.
    fn marks(&mut self, queue: Occupancy) -> bool;
}
