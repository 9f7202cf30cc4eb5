//! The PDUs of which no cell has been dropped, at an output that drops cells that it has accepted.
//! The bookkeeping is ours: a PDU of which several cells are dropped, before or after its end has
//! arrived, counts as damaged once.

use std::collections::VecDeque;

use crate::metrics::Harm;
use crate::wire::cell::{Cell, Data};

/// The PDUs of each virtual channel.
pub struct Intact(Box<[OfVc]>);

#[derive(Clone, Default)]
struct OfVc {
    /// The PDU whose first cells have arrived, but not its last.
    present: Option<u32>,
    /// PDUs whose last cell was offered and that were counted as whole, in order of arrival; each
    /// stays until its last cell starts.
    whole: VecDeque<u32>,
}

impl Intact {
    /// `vcs` virtual channels without cells.
    pub fn new(vcs: usize) -> Intact {
        Intact(vec![OfVc::default(); vcs].into())
    }

    /// A cell is offered.
    pub fn on_offer(&mut self, cell: &Cell) {
        if let Some(data) = cell.part() {
            self.0[cell.vc.index()].present = Some(data.pdu);
        }
    }

    /// The cell that was offered last has been accepted or dropped. `is_whole` is true if all cells
    /// of its PDU so far were accepted.
    pub fn on_decision(&mut self, cell: &Cell, is_whole: bool) {
        if let Some(data) = cell.part().filter(|data| data.eom) {
            let pdus = &mut self.0[cell.vc.index()];
            pdus.present = None;
            if is_whole {
                pdus.whole.push_back(data.pdu);
            }
        }
    }

    /// A cell starts.
    pub fn on_start(&mut self, cell: &Cell) {
        if let Some(data) = cell.part().filter(|data| data.eom) {
            let whole = &mut self.0[cell.vc.index()].whole;
            if whole.front() == Some(&data.pdu) {
                whole.pop_front();
            }
        }
    }

    /// The harm to the PDU of a cell that is dropped.
    pub fn harm(&mut self, cell: &Cell) -> Harm {
        let Some(Data { pdu, .. }) = cell.part().copied() else {
            return Harm::None;
        };
        let pdus = &mut self.0[cell.vc.index()];
        if pdus.present == Some(pdu) {
            return Harm::Present;
        }
        match pdus.whole.iter().rposition(|whole| *whole == pdu) {
            Some(index) => {
                pdus.whole.remove(index);
                Harm::Ended
            }
            None => Harm::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::contents::ContentsId;
    use crate::wire::vc::Vc;

    fn cell(pdu: u32, eom: bool) -> Cell {
        Cell::data(Vc(0), Data::new(pdu, ContentsId(0), eom))
    }

    #[test]
    fn a_pdu_whose_end_has_arrived_is_damaged_once() {
        let mut intact = Intact::new(1);
        for cell in [cell(7, false), cell(7, true)] {
            intact.on_offer(&cell);
            intact.on_decision(&cell, true);
        }
        intact.on_offer(&cell(8, false));
        assert_eq!(intact.harm(&cell(7, true)), Harm::Ended);
        assert_eq!(intact.harm(&cell(7, false)), Harm::None);
        assert_eq!(intact.harm(&cell(8, false)), Harm::Present);
    }

    #[test]
    fn a_pdu_that_was_damaged_when_it_ended_is_not_damaged_again() {
        let mut intact = Intact::new(1);
        intact.on_offer(&cell(7, true));
        intact.on_decision(&cell(7, true), false);
        assert_eq!(intact.harm(&cell(7, false)), Harm::None);
    }

    #[test]
    fn a_pdu_whose_end_has_started_is_not_damaged() {
        let mut intact = Intact::new(1);
        intact.on_offer(&cell(7, true));
        intact.on_decision(&cell(7, true), true);
        intact.on_start(&cell(7, true));
        assert_eq!(intact.harm(&cell(7, true)), Harm::None);
    }
}
