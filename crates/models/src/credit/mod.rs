//! Credit flow control: a cell is sent over a link only if there is room for it at the other end.
//!
//! For each virtual channel of a link the far end sets room aside, and tells the near end what it has
//! forwarded; the near end, which knows what it has sent, then knows what room is left. So nothing
//! is ever dropped, and a channel that cannot go on holds back nobody but itself, hop by hop.

mod grants;
mod ledger;
mod rounds;

pub use grants::{Allowance, Grants};
pub use ledger::{Balance, Ledger};
pub use rounds::Rounds;

use kernel::Duration;

parameters::registry! {
    /// How the far end of a link controls, for each virtual channel, what is sent over it.
    pub enum CreditSpec builds Room, for Loop {
        n23 => N23,
        adaptive => Adaptive,
    }
}

/// The way of a credit and of what it lets go, as known before the run.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// Propagation delay of the link, one way.
    pub propagation: Duration,
    /// Time to send a cell.
    pub cell_time: Duration,
    /// Virtual channels of the link.
    pub channels: u32,
}

impl Loop {
    /// Cells sent at the rate of the link between the start of one cell and that of the one which its
    /// credit lets go, if it is forwarded at once.
    ///
    /// The cell is sent; its credit waits for the cell that the other direction is busy with, and is
    /// sent; both are on their way as long as the link is.
    pub fn cells(&self) -> u32 {
        let round_trip = self.propagation * 2 + self.cell_time * 3;
        u32::try_from(round_trip.ps().div_ceil(self.cell_time.ps())).unwrap_or(u32::MAX / 4)
    }
}

/// Room at the far end of a link, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Cells of one channel that may be sent and not be known to have been forwarded, at the most.
    pub cells: u32,
    /// A credit is returned each time that so many of a channel have been forwarded.
    pub batch: u32,
    /// What all channels share, unless each has so many cells of its own.
    pub pool: Option<Pool>,
    /// How often the ends compare what they have counted of each channel, if they do.
    pub check: Option<Duration>,
}

impl Room {
    /// Cells that `channels` of them may have at the far end together.
    pub fn of(&self, channels: u64) -> u64 {
        let alone = channels * u64::from(self.cells);
        self.pool
            .map_or(alone, |pool| alone.min(u64::from(pool.cells)))
    }
}

/// Room that the near end divides among the channels of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Cells of all channels together.
    pub cells: u32,
    /// It is divided anew each time that so many cells have been forwarded.
    pub every: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_holds_what_is_sent_until_the_credit_for_it_lets_the_next_go() {
        let cells = |propagation: u64| {
            let link = Loop {
                propagation: Duration::from_us(propagation),
                cell_time: Duration::from_us(3),
                channels: 1,
            };
            link.cells()
        };
        // The cell, the one that its credit waits for, and the credit; and both ways over the link.
        assert_eq!(cells(0), 3);
        assert_eq!(cells(3), 5);
        assert_eq!(cells(10), 10);
    }

    #[test]
    fn channels_have_no_more_room_together_than_their_pool() {
        let mut room = Room {
            cells: 10,
            batch: 2,
            pool: None,
            check: None,
        };
        assert_eq!(room.of(3), 30);
        room.pool = Some(Pool {
            cells: 25,
            every: 5,
        });
        assert_eq!([room.of(2), room.of(3)], [20, 25]);
    }
}
