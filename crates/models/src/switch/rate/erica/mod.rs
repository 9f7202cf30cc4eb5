//! ERICA: explicit rate indication for congestion avoidance.
//!
//! In each averaging interval an output measures its load factor, which is the arrival rate of ABR
//! cells divided by the target capacity, and the number of active VCs. If each source sends at its
//! rate divided by the load factor, the next load factor is one. The fair share, which is the
//! capacity divided by the number of active VCs, is a lower bound of each rate, and makes rates
//! equal in time.
//!
//! Each modification that was published later is a parameter of its own, and off by default.
//!
//! Kalyanaraman, "Traffic Management for the Available Bit Rate (ABR) Service in Asynchronous
//! Transfer Mode (ATM) Networks", dissertation, Ohio State University, 1997, chapter 6 and appendix
//! C. Jain, Kalyanaraman, Goyal, Fahmy and Viswanathan, "ERICA Switch Algorithm: A Complete
//! Description", ATM Forum 96-1172, 1996 (not read).

mod activity;
pub mod averaging;
mod interval;
#[cfg(test)]
mod looped;
mod preset;
mod state;
pub mod target;
#[cfg(test)]
mod tests;
mod vc_state;

use kernel::Duration;
use parameters::{Conflict, Fraction, choices, parameters};

use super::{Allocator, Supply};
use averaging::AveragingSpec;
use preset::EricaPreset;
use target::TargetSpec;

parameters! {
    /// ERICA, or ERICA+ where the target follows the queue.
    #[check(conflict)]
    #[presets(EricaPreset)]
    pub struct Erica {
        /// Parameters of a publication. Its rules cannot be changed; numbers written beside it
        /// replace those of the publication.
        pub preset: Option<EricaPreset>,
        /// Capacity that ABR cells are meant to fill.
        pub target: TargetSpec = { utilization = "90 %" },
        /// Longest averaging interval.
        #[range("10 us", "10 s")]
        pub interval: Duration = "1 ms",
        /// Number of cells that ends an averaging interval early; if not given, only time ends it.
        #[range(1, 1_000_000)]
        pub cells: Option<u32>,
        /// Cells that are counted for the parameter `cells`, which ends an averaging interval
        /// early.
        pub count: IntervalCount = "abr_in",
        /// Averaging of the load factor over intervals; if not given, each interval stands alone.
        pub averaging: Option<AveragingSpec>,
        /// Fairness criterion: the rate that a VC is entitled to.
        pub fairness: Fairness = "maximum",
        /// While the load factor is at most `1 + delta`, every VC may have the largest rate that
        /// was given to any VC in the last interval.
        pub max_alloc: Option<MaxAlloc>,
        /// True if a VC below the fair share may rise to it, but not beyond it, in one step.
        pub fair_share_first: bool = false,
        /// True if all feedback to a VC within one interval is equal.
        pub one_feedback_per_interval: bool = false,
        /// True if a VC also counts as active when one of its backward RM cells passes the switch.
        pub bidirectional_counting: bool = false,
        /// Rule by which the weight of an idle VC in the number of active VCs decays from interval
        /// to interval; if not given, a VC counts in full or not at all.
        pub decay_count: Option<DecayCount>,
        /// True if a VC that becomes active lowers the fair share at once.
        pub immediate_fair_share: bool = false,
        /// True if the switch measures the rate of a VC, false if it reads the rate from RM cells.
        pub per_vc_rate: bool = false,
    }

    /// Load factor up to which every VC may have the largest rate that any VC was given.
    pub struct MaxAlloc {
        /// Excess of the load factor over one.
        pub delta: Fraction = "10 %",
    }

    /// Rule by which the weight of an idle VC in the number of active VCs decays.
    pub struct DecayCount {
        /// Ratio of the weight of an idle VC in an interval to its weight in the interval before.
        pub decay: Fraction = "90 %",
    }
}

choices! {
    /// Cells that count towards the end of an averaging interval.
    pub enum IntervalCount {
        /// ABR cells offered to the output.
        abr_in => AbrIn,
        /// All cells offered to the output.
        all_in => AllIn,
        /// ABR cells that leave the output.
        abr_out => AbrOut,
    }
}

choices! {
    /// Fairness criterion: two of the criteria in the ATM Forum's specification.
    pub enum Fairness {
        /// The larger of the minimum cell rate and an equal share of the capacity.
        maximum => Maximum,
        /// The minimum cell rate, and an equal share of the capacity beyond all minimum cell rates.
        mcr_plus_equal_share => McrPlusEqualShare,
    }
}

impl Erica {
    /// The ERICA algorithm for one output.
    pub fn build(&self, supply: &Supply) -> Box<dyn Allocator> {
        Box::new(state::State::new(self, supply))
    }

    fn conflict(&self) -> Option<Conflict> {
        self.preset?.conflict(self)
    }
}
