//! ERICA: explicit rate indication for congestion avoidance.
//!
//! In each averaging interval an output measures its load factor, the rate at which ABR cells come
//! over the capacity that it means to fill, and how many channels are active. A source that hears
//! its own rate divided by the load factor makes the load factor one; that nobody hears less than a
//! fair share, the capacity over the number of active channels, makes rates equal in time.
//!
//! Each modification that was published later is a parameter of its own, and off by default.
//!
//! Kalyanaraman, "Traffic Management for the Available Bit Rate (ABR) Service in Asynchronous
//! Transfer Mode (ATM) Networks", dissertation, Ohio State University, 1997, chapter 6 and appendix
//! C. Jain, Kalyanaraman, Goyal, Fahmy and Viswanathan, "ERICA Switch Algorithm: A Complete
//! Description", ATM Forum 96-1172, 1996 (not read).

pub mod activity;
pub mod averaging;
mod channel;
mod interval;
#[cfg(test)]
mod looped;
pub mod preset;
mod state;
pub mod target;
#[cfg(test)]
mod tests;

use kernel::Duration;
use parameters::{Conflict, Fraction, choices, parameters};

use super::{Allocator, Supply};
use averaging::AveragingSpec;
use preset::EricaPreset;
use target::TargetSpec;

parameters! {
    /// ERICA; with a target that follows the queue, ERICA+.
    #[check(conflict)]
    #[presets(EricaPreset)]
    pub struct Erica {
        /// Parameters of a publication. Its rules hold as they are; numbers that are written beside it
        /// take the place of its own.
        pub preset: Option<EricaPreset>,
        /// How much of the capacity ABR cells are meant to fill.
        pub target: TargetSpec = { utilization = "90 %" },
        /// Longest averaging interval.
        #[range("10 us", "10 s")]
        pub interval: Duration = "1 ms",
        /// So many cells end an averaging interval too; time alone does if this is left out.
        #[range(1, 1_000_000)]
        pub cells: Option<u32>,
        /// Which cells end it.
        pub count: IntervalCount = "abr_in",
        /// How the load factor is averaged over intervals; each speaks for itself if this is left out.
        pub averaging: Option<AveragingSpec>,
        /// What channels are entitled to.
        pub fairness: Fairness = "maximum",
        /// While the load factor is below one or hardly above, everybody may have as much as anybody
        /// was given in the last interval.
        pub max_alloc: Option<MaxAlloc>,
        /// A channel below the fair share is first given no more than that.
        pub fair_share_first: bool = false,
        /// All feedback to a channel within one interval is the same.
        pub one_feedback_per_interval: bool = false,
        /// A channel of which a resource management cell comes back is active too.
        pub bidirectional_counting: bool = false,
        /// A channel that falls silent is counted less from interval to interval.
        pub decay_count: Option<DecayCount>,
        /// A channel that wakes makes the fair share smaller at once.
        pub immediate_fair_share: bool = false,
        /// The rate of a channel is measured here, not read in its resource management cells.
        pub per_vc_rate: bool = false,
    }

    /// Up to when everybody may have as much as anybody was given.
    pub struct MaxAlloc {
        /// How far above one the load factor may be.
        pub delta: Fraction = "10 %",
    }

    /// How a channel that fell silent is counted.
    pub struct DecayCount {
        /// What it counts for in an interval, as a share of what it did in the one before.
        pub decay: Fraction = "90 %",
    }
}

choices! {
    /// Cells that are counted until an averaging interval ends.
    pub enum IntervalCount {
        /// ABR cells that are offered to the output.
        abr_in => AbrIn,
        /// All cells that are offered to it.
        all_in => AllIn,
        /// ABR cells that leave it.
        abr_out => AbrOut,
    }
}

choices! {
    /// What channels are entitled to: two of the criteria of the ATM Forum's specification.
    pub enum Fairness {
        /// The larger of the minimum cell rate and an equal share of the capacity.
        maximum => Maximum,
        /// The minimum cell rate, and an equal share of what all minima leave.
        mcr_plus_equal_share => McrPlusEqualShare,
    }
}

impl Erica {
    /// The algorithm for one output.
    pub fn build(&self, supply: &Supply) -> Box<dyn Allocator> {
        Box::new(state::State::new(self, supply))
    }

    fn conflict(&self) -> Option<Conflict> {
        self.preset?.conflict(self)
    }
}
