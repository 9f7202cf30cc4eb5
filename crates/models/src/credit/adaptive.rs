//! Adaptive credit: the channels of a link share one pool, by how much each has been forwarded.
//!
//! Kung, Blackwell and Chapman, "Credit-Based Flow Control for ATM Networks: Credit Update Protocol,
//! Adaptive Credit Allocation, and Statistical Multiplexing", SIGCOMM 1994: N2 stays, and N3 follows
//! the share that each channel has of what is forwarded, so that memory grows with the round trip
//! and not with the round trip times the number of channels. That the near end divides the pool, when,
//! and that each keeps N2, is how we read it.

use kernel::Duration;
use parameters::parameters;

use super::{Loop, Pool, Room};

parameters! {
    /// The virtual channels of a link share a pool, in which each has N2 cells and its part of the
    /// rest; parts follow what has been forwarded of each.
    pub struct Adaptive {
        /// Cells forwarded between one credit and the next; each credit takes a cell of the other
        /// direction. So much room every channel keeps.
        #[range(1, 1_000_000)]
        pub n2: u32 = 10,
        /// Cells of all channels together; N2 for each and two round trips of the link, if not given.
        #[range(1, 1_000_000_000)]
        pub pool: Option<u32>,
        /// How often the near end tells what it has sent of each channel of which not all is known to
        /// have been forwarded, so that room is found again that a loss has taken; never if not given.
        #[range("1 us", "1 h")]
        pub check: Option<Duration>,
    }
}

impl Adaptive {
    /// The room on one link. It is divided anew each round trip of the link, in which every channel
    /// may have had its turn.
    pub fn build(&self, link: &Loop) -> Room {
        let promised = link.channels.max(1).saturating_mul(self.n2);
        let least = promised.saturating_add(link.cells().saturating_mul(2));
        let cells = self.pool.unwrap_or(least);
        Room {
            cells: cells.saturating_sub(promised - self.n2),
            batch: self.n2,
            pool: Some(Pool {
                cells,
                every: link.cells().max(link.channels),
            }),
            check: self.check,
        }
    }
}
