//! The two answers to a loss that most algorithms use: slow start, and half the window.

use super::congestion::{Ack, CongestionControl, Loss};
use super::recovery::Recovery;
use super::recovery::tahoe::{Repeat, TahoeRecovery};
use super::window::Window;

/// Answers every loss by slow start.
#[derive(Clone, Debug)]
pub struct Tahoe {
    /// The window.
    pub window: Window,
    /// Data that a fast retransmit sends again.
    pub repeat: Repeat,
}

impl CongestionControl for Tahoe {
    fn on_ack(&mut self, _ack: &Ack) {
        self.window.grow();
    }

    fn on_loss(&mut self, loss: &Loss) {
        self.window.collapse(loss);
    }

    fn on_timeout(&mut self, loss: &Loss) {
        self.window.collapse(loss);
    }

    fn on_mark(&mut self, loss: &Loss) {
        self.window.halve(loss);
    }

    fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    fn set_cwnd(&mut self, octets: u64) {
        self.window.set(octets);
    }

    fn ssthresh(&self) -> u64 {
        self.window.ssthresh
    }

    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(TahoeRecovery::new(self.repeat))
    }
}

/// Halves its window upon a loss, and starts slowly after a timeout: RFC 5681, with any loss
/// recovery.
pub struct Halving<R> {
    /// The window.
    pub window: Window,
    /// Loss recovery.
    pub recovery: R,
}

impl<R: Recovery + Clone + 'static> CongestionControl for Halving<R> {
    fn on_ack(&mut self, _ack: &Ack) {
        self.window.grow();
    }

    fn on_loss(&mut self, loss: &Loss) {
        self.window.halve(loss);
    }

    fn on_timeout(&mut self, loss: &Loss) {
        self.window.collapse(loss);
    }

    fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    fn set_cwnd(&mut self, octets: u64) {
        self.window.set(octets);
    }

    fn ssthresh(&self) -> u64 {
        self.window.ssthresh
    }

    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(self.recovery.clone())
    }
}
