//! What joins the buffer of an output, and what is counted about it.
//!
//! This file may be written for speed.

use super::discard::{Buffer, Discard, Occupancy, Verdict};
use super::mark::Mark;
use crate::cell::Cell;
use crate::metrics::PortMeter;

/// The entrance to a buffer.
pub struct Admission {
    capacity: u64,
    discard: Box<dyn Discard>,
    mark: Option<Box<dyn Mark>>,
    /// What is counted at the output.
    pub meter: PortMeter,
}

/// What waits when a unit is offered.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// At this output.
    pub here: u64,
    /// At other outputs that share the memory.
    pub elsewhere: u64,
}

impl Admission {
    /// The entrance to an empty buffer, which may be shared.
    pub fn new(
        buffer: &Buffer,
        discard: Box<dyn Discard>,
        mark: Option<Box<dyn Mark>>,
    ) -> Admission {
        let mut meter = PortMeter::new(buffer.vcs);
        meter.marked = mark.is_some().then_some(0);
        Admission {
            capacity: buffer.capacity,
            discard,
            mark,
            meter,
        }
    }

    /// Whether a cell joins, or a packet, which is one cell of `size` units; it may be marked. An RM
    /// cell joins if it fits, whatever the policy.
    #[inline]
    pub fn admits(&mut self, cell: &mut Cell, size: u64, waiting: Waiting) -> bool {
        let buffer = Occupancy {
            queued: waiting.here + waiting.elsewhere,
            capacity: self.capacity,
            size,
        };
        if cell.is_rm() {
            // No part of any PDU, and without a payload type to mark.
            return buffer.fits();
        }
        if self.discard.admit(cell, buffer) == Verdict::Refuse {
            return false;
        }
        debug_assert!(buffer.fits(), "a policy accepted what does not fit");
        if let Some(mark) = &mut self.mark {
            let queued = waiting.here;
            if mark.marks(Occupancy { queued, ..buffer }) {
                cell.marked = true;
                self.meter.mark(size);
            }
        }
        true
    }
}
