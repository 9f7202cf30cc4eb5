//! Guaranteed shares of the link for several classes, and a division of the excess.
//!
//! With each cell that the link sends, every class earns its share as credit; a guaranteed cell
//! costs a credit of one. Of the classes with enough credit, the first in the order of priority is
//! served, so that a class within its share never waits for a lower class. If no class has enough
//! credit, the link has excess capacity, which costs no credit: classes that are not greedy take it
//! in the order of priority, and greedy classes share the rest in proportion to their weights.
//!
//! A class with waiting cells keeps all its credit, so that no other class starves it: over any
//! time in which its cells wait, the class gets its share to within a few cells. While none of its
//! cells wait, the class saves up at most its `burst`.
//!
//! The aims are those of Jain et al., "TCP/IP over ABR", 1996: overload of one class takes nothing
//! from the allocation of another, some classes need a low delay, some are greedy, and the excess
//! is divided fairly. Our own rule: the credits, because the paper states no algorithm. The
//! division of the excess is the start-time fair queueing of Goyal, Vin and Cheng, IEEE/ACM
//! Transactions on Networking 5(5), 1997.

mod credit;
mod division;

use parameters::{CellCount, Conflict, Fraction, Parameter, parameters};

use super::{ClassDemand, ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};
use crate::output::choice::classes::{IntraClassOrder, scheduler};
use crate::wire::class::{ByClass, Class};

parameters! {
    /// Each service class is guaranteed a share of the link; the excess goes by priority and
    /// weight.
    #[check(conflict)]
    pub struct Multiclass {
        /// Guarantee of constant bit rate (CBR).
        pub cbr: Prompt = {},
        /// Guarantee of real-time variable bit rate (rt-VBR).
        pub rt_vbr: Prompt = {},
        /// Guarantee of non-real-time variable bit rate (nrt-VBR).
        pub nrt_vbr: Patient = {},
        /// Guarantee of available bit rate (ABR).
        pub abr: Elastic = {},
        /// Guarantee of unspecified bit rate (UBR).
        pub ubr: Elastic = {},
        /// Order in which the cells of one service class leave.
        pub within: IntraClassOrder = "fifo",
    }

    /// Guarantee of a real-time class.
    pub struct Prompt {
        /// Share of the link that the class is guaranteed while it has cells waiting.
        pub share: Fraction = "0 %",
        /// Largest credit of guaranteed cells that the class saves up while it has none waiting.
        #[range("1 cell", "1000000 cells")]
        pub burst: CellCount = "1 cell",
        /// True if the class shares the excess with others by weight, false if it takes the excess
        /// by priority.
        pub greedy: bool = false,
        /// Weight by which the class shares the capacity left after all guarantees, if `greedy`.
        #[range(1, 1000)]
        pub weight: u32 = 1,
    }

    /// Guarantee of a class that may wait, and takes the capacity that it needs.
    pub struct Patient {
        #[as_in(Prompt)]
        pub share: Fraction,
        #[as_in(Prompt)]
        pub burst: CellCount = "8 cells",
        #[as_in(Prompt)]
        pub greedy: bool,
        #[as_in(Prompt)]
        pub weight: u32,
    }

    /// Guarantee of a class that takes all the capacity that it can get.
    pub struct Elastic {
        #[as_in(Prompt)]
        pub share: Fraction,
        #[as_in(Prompt)]
        pub burst: CellCount = "8 cells",
        #[as_in(Prompt)]
        pub greedy: bool = true,
        #[as_in(Prompt)]
        pub weight: u32,
    }
}

/// The guarantee of a class.
#[derive(Clone, Copy)]
struct Promise {
    share: f64,
    burst: u64,
    greedy: bool,
    weight: u32,
}

macro_rules! promise {
    ($promised:expr) => {
        Promise {
            share: $promised.share.0,
            burst: $promised.burst.0,
            greedy: $promised.greedy,
            weight: $promised.weight,
        }
    };
}

impl Multiclass {
    /// The scheduler of one output.
    pub fn build(&self, vcs: &OutputVcs) -> Box<dyn Scheduler> {
        let credits = credit::ClassCredits::new(&self.promises());
        scheduler(credits, self.within, vcs)
    }

    /// The guarantee of each class.
    fn promises(&self) -> ByClass<Promise> {
        Class::ALL.map(|class| match class {
            Class::Cbr => promise!(self.cbr),
            Class::RtVbr => promise!(self.rt_vbr),
            Class::NrtVbr => promise!(self.nrt_vbr),
            Class::Abr => promise!(self.abr),
            Class::Ubr => promise!(self.ubr),
        })
    }

    fn conflict(&self) -> Option<Conflict> {
        let promises = self.promises();
        let total: f64 = promises.iter().map(|promise| promise.share).sum();
        let last = promises.iter().rposition(|promise| promise.share > 0.0)?;
        let shown = Fraction((total * 1e6).round() / 1e6).write();
        // Shares that make up a whole link may add up to more than one by rounding.
        (total > 1.0 + 1e-9).then(|| Conflict {
            name: Class::ALL[last].word(),
            problem: format!("the shares of the classes add up to {}", shown.quoted()),
            hint: "lower them: the classes share `100 %` of the link".to_string(),
        })
    }
}

impl SchedulerKind for Multiclass {
    fn queue_per(&self) -> QueuePer {
        self.within.queue_per()
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        Some(self)
    }
}

impl ClassDivision for Multiclass {
    /// The capacity of the link that other classes take: all of it but the guarantee of `class` and
    /// its part of the excess. Waiting cells of `class` count as demand too, because a class with a
    /// guarantee sends them within its own share.
    fn taken(&self, class: Class, link: f64, demand: &ClassDemand) -> f64 {
        link - division::capacity(&self.promises(), class, link, &demand.rates())
    }

    fn guaranteed(&self, class: Class) -> f64 {
        self.promises()[class.index()].share
    }
}
