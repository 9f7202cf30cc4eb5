//! The cells of low priority that wait at an output where they may be pushed out.
//!
//! All cells of the output are in one queue. A cell that is pushed out was accepted before, and its
//! frame may have been counted as damaged since: that is known here too, so that it is counted once.

use std::collections::VecDeque;

use crate::cell::{Cell, Data};
use crate::metrics::Harm;
use crate::output::queue::Spot;
use crate::vc::Vc;

/// The cells of low priority (CLP = 1) that wait at one output, and the frames that any of the waiting
/// cells belong to.
pub struct LowPriority {
    /// Where these cells wait, in the order in which they came.
    spots: VecDeque<Spot>,
    /// The entry of the last cell that waits, of whatever priority, while any does.
    last: u32,
    /// Frames that have been offered to their ends and counted as whole, until their last cells
    /// start, in order.
    whole: VecDeque<(Vc, u32)>,
    /// By virtual channel, the PDU that has begun to come and not ended.
    present: Box<[Option<u32>]>,
}

impl LowPriority {
    /// No cells wait of `vcs` virtual channels.
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

    /// The cell that was offered last has been accepted or refused. `is_whole` is true if it was
    /// accepted, and with it all of its frame so far.
    pub fn on_decision(&mut self, cell: &Cell, is_whole: bool) {
        if let Some(data) = cell.part().filter(|data| data.eom) {
            self.present[cell.vc.index()] = None;
            if is_whole {
                self.whole.push_back((cell.vc, data.pdu));
            }
        }
    }

    /// A cell waits, behind all others, at the entry `place`.
    pub fn on_join(&mut self, cell: &Cell, place: u32) {
        let before = std::mem::replace(&mut self.last, place);
        if cell.clp() {
            self.spots.push_back(Spot { place, before });
        }
    }

    /// A cell starts, which is the first of those that wait, if any do.
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

    /// Takes the last cell of low priority, which is pushed out now, and tells where it waits.
    pub fn take_last(&mut self) -> Option<Spot> {
        let spot = self.spots.pop_back()?;
        if self.last == spot.place {
            self.last = spot.before;
        }
        Some(spot)
    }

    /// The harm to the frame of a cell that is pushed out.
    pub fn harm(&mut self, cell: &Cell) -> Harm {
        let Some(Data { pdu, .. }) = cell.part().copied() else {
            return Harm::None;
        };
        if self.present[cell.vc.index()] == Some(pdu) {
            return Harm::Present;
        }
        let mut frames = self.whole.iter();
        match frames.rposition(|frame| *frame == (cell.vc, pdu)) {
            Some(place) => {
                self.whole.remove(place);
                Harm::Ended
            }
            None => Harm::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::FrameId;

    fn cell(pdu: u32, eom: bool) -> Cell {
        let data = Data::new(pdu, FrameId(0), eom);
        Cell::data(Vc(0), Data { clp: true, ..data })
    }

    #[test]
    fn a_frame_that_has_come_to_its_end_is_harmed_once() {
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
    fn a_frame_that_was_damaged_when_it_ended_is_not_harmed_again() {
        let mut low = LowPriority::new(1);
        low.on_offer(&cell(7, true));
        low.on_decision(&cell(7, true), false);
        assert_eq!(low.harm(&cell(7, false)), Harm::None);
    }

    #[test]
    fn a_frame_whose_end_has_started_is_harmed_no_more() {
        let mut low = LowPriority::new(1);
        low.on_offer(&cell(7, true));
        low.on_decision(&cell(7, true), true);
        low.on_start(&cell(7, true));
        assert_eq!(low.harm(&cell(7, true)), Harm::None);
    }

    #[test]
    fn what_comes_next_stands_behind_what_is_still_there() {
        let mut low = LowPriority::new(1);
        for place in [0, 1] {
            low.on_join(&cell(1, false), place);
        }
        let spot = |place| Some(Spot { place, before: 0 });
        assert_eq!(low.take_last(), spot(1));
        low.on_join(&cell(1, false), 2);
        assert_eq!(low.take_last(), spot(2));
    }

    #[test]
    fn what_has_started_is_pushed_out_no_more() {
        let mut low = LowPriority::new(1);
        low.on_join(&cell(1, false), 0);
        low.on_start(&cell(1, false));
        assert!(low.take_last().is_none());
    }
}
