//! Several classes with a guaranteed share each, and a rule for what is left.
//!
//! Every class earns its share of each cell that the link sends as credit, and a cell costs a credit
//! of one. Of the classes that can pay, the one that comes first in the order of priority goes next,
//! so that a class within its share waits for nobody behind it. When none can pay, capacity is left
//! over, and it costs nothing: classes that are not greedy take it in the order of priority, and what
//! they leave is shared among the greedy ones in proportion to their weights.
//!
//! A class that waits keeps all that it earns, so that nobody starves it: over any time in which it
//! has cells waiting it gets its share, to within a few cells. While it has none, it saves up no more
//! than its `burst`.
//!
//! The aims are those of Jain et al., "TCP/IP over ABR", 1996: every class has an allocation that
//! overload cannot take, some need a low delay, some are greedy, and what is left is divided fairly.
//! The rule is ours. The division of what is left is the start-time fair queueing of Goyal, Vin and
//! Cheng, IEEE/ACM Transactions on Networking 5(5), 1997.

mod credit;
mod division;

use parameters::{Cells, Conflict, Fraction, Parameter, parameters};

use super::{Asked, Channels, Discipline};
use crate::class::{ByClass, Class};
use crate::output::classes::{Within, discipline};

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
        pub within: Within = "fifo",
    }

    /// Guarantee of a real-time class.
    pub struct Prompt {
        /// Share of the link that the class is guaranteed while it has cells waiting.
        pub share: Fraction = "0 %",
        /// Largest credit of guaranteed cells that the class saves up while it has none waiting.
        #[range("1 cell", "1000000 cells")]
        pub burst: Cells = "1 cell",
        /// True if the class takes part of the excess by weight, false if it takes all of it by
        /// priority.
        pub greedy: bool = false,
        /// Weight of the class in the excess, if `greedy`.
        #[range(1, 1000)]
        pub weight: u32 = 1,
    }

    /// Guarantee of a class that may wait, and takes the capacity that it needs.
    pub struct Patient {
        /// Share of the link that the class is guaranteed while it has cells waiting.
        pub share: Fraction = "0 %",
        /// Largest credit of guaranteed cells that the class saves up while it has none waiting.
        #[range("1 cell", "1000000 cells")]
        pub burst: Cells = "8 cells",
        /// True if the class takes part of the excess by weight, false if it takes all of it by
        /// priority.
        pub greedy: bool = false,
        /// Weight of the class in the excess, if `greedy`.
        #[range(1, 1000)]
        pub weight: u32 = 1,
    }

    /// Guarantee of a class that takes all the capacity that it can get.
    pub struct Elastic {
        /// Share of the link that the class is guaranteed while it has cells waiting.
        pub share: Fraction = "0 %",
        /// Largest credit of guaranteed cells that the class saves up while it has none waiting.
        #[range("1 cell", "1000000 cells")]
        pub burst: Cells = "8 cells",
        /// True if the class takes part of the excess by weight, false if it takes all of it by
        /// priority.
        pub greedy: bool = true,
        /// Weight of the class in the excess, if `greedy`.
        #[range(1, 1000)]
        pub weight: u32 = 1,
    }
}

/// What a class was promised.
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
    /// The discipline of one output.
    pub fn build(&self, channels: &Channels) -> Discipline {
        let credits = credit::Credits::new(&self.promises());
        discipline(credits, self.within, channels)
    }

    /// Share of the link that a class is guaranteed.
    pub fn share(&self, class: Class) -> f64 {
        self.promises()[class.index()].share
    }

    /// Cells a second that other classes take from `class` of a link of so many: all but what it is
    /// guaranteed, and its part of what is left.
    pub fn taken(&self, class: Class, link: f64, asked: &Asked) -> f64 {
        link - division::capacity(&self.promises(), class, link, &asked.rates())
    }

    /// By class.
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
        // Shares that make up all of a link may exceed it by a rounding.
        (total > 1.0 + 1e-9).then(|| Conflict {
            name: Class::ALL[last].word(),
            problem: format!("the shares of the classes add up to {}", shown.quoted()),
            hint: "lower them to at most `100 %` of the link together".to_string(),
        })
    }
}
