//! Credit-based flow control: a cell, or a packet, is sent over a link only if the other end has
//! buffer for it.
//!
//! Credits for whole packets are described in `cbfc.rs`, and all others are for cells. The credit
//! receiver reserves a buffer for each VC of a link, and reports the number of cells that it has
//! forwarded. The credit sender counts the cells that it has sent, and computes the free buffer.
//! Thus no cell is dropped, and a VC without credit delays no other VC on any link.
//!
//! Kung and Chapman, "The FCVC (Flow-Controlled Virtual Channels) Proposal for ATM Networks", 1993;
//! Kung, Blackwell and Chapman, "Credit-Based Flow Control for ATM Networks", SIGCOMM 1994.
//!
//! Our own choice: a cell carries one credit, which is the simplest format, and takes more of the
//! opposite direction than a cell with several credits.

mod check_timer;
mod counts;
mod packets;
mod sender;

pub use check_timer::CheckTimer;
pub use counts::{CreditReceiver, VcCredit};
pub use packets::{
    CbfcReceiver, CbfcReceiverMeter, CbfcSender, CbfcSenderMeter, CbfcTerms, CreditPool,
    CreditThreshold, PacketCost, ReceivedVcCredits, SharedCreditsSpec, VcCredits,
};
pub use sender::{CreditReading, CreditSender};

use kernel::{Duration, Rate};
use parameters::parameters;

use crate::wire::priority::PrioritySet;

parameters::registry! {
    /// Credit-based flow control of a link, for each virtual channel.
    pub enum CreditSpec builds CreditTerms, for Loop {
        n23 => N23,
        adaptive => Adaptive,
        cbfc => Cbfc,
    }
}

parameters! {
    /// The parameters that the members share.
    pub struct CreditReturn {
        /// N2: cells forwarded between one credit and the next. Each credit takes a cell of the
        /// opposite direction.
        #[range(1, 1_000_000)]
        pub n2: u32 = 10,
        /// Interval of the check cell that recovers credits lost on the link; if not given, none is
        /// sent.
        #[range("1 us", "1 h")]
        pub check: Option<Duration>,
    }
}

/// Properties of a credit loop, as known before the run.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// Propagation delay of the link, one way.
    pub propagation: Duration,
    /// Rate of the link.
    pub rate: Rate,
    /// Time to send a cell.
    pub cell_time: Duration,
    /// Number of virtual channels of the link.
    pub vcs: u32,
    /// The priorities of the flows on the link.
    pub priorities: PrioritySet,
    /// Octets of the smallest and of the largest unit, which is a cell or a packet.
    pub sizes: [u64; 2],
    /// Octets of the largest unit in the opposite direction.
    pub against: u64,
    /// Octets of the ordered sets of retry that go before a message about credits; zero without retry.
    pub sets: u64,
}

/// Credits of a link in one direction, before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditTerms {
    /// Credits for cells.
    Cells(CreditBuffer),
    /// Credits for whole packets.
    Packets(CbfcTerms),
}

impl Loop {
    /// Number of cells in one round trip of credit, that is, from the start of a cell to the start
    /// of the cell that its credit permits, if the far end forwards at once.
    ///
    /// The round trip is three cell times and the propagation delay both ways: the cell is sent,
    /// its credit waits for a cell of the opposite direction, and the credit is sent.
    pub fn cells(&self) -> u32 {
        let round_trip = self.propagation * 2 + self.cell_time * 3;
        u32::try_from(round_trip.ps().div_ceil(self.cell_time.ps())).unwrap_or(u32::MAX / 4)
    }
}

/// Buffer of a credit receiver, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditBuffer {
    /// Largest number of cells of one VC that are sent and not known to have been forwarded.
    pub cells: u32,
    /// Number of forwarded cells of a VC after which a credit is returned: N2.
    pub batch: u32,
    /// Pool that all VCs share; none if each VC has `cells` of its own.
    pub pool: Option<Pool>,
    /// Interval of the check cells of a VC, if any are sent.
    pub check: Option<Duration>,
}

impl CreditBuffer {
    /// Largest number of cells that `vcs` VCs together have at the credit receiver.
    pub fn of(&self, vcs: u64) -> u64 {
        let alone = vcs * u64::from(self.cells);
        self.pool
            .map_or(alone, |pool| alone.min(u64::from(pool.cells)))
    }
}

/// A buffer that the credit sender divides among the VCs of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Cells of all VCs together.
    pub cells: u32,
    /// Number of forwarded cells after which the pool is divided anew.
    pub every: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_holds_the_cells_sent_until_the_first_credit_returns() {
        let cells = |propagation: u64| {
            let link = Loop {
                propagation: Duration::from_us(propagation),
                rate: Rate::from_bits_per_second(141_000_000),
                cell_time: Duration::from_us(3),
                vcs: 1,
                priorities: PrioritySet::ALL,
                sizes: [53; 2],
                against: 53,
                sets: 0,
            };
            link.cells()
        };
        // Three cell times: for the cell, for the cell that delays its credit, and for the credit;
        // and the propagation delay both ways.
        assert_eq!(cells(0), 3);
        assert_eq!(cells(3), 5);
        assert_eq!(cells(10), 10);
    }

    #[test]
    fn vcs_together_have_at_most_their_pool() {
        let mut buffer = CreditBuffer {
            cells: 10,
            batch: 2,
            pool: None,
            check: None,
        };
        assert_eq!(buffer.of(3), 30);
        buffer.pool = Some(Pool {
            cells: 25,
            every: 5,
        });
        assert_eq!([buffer.of(2), buffer.of(3)], [20, 25]);
    }
}
