//! N23: room for N2 + N3 cells, and a credit for every N2 of them.
//!
//! Kung, Blackwell and Chapman, "Credit-Based Flow Control for ATM Networks: Credit Update Protocol,
//! Adaptive Credit Allocation, and Statistical Multiplexing", SIGCOMM 1994.

use kernel::Duration;
use parameters::parameters;

use super::{Loop, Room};

parameters! {
    /// Each virtual channel has room for N2 + N3 cells, and a credit returns when N2 were forwarded.
    pub struct N23 {
        /// Cells forwarded between one credit and the next; each credit takes a cell of the other
        /// direction.
        #[range(1, 1_000_000)]
        pub n2: u32 = 10,
        /// Cells that may be on their way beyond those; what the link carries in a round trip, so
        /// that a channel alone can use all of it, if not given.
        #[range(1, 1_000_000_000)]
        pub n3: Option<u32>,
        /// How often the near end tells what it has sent of each channel of which not all is known to
        /// have been forwarded, so that room is found again that a loss has taken; never if not given.
        #[range("1 us", "1 h")]
        pub check: Option<Duration>,
    }
}

impl N23 {
    /// The room on one link.
    pub fn build(&self, link: &Loop) -> Room {
        Room {
            cells: self.n2 + self.n3.unwrap_or_else(|| link.cells()),
            batch: self.n2,
            pool: None,
            check: self.check,
        }
    }
}
