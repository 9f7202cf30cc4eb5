//! SACK: the receiver reports the data that has arrived, and the sender retransmits what is
//! missing.
//!
//! RFC 2018, "TCP Selective Acknowledgment Options", 1996, sections 3, 4 and 8; RFC 6675, "A
//! Conservative Loss Recovery Algorithm Based on SACK", 2012, sections 4 and 5; Fall and Floyd,
//! "Simulation-based Comparisons of Tahoe, Reno and SACK TCP", Computer Communication Review 26(3),
//! 1996.

use parameters::{choices, parameters};

use super::{CongestionControl, CongestionKind, Limits, LossRecovery};
use crate::transport::tcp::recovery::fall_floyd::FallFloydRecovery;
use crate::transport::tcp::recovery::{Recovery, Reports};
use crate::transport::tcp::standard::Halving;
use crate::transport::tcp::window::{CountedGrowth, CountingWindow, Halve, Window};

parameters! {
    /// Selective acknowledgments (SACK), with an estimate of the data in flight.
    pub struct Sack {
        /// Estimate of the data in flight during a recovery (pipe).
        pub pipe: Pipe = "rfc6675",
        #[as_in(CountingWindow)]
        pub growth: CountedGrowth,
    }
}

choices! {
    /// Estimate of the data in flight during a recovery.
    pub enum Pipe {
        /// From the SACK blocks: RFC 6675.
        rfc6675 => Rfc6675,
        /// From the SACK blocks, while the window shrinks in proportion to the data that arrives:
        /// RFC 6937.
        proportional => Proportional,
        /// As `rfc6675`, with losses found by time, and loss probes: RFC 8985.
        rack => Rack,
        /// As `rack`, while the window shrinks in proportion to the data that arrives: RFC 6937.
        rack_proportional => RackProportional,
        /// By counting acknowledgments: Fall and Floyd, and ns-2.
        fall_floyd => FallFloyd,
    }
}

impl Pipe {
    /// The loss recovery with this estimate; none if this algorithm alone has it.
    fn recovery(self) -> Option<LossRecovery> {
        match self {
            Pipe::Rfc6675 => Some(LossRecovery::Sack),
            Pipe::Proportional => Some(LossRecovery::SackProportional),
            Pipe::Rack => Some(LossRecovery::Rack),
            Pipe::RackProportional => Some(LossRecovery::RackProportional),
            Pipe::FallFloyd => None,
        }
    }
}

impl Sack {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        let halve = match self.pipe {
            Pipe::FallFloyd => Halve::Window,
            _ => Halve::Flight,
        };
        Box::new(Halving {
            window: Window::new(limits, &(&self.growth).into(), halve),
        })
    }
}

impl CongestionKind for Sack {
    fn recovery(&self) -> Box<dyn Recovery> {
        match self.pipe.recovery() {
            Some(recovery) => recovery.build(),
            None => Box::new(FallFloydRecovery::default()),
        }
    }

    fn reports(&self) -> Option<Reports> {
        match self.pipe.recovery() {
            Some(recovery) => recovery.reports(),
            None => Some(Reports::Ns),
        }
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }
}
