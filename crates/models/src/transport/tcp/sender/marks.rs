//! The effect of congestion marks on the window.

use kernel::Time;

use super::super::Ecn;
use super::TcpSender;
use crate::transport::tcp::congestion::{Echo, Loss};

impl TcpSender {
    /// A window of data is answered once, whatever was lost or marked in it, and the receiver is
    /// notified: RFC 3168, section 6.1.2.
    pub(super) fn note_reduction(&mut self) {
        self.answered = self.data.max;
        self.reduced = self.ecn != Ecn::Off;
    }

    /// Answers marks, unless the window was already reduced for this data.
    pub(super) fn on_echo(&mut self, now: Time, before: u64, echoed: bool) {
        if self.data.una > before {
            self.control.on_echo(&Echo {
                octets: self.data.una - before,
                marked: echoed,
                una: self.data.una,
                max: self.data.max,
            });
        }
        if echoed && self.data.una > self.answered {
            self.control.on_mark(&Loss {
                now,
                flight: self.data.max - before,
                again: false,
            });
            self.note_reduction();
        }
    }
}
