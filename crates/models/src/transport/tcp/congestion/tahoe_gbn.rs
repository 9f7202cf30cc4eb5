//! Tahoe as simulators have it: after a fast retransmit, slow start and go-back-N.
//!
//! Everything from the lost segment on is sent again as the window opens, so several losses in one
//! window are repaired without a timeout, at the price of resending what had arrived. The
//! simulators behind Romanow and Floyd (1995), REAL and later ns, do this; 4.3BSD does not.

use parameters::{choices, parameters};

use super::{CongestionControl, Limits, Recovery, Tahoe, Threshold, Window};

parameters! {
    /// Tahoe with go-back-N after a fast retransmit, as in REAL and ns.
    pub struct TahoeGbn {
        /// Whether a window equal to ssthresh still grows as in slow start.
        pub at_ssthresh: AtSsthresh = "slow_start",
    }
}

choices! {
    /// How a window exactly as large as ssthresh grows.
    pub enum AtSsthresh {
        /// By one segment: BSD.
        slow_start => SlowStart,
        /// Linearly: ns.
        linear => Linear,
    }
}

impl TahoeGbn {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        let threshold = match self.at_ssthresh {
            AtSsthresh::SlowStart => Threshold::Included,
            AtSsthresh::Linear => Threshold::Excluded,
        };
        Box::new(Tahoe {
            window: Window::new(limits, threshold),
            recovery: Recovery::GoBack,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ack;
    use super::*;

    #[test]
    fn answers_a_loss_by_starting_again() {
        let limits = Limits {
            mss: 1,
            window: 100,
            initial: 1,
            ssthresh: 50,
        };
        let window = Window::new(&limits, Threshold::Included);
        let mut tahoe = Tahoe {
            window,
            recovery: Recovery::GoBack,
        };
        (0..19).for_each(|_| tahoe.on_ack(Ack { octets: 1 }));
        assert_eq!(tahoe.cwnd(), 20);
        assert_eq!(tahoe.on_loss(), Recovery::GoBack);
        assert_eq!((tahoe.cwnd(), tahoe.ssthresh()), (1, 10));
        assert_eq!(tahoe.on_further_duplicate(), Recovery::Continue);
    }
}
