//! What joins the buffer of an output, and what is counted about it.
//!
//! This file may be written for speed.

use kernel::Time;

use super::discard::{Buffer, Discard, Occupancy, Verdict};
use super::mark::Mark;
use super::shares::Shares;
use super::tagged::Tagged;
use crate::cell::Cell;
use crate::class::Class;
use crate::metrics::PortMeter;

/// What decides at an output, and counts.
pub struct Admission {
    /// To the buffer of all classes, or of the first if each class has its own.
    entrance: Entrance,
    /// What few outputs need.
    apart: Option<Box<Apart>>,
    /// What is counted at the output.
    pub meter: PortMeter,
}

/// Where channels or classes are told apart.
#[derive(Default)]
struct Apart {
    /// To the buffers of the classes after the first, if each has its own.
    others: Option<[Entrance; Class::ALL.len() - 1]>,
    /// Each channel has a buffer of its own, all guarded alike.
    by_channel: bool,
    /// A policy wants to be told what waits.
    follows: bool,
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
    /// When that is.
    pub at: Time,
    /// At this output.
    pub here: u64,
    /// At other outputs that share the memory.
    pub elsewhere: u64,
}

impl Admission {
    /// An output of `vcs` virtual channels with one empty buffer, which may be shared.
    pub fn new(mut entrance: Entrance, vcs: usize) -> Admission {
        let mut meter = PortMeter::new(vcs);
        meter.marked = entrance.mark.is_some().then_some(0);
        let follows = entrance.discard.shares().is_some() || entrance.discard.tagged().is_some();
        let apart = follows.then(|| {
            Box::new(Apart {
                follows,
                ..Apart::default()
            })
        });
        Admission {
            entrance,
            apart,
            meter,
        }
    }

    /// An output of `vcs` virtual channels with an empty buffer for each service class.
    pub fn by_class(entrances: [Entrance; Class::ALL.len()], vcs: usize) -> Admission {
        let [first, others @ ..] = entrances;
        let mut admission = Admission::new(first, vcs);
        admission.apart.get_or_insert_default().others = Some(others);
        admission
    }

    /// An output of `vcs` virtual channels with an empty buffer for each.
    pub fn by_channel(entrance: Entrance, vcs: usize) -> Admission {
        let mut admission = Admission::new(entrance, vcs);
        admission.apart.get_or_insert_default().by_channel = true;
        admission
    }

    /// Whether each channel has a buffer of its own.
    pub fn is_by_channel(&self) -> bool {
        self.apart.as_ref().is_some_and(|apart| apart.by_channel)
    }

    /// Whether each class has a buffer of its own.
    pub fn is_by_class(&self) -> bool {
        let apart = self.apart.as_ref();
        apart.is_some_and(|apart| apart.others.is_some())
    }

    /// Whether anything is told apart: channels, classes, or what waits for a policy.
    #[inline]
    pub fn is_apart(&self) -> bool {
        self.apart.is_some()
    }

    /// Whether so many waiting leave no room.
    pub fn is_full(&self, waiting: u64) -> bool {
        waiting >= self.entrance.capacity
    }

    /// What may be pushed out, if anything ever is.
    pub fn tagged(&mut self) -> Option<&mut Tagged> {
        if !self.follows_channels() {
            return None;
        }
        self.entrance.discard.tagged()
    }

    /// Whether a policy wants to be told what waits.
    #[inline]
    pub fn follows_channels(&self) -> bool {
        self.apart.as_ref().is_some_and(|apart| apart.follows)
    }

    /// Whether a cell joins, or a packet, which is one cell of `size` units; it may be marked. An RM
    /// cell joins if it fits, whatever the policy.
    #[inline]
    pub fn admits(&mut self, cell: &mut Cell, size: u64, waiting: Waiting) -> bool {
        self.entrance.admits(cell, size, waiting, &mut self.meter)
    }

    /// Whether a cell joins the buffer of its class, in which so many wait at `now`; it may be marked.
    pub fn admits_in(&mut self, class: Class, now: Time, cell: &mut Cell, here: u64) -> bool {
        let (entrance, meter) = self.of_class(class);
        let waiting = Waiting {
            at: now,
            here,
            elsewhere: 0,
        };
        entrance.admits(cell, 1, waiting, meter)
    }

    /// What waits of each channel, if that is wanted, where all have one buffer.
    #[inline]
    pub fn shares(&mut self) -> Option<&mut Shares> {
        if !self.follows_channels() {
            return None;
        }
        self.entrance.discard.shares()
    }

    /// What waits of each channel in the buffer of a class, if that is wanted.
    pub fn shares_in(&mut self, class: Class) -> Option<&mut Shares> {
        if !self.follows_channels() {
            return None;
        }
        self.of_class(class).0.discard.shares()
    }

    /// The entrance to the buffer of a class, and what is counted.
    fn of_class(&mut self, class: Class) -> (&mut Entrance, &mut PortMeter) {
        let apart = self.apart.as_mut();
        let others = apart.and_then(|apart| apart.others.as_mut());
        let entrance = match (class.index().checked_sub(1), others) {
            (Some(other), Some(others)) => &mut others[other],
            _ => &mut self.entrance,
        };
        (entrance, &mut self.meter)
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
            at: waiting.at,
            queued: waiting.here + waiting.elsewhere,
            capacity: self.capacity,
            size,
        };
        if cell.is_rm() {
            // No part of any PDU, and without a payload type to mark.
            return buffer.fits();
        }
        if self.discard.admit(cell, buffer) == Verdict::Refuse {
            meter.refusing(cell.vc.index(), buffer.fits());
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
