//! The receiving end of a direction of a link with credits for packets: "Receiver" in the tables of the
//! proposal (see `credit/cbfc.rs`).

use kernel::Time;

use super::CbfcTerms;
use crate::wire::between::{CfUpdate, ControlFrame};
use crate::wire::cyclic_count::CyclicCount;
use crate::wire::priority::{ByPriority, Priority, PrioritySet};

/// The receiving end of a direction of a link.
#[derive(Clone, Debug)]
pub struct CbfcReceiver {
    terms: CbfcTerms,
    /// Priority of each virtual channel, or flow label, of the link.
    priorities: Box<[Priority]>,
    /// The virtual channels with credits: the priorities that need them and have flows.
    vcs: PrioritySet,
    counts: ByPriority<ReceivedCredits>,
    /// Earliest start of the next `CF_Update`.
    next_at: Time,
    /// `CF_Update`s sent since the start of the run.
    pub sent_ever: u64,
    /// `CC_Update`s received since the start of the run.
    pub received_ever: u64,
    /// Counts of this end.
    pub meter: CbfcReceiverMeter,
}

/// The counts of a virtual channel.
#[derive(Clone, Copy, Debug, Default)]
struct ReceivedCredits {
    /// The credits consumed: `R_CC_vc`.
    consumed: CyclicCount,
    /// The credits freed: `R_CF_vc`.
    freed: CyclicCount,
    /// The credits freed that the last `CF_Update` has told of.
    told: CyclicCount,
    /// Start of the last `CF_Update`.
    told_at: Time,
}

/// Counts at the receiving end since counting began.
#[derive(Clone, Copy, Debug, Default)]
pub struct CbfcReceiverMeter {
    /// `CF_Update`s sent.
    pub sent: u64,
    /// `CC_Update`s received.
    pub received: u64,
    /// Counts of each virtual channel.
    pub vcs: ByPriority<ReceivedVcCredits>,
}

/// Counts of a virtual channel at the receiving end since counting began.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReceivedVcCredits {
    /// Credits consumed, by packets that have arrived and by those found to be lost.
    pub consumed: u64,
    /// Credits freed.
    pub freed: u64,
    /// Credits of packets that never arrived, as `CC_Update`s have shown.
    pub recovered: u64,
}

impl CbfcReceiver {
    /// An end before the first packet, on a link whose flow labels have these priorities.
    pub fn new(terms: CbfcTerms, priorities: Box<[Priority]>) -> CbfcReceiver {
        CbfcReceiver {
            terms,
            vcs: terms.priorities.and(priorities.iter().copied().collect()),
            priorities,
            counts: ByPriority::default(),
            next_at: Time::ZERO,
            sent_ever: 0,
            received_ever: 0,
            meter: CbfcReceiverMeter::default(),
        }
    }

    /// True if packets of a priority need credits.
    #[inline]
    pub fn protects(&self, vc: Priority) -> bool {
        self.vcs.has(vc)
    }

    /// The priority of a flow label.
    pub fn priority(&self, label: usize) -> Priority {
        self.priorities[label]
    }

    /// A packet with `octets` on the link arrives.
    pub fn consume(&mut self, vc: Priority, octets: u32) {
        if self.vcs.has(vc) {
            let cost = self.terms.cost.of(octets);
            self.counts[vc.index()].consumed.add(cost);
            self.meter.vcs[vc.index()].consumed += u64::from(cost);
        }
    }

    /// A packet that has arrived leaves.
    pub fn free(&mut self, vc: Priority, octets: u32) {
        if self.vcs.has(vc) {
            let cost = self.terms.cost.of(octets);
            self.counts[vc.index()].freed.add(cost);
            self.meter.vcs[vc.index()].freed += u64::from(cost);
        }
    }

    /// Credits of a packet; none if it needs none.
    pub fn cost(&self, vc: Priority, octets: u32) -> Option<u32> {
        self.vcs.has(vc).then(|| self.terms.cost.of(octets))
    }

    /// Credits of the packets that have arrived and have not left.
    pub fn held(&self, vc: Priority) -> u32 {
        let ReceivedCredits {
            consumed, freed, ..
        } = self.counts[vc.index()];
        consumed.since(freed)
    }

    /// A `CC_Update` arrives: the credits that the sending end has consumed and this end has not are
    /// those of packets that the link has lost, and are free again.
    pub fn on_update(&mut self, consumed: &ByPriority<CyclicCount>) {
        self.received_ever += 1;
        self.meter.received += 1;
        for vc in self.vcs.iter() {
            let counts = &mut self.counts[vc.index()];
            let lost = consumed[vc.index()].since(counts.consumed);
            counts.consumed.add(lost);
            counts.freed.add(lost);
            let meter = &mut self.meter.vcs[vc.index()];
            meter.consumed += u64::from(lost);
            meter.freed += u64::from(lost);
            meter.recovered += u64::from(lost);
        }
    }

    /// Time at which the `CF_Update` of a virtual channel is due.
    fn due(&self, vc: Priority) -> Time {
        let counts = &self.counts[vc.index()];
        if counts.freed == counts.told {
            self.next_at.max(counts.told_at + self.terms.max_spacing)
        } else {
            self.next_at
        }
    }

    /// Time at which the next `CF_Update` is due; [`Time::NEVER`] without virtual channels.
    pub fn update_at(&self) -> Time {
        let due = self.vcs.iter().map(|vc| self.due(vc));
        due.min().unwrap_or(Time::NEVER)
    }

    /// The `CF_Update` that starts at `now`, of the virtual channel that has waited longest among those
    /// that are due.
    pub fn update(&mut self, now: Time) -> Option<ControlFrame> {
        let due = self.vcs.iter().filter(|vc| self.due(*vc) <= now);
        let vc = due.min_by_key(|vc| self.counts[vc.index()].told_at)?;
        let counts = &mut self.counts[vc.index()];
        counts.told = counts.freed;
        counts.told_at = now;
        self.next_at = now + self.terms.min_spacing;
        self.sent_ever += 1;
        self.meter.sent += 1;
        let freed = counts.freed;
        Some(ControlFrame::CfUpdate(CfUpdate { vc, freed }))
    }

    /// Restarts the counts.
    pub fn begin_counting(&mut self) {
        self.meter = CbfcReceiverMeter::default();
    }
}
