//! Tahoe as 4.3BSD has it: a fast retransmit sends one segment and goes on where it was.
//!
//! There is no go-back-N except after a timeout, so several losses in one window usually end in
//! one. `tcp_input.c` 7.19 (4.3BSD-Tahoe, June 1988).

use parameters::parameters;

use super::window::{Growth, Halve, Window};
use super::{Ack, CongestionControl, Limits, Loss};
use crate::transport::tcp::recovery::Recovery;
use crate::transport::tcp::recovery::tahoe::{Repeat, TahoeRecovery};

parameters! {
    /// Tahoe with a fast retransmit of one segment, as in 4.3BSD.
    pub struct TahoeBsd {
        /// How the window grows.
        pub growth: Growth = {},
    }
}

impl TahoeBsd {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(Tahoe {
            window: Window::new(limits, &self.growth, Halve::Window),
            repeat: Repeat::First,
        })
    }
}

/// Answers a loss of any kind by slow start.
#[derive(Clone, Debug)]
pub(super) struct Tahoe {
    pub window: Window,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_a_loss_by_slow_start() {
        let limits = Limits {
            mss: 1,
            window: 100,
            initial: 1,
            ssthresh: 50,
        };
        let mut tahoe = TahoeBsd {
            growth: parameters::Record::defaults(),
        }
        .build(&limits);
        (0..19).for_each(|_| tahoe.on_ack(&Ack::default()));
        tahoe.on_loss(&Loss::default());
        assert_eq!((tahoe.cwnd(), tahoe.ssthresh()), (1, 10));
    }
}
