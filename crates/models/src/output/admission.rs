//! Admission decides which units join the buffers of an output, and which of these are marked. The
//! discard policy decides first, since only a unit that joins the queue can carry a mark.
//!
//! This file may be written for speed.

use kernel::Time;

use super::admitted::Admission;
use super::decision::{
    Buffer, Decision, Discard, Head, HeadDecision, Occupancy, Promise, RateChange, Trimming,
};
use super::discard::DiscardSpec;
use super::mark::{Mark, MarkSpec};
use super::packet_limit::PacketLimit;
use super::rare_rules::RareRules;
use crate::metrics::PortMeter;
use crate::wire::cell::Cell;
use crate::wire::class::Class;
use crate::wire::vc::Vc;

/// The buffers of an output that has a scheduler.
pub enum BufferLayout {
    /// One buffer for all units, which other outputs may share.
    One(BufferGate),
    /// A buffer for each service class.
    PerClass(Box<[BufferGate; Class::ALL.len()]>),
    /// A buffer for each virtual channel, all with the same policies.
    PerVc(BufferGate),
    /// A buffer for the queue of headers, and one for the queue of other packets, in the order of these
    /// queues.
    PerQueue(Box<[BufferGate; 2]>),
}

/// The gate of one buffer: a discard policy, and a marking rule if the output has one.
// Each tells apart two kinds of policies, whatever the others say.
#[allow(clippy::struct_excessive_bools)]
pub struct BufferGate {
    capacity: u64,
    discard: Box<dyn Discard>,
    mark: Option<Box<dyn Mark>>,
    /// True if the policy or the limit of packets needs to know which units join and leave the buffer.
    follows_queue: bool,
    pushes_out: bool,
    // Boxed: few outputs have any of it, and the others stay small.
    rare: Option<Box<RareRules>>,
    /// True if exactly the units that fit are accepted, and none of them is marked.
    accepts_what_fits: bool,
    /// True if the policy promises its decisions on some cells, and none of them is marked.
    promises: bool,
    /// VC and number of a PDU that the gate accepts although its policy drops it.
    kept: Option<(Vc, u32)>,
}

/// The offer of a unit to a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// Time of the offer.
    pub at: Time,
    /// The time at which the queue is as the policy sees it: `at`, or just before it.
    pub queue_at: Time,
    /// Size of the unit: 1 for a cell, octets for a packet.
    pub size: u64,
    /// Occupancy of the buffer by this output, in the same units.
    pub here: u64,
    /// Occupancy of the buffer by the other outputs that share it.
    pub elsewhere: u64,
}

impl Offer {
    /// The occupancy that the unit finds in a buffer of this capacity.
    // Made where it is needed: a copy that is kept during a call would cost several steps.
    #[inline]
    fn finds(self, capacity: u64) -> Occupancy {
        Occupancy {
            at: self.at,
            queued: self.here + self.elsewhere,
            capacity,
            size: self.size,
        }
    }
}

impl BufferLayout {
    /// The gates of the buffers.
    pub fn gates(&self) -> &[BufferGate] {
        match self {
            BufferLayout::One(gate) | BufferLayout::PerVc(gate) => std::slice::from_ref(gate),
            BufferLayout::PerClass(gates) => &gates[..],
            BufferLayout::PerQueue(gates) => &gates[..],
        }
    }

    /// The gates of the buffers, mutable.
    pub fn gates_mut(&mut self) -> &mut [BufferGate] {
        match self {
            BufferLayout::One(gate) | BufferLayout::PerVc(gate) => std::slice::from_mut(gate),
            BufferLayout::PerClass(gates) => &mut gates[..],
            BufferLayout::PerQueue(gates) => &mut gates[..],
        }
    }

    /// The gate of the only buffer, at an output that pushes out.
    pub fn only_gate_mut(&mut self) -> &mut BufferGate {
        match self {
            BufferLayout::One(gate) => gate,
            BufferLayout::PerClass(_) | BufferLayout::PerVc(_) | BufferLayout::PerQueue(_) => {
                unreachable!("cells are pushed out of one buffer")
            }
        }
    }

    /// The gate of the buffer that holds the units of a class.
    pub fn gate_mut(&mut self, class: Class) -> &mut BufferGate {
        match self {
            BufferLayout::One(gate) | BufferLayout::PerVc(gate) => gate,
            BufferLayout::PerClass(gates) => &mut gates[class.index()],
            BufferLayout::PerQueue(gates) => &mut gates[1],
        }
    }

    /// Octets that are left of a trimmed packet; none if no packet is trimmed.
    pub fn trims_to(&self) -> Option<u32> {
        self.gates().iter().find_map(BufferGate::trims_to)
    }

    /// True if packets that do not fit even when they are trimmed go back to their senders.
    pub fn returns(&self) -> bool {
        self.gates().iter().any(BufferGate::returns)
    }
}

impl BufferGate {
    /// The gate of `buffer`.
    pub fn new(buffer: &Buffer, policy: &DiscardSpec, mark: Option<&MarkSpec>) -> BufferGate {
        let discard = policy.build(buffer);
        let marking = Buffer {
            random: buffer.random.branch(),
            ..buffer.clone()
        };
        BufferGate {
            capacity: buffer.capacity,
            follows_queue: discard.follows_queue() || buffer.packets.is_some(),
            pushes_out: policy.pushes_out(),
            rare: RareRules::of(policy.trimming(), buffer),
            accepts_what_fits: mark.is_none() && discard.accepts_what_fits(),
            promises: mark.is_none() && discard.promises(),
            discard,
            mark: mark.map(|mark| mark.build(&marking)),
            kept: None,
        }
    }

    /// From now on, the cells of this PDU that fit into the buffer are accepted, whatever the policy
    /// decides about them.
    pub fn keep(&mut self, vc: Vc, pdu: u32) {
        self.kept = Some((vc, pdu));
        // A promise may concern the cells of this PDU.
        self.promise_nothing();
    }

    /// Notes the buffer that a cell found which is dropped, unless the cell is of the PDU that is kept
    /// and fits.
    // Not inlined, so that the path of accepted cells stays short.
    #[cold]
    #[inline(never)]
    fn drop_or_keep(
        &self,
        cell: &Cell,
        offer: Offer,
        capacity: u64,
        meter: &mut PortMeter,
    ) -> Admission {
        let buffer = offer.finds(capacity);
        if let Some(kept) = self.kept
            && buffer.fits()
            && cell.part().is_some_and(|data| (cell.vc, data.pdu) == kept)
        {
            return Admission::Accepted;
        }
        meter.note_fit(cell.vc.index(), buffer.fits(), Some(buffer.queued));
        Admission::Dropped
    }

    /// The queue length from which the discard policy drops units, if one parameter states it.
    pub fn threshold(&mut self) -> Option<&mut u64> {
        self.discard.threshold()
    }

    /// This gate, at which no packet is trimmed.
    pub fn without_trimming(mut self) -> BufferGate {
        if let Some(rare) = &mut self.rare {
            rare.trimming = None;
        }
        self
    }

    /// The trimming of the packets that the policy drops.
    fn trimming(&self) -> Option<&Trimming> {
        self.rare.as_ref()?.trimming.as_ref()
    }

    /// The limit of packets.
    #[inline]
    fn packets(&mut self) -> Option<&mut PacketLimit> {
        self.rare.as_mut()?.packets.as_mut()
    }

    /// True if the gate may mark the units that it accepts.
    pub fn marks(&self) -> bool {
        self.mark.is_some() || self.discard.marks()
    }

    /// True if the policy decides about units when they are due to start.
    pub fn decides_at_departure(&self) -> bool {
        self.discard.decides_at_departure()
    }

    /// If a unit that does not fit makes room in the longest queue, the largest number of packets that
    /// are dropped for it at once.
    pub fn makes_room(&self) -> Option<u64> {
        self.discard.makes_room()
    }

    /// The decision of the policy about a unit that is due to start.
    pub fn on_head(&mut self, head: Head) -> HeadDecision {
        self.discard.on_head(head)
    }

    /// True if a cell of high priority that finds the buffer full pushes out one of low priority.
    pub fn pushes_out(&self) -> bool {
        self.pushes_out
    }

    /// Octets that are left of a packet that the policy drops; none if the packet is dropped whole.
    pub fn trims_to(&self) -> Option<u32> {
        self.trimming().map(|trimming| trimming.octets)
    }

    /// True if a packet that does not fit even when it is trimmed goes back to its sender.
    pub fn returns(&self) -> bool {
        self.trimming().is_some_and(|trimming| trimming.returns)
    }

    /// True if the policy or the limit of packets counts the units that join and leave the buffer.
    pub fn follows_queue(&self) -> bool {
        self.follows_queue
    }

    /// `units` of a virtual channel join the buffer.
    pub fn on_join(&mut self, vc: Vc, units: u64) {
        if let Some(packets) = self.packets() {
            packets.join();
        }
        self.discard.on_join(vc, units);
    }

    /// `units` of a virtual channel leave the buffer at `at`.
    pub fn on_leave(&mut self, vc: Vc, units: u64, at: Time) {
        if let Some(packets) = self.packets() {
            packets.leave(at);
        }
        self.discard.on_leave(vc, units, at);
    }

    /// The rate of the link changes.
    pub fn on_rate(&mut self, change: RateChange) {
        self.discard.on_rate(change);
    }

    /// The [`Promise`] of the discard policy about the next cells of a VC; none if the gate marks
    /// cells.
    #[inline]
    pub fn promise(&self, vc: Vc) -> Promise {
        if self.promises {
            self.discard.promise(vc)
        } else {
            Promise::Ask
        }
    }

    /// True if [`BufferGate::promise`] may return more than [`Promise::Ask`].
    #[inline]
    pub fn promises(&self) -> bool {
        self.promises
    }

    /// From now on, [`BufferGate::promise`] returns [`Promise::Ask`].
    pub fn promise_nothing(&mut self) {
        self.promises = false;
    }

    /// True if as many packets wait at `now` as may.
    pub fn holds_most_packets(&mut self, now: Time) -> bool {
        self.packets().is_some_and(|packets| packets.is_full(now))
    }

    /// The capacity of the buffer for an offered unit: what waits already, if as many packets wait as
    /// may.
    #[inline]
    fn capacity_for(&mut self, offer: Offer) -> u64 {
        if self.holds_most_packets(offer.queue_at) {
            offer.here + offer.elsewhere
        } else {
            self.capacity
        }
    }

    /// Number of units that fit into the buffer.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// True if no cell fits into the buffer while `waiting` cells wait.
    pub fn is_full(&self, waiting: u64) -> bool {
        waiting >= self.capacity
    }

    /// Decides about a cell, or about a packet, which a policy sees as one cell of `offer.size`
    /// units. A policy is not asked if it accepts exactly what fits, nor about an RM cell, which joins
    /// the buffer if it fits.
    // Inlined: a call for each unit would cost more than this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn admit(&mut self, cell: &Cell, offer: Offer, meter: &mut PortMeter) -> Admission {
        let capacity = self.capacity_for(offer);
        // An RM cell is no part of a PDU, and its payload type has no EFCI bit.
        if self.accepts_what_fits || cell.is_rm() {
            return if offer.finds(capacity).fits() {
                Admission::Accepted
            } else {
                self.drop_or_keep(cell, offer, capacity, meter)
            };
        }
        let decision = self.discard.admit(cell, offer.finds(capacity));
        if decision == Decision::Drop {
            return self.drop_or_keep(cell, offer, capacity, meter);
        }
        debug_assert!(
            offer.finds(capacity).fits(),
            "the policy accepted a unit that does not fit"
        );
        if decision == Decision::Mark {
            return Admission::Marked;
        }
        if let Some(mark) = &mut self.mark {
            let here = Offer {
                elsewhere: 0,
                ..offer
            };
            let is_long = mark.marks(here.finds(capacity));
            if is_long && !cell.part().is_some_and(|data| data.not_ect) {
                return Admission::Marked;
            }
        }
        Admission::Accepted
    }
}
