//! Reno: a fast retransmit is followed by fast recovery, at half the window.
//!
//! `tcp_input.c` 7.25 (4.3BSD-Reno, June 1990); Stevens, "TCP/IP Illustrated", volume 1, section
//! 21.7. The window is halved in whole segments, as in BSD.

use parameters::parameters;

use super::{CongestionControl, CongestionKind, Limits};
use crate::transport::tcp::recovery::reno::{Deflation, RenoRecovery};
use crate::transport::tcp::recovery::{Recovery, Reports};
use crate::transport::tcp::standard::Halving;
use crate::transport::tcp::window::{GrowingWindow, Growth, Halve, Window};

parameters! {
    /// Reno: fast retransmit and fast recovery, which any acknowledgment of new data ends.
    pub struct Reno {
        /// Window at the end of a fast recovery.
        pub deflation: Deflation = "clean",
        #[as_in(GrowingWindow)]
        pub growth: Growth,
    }
}

impl Reno {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(Halving {
            window: Window::new(limits, &self.growth, Halve::Window),
        })
    }
}

impl CongestionKind for Reno {
    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(RenoRecovery::new(self.deflation))
    }

    fn reports(&self) -> Option<Reports> {
        None
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }
}
