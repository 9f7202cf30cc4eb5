//! The reaction of the sender to a loss: RFC 5681, section 3.2; RFC 6298, section 5.

use kernel::Time;

use super::TcpSender;
use crate::transport::Transmit;
use crate::transport::tcp::Repeated;
use crate::transport::tcp::congestion::CongestionEvent;
use crate::transport::tcp::recovery::RecoveryStart;

impl TcpSender {
    /// Octets that limited transmit may send beyond the congestion window now: RFC 3042.
    pub(super) fn early(&self) -> u64 {
        let few = self.limited_transmit && self.data.duplicates < self.data.threshold.into();
        if few && !self.recovery.underway() {
            self.recovery.early(&self.data)
        } else {
            0
        }
    }

    /// True if an acknowledgment of no new data, whose SACK blocks report `news` new octets, is a
    /// duplicate: RFC 5681, section 2, by which one that `updates` the window is none, and whose other
    /// conditions always hold here, because the receiver sends no data; RFC 6675, section 2, by which
    /// what an acknowledgment reports counts, even that of an old one.
    pub(super) fn is_duplicate(&self, ack: u64, news: u64, updates: bool) -> bool {
        let is_latest = ack == self.data.una && self.data.flight() > 0 && (!updates || news > 0);
        is_latest || (news > 0 && self.recovery.counts_old())
    }

    /// Takes a duplicate acknowledgment that reports `news` new octets; returns true if the
    /// duplicate may release a segment.
    pub(super) fn on_duplicate(&mut self, now: Time, news: u64, out: &mut dyn Transmit) -> bool {
        if !self.recovery.counts(news) {
            return true;
        }
        self.data.duplicates += 1;
        if self.recovery.underway() {
            self.recovery.on_duplicate(&self.data);
            return true;
        }
        let enough = self.data.duplicates == self.data.threshold.into();
        let lost = enough || self.recovery.finds_loss(&self.data);
        let guarded = self.repeated == Repeated::Guarded && !self.data.beyond_recover();
        if !lost || guarded || !self.recovery.may_begin(&self.data) {
            return true;
        }
        self.begin_recovery(now, out)
    }

    pub(super) fn begin_recovery(&mut self, now: Time, out: &mut dyn Transmit) -> bool {
        self.meter.fast_retransmitted(self.data.una, self.data.max);
        self.timer.forget_sample();
        // Departs from RFC 6298, section 5, where only an acknowledgment of new data restarts the
        // timer: the retransmission restarts it, as in BSD and as RFC 6675, section 6, permits.
        self.timer.stop();
        if self.records.is_some() {
            self.remember(false);
        }
        // The losses of a window that a mark has reduced reduce it no further: `tcp_enter_recovery` of
        // Linux.
        let reduction = self.window.end_reduction();
        if reduction.is_none() {
            self.window.control.on_loss(&self.congestion(now));
        }
        self.data.recover = self.data.max;
        self.note_reduction();
        if self.records.is_some() {
            // The first retransmission is not in flight yet.
            self.hand_delivery();
        }
        let answer = self.recovery.begin(&mut self.data);
        if let Some(reduction) = reduction {
            let counts = [reduction.prior, reduction.delivered, reduction.sent];
            self.recovery.go_on_reducing(counts);
        }
        match answer {
            RecoveryStart::GoBack => self.data.nxt = self.data.una,
            RecoveryStart::Chosen => {}
            RecoveryStart::First | RecoveryStart::FirstOnly => self.resend_first(now, out),
        }
        answer != RecoveryStart::FirstOnly
    }

    /// Sends the first unacknowledged segment again; sending continues after the highest octet
    /// sent.
    pub(super) fn resend_first(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.records.is_some() {
            self.hand_delivery();
        }
        let len = self.within_window(self.data.una, self.data.segment(self.data.una));
        self.send(now, self.data.una, len, out);
        self.data.nxt = self.data.nxt.max(self.data.una + len);
    }

    /// RFC 6298, sections 5.4 to 5.6. Sending goes back to the first unacknowledged octet, as in
    /// 4.3BSD; `recover` is set as in RFC 6582, section 3.2, step 4.
    pub(super) fn on_timeout(&mut self, now: Time) {
        if self.ends_spacing() {
            return;
        }
        self.meter.timed_out(now, self.data.una, self.data.max);
        if self.records.is_some() {
            self.remember(true);
            self.begin_forward();
        }
        let is_reduced = self.window.end_reduction().is_some();
        self.window.control.on_timeout(&CongestionEvent {
            again: self.timer.has_expired() || is_reduced,
            ..self.congestion(now)
        });
        self.recovery.on_timeout(now, &mut self.data);
        self.data.recover = self.data.max;
        self.note_reduction();
        self.data.duplicates = 0;
        self.data.nxt = self.data.una;
        self.ahead = 0;
        self.timer.expired(now);
    }
}
