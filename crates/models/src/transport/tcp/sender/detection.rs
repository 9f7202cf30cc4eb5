//! The detection of losses, by the number of duplicates and reports or by the times of segments, and the
//! recovery that follows.
//!
//! RFC 5681, section 3.2; RFC 6675, section 2; RFC 8985, sections 6 to 8, by which losses are found by
//! time. The parts by time stay out of line: other senders pay for one comparison at each call.

use kernel::Time;

use crate::transport::Segment;
use crate::transport::tcp::congestion::CongestionEvent;
use crate::transport::tcp::recovery::{Found, Outstanding, Recovery, TimeBasedRecovery};
use crate::transport::tcp::retransmission::{Purpose, RetransmissionTimer};
use crate::transport::tcp::{Repeated, Tcp};

/// The detection of losses at one sender, and its recovery.
pub(super) struct LossDetection {
    /// The recovery from the losses.
    pub(super) recovery: Box<dyn Recovery>,
    /// Octets sent by limited transmit: RFC 3042. A window has fewer than 2^30 octets.
    ahead: u32,
    evidence: Evidence,
    repeated: Repeated,
    limited_transmit: bool,
}

/// The evidence of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Duplicates and reports, by their number.
    Counts,
    /// The times at which segments were sent.
    Times,
}

impl LossDetection {
    /// The detection of a sender before its first segment.
    pub(super) fn of(spec: &Tcp) -> LossDetection {
        let mut recovery = spec.congestion.recovery();
        let evidence = match recovery.timed() {
            None => Evidence::Counts,
            Some(_) => Evidence::Times,
        };
        LossDetection {
            recovery,
            ahead: 0,
            evidence,
            repeated: spec.repeated_fast_retransmit,
            limited_transmit: spec.limited_transmit,
        }
    }

    /// True if losses are found by the times at which segments were sent.
    #[inline]
    pub(super) fn is_timed(&self) -> bool {
        self.evidence == Evidence::Times
    }

    /// The congestion event of a loss at `now`. Its flight size is without the data that limited transmit
    /// sent.
    pub(super) fn event(&self, now: Time, data: &Outstanding) -> CongestionEvent {
        CongestionEvent {
            now,
            flight: data.flight().saturating_sub(self.ahead.into()),
            again: false,
        }
    }

    /// Octets that limited transmit may send beyond the congestion window now: RFC 3042.
    pub(super) fn early(&self, data: &Outstanding) -> u64 {
        let few = self.limited_transmit && data.duplicates < data.threshold.into();
        if few && !self.recovery.underway() {
            self.recovery.early(data)
        } else {
            0
        }
    }

    /// Limited transmit sends `len` octets.
    pub(super) fn sent_early(&mut self, len: u64) {
        self.ahead += len as u32;
    }

    /// What limited transmit has sent counts as any other data, after new data is acknowledged or the
    /// timer expires.
    pub(super) fn forget_early(&mut self) {
        self.ahead = 0;
    }

    /// True if an acknowledgment of no new data, whose SACK blocks report `news` new octets, is a
    /// duplicate: RFC 5681, section 2, by which one that `updates` the window is none, and whose other
    /// conditions always hold here, because the receiver sends no data; RFC 6675, section 2, by which
    /// what an acknowledgment reports counts, even that of an old one.
    pub(super) fn is_duplicate(
        &self,
        data: &Outstanding,
        ack: u64,
        news: u64,
        updates: bool,
    ) -> bool {
        let is_latest = ack == data.una && data.flight() > 0 && (!updates || news > 0);
        is_latest || (news > 0 && self.recovery.counts_old())
    }

    /// Takes a duplicate acknowledgment that reports `news` new octets; returns true if it reveals a loss,
    /// and a recovery begins.
    pub(super) fn on_duplicate(&mut self, data: &mut Outstanding, news: u64) -> bool {
        if !self.recovery.counts(news) {
            return false;
        }
        data.duplicates += 1;
        if self.recovery.underway() {
            self.recovery.on_duplicate(data);
            return false;
        }
        let enough = data.duplicates == data.threshold.into();
        let lost = enough || self.recovery.finds_loss(data);
        let guarded = self.repeated == Repeated::Guarded && !data.beyond_recover();
        lost && !guarded && self.recovery.may_begin(data)
    }

    fn timed(&mut self) -> &mut dyn TimeBasedRecovery {
        let timed = self.recovery.timed();
        timed.expect("only a sender that times losses is asked")
    }

    /// Takes the segments that an acknowledgment reports, before everything else. Returns true if a loss
    /// probe has repaired a loss.
    #[cold]
    pub(super) fn report(&mut self, now: Time, data: &Outstanding, segment: &Segment) -> bool {
        self.timed().on_report(now, data, segment)
    }

    /// Finds the losses that an acknowledgment or the passing of time reveals: section 6.2, step 5.
    /// Returns true if a recovery begins, and the time at which more segments will be lost.
    #[cold]
    pub(super) fn detect(
        &mut self,
        now: Time,
        data: &Outstanding,
        timer: &RetransmissionTimer,
    ) -> Found {
        self.timed().detect(now, data, timer.srtt())
    }

    /// Sets the timer for a loss probe, if new data was sent or acknowledged: section 7.2.
    #[cold]
    pub(super) fn schedule_probe(
        &mut self,
        now: Time,
        data: &Outstanding,
        timer: &mut RetransmissionTimer,
    ) {
        if let Some(at) = self.timed().probe_at(now, data, timer.srtt())
            && timer.purpose() != Purpose::Detection
        {
            timer.expire_for(Purpose::Probe, at);
        }
    }

    /// The octets that a loss probe sends, `[start, end)`: section 7.3. New data if there is any, and
    /// the highest segment otherwise; none if no probe may be sent. A probe may exceed the congestion
    /// window.
    #[cold]
    pub(super) fn probe(&mut self, data: &Outstanding) -> Option<(u64, u64)> {
        let timed = self.timed();
        if !timed.may_probe() {
            return None;
        }
        let end = data.max + data.segment(data.max);
        let is_new = end > data.max && end <= data.una + data.window;
        Some(if is_new {
            (data.max, end)
        } else {
            timed.last().unwrap_or((data.max, data.max))
        })
    }

    /// A loss probe was sent.
    #[cold]
    pub(super) fn probed(&mut self, data: &Outstanding, is_retransmission: bool) {
        self.timed().on_probe(data, is_retransmission);
    }
}
