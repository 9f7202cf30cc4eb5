//! Admission: which units join the buffers of an output.
//!
//! This file may be written for speed.

use kernel::Time;

use super::discard::{Buffer, Discard, Occupancy, Verdict};
use super::mark::Mark;
use crate::cell::Cell;
use crate::class::Class;
use crate::metrics::PortMeter;
use crate::vc::Vc;

/// The buffers of an output whose units a scheduler chooses.
pub enum BufferLayout {
    /// One buffer for all units, which other outputs may share.
    One(BufferGate),
    /// A buffer for each service class.
    PerClass(Box<[BufferGate; Class::ALL.len()]>),
    /// A buffer for each virtual channel, all guarded alike.
    PerVc(BufferGate),
}

/// Guards one buffer: a discard policy, and a rule for marks if there is one.
pub struct BufferGate {
    capacity: u64,
    discard: Box<dyn Discard>,
    mark: Option<Box<dyn Mark>>,
    /// True if the policy must be told what joins and leaves the buffer.
    follows_queue: bool,
}

/// A unit that is offered to a buffer, and what it finds there.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// When it is offered.
    pub at: Time,
    /// Size of the unit: 1 for a cell, octets for a packet.
    pub size: u64,
    /// Occupancy of the buffer by this output, in the same units.
    pub here: u64,
    /// Occupancy of the buffer by the other outputs that share it.
    pub elsewhere: u64,
}

/// The decision about a unit that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It is dropped.
    Refused,
    /// It joins the buffer.
    Accepted,
    /// It joins the buffer and is marked.
    Marked,
}

impl BufferLayout {
    /// The gates of all buffers.
    pub fn gates(&self) -> &[BufferGate] {
        match self {
            BufferLayout::One(gate) | BufferLayout::PerVc(gate) => std::slice::from_ref(gate),
            BufferLayout::PerClass(gates) => &gates[..],
        }
    }

    /// The gate of the buffer that holds the units of a class.
    pub fn gate_mut(&mut self, class: Class) -> &mut BufferGate {
        match self {
            BufferLayout::One(gate) | BufferLayout::PerVc(gate) => gate,
            BufferLayout::PerClass(gates) => &mut gates[class.index()],
        }
    }
}

impl BufferGate {
    /// The gate of `buffer`.
    pub fn new(
        buffer: &Buffer,
        discard: Box<dyn Discard>,
        mark: Option<Box<dyn Mark>>,
    ) -> BufferGate {
        BufferGate {
            capacity: buffer.capacity,
            follows_queue: discard.follows_queue(),
            discard,
            mark,
        }
    }

    /// True if it may mark what it accepts.
    pub fn marks(&self) -> bool {
        self.mark.is_some()
    }

    /// True if a cell of high priority that finds no room pushes out one of low priority.
    pub fn pushes_out(&self) -> bool {
        self.discard.pushes_out()
    }

    /// True if its policy must be told what joins and leaves the buffer.
    pub fn follows_queue(&self) -> bool {
        self.follows_queue
    }

    /// `units` of a channel join the buffer.
    pub fn on_join(&mut self, vc: Vc, units: u64) {
        self.discard.on_join(vc, units);
    }

    /// `units` of a channel leave the buffer at `at`.
    pub fn on_leave(&mut self, vc: Vc, units: u64, at: Time) {
        self.discard.on_leave(vc, units, at);
    }

    /// True if a cell finds no room where so many wait.
    pub fn is_full(&self, waiting: u64) -> bool {
        waiting >= self.capacity
    }

    /// Decides about a cell, or about a packet as one cell of `offer.size` units. An RM cell joins if
    /// it fits, whatever the policy.
    #[inline]
    pub fn admit(&mut self, cell: &Cell, offer: Offer, meter: &mut PortMeter) -> Admission {
        let buffer = Occupancy {
            at: offer.at,
            queued: offer.here + offer.elsewhere,
            capacity: self.capacity,
            size: offer.size,
        };
        if cell.is_rm() {
            // No part of any PDU, and without a payload type to mark.
            return if buffer.fits() {
                Admission::Accepted
            } else {
                Admission::Refused
            };
        }
        if self.discard.admit(cell, buffer) == Verdict::Refuse {
            meter.refusing(cell.vc.index(), buffer.fits());
            return Admission::Refused;
        }
        debug_assert!(buffer.fits(), "a policy accepted what does not fit");
        if let Some(mark) = &mut self.mark {
            let queued = offer.here;
            if mark.marks(Occupancy { queued, ..buffer }) {
                meter.mark(offer.size);
                return Admission::Marked;
            }
        }
        Admission::Accepted
    }
}
