//! What both ends of a link know of the cells of one virtual channel.
//!
//! Both count since the start and tell each other counts, not differences: a credit that is lost is
//! made good by the next. A cell that is lost is made good when the near end tells what it has sent.
//! The counts wrap.

/// The sending end's view of one virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    room: u32,
    /// What the room is to be, once no more is in use.
    target: u32,
    sent: u32,
    /// As far as the far end has told.
    forwarded: u32,
}

impl Balance {
    /// Nothing was sent yet, and there is room for so many cells.
    pub fn new(room: u32) -> Balance {
        Balance {
            room,
            target: room,
            sent: 0,
            forwarded: 0,
        }
    }

    /// Whether a cell may be sent.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.outstanding() < self.room
    }

    /// Cells that are not known to have been forwarded.
    #[inline]
    pub fn outstanding(&self) -> u32 {
        self.sent.wrapping_sub(self.forwarded)
    }

    /// A cell is sent, which [`Balance::is_open`] allowed.
    #[inline]
    pub fn spend(&mut self) {
        debug_assert!(self.is_open(), "a cell was sent without credit");
        self.sent = self.sent.wrapping_add(1);
    }

    /// A credit says how many cells the far end has forwarded; returns how many of them are news.
    pub fn learn(&mut self, forwarded: u32) -> u32 {
        let news = forwarded.wrapping_sub(self.forwarded);
        let was_open = self.is_open();
        self.forwarded = forwarded;
        self.shrink(was_open);
        news
    }

    /// Cells sent, as the far end may have to be told.
    pub fn sent(&self) -> u32 {
        self.sent
    }

    /// Cells that may be sent and not be known to have been forwarded.
    pub fn room(&self) -> u32 {
        self.room
    }

    /// Cells that may be sent at once.
    pub fn left(&self) -> u32 {
        self.room.saturating_sub(self.outstanding())
    }

    /// The room is to be `target`. If that is less, it shrinks as far as it is not in use, now and as
    /// it is told of what has been forwarded; if it is more, it is for [`Balance::grow`] to say.
    pub fn aim(&mut self, target: u32) {
        self.target = target;
        self.shrink(self.is_open());
    }

    /// There is room for so many more.
    pub fn grow(&mut self, more: u32) {
        self.room += more;
    }

    /// Gives back room that is not in use. What `was_open` stays so: who may send now is not told
    /// otherwise.
    fn shrink(&mut self, was_open: bool) {
        if self.room > self.target {
            let used = self.outstanding() + u32::from(was_open);
            self.room = self.room.min(used.max(self.target));
        }
    }
}

/// The receiving end's view of one virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct Ledger {
    /// Cells that may be here, at the most.
    room: u32,
    batch: u32,
    arrived: u32,
    forwarded: u32,
    /// As far as the sending end was told.
    told: u32,
}

impl Ledger {
    /// Nothing has arrived yet; there may be `room` cells here, and `batch` make a credit.
    pub fn new(room: u32, batch: u32) -> Ledger {
        Ledger {
            room,
            batch,
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
        assert!(self.held() <= self.room, "a cell came without credit");
    }

    /// A cell has left the buffer; returns what to tell the sending end, if it is time to.
    #[inline]
    pub fn forward(&mut self) -> Option<u32> {
        self.forwarded = self.forwarded.wrapping_add(1);
        if self.forwarded.wrapping_sub(self.told) < self.batch {
            return None;
        }
        self.told = self.forwarded;
        Some(self.forwarded)
    }

    /// The sending end says how many cells it has sent. What has not come by now was lost, and is
    /// taken for forwarded. Returns what to tell the sending end.
    pub fn check(&mut self, sent: u32) -> u32 {
        let lost = sent.wrapping_sub(self.arrived);
        self.arrived = sent;
        self.forwarded = self.forwarded.wrapping_add(lost);
        self.told = self.forwarded;
        self.forwarded
    }

    /// Cells that have arrived and not left.
    #[inline]
    pub fn held(&self) -> u32 {
        self.arrived.wrapping_sub(self.forwarded)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Both ends of a channel with room for `room` cells, whose counts are about to wrap.
    fn ends(room: u32, batch: u32) -> (Balance, Ledger) {
        let late = u32::MAX - 1;
        let balance = Balance {
            sent: late,
            forwarded: late,
            ..Balance::new(room)
        };
        let ledger = Ledger {
            arrived: late,
            forwarded: late,
            told: late,
            ..Ledger::new(room, batch)
        };
        (balance, ledger)
    }

    /// Sends all that may be sent; how many that is.
    fn send_all(balance: &mut Balance) -> usize {
        std::iter::from_fn(|| balance.is_open().then(|| balance.spend())).count()
    }

    #[test]
    fn a_lost_credit_is_made_good_by_the_next_and_counts_wrap() {
        let (mut balance, mut ledger) = ends(4, 2);
        assert_eq!(send_all(&mut balance), 4);
        (0..4).for_each(|_| ledger.arrive());
        let credits: Vec<_> = (0..4).map(|_| ledger.forward()).collect();
        assert_eq!(credits, [None, Some(0), None, Some(2)]);
        // The first of the two never arrives.
        assert_eq!(balance.learn(2), 4);
        assert_eq!(ledger.held(), 0);
        assert_eq!(send_all(&mut balance), 4);
    }

    #[test]
    fn what_is_lost_takes_room_until_the_ends_compare_their_counts() {
        let (mut balance, mut ledger) = ends(4, 2);
        assert_eq!(send_all(&mut balance), 4);
        // Three of the four are lost, and the fourth makes no credit.
        ledger.arrive();
        assert_eq!(ledger.forward(), None);
        assert!(!balance.is_open());
        let answer = ledger.check(balance.sent());
        assert_eq!(balance.learn(answer), 4);
        assert_eq!((balance.outstanding(), ledger.held()), (0, 0));
    }

    proptest! {
        /// Whatever is sent, forwarded, lost or compared, in whatever order and however late, the far
        /// end never holds more than was promised; and once all has been compared, all of it is free.
        #[test]
        fn never_more_than_was_promised_and_nothing_is_lost_for_ever(
            (room, batch) in (1u32..20).prop_flat_map(|batch| (batch..40, Just(batch))),
            acts in prop::collection::vec(0u8..6, 1..300),
        ) {
            let (mut balance, mut ledger) = ends(room, batch);
            // What is on its way: cells and checks there, credits back.
            let mut there = std::collections::VecDeque::new();
            let mut back = std::collections::VecDeque::new();
            for act in acts {
                match act {
                    0 if balance.is_open() => {
                        balance.spend();
                        there.push_back(None);
                    }
                    1 => there.push_back(Some(balance.sent())),
                    2 => match there.pop_front() {
                        Some(None) => ledger.arrive(),
                        Some(Some(sent)) => back.push_back(ledger.check(sent)),
                        None => {}
                    },
                    3 if ledger.held() > 0 => back.extend(ledger.forward()),
                    4 => {
                        if let Some(forwarded) = back.pop_front() {
                            balance.learn(forwarded);
                        }
                    }
                    // Something is lost, this way or that.
                    5 if there.pop_front().is_none() => {
                        back.pop_front();
                    }
                    _ => {}
                }
                prop_assert!(ledger.held() <= balance.outstanding());
                prop_assert!(balance.outstanding() <= room);
            }
            for _ in 0..ledger.held() {
                ledger.forward();
            }
            balance.learn(ledger.check(balance.sent()));
            prop_assert_eq!(send_all(&mut balance), room as usize);
        }
    }
}
