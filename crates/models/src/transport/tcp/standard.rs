//! The two answers to a loss that most algorithms use: slow start, and half the window.

use super::congestion::control::{Ack, CongestionControl, CongestionEvent};
use super::window::Window;

/// Answers every loss by slow start.
#[derive(Clone, Debug)]
pub struct Tahoe {
    /// The window.
    pub window: Window,
}

impl CongestionControl for Tahoe {
    fn on_ack(&mut self, _ack: &Ack) {
        self.window.grow();
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        self.window.collapse(event);
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

/// Halves its window upon a loss, and starts slowly after a timeout: RFC 5681.
pub struct Halving {
    /// The window.
    pub window: Window,
}

impl CongestionControl for Halving {
    fn on_ack(&mut self, _ack: &Ack) {
        self.window.grow();
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        self.window.halve(event);
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.window.collapse(event);
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
