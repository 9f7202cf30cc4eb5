//! Tahoe as in 4.3BSD: a fast retransmit sends one segment, and sending continues after the highest
//! octet sent.
//!
//! There is no go-back-N except after a timeout, so several losses in one window usually end in a
//! timeout. `tcp_input.c` 7.19 (4.3BSD-Tahoe, June 1988).

use parameters::parameters;

use super::{CongestionControl, CongestionKind, Limits};
use crate::transport::tcp::recovery::tahoe::{Repeat, TahoeRecovery};
use crate::transport::tcp::recovery::{Recovery, Reports};
use crate::transport::tcp::standard::SlowStarting;
use crate::transport::tcp::window::{GrowingWindow, Growth, Halve, Window};

parameters! {
    /// Tahoe with a fast retransmit of one segment, as in 4.3BSD.
    pub struct TahoeBsd {
        #[as_in(GrowingWindow)]
        pub growth: Growth,
    }
}

impl TahoeBsd {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(SlowStarting {
            window: Window::new(limits, &self.growth, Halve::Window),
        })
    }
}

impl CongestionKind for TahoeBsd {
    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(TahoeRecovery::new(Repeat::First))
    }

    fn reports(&self) -> Option<Reports> {
        None
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ack, CongestionEvent};
    use super::*;

    #[test]
    fn answers_a_loss_by_slow_start() {
        let limits = Limits {
            mss: 1,
            window: 100,
            initial: 1,
            ssthresh: 50,
            header: 40,
        };
        let mut tahoe = TahoeBsd {
            growth: parameters::ParameterTable::defaults(),
        }
        .build(&limits);
        (0..19).for_each(|_| tahoe.on_ack(&Ack::default()));
        tahoe.on_loss(&CongestionEvent::default());
        assert_eq!((tahoe.cwnd(), tahoe.ssthresh()), (1, 10));
    }
}
