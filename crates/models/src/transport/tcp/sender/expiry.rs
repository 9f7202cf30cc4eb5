//! The expiry of the timers of a sender: RFC 6298, section 5.

use kernel::Time;

use super::TcpSender;
use super::opening::Opening;
use crate::metrics::Limit;
use crate::transport::Transmit;
use crate::transport::tcp::retransmission::Purpose;

impl TcpSender {
    /// Time at which a timer next expires.
    pub(super) fn next_expiry(&self) -> Time {
        let deadline = self.timer.deadline();
        match self.records.pacing() {
            None => deadline,
            Some(paced) => deadline.min(paced.wake()),
        }
    }

    /// True if a timer ends a silence of the sender; while a closed window is probed, the window limits
    /// the sender.
    pub(super) fn awaits_timeout(&self) -> bool {
        self.next_expiry() < Time::NEVER && self.timer.purpose() != Purpose::Persist
    }

    /// Handles the timers that have expired by `now`.
    pub(super) fn on_expiry(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.timer.deadline() > now {
            if self
                .records
                .pacing()
                .is_some_and(|paced| paced.wake() <= now)
            {
                self.send_available(now, out);
            }
            return;
        }
        if self.timer.purpose() != Purpose::Timeout {
            return self.on_early_expiry(now, out);
        }
        let (una, waits) = (self.data.una, self.is_spacing());
        let patience = self.rare.patience();
        if patience.is_some_and(|patience| patience.ends_with_timeout(now, una, waits)) {
            return self.give_up();
        }
        if self.opening == Opening::Done {
            self.on_timeout(now);
            self.send_available(now, out);
        } else {
            self.meter.timed_out(now, self.data.una, self.data.max);
            self.timer.expired(now);
            self.open(now, out);
        }
        let patience = self.rare.patience();
        if let Some(at) = patience.and_then(|patience| patience.user_timeout())
            && self.timer.deadline() < Time::NEVER
        {
            self.timer.expire_by(at);
        }
    }

    /// The timer expires before the retransmission timeout.
    #[cold]
    fn on_early_expiry(&mut self, now: Time, out: &mut dyn Transmit) {
        let is_probe = match self.timer.purpose() {
            Purpose::Persist => return self.on_persist(now, out),
            purpose => purpose == Purpose::Probe,
        };
        // RFC 8985, section 7.3: with or without a probe, the timeout follows; and section 8.
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

    /// `TLP_send_probe`: RFC 8985, section 7.3.
    fn probe(&mut self, now: Time, out: &mut dyn Transmit) {
        let Some((start, end)) = self.losses.probe(&self.data) else {
            return;
        };
        let is_new = end > self.data.max;
        if is_new {
            self.data.nxt = end;
        }
        if end > start {
            self.send(now, start, end - start, out);
        }
        self.losses.probed(&self.data, !is_new);
        if is_new && self.data.max == self.data.written {
            self.limit = Limit::Application;
        }
    }
}
