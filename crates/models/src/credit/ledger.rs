//! What both ends of a link know of the cells of one virtual channel.
//!
//! Both count since the start and tell each other counts, not differences: a credit that is lost is
//! made good by the next. The counts wrap.

use super::Room;

/// The sending end's view of one virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    room: u32,
    sent: u32,
    /// As far as the far end has told.
    forwarded: u32,
}

impl Balance {
    /// Nothing was sent yet.
    pub fn new(room: Room) -> Balance {
        Balance {
            room: room.cells,
            sent: 0,
            forwarded: 0,
        }
    }

    /// Whether a cell may be sent.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.sent.wrapping_sub(self.forwarded) < self.room
    }

    /// A cell is sent, which [`Balance::is_open`] allowed.
    #[inline]
    pub fn spend(&mut self) {
        debug_assert!(self.is_open(), "a cell was sent without credit");
        self.sent = self.sent.wrapping_add(1);
    }

    /// The link has lost the last cell: what is lost is never sent, and takes no room.
    pub fn refund(&mut self) {
        self.sent = self.sent.wrapping_sub(1);
    }

    /// A credit says how many cells the far end has forwarded.
    pub fn learn(&mut self, forwarded: u32) {
        self.forwarded = forwarded;
    }
}

/// The receiving end's view of one virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct Ledger {
    room: Room,
    arrived: u32,
    forwarded: u32,
    /// As far as the sending end was told.
    told: u32,
}

impl Ledger {
    /// Nothing has arrived yet.
    pub fn new(room: Room) -> Ledger {
        Ledger {
            room,
            arrived: 0,
            forwarded: 0,
            told: 0,
        }
    }

    /// A cell arrives.
    ///
    /// # Panics
    /// If there is no room for it: that is what credits promise.
    #[inline]
    pub fn arrive(&mut self) {
        self.arrived = self.arrived.wrapping_add(1);
        assert!(self.held() <= self.room.cells, "a cell came without credit");
    }

    /// A cell has left the buffer; returns what to tell the sending end, if it is time to.
    #[inline]
    pub fn forward(&mut self) -> Option<u32> {
        self.forwarded = self.forwarded.wrapping_add(1);
        if self.forwarded.wrapping_sub(self.told) < self.room.batch {
            return None;
        }
        self.told = self.forwarded;
        Some(self.forwarded)
    }

    /// Cells that have arrived and not left.
    #[inline]
    pub fn held(&self) -> u32 {
        self.arrived.wrapping_sub(self.forwarded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_credit_is_made_good_by_the_next_and_counts_wrap() {
        let room = Room { cells: 4, batch: 2 };
        let mut balance = Balance {
            sent: u32::MAX - 1,
            forwarded: u32::MAX - 1,
            ..Balance::new(room)
        };
        let mut ledger = Ledger {
            arrived: u32::MAX - 1,
            forwarded: u32::MAX - 1,
            told: u32::MAX - 1,
            ..Ledger::new(room)
        };
        for _ in 0..4 {
            assert!(balance.is_open());
            balance.spend();
            ledger.arrive();
        }
        assert!(!balance.is_open());
        let credits: Vec<_> = (0..4).map(|_| ledger.forward()).collect();
        assert_eq!(credits, [None, Some(0), None, Some(2)]);
        // The first of the two never arrives.
        balance.learn(2);
        assert_eq!(ledger.held(), 0);
        let sent = (0..9).take_while(|_| balance.is_open().then(|| balance.spend()).is_some());
        assert_eq!(sent.count(), 4);
    }
}
