//! The cells of low priority at an output with push-out.
//!
//! All cells of the output wait in one queue. A cell that is pushed out may belong to a PDU that is
//! already counted as damaged, so the PDUs are followed too. Our own bookkeeping;
//! `discard/push_out.rs` names the source of the policy.

use std::collections::VecDeque;

use super::{Intact, Spot};
use crate::wire::cell::Cell;

/// The waiting cells of low priority (CLP = 1) at one output, and the PDUs of all waiting cells.
pub struct LowPriority {
    /// The positions of the waiting cells of low priority in the queue, in order of arrival.
    spots: VecDeque<Spot>,
    /// The index in the pool of the last waiting cell of either priority, while any cell waits.
    last: u32,
    /// PDUs of which no cell was dropped.
    pub intact: Intact,
}

impl LowPriority {
    /// An empty output of `vcs` virtual channels.
    pub fn new(vcs: usize) -> LowPriority {
        LowPriority {
            spots: VecDeque::new(),
            last: 0,
            intact: Intact::new(vcs),
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
        self.intact.on_start(cell);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;
    use crate::wire::vc::Vc;

    fn cell(pdu: u32, eom: bool) -> Cell {
        let data = Data::new(pdu, ContentsId(0), eom);
        Cell::data(Vc(0), Data { clp: true, ..data })
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
