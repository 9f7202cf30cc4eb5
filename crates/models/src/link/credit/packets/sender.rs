//! The sending end of a direction of a link with credits for packets: "Sender" in the tables of the
//! proposal (see `credit/cbfc.rs`).

use kernel::{Duration, Time};

use super::{CbfcTerms, CreditPool};
use crate::wire::between::{CfUpdate, ControlFrame};
use crate::wire::cyclic_count::CyclicCount;
use crate::wire::priority::{ByPriority, Priority, PrioritySet};

/// The sending end of a direction of a link.
#[derive(Clone, Debug)]
pub struct CbfcSender {
    terms: CbfcTerms,
    /// The virtual channels: the priorities that need credits and have flows.
    vcs: PrioritySet,
    /// The credits consumed: `S_CC_vc`.
    consumed: ByPriority<CyclicCount>,
    /// The credits freed, as far as is known: `S_CF_vc`.
    freed: ByPriority<CyclicCount>,
    /// Time at which the next `CC_Update` is due; [`Time::NEVER`] without virtual channels.
    update_at: Time,
    /// `CC_Update`s sent since the start of the run.
    pub sent_ever: u64,
    /// `CF_Update`s received since the start of the run.
    pub received_ever: u64,
    /// Counts of this end.
    pub meter: CbfcSenderMeter,
}

/// Counts at the sending end since counting began.
#[derive(Clone, Copy, Debug, Default)]
pub struct CbfcSenderMeter {
    /// Counts of each virtual channel.
    pub vcs: ByPriority<VcCredits>,
    /// Most credits in use, of all virtual channels together.
    pub most_used: u32,
    /// `CC_Update`s sent.
    pub sent: u64,
    /// `CF_Update`s received.
    pub received: u64,
}

/// Counts of a virtual channel at the sending end since counting began.
#[derive(Clone, Copy, Debug, Default)]
pub struct VcCredits {
    /// Credits consumed.
    pub consumed: u64,
    /// Credits freed, as far as is known.
    pub freed: u64,
    /// Most credits in use.
    pub most_used: u32,
    /// Sum over time of the credits in use, in picoseconds, until they last changed.
    used_time: u128,
    /// Time from which on as many credits as now have been in use, or have been counted.
    since: Time,
}

impl VcCredits {
    /// Sum over time until `now` of the credits in use, of which there are `used` now.
    fn used_time(&self, now: Time, used: u32) -> u128 {
        self.used_time + u128::from(now.since(self.since).ps()) * u128::from(used)
    }
}

impl CbfcSender {
    /// An end before its first packet, on a link with flows of these priorities.
    pub fn new(terms: CbfcTerms, priorities: PrioritySet) -> CbfcSender {
        let vcs = terms.priorities.and(priorities);
        CbfcSender {
            update_at: if vcs.is_empty() {
                Time::NEVER
            } else {
                Time::ZERO + terms.cc_timer
            },
            terms,
            vcs,
            consumed: ByPriority::default(),
            freed: ByPriority::default(),
            sent_ever: 0,
            received_ever: 0,
            meter: CbfcSenderMeter::default(),
        }
    }

    /// Credits in use of a virtual channel: `S_CU_vc`.
    pub fn used(&self, vc: Priority) -> u32 {
        self.consumed[vc.index()].since(self.freed[vc.index()])
    }

    /// Credits in use of all virtual channels together: `S_CU_p`.
    pub fn used_by_all(&self) -> u32 {
        self.vcs.iter().map(|vc| self.used(vc)).sum()
    }

    /// Shared credits in use of all virtual channels together: those beyond their own.
    pub fn borrowed_by_all(&self) -> u32 {
        let borrowed = |vc| self.used(vc).saturating_sub(self.terms.limit);
        self.vcs.iter().map(borrowed).sum()
    }

    /// True if virtual channels share credits, so that a packet of one may close another.
    #[inline]
    pub fn shares(&self) -> bool {
        self.terms.shared.is_some()
    }

    /// The virtual channels: the priorities that need credits and have flows.
    pub fn vcs(&self) -> PrioritySet {
        self.vcs
    }

    /// The counts of the credits that a virtual channel has consumed and that are freed, as far as is
    /// known: `S_CC_vc` and `S_CF_vc`.
    pub fn counts(&self, vc: Priority) -> [CyclicCount; 2] {
        [self.consumed[vc.index()], self.freed[vc.index()]]
    }

    /// Credits that a virtual channel may still consume.
    pub fn left(&self, vc: Priority) -> u32 {
        self.left_of(vc, |one| self.used(one))
    }

    /// Credits that a virtual channel may still consume where each has as many in use as `used` says.
    fn left_of(&self, vc: Priority, used: impl Fn(Priority) -> u32) -> u32 {
        let shared = self.terms.shared.map_or(0, |shared| {
            let others = self.vcs.iter().filter(|one| *one != vc);
            let borrowed = others.map(|one| used(one).saturating_sub(self.terms.limit));
            shared.most_lent(vc, borrowed.sum())
        });
        let most = u64::from(self.terms.limit) + shared;
        most.saturating_sub(u64::from(used(vc))) as u32
    }

    /// True if a packet with `octets` on the link could not start either if each virtual channel had only
    /// as many credits in use as packets cost that have `held` octets at the far end.
    pub fn remains_closed(&self, vc: Priority, octets: u32, held: &ByPriority<Vec<u32>>) -> bool {
        let used = |one: Priority| {
            let held = held[one.index()].iter();
            held.map(|octets| self.terms.cost.of(*octets)).sum()
        };
        self.vcs.has(vc) && self.terms.cost.of(octets) > self.left_of(vc, used)
    }

    /// True if a packet with `octets` on the link may start.
    pub fn is_open(&self, vc: Priority, octets: u32) -> bool {
        if !self.vcs.has(vc) {
            return true;
        }
        let cost = self.terms.cost.of(octets);
        let has_own = self.used(vc) + cost <= self.terms.limit;
        has_own || self.shares() && cost <= self.left(vc)
    }

    /// A packet starts at `now`, for which [`CbfcSender::is_open`] is true.
    pub fn consume(&mut self, now: Time, vc: Priority, octets: u32) {
        if !self.vcs.has(vc) {
            return;
        }
        let cost = self.terms.cost.of(octets);
        self.count_until(now, vc);
        self.consumed[vc.index()].add(cost);
        let used = self.used(vc);
        let counts = &mut self.meter.vcs[vc.index()];
        counts.consumed += u64::from(cost);
        counts.most_used = counts.most_used.max(used);
        self.meter.most_used = self.meter.most_used.max(self.used_by_all());
        assert!(
            self.used(vc) <= self.terms.limit || self.shares(),
            "credits in use never exceed the limit"
        );
        self.assert_shared();
    }

    /// Asserts that the virtual channels use no more than the shared credits.
    fn assert_shared(&self) {
        let used = |shared: CreditPool| u64::from(self.borrowed_by_all()) <= shared.credits();
        assert!(
            self.terms.shared.is_none_or(used),
            "virtual channels never use more than the shared credits"
        );
    }

    /// Asserts that no virtual channel uses more credits than it may, nor all of them together.
    ///
    /// # Panics
    /// If one does.
    pub fn assert_within_limits(&self) {
        let each = self.vcs.iter();
        let mut within = each.map(|vc| u64::from(self.used(vc)) <= self.terms.most(vc));
        assert!(
            within.all(|within| within),
            "a virtual channel never uses more credits than its thresholds allow"
        );
        self.assert_shared();
    }

    /// Counts the credits in use of a virtual channel until `now`, before they change.
    fn count_until(&mut self, now: Time, vc: Priority) {
        let used = self.used(vc);
        let counts = &mut self.meter.vcs[vc.index()];
        counts.used_time = counts.used_time(now, used);
        counts.since = now;
    }

    /// Mean number of credits of a virtual channel in use over the time from the beginning of the
    /// counts, `span` before `now`.
    pub fn mean_used(&self, now: Time, span: Duration, vc: Priority) -> f64 {
        let counts = &self.meter.vcs[vc.index()];
        counts.used_time(now, self.used(vc)) as f64 / span.ps() as f64
    }

    /// A `CF_Update` arrives at `now`.
    pub fn on_update(&mut self, now: Time, update: CfUpdate) {
        let CfUpdate { vc, freed } = update;
        let more = freed.since(self.freed[vc.index()]);
        assert!(
            more <= self.used(vc),
            "no more credits are freed than are in use"
        );
        self.count_until(now, vc);
        self.freed[vc.index()] = freed;
        self.received_ever += 1;
        self.meter.received += 1;
        self.meter.vcs[vc.index()].freed += u64::from(more);
    }

    /// Time at which the next `CC_Update` is due; [`Time::NEVER`] without virtual channels.
    #[inline]
    pub fn update_at(&self) -> Time {
        self.update_at
    }

    /// The `CC_Update` that starts at `now`.
    pub fn update(&mut self, now: Time) -> ControlFrame {
        self.update_at = now + self.terms.cc_timer;
        self.sent_ever += 1;
        self.meter.sent += 1;
        ControlFrame::CcUpdate(self.consumed)
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        let begun = |vc| VcCredits {
            most_used: self.used(vc),
            since: now,
            ..VcCredits::default()
        };
        let mut vcs = ByPriority::default();
        for vc in self.vcs.iter() {
            vcs[vc.index()] = begun(vc);
        }
        self.meter = CbfcSenderMeter {
            vcs,
            most_used: self.used_by_all(),
            ..CbfcSenderMeter::default()
        };
    }
}
