//! The counts that both ends of a controlled link keep for one virtual channel.
//!
//! Credits carry the count of all forwarded cells, not a difference, so the next credit repairs the
//! loss of a credit. This is the credit update protocol of Kung, Blackwell and Chapman, SIGCOMM
//! 1994; `sent` and `forwarded` are `Tx_Cnt` and `Fwd_Cnt` in Kung, "Traffic Management for
//! High-Speed Networks", National Academy Press, 1997, section "Credit Update Protocol". A check
//! cell carries the count of all cells sent, and repairs the loss of cells. The counts wrap.

/// The counts of the credit sender for one virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct VcCredit {
    room: u32,
    /// Size of the VC's buffer, in cells; the buffer shrinks to it only as queued cells are
    /// forwarded.
    target: u32,
    sent: u32,
    /// Number of cells forwarded, as the latest credit reported it.
    forwarded: u32,
}

impl VcCredit {
    /// The counts before the first cell; the credit receiver has a buffer of `room` cells for the
    /// VC.
    pub fn new(room: u32) -> VcCredit {
        VcCredit {
            room,
            target: room,
            sent: 0,
            forwarded: 0,
        }
    }

    /// True if a cell may be sent.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.outstanding() < self.room
    }

    /// Cells sent and not known to have been forwarded.
    #[inline]
    pub fn outstanding(&self) -> u32 {
        self.sent.wrapping_sub(self.forwarded)
    }

    /// Counts a cell that [`VcCredit::is_open`] allowed.
    #[inline]
    pub fn spend(&mut self) {
        debug_assert!(self.is_open(), "a cell was sent without credit");
        self.sent = self.sent.wrapping_add(1);
    }

    /// A credit arrives: `forwarded` counts the cells that the credit receiver has forwarded.
    /// Returns the number of forwarded cells that earlier credits did not report.
    pub fn on_credit(&mut self, forwarded: u32) -> u32 {
        let news = forwarded.wrapping_sub(self.forwarded);
        let was_open = self.is_open();
        self.forwarded = forwarded;
        self.shrink(was_open);
        news
    }

    /// Cells sent, for a check cell.
    pub fn sent(&self) -> u32 {
        self.sent
    }

    /// Buffer of the VC at the credit receiver, in cells: the cells that may still be sent, and the
    /// cells that were sent and are not known to have been forwarded.
    pub fn room(&self) -> u32 {
        self.room
    }

    /// Cells that may be sent at once.
    pub fn left(&self) -> u32 {
        self.room.saturating_sub(self.outstanding())
    }

    /// Sets the buffer of the VC to `target` cells. To shrink, it gives up unused credit at once,
    /// and the rest as credits return; to grow, it takes cells by [`VcCredit::grow`].
    pub fn aim(&mut self, target: u32) {
        self.target = target;
        self.shrink(self.is_open());
    }

    /// Adds `more` cells to the buffer of the VC.
    pub fn grow(&mut self, more: u32) {
        self.room += more;
    }

    /// Gives up the unused buffer of the VC beyond its target. A VC that may send keeps credit for
    /// one cell, because [`VcCredit::is_open`] has already said so.
    fn shrink(&mut self, was_open: bool) {
        if self.room > self.target {
            let used = self.outstanding() + u32::from(was_open);
            self.room = self.room.min(used.max(self.target));
        }
    }
}

/// The counts of the credit receiver for one virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct CreditReceiver {
    /// Size of the buffer, in cells.
    room: u32,
    batch: u32,
    arrived: u32,
    forwarded: u32,
    /// Number of cells forwarded, as the latest credit reported it.
    acknowledged: u32,
}

impl CreditReceiver {
    /// The counts before the first cell: the buffer of the VC holds `room` cells, and a credit is
    /// returned for every `batch` cells forwarded (N2).
    pub fn new(room: u32, batch: u32) -> CreditReceiver {
        CreditReceiver {
            room,
            batch,
            arrived: 0,
            forwarded: 0,
            acknowledged: 0,
        }
    }

    /// Counts a cell that arrives.
    ///
    /// # Panics
    /// If the buffer is full, which credits rule out.
    #[inline]
    pub fn arrive(&mut self) {
        self.arrived = self.arrived.wrapping_add(1);
        assert!(self.occupancy() <= self.room, "a cell came without credit");
    }

    /// Counts a cell that leaves the buffer; returns the count for a credit, if a credit is due.
    #[inline]
    pub fn forward(&mut self) -> Option<u32> {
        self.forwarded = self.forwarded.wrapping_add(1);
        if self.forwarded.wrapping_sub(self.acknowledged) < self.batch {
            return None;
        }
        self.acknowledged = self.forwarded;
        Some(self.forwarded)
    }

    /// A check cell arrives: the credit sender has sent `sent` cells. Cells keep their order, so
    /// those that have not arrived by now were lost; they count as forwarded, as dropped cells do
    /// in the credit update protocol. Returns the count for a credit.
    pub fn check(&mut self, sent: u32) -> u32 {
        let lost = sent.wrapping_sub(self.arrived);
        self.arrived = sent;
        self.forwarded = self.forwarded.wrapping_add(lost);
        self.acknowledged = self.forwarded;
        self.forwarded
    }

    /// Cells in the buffer.
    #[inline]
    pub fn occupancy(&self) -> u32 {
        self.arrived.wrapping_sub(self.forwarded)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Both ends of a VC with a buffer of `room` cells, whose counts are about to wrap.
    fn ends(room: u32, batch: u32) -> (VcCredit, CreditReceiver) {
        let late = u32::MAX - 1;
        let credit = VcCredit {
            sent: late,
            forwarded: late,
            ..VcCredit::new(room)
        };
        let receiver = CreditReceiver {
            arrived: late,
            forwarded: late,
            acknowledged: late,
            ..CreditReceiver::new(room, batch)
        };
        (credit, receiver)
    }

    /// Sends every cell that may be sent, and returns their number.
    fn send_all(credit: &mut VcCredit) -> usize {
        std::iter::from_fn(|| credit.is_open().then(|| credit.spend())).count()
    }

    #[test]
    fn a_lost_credit_is_made_good_by_the_next_and_counts_wrap() {
        let (mut credit, mut receiver) = ends(4, 2);
        assert_eq!(send_all(&mut credit), 4);
        (0..4).for_each(|_| receiver.arrive());
        let credits: Vec<_> = (0..4).map(|_| receiver.forward()).collect();
        assert_eq!(credits, [None, Some(0), None, Some(2)]);
        // The first of the two credits is lost.
        assert_eq!(credit.on_credit(2), 4);
        assert_eq!(receiver.occupancy(), 0);
        assert_eq!(send_all(&mut credit), 4);
    }

    #[test]
    fn lost_cells_take_room_until_a_check() {
        let (mut credit, mut receiver) = ends(4, 2);
        assert_eq!(send_all(&mut credit), 4);
        // Three of the four cells are lost. One forwarded cell is less than N2, so it makes no
        // credit.
        receiver.arrive();
        assert_eq!(receiver.forward(), None);
        assert!(!credit.is_open());
        let answer = receiver.check(credit.sent());
        assert_eq!(credit.on_credit(answer), 4);
        assert_eq!((credit.outstanding(), receiver.occupancy()), (0, 0));
    }

    proptest! {
        /// In any sequence of sending, forwarding, losses and check cells, however late, the credit
        /// receiver never holds more cells than its buffer; and once a check cell has been
        /// answered, the whole buffer is free.
        #[test]
        fn credit_never_exceeds_the_room_and_checks_recover_what_was_lost(
            (room, batch) in (1u32..20).prop_flat_map(|batch| (batch..40, Just(batch))),
            acts in prop::collection::vec(0u8..6, 1..300),
        ) {
            let (mut credit, mut receiver) = ends(room, batch);
            // Cells and check cells on their way to the far end, and credits on their way back.
            let mut there = std::collections::VecDeque::new();
            let mut back = std::collections::VecDeque::new();
            for act in acts {
                match act {
                    0 if credit.is_open() => {
                        credit.spend();
                        there.push_back(None);
                    }
                    1 => there.push_back(Some(credit.sent())),
                    2 => match there.pop_front() {
                        Some(None) => receiver.arrive(),
                        Some(Some(sent)) => back.push_back(receiver.check(sent)),
                        None => {}
                    },
                    3 if receiver.occupancy() > 0 => back.extend(receiver.forward()),
                    4 => {
                        if let Some(forwarded) = back.pop_front() {
                            credit.on_credit(forwarded);
                        }
                    }
                    // A cell, a check or a credit is lost.
                    5 if there.pop_front().is_none() => {
                        back.pop_front();
                    }
                    _ => {}
                }
                prop_assert!(receiver.occupancy() <= credit.outstanding());
                prop_assert!(credit.outstanding() <= room);
            }
            for _ in 0..receiver.occupancy() {
                receiver.forward();
            }
            credit.on_credit(receiver.check(credit.sent()));
            prop_assert_eq!(send_all(&mut credit), room as usize);
        }
    }
}
