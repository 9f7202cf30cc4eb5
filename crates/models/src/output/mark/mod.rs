//! Marking rules: which units carry the mark that reports congestion to the receiver.
//!
//! A mark is the explicit forward congestion indication (EFCI) of a cell, a bit of the payload type
//! in its header (ITU-T Recommendations I.361 and I.371), or the "congestion experienced" (CE) code
//! point of a packet (RFC 3168). A node sets it and never clears it; the ends of a flow decide how
//! they respond.

use crate::output::decision::{Buffer, Occupancy};

parameters::registry! {
    /// Rule by which an output sets the congestion mark of cells or packets.
    pub enum MarkSpec builds Box<dyn Mark>, for Buffer {
        threshold => Threshold,
        ramp => Ramp,
    } open to Outside
}

/// Decides whether an accepted unit is marked.
pub trait Mark: Send {
    /// True if a unit that joins the buffer is marked. `queue` counts the units of this output
    /// only, even if other outputs share the memory.
    fn marks(&mut self, queue: Occupancy) -> bool;
}
