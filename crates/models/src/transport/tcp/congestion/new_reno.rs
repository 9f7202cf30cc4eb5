//! NewReno: a fast recovery lasts until all data sent before it is acknowledged.
//!
//! RFC 6582, "The NewReno Modification to TCP's Fast Recovery Algorithm", 2012, section 3.2.

use parameters::parameters;

use super::{CongestionControl, CongestionKind, Limits};
use crate::transport::tcp::recovery::new_reno::{
    Exit, Flavour, LateDuplicates, NewRenoRecovery, PartialTimer,
};
use crate::transport::tcp::recovery::{Recovery, Reports};
use crate::transport::tcp::standard::Halving;
use crate::transport::tcp::window::{CountedGrowth, CountingWindow, Halve, Window};

parameters! {
    /// NewReno: in a fast recovery, each partial acknowledgment retransmits one more segment.
    pub struct NewReno {
        /// Arithmetic of the window at partial acknowledgments.
        pub flavour: Flavour = "rfc6582",
        /// Partial acknowledgments that restart the retransmission timer; in ns-2, all of them.
        pub timer: PartialTimer = "first",
        /// Window at the end of a recovery; in ns-2, ssthresh.
        pub exit: Exit = "flight",
        /// Effect of duplicates after a recovery that may not begin another one.
        pub late_duplicates: LateDuplicates = "ignored",
        #[as_in(CountingWindow)]
        pub growth: CountedGrowth,
    }
}

impl NewReno {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        let halve = match self.flavour {
            Flavour::Rfc6582 => Halve::Flight,
            Flavour::Ns => Halve::Window,
        };
        Box::new(Halving {
            window: Window::new(limits, &(&self.growth).into(), halve),
        })
    }
}

impl CongestionKind for NewReno {
    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(NewRenoRecovery::new(
            self.flavour,
            self.timer,
            self.exit,
            self.late_duplicates,
        ))
    }

    fn reports(&self) -> Option<Reports> {
        None
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }
}
