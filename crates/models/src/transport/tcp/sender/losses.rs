//! The reaction of the sender to a loss: RFC 5681, section 3.2; RFC 6298, section 5.

use kernel::Time;

use super::TcpSender;
use super::mark_response::MarkResponse;
use crate::transport::tcp::congestion::CongestionEvent;
use crate::transport::tcp::recovery::RecoveryStart;
use crate::transport::tcp::retransmission::Purpose;
use crate::transport::{Segment, Transmit};

impl TcpSender {
    /// Takes a duplicate acknowledgment that reports `news` new octets; returns true if the
    /// duplicate may release a segment.
    pub(super) fn on_duplicate(&mut self, now: Time, news: u64, out: &mut dyn Transmit) -> bool {
        let begins = self.losses.on_duplicate(&mut self.data, news);
        !begins || self.begin_recovery(now, out)
    }

    /// Takes the segments that an acknowledgment reports, before everything else, where losses are found
    /// by time.
    #[cold]
    pub(super) fn report_times(&mut self, now: Time, segment: &Segment) {
        if self.losses.report(now, &self.data, segment) {
            // RFC 8985, section 7.4: the loss that a probe has repaired reduces the window as any other.
            if self.window.end_reduction().is_none() {
                let event = self.losses.event(now, &self.data);
                self.window.control.on_loss(&event);
            }
            self.note_reduction();
        }
    }

    /// Finds the losses that an acknowledgment or the passing of time reveals: RFC 8985, section 6.2,
    /// step 5.
    #[cold]
    pub(super) fn detect_losses(&mut self, now: Time, out: &mut dyn Transmit) {
        let found = self.losses.detect(now, &self.data, &self.timer);
        if found.begins {
            self.begin_recovery(now, out);
            self.timer.restart(now);
        }
        match found.next {
            Some(at) => self.timer.expire_for(Purpose::Detection, at),
            None => self.timer.end(Purpose::Detection),
        }
    }

    /// A loss was found, and its repair begins; returns true if more may be sent at once.
    fn begin_recovery(&mut self, now: Time, out: &mut dyn Transmit) -> bool {
        self.meter.fast_retransmitted(self.data.una, self.data.max);
        self.timer.forget_sample();
        // Departs from RFC 6298, section 5, where only an acknowledgment of new data restarts the
        // timer: the retransmission restarts it, as in BSD and as RFC 6675, section 6, permits.
        self.timer.stop();
        if let Some(undo) = self.records.undo() {
            let control = &mut *self.window.control;
            undo.remember(false, &self.data, &self.timer, control, self.rare.marks());
        }
        // The losses of a window that a mark has reduced reduce it no further: `tcp_enter_recovery` of
        // Linux.
        let reduction = self.window.end_reduction();
        if reduction.is_none() {
            let event = self.losses.event(now, &self.data);
            self.window.control.on_loss(&event);
        }
        self.data.recover = self.data.max;
        self.note_reduction();
        // The first retransmission is not in flight yet.
        self.hand_sample();
        let answer = self.losses.recovery.begin(&mut self.data);
        if let Some(reduction) = reduction {
            let counts = [reduction.prior, reduction.delivered, reduction.sent];
            self.losses.recovery.go_on_reducing(counts);
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
        self.hand_sample();
        let mut len = self.data.segment(self.data.una);
        if self.rare.flow_control().is_some() {
            len = self.data.within_window(self.data.una, len);
        }
        self.send(now, self.data.una, len, out);
        self.data.nxt = self.data.nxt.max(self.data.una + len);
    }

    /// RFC 6298, sections 5.4 to 5.6. Sending goes back to the first unacknowledged octet, as in
    /// 4.3BSD; `recover` is set as in RFC 6582, section 3.2, step 4.
    pub(super) fn on_timeout(&mut self, now: Time) {
        let marks = self.rare.marks_mut();
        if marks.is_some_and(MarkResponse::end_spacing) && self.data.flight() == 0 {
            // The timer has only spaced segments: no data is outstanding that may be lost.
            return self.timer.stop();
        }
        self.meter.timed_out(now, self.data.una, self.data.max);
        if let Some(undo) = self.records.undo() {
            let control = &mut *self.window.control;
            undo.remember(true, &self.data, &self.timer, control, self.rare.marks());
            undo.begin_forward(&self.data);
        }
        let is_reduced = self.window.end_reduction().is_some();
        self.window.control.on_timeout(&CongestionEvent {
            again: self.timer.has_expired() || is_reduced,
            ..self.losses.event(now, &self.data)
        });
        self.losses.recovery.on_timeout(now, &mut self.data);
        self.data.recover = self.data.max;
        self.note_reduction();
        self.data.duplicates = 0;
        self.data.nxt = self.data.una;
        self.losses.forget_early();
        self.timer.expired(now);
    }
}
