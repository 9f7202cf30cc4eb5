//! Reno: a fast retransmit is followed by fast recovery, at half the window.
//!
//! `tcp_input.c` 7.25 (4.3BSD-Reno, June 1990); Stevens, "TCP/IP Illustrated", volume 1, section
//! 21.7. Halving is of the window in whole segments, as BSD has it.

use parameters::parameters;

use super::window::{Growth, Halve, Window};
use super::{Ack, CongestionControl, Limits, Loss};
use crate::transport::tcp::recovery::Recovery;
use crate::transport::tcp::recovery::reno::{Deflation, RenoRecovery};

parameters! {
    /// Reno: fast retransmit and fast recovery, which any new acknowledgment ends.
    pub struct Reno {
        /// What becomes of the inflated window at the end of a fast recovery.
        pub deflation: Deflation = "clean",
        /// How the window grows.
        pub growth: Growth = {},
    }
}

impl Reno {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(Halving {
            window: Window::new(limits, &self.growth, Halve::Window),
            repair: RenoRecovery::new(self.deflation),
        })
    }
}

/// Halves its window upon a loss and starts slowly after a timeout: RFC 5681, with one way or
/// another to repair losses.
pub(super) struct Halving<R> {
    pub window: Window,
    pub repair: R,
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
        Box::new(self.repair.clone())
    }
}
