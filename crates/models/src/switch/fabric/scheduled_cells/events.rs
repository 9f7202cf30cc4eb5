//! The events of a scheduled fabric, in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::Time;

/// Acts of a scheduled fabric, in their order at one instant. Of equal acts that of the lowest output
/// comes first, then that of the lowest input, since lanes are numbered in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// A cell of a packet arrives at the egress of its lane.
    Reassemble {
        lane: u32,
        /// Number of the packet in the lane.
        packet: u64,
    },
    /// An egress gives up a packet that has lost a cell.
    Expire { lane: u32, packet: u64 },
    /// A cell of a packet arrives in the fabric, at the end of a link from its ingress.
    Forward { link: u32, lane: u32, packet: u64 },
    /// The request for a packet arrives at the egress of its lane.
    Request { lane: u32, octets: u64 },
    /// An egress may grant credit.
    Schedule { output: u32 },
    /// A grant arrives at the ingress of its lane.
    Grant { lane: u32 },
}

/// The events to come.
#[derive(Default)]
pub struct Events(BinaryHeap<Reverse<(Time, Act)>>);

impl Events {
    /// Time of the next event; [`Time::NEVER`] if there is none.
    pub fn next(&self) -> Time {
        self.0
            .peek()
            .map_or(Time::NEVER, |Reverse((time, _))| *time)
    }

    /// Adds an event.
    pub fn add(&mut self, time: Time, act: Act) {
        self.0.push(Reverse((time, act)));
    }

    /// Removes the next event, if it is due at `now`.
    pub fn take(&mut self, now: Time) -> Option<Act> {
        if self.next() != now {
            return None;
        }
        self.0.pop().map(|Reverse((_, act))| act)
    }
}
