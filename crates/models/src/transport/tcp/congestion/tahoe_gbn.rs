//! Tahoe as in simulators: after a fast retransmit, slow start and go-back-N.
//!
//! As the window opens, the sender retransmits everything from the lost segment on. This repairs
//! several losses in one window without a timeout, at the price of retransmitting data that had
//! arrived. REAL, a simulator behind Romanow and Floyd, and later ns do this; 4.3BSD does not.
//!
//! Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995,
//! section 2.

use parameters::parameters;

use super::{CongestionControl, CongestionKind, Limits};
use crate::transport::tcp::recovery::tahoe::{Repeat, TahoeRecovery};
use crate::transport::tcp::recovery::{Recovery, Reports};
use crate::transport::tcp::standard::SlowStarting;
use crate::transport::tcp::window::{GrowingWindow, Growth, Halve, Window};

parameters! {
    /// Tahoe with go-back-N after a fast retransmit, as in REAL and ns.
    pub struct TahoeGbn {
        #[as_in(GrowingWindow)]
        pub growth: Growth,
    }
}

impl TahoeGbn {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(SlowStarting {
            window: Window::new(limits, &self.growth, Halve::Window),
        })
    }
}

impl CongestionKind for TahoeGbn {
    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(TahoeRecovery::new(Repeat::All))
    }

    fn reports(&self) -> Option<Reports> {
        None
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }
}
