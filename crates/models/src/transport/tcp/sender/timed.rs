//! The part of a sender whose recovery needs the times of segments: detection of losses by time, and
//! loss probes. RFC 8985, sections 6 to 8.
//!
//! These functions stay out of line: other senders pay for one comparison at each call.

use kernel::Time;

use super::TcpSender;
use crate::metrics::Limit;
use crate::transport::Transmit;
use crate::transport::tcp::recovery::{Recovery, TimeBasedRecovery};
use crate::transport::tcp::retransmission::Purpose;
use crate::wire::segment::Segment;

/// The evidence of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Duplicates and reports, by their number.
    Counts,
    /// The times at which segments were sent.
    Times,
}

impl Evidence {
    /// The evidence by which `recovery` finds a loss.
    pub(super) fn of(recovery: &mut dyn Recovery) -> Evidence {
        match recovery.timed() {
            None => Evidence::Counts,
            Some(_) => Evidence::Times,
        }
    }
}

impl TcpSender {
    fn timed(&mut self) -> &mut dyn TimeBasedRecovery {
        let timed = self.recovery.timed();
        timed.expect("only a sender that times losses is asked")
    }

    /// Takes the segments that an acknowledgment reports, before everything else.
    #[cold]
    pub(super) fn report_times(&mut self, now: Time, segment: &Segment) {
        let data = &self.data;
        let timed = self.recovery.timed().expect("as for `timed`");
        if timed.on_report(now, data, segment) {
            // Section 7.4: the loss that a probe has repaired reduces the window as any other.
            if self.window.end_reduction().is_none() {
                self.window.control.on_loss(&self.congestion(now));
            }
            self.note_reduction();
        }
    }

    /// Finds the losses that an acknowledgment or the passing of time reveals: section 6.2, step 5.
    #[cold]
    pub(super) fn detect_losses(&mut self, now: Time, out: &mut dyn Transmit) {
        let srtt = self.timer.srtt();
        let timed = self.recovery.timed().expect("as for `timed`");
        let found = timed.detect(now, &self.data, srtt);
        if found.begins {
            self.begin_recovery(now, out);
            self.timer.restart(now);
        }
        match found.next {
            Some(at) => self.timer.expire_for(Purpose::Detection, at),
            None => self.timer.end(Purpose::Detection),
        }
    }

    /// Sets the timer for a loss probe, if new data was sent or acknowledged: section 7.2.
    #[cold]
    pub(super) fn schedule_probe(&mut self, now: Time) {
        let srtt = self.timer.srtt();
        let timed = self.recovery.timed().expect("as for `timed`");
        if let Some(at) = timed.probe_at(now, &self.data, srtt)
            && self.timer.purpose() != Purpose::Detection
        {
            self.timer.expire_for(Purpose::Probe, at);
        }
    }

    /// The timer expires before the retransmission timeout.
    #[cold]
    pub(super) fn on_early_expiry(&mut self, now: Time, out: &mut dyn Transmit) {
        let is_probe = match self.timer.purpose() {
            Purpose::Persist => return self.on_persist(now, out),
            purpose => purpose == Purpose::Probe,
        };
        // Section 7.3: with or without a probe, the timeout follows; and section 8.
        self.timer.restart(now);
        if is_probe {
            self.probe(now, out);
        } else {
            // Proportional rate reduction counts the segment that has waited: `tcp_rack_reo_timeout`
            // of Linux.
            let arrived = self.data.arrived();
            self.data.arrived_before = arrived.saturating_sub(self.data.mss);
            self.detect_losses(now, out);
            self.send_available(now, out);
        }
    }

    /// `TLP_send_probe`: section 7.3. New data if there is any, and the highest segment otherwise.
    /// A probe may exceed the congestion window.
    fn probe(&mut self, now: Time, out: &mut dyn Transmit) {
        if !self.timed().may_probe() {
            return;
        }
        let start = self.data.max;
        let len = self.data.segment(start);
        let is_new = len > 0 && start + len <= self.data.una + self.data.window;
        if is_new {
            self.data.nxt = start + len;
            self.send(now, start, len, out);
        } else if let Some((start, end)) = self.timed().last() {
            self.send(now, start, end - start, out);
        }
        let timed = self.recovery.timed().expect("as for `timed`");
        timed.on_probe(&self.data, !is_new);
        if is_new && self.data.max == self.data.written {
            self.limit = Limit::Application;
        }
    }
}
