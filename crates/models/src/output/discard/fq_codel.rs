//! FQ-CoDel: a CoDel for each of many queues, and room made in the longest of them.
//!
//! The scheduler `flow_queue` divides the flows among the queues. A packet that finds the buffer full
//! does not suffer for a flow that filled it: packets are dropped from the head of the longest queue,
//! up to half of it and up to a batch. Hoeiland-Joergensen, McKenney, Taht, Gettys and Dumazet, "The
//! Flow Queue CoDel Packet Scheduler and Active Queue Management Algorithm", RFC 8290, 2018, sections
//! 4.1 and 4.2. The RFC makes room after the packet has joined its queue, and here it is made before.
//! CoDel itself is RFC 8289.

use kernel::Duration;
use parameters::{Bytes, Conflict, parameters};

use super::{Buffer, Decision, Discard, DiscardKind, Head, HeadDecision, Occupancy};
use crate::output::decision::controlled_delay::{Aim, Controlled, ControlledDelays};
use crate::output::decision::pdus::{Overflow, Pdus};
use crate::wire::cell::Cell;

parameters! {
    /// FQ-CoDel: each queue of the scheduler has a CoDel of its own, and a full buffer drops from the
    /// longest queue.
    #[check(check)]
    pub struct FqCodel {
        #[as_in(Controlled)]
        pub target: Duration,
        #[as_in(Controlled)]
        pub interval: Duration,
        #[as_in(Controlled)]
        pub max_packet: Bytes,
        #[as_in(Controlled)]
        pub ecn: bool,
        /// Largest number of packets that are dropped at once where the buffer is full.
        #[range(1, 10000)]
        pub batch: u64 = 64,
        /// Treatment of an accepted packet when one of its cells finds no room.
        pub overflow: Overflow = "partial_packet",
    }
}

impl FqCodel {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let aim = Aim::new(self.target, self.interval, self.max_packet, buffer);
        Box::new(State {
            laws: ControlledDelays::new(aim, buffer.markable(self.ecn)),
            batch: self.batch,
            pdus: Pdus::new(buffer.vcs, self.overflow),
        })
    }

    fn check(&self) -> Option<Conflict> {
        Aim::conflict(self.target, self.interval)
    }
}

impl DiscardKind for FqCodel {
    fn needs_shared_queue(&self) -> bool {
        true
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        true
    }

    fn marks(&self) -> bool {
        self.ecn
    }

    fn schedulers(&self) -> Option<&'static [&'static str]> {
        Some(&["flow_queue", "fifo"])
    }

    fn parameter_of_cells(&self) -> Option<&'static str> {
        (self.overflow == Overflow::TailDrop).then_some("overflow")
    }
}

struct State {
    laws: ControlledDelays,
    batch: u64,
    pdus: Pdus,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        self.pdus.decision(cell, &buffer, || buffer.fits())
    }

    fn marks(&self) -> bool {
        self.laws.may_mark()
    }

    fn decides_at_departure(&self) -> bool {
        true
    }

    fn on_head(&mut self, head: Head) -> HeadDecision {
        self.laws.on_head(head)
    }

    fn makes_room(&self) -> Option<u64> {
        Some(self.batch)
    }
}
