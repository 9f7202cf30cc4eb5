//! The two answers to a loss that most algorithms use: slow start, and half the window.

use super::congestion::control::{Ack, CongestionControl, CongestionEvent};
use super::window::Window;

/// Grows its window as Jacobson's algorithm does, answers a loss by one of the two rules, halves
/// the window for a mark, and starts slowly after a timeout.
#[derive(Clone, Debug)]
pub struct Standard {
    /// The window.
    pub window: Window,
    /// The answer to a loss.
    pub after_loss: AfterLoss,
}

/// The answer to a loss that is detected before the retransmission timer expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterLoss {
    /// Slow start, as after a timeout: Tahoe.
    SlowStart,
    /// Half the window: RFC 5681, section 3.2.
    Halve,
}

impl CongestionControl for Standard {
    fn on_ack(&mut self, _ack: &Ack) {
        self.window.grow();
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        match self.after_loss {
            AfterLoss::SlowStart => self.window.collapse(event),
            AfterLoss::Halve => self.window.halve(event),
        }
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.window.collapse(event);
    }

    fn on_mark(&mut self, event: &CongestionEvent) {
        self.window.halve(event);
    }

    fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    fn resume_from(&mut self, octets: u64) {
        self.window.set(octets);
    }

    fn ssthresh(&self) -> u64 {
        self.window.ssthresh
    }
}
