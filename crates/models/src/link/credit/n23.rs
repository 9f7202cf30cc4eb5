//! N23: each VC has a buffer of N2 + N3 cells, and a credit is returned for every N2 forwarded
//! cells.
//!
//! Kung and Chapman, "The FCVC (Flow-Controlled Virtual Channels) Proposal for ATM Networks", IEEE
//! International Conference on Network Protocols, 1993; Kung, Blackwell and Chapman, "Credit-Based
//! Flow Control for ATM Networks: Credit Update Protocol, Adaptive Credit Allocation, and
//! Statistical Multiplexing", SIGCOMM 1994, whose subject is this protocol. N3 is the round-trip
//! time of the link times the rate of the VC, in cells; N2 sets the interval between credits.

use kernel::Duration;
use parameters::parameters;

use super::{CreditBuffer, CreditReturn, CreditTerms, Loop};

parameters! {
    /// Each virtual channel has a buffer of N2 + N3 cells at the far end of the link, which returns
    /// a credit for every N2 cells that it forwards.
    pub struct N23 {
        #[as_in(CreditReturn)]
        pub n2: u32,
        /// N3: cells of a VC that may be sent beyond N2 before a credit returns; if not given, the
        /// round-trip time of the link in cells, so that one VC can fill the link.
        #[range(1, 1_000_000_000)]
        pub n3: Option<u32>,
        #[as_in(CreditReturn)]
        pub check: Option<Duration>,
    }
}

impl N23 {
    /// The buffer of one link.
    pub fn build(&self, link: &Loop) -> CreditTerms {
        CreditTerms::Cells(CreditBuffer {
            cells: self.n2 + self.n3.unwrap_or_else(|| link.cells()),
            batch: self.n2,
            pool: None,
            check: self.check,
        })
    }
}
