//! The cells of low priority at an output with push-out.
//!
//! All cells of the output wait in one queue. A cell that is pushed out may belong to a PDU that is
//! already counted as damaged; the state of PDUs is kept here so that each damaged PDU is counted
//! once. Our own bookkeeping; `discard/push_out.rs` names the source of the policy.

use std::collections::VecDeque;

use super::Spot;
use crate::cell::{Cell, Data};
use crate::metrics::Harm;
use crate::vc::Vc;

/// The waiting cells of low priority (CLP = 1) at one output, and the PDUs of all waiting cells.
pub struct LowPriority {
    /// The positions of the waiting cells of low priority in the queue, in order of arrival.
    spots: VecDeque<Spot>,
    /// The index in the pool of the last waiting cell of either priority, while any cell waits.
    last: u32,
    /// PDUs whose last cell was offered and that were counted as whole, in order of arrival; each
    /// stays until its last cell starts.
    whole: VecDeque<(Vc, u32)>,
    /// By virtual channel, the PDU whose first cells have arrived, but not its last.
    present: Box<[Option<u32>]>,
}

impl LowPriority {
    /// An empty output of `vcs` virtual channels.
    pub fn new(vcs: usize) -> LowPriority {
        LowPriority {
            spots: VecDeque::new(),
            last: 0,
            whole: VecDeque::new(),
            present: vec![None; vcs].into(),
        }
    }

    /// A cell is offered.
    pub fn on_offer(&mut self, cell: &Cell) {
        if let Some(data) = cell.part() {
            self.present[cell.vc.index()] = Some(data.pdu);
        }
    }

    /// The cell offered last has been accepted or dropped. `is_whole` is true if all cells of its
    /// PDU so far were accepted.
    pub fn on_decision(&mut self, cell: &Cell, is_whole: bool) {
        if let Some(data) = cell.part().filter(|data| data.eom) {
            self.present[cell.vc.index()] = None;
            if is_whole {
                self.whole.push_back((cell.vc, data.pdu));
            }
        }
    }

    /// A cell joins the end of the queue; `index` is its index in the pool.
    pub fn on_join(&mut self, cell: &Cell, index: u32) {
        let before = std::mem::replace(&mut self.last, index);
        if cell.clp() {
            self.spots.push_back(Spot { index, before });
        }
    }

    /// A cell starts: the first of the queue, or a cell that found the queue empty.
    pub fn on_start(&mut self, cell: &Cell) {
        if cell.clp() {
            self.spots.pop_front();
        }
        if let Some(data) = cell.part().filter(|data| data.eom)
            && self.whole.front() == Some(&(cell.vc, data.pdu))
        {
            self.whole.pop_front();
        }
    }

    /// Removes the last waiting cell of low priority, in order to push it out, and returns its
    /// position.
    pub fn take_last(&mut self) -> Option<Spot> {
        let spot = self.spots.pop_back()?;
        if self.last == spot.index {
            self.last = spot.before;
        }
        Some(spot)
    }

    /// The effect on the count of damaged PDUs if this cell is pushed out.
    pub fn harm(&mut self, cell: &Cell) -> Harm {
        let Some(Data { pdu, .. }) = cell.part().copied() else {
            return Harm::None;
        };
        if self.present[cell.vc.index()] == Some(pdu) {
            return Harm::Present;
        }
        let mut pdus = self.whole.iter();
        match pdus.rposition(|whole| *whole == (cell.vc, pdu)) {
            Some(index) => {
                self.whole.remove(index);
                Harm::Ended
            }
            None => Harm::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::ContentsId;

    fn cell(pdu: u32, eom: bool) -> Cell {
        let data = Data::new(pdu, ContentsId(0), eom);
        Cell::data(Vc(0), Data { clp: true, ..data })
    }

    #[test]
    fn a_pdu_whose_end_has_arrived_is_damaged_once() {
        let mut low = LowPriority::new(1);
        for cell in [cell(7, false), cell(7, true)] {
            low.on_offer(&cell);
            low.on_decision(&cell, true);
        }
        low.on_offer(&cell(8, false));
        assert_eq!(low.harm(&cell(7, true)), Harm::Ended);
        assert_eq!(low.harm(&cell(7, false)), Harm::None);
        assert_eq!(low.harm(&cell(8, false)), Harm::Present);
    }

    #[test]
    fn a_pdu_that_was_damaged_when_it_ended_is_not_damaged_again() {
        let mut low = LowPriority::new(1);
        low.on_offer(&cell(7, true));
        low.on_decision(&cell(7, true), false);
        assert_eq!(low.harm(&cell(7, false)), Harm::None);
    }

    #[test]
    fn a_pdu_whose_end_has_started_is_not_damaged() {
        let mut low = LowPriority::new(1);
        low.on_offer(&cell(7, true));
        low.on_decision(&cell(7, true), true);
        low.on_start(&cell(7, true));
        assert_eq!(low.harm(&cell(7, true)), Harm::None);
    }

    #[test]
    fn the_next_cell_joins_behind_the_cells_that_remain() {
        let mut low = LowPriority::new(1);
        for index in [0, 1] {
            low.on_join(&cell(1, false), index);
        }
        let spot = |index| Some(Spot { index, before: 0 });
        assert_eq!(low.take_last(), spot(1));
        low.on_join(&cell(1, false), 2);
        assert_eq!(low.take_last(), spot(2));
    }

    #[test]
    fn a_cell_that_has_started_is_not_pushed_out() {
        let mut low = LowPriority::new(1);
        low.on_join(&cell(1, false), 0);
        low.on_start(&cell(1, false));
        assert!(low.take_last().is_none());
    }
}
