//! What joins the buffer of an output, and what is counted about it.
//!
//! This file may be written for speed.

use super::discard::{Buffer, Discard, Occupancy, Verdict};
use super::mark::Mark;
use crate::cell::Cell;
use crate::class::Class;
use crate::metrics::PortMeter;

/// What decides at an output, and counts.
pub struct Admission {
    /// To the buffer of all classes, or of the first if each class has its own.
    entrance: Entrance,
    /// To those of the classes after the first, if each has its own.
    others: Option<Box<[Entrance; Class::ALL.len() - 1]>>,
    /// What is counted at the output.
    pub meter: PortMeter,
}

/// The entrance to a buffer.
pub struct Entrance {
    capacity: u64,
    discard: Box<dyn Discard>,
    mark: Option<Box<dyn Mark>>,
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
    /// An output of `vcs` virtual channels with one empty buffer, which may be shared.
    pub fn new(entrance: Entrance, vcs: usize) -> Admission {
        let mut meter = PortMeter::new(vcs);
        meter.marked = entrance.mark.is_some().then_some(0);
        Admission {
            entrance,
            others: None,
            meter,
        }
    }

    /// An output of `vcs` virtual channels with an empty buffer for each service class.
    pub fn by_class(entrances: [Entrance; Class::ALL.len()], vcs: usize) -> Admission {
        let [first, others @ ..] = entrances;
        Admission {
            others: Some(Box::new(others)),
            ..Admission::new(first, vcs)
        }
    }

    /// Whether each class has a buffer of its own.
    pub fn is_by_class(&self) -> bool {
        self.others.is_some()
    }

    /// Whether a cell joins, or a packet, which is one cell of `size` units; it may be marked. An RM
    /// cell joins if it fits, whatever the policy.
    #[inline]
    pub fn admits(&mut self, cell: &mut Cell, size: u64, waiting: Waiting) -> bool {
        self.entrance.admits(cell, size, waiting, &mut self.meter)
    }

    /// Whether a cell joins the buffer of its class, in which so many wait; it may be marked.
    pub fn admits_in(&mut self, class: Class, cell: &mut Cell, here: u64) -> bool {
        let entrance = match (class.index().checked_sub(1), &mut self.others) {
            (Some(other), Some(others)) => &mut others[other],
            _ => &mut self.entrance,
        };
        let waiting = Waiting { here, elsewhere: 0 };
        entrance.admits(cell, 1, waiting, &mut self.meter)
    }

    /// Marks a cell that has joined.
    pub fn mark(&mut self, cell: &mut Cell) {
        cell.marked = true;
        self.meter.mark(1);
    }
}

impl Entrance {
    /// The entrance to a buffer that is guarded so.
    pub fn new(
        buffer: &Buffer,
        discard: Box<dyn Discard>,
        mark: Option<Box<dyn Mark>>,
    ) -> Entrance {
        Entrance {
            capacity: buffer.capacity,
            discard,
            mark,
        }
    }

    #[inline]
    fn admits(
        &mut self,
        cell: &mut Cell,
        size: u64,
        waiting: Waiting,
        meter: &mut PortMeter,
    ) -> bool {
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
                meter.mark(size);
            }
        }
        true
    }
}
