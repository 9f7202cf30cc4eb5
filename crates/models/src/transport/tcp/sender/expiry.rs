//! The expiry of the timers of a sender: RFC 6298, section 5.

use kernel::Time;

use super::TcpSender;
use super::opening::Opening;
use crate::transport::Transmit;
use crate::transport::tcp::retransmission::Purpose;

impl TcpSender {
    /// Time at which a timer next expires.
    pub(super) fn next_expiry(&self) -> Time {
        let deadline = self.timer.deadline();
        match self.paced_part() {
            None => deadline,
            Some(paced) => deadline.min(paced.pacing.wake()),
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
            if self.has_paced_segment(now) {
                self.send_available(now, out);
            }
            return;
        }
        if self.timer.purpose() != Purpose::Timeout {
            return self.on_early_expiry(now, out);
        }
        if self.has_patience() && self.gives_up(now) {
            return;
        }
        if self.opening == Opening::Done {
            self.on_timeout(now);
            self.send_available(now, out);
        } else {
            self.meter.timed_out(now, self.data.una, self.data.max);
            self.timer.expired(now);
            self.open(now, out);
        }
        if self.has_patience() {
            self.expire_by_user_timeout();
        }
    }
}
