//! Adaptive credit: the virtual channels of a link share one pool in proportion to their
//! throughput.
//!
//! Kung, Blackwell and Chapman, "Credit-Based Flow Control for ATM Networks: Credit Update
//! Protocol, Adaptive Credit Allocation, and Statistical Multiplexing", SIGCOMM 1994: N2 is fixed,
//! and the N3 of a VC follows its share of the forwarded cells (adaptive credit allocation). Memory
//! thus grows with the round trip, not with the round trip times the number of VCs.
//!
//! Our own rules: the credit sender divides the pool, because it has the counts of forwarded cells;
//! it does so once in each round trip, in which every VC can send; and each VC keeps N2 cells,
//! because fewer would never return a credit.

use kernel::Duration;
use parameters::parameters;

use super::{CreditBuffer, CreditReturn, CreditTerms, Loop, Pool};

parameters! {
    /// The virtual channels of a link share a pool: each has N2 cells, and a part of the rest in
    /// proportion to its forwarded cells.
    pub struct Adaptive {
        /// N2: cells forwarded between one credit and the next, and cells that every VC keeps. Each
        /// credit takes a cell of the opposite direction.
        #[as_in(CreditReturn)]
        pub n2: u32,
        /// Capacity of the pool, in cells; if not given, N2 for each VC and two round trips of the
        /// link.
        #[range(1, 1_000_000_000)]
        pub pool: Option<u32>,
        #[as_in(CreditReturn)]
        pub check: Option<Duration>,
    }
}

impl Adaptive {
    /// The buffer of one link. The pool is divided anew after each round trip of the link, in which
    /// every VC can have sent cells.
    pub fn build(&self, link: &Loop) -> CreditTerms {
        let promised = link.vcs.max(1).saturating_mul(self.n2);
        let least = promised.saturating_add(link.cells().saturating_mul(2));
        let cells = self.pool.unwrap_or(least);
        CreditTerms::Cells(CreditBuffer {
            cells: cells.saturating_sub(promised - self.n2),
            batch: self.n2,
            pool: Some(Pool {
                cells,
                every: link.cells().max(link.vcs),
            }),
            check: self.check,
        })
    }
}
