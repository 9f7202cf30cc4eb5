//! Drops and marks at departure: a policy that measures how long units waited, such as CoDel, decides
//! about a unit when it is due to start. This file keeps the state of the PDUs; `deciding.rs` asks the
//! policy and carries out its decision.
//!
//! The policy decides about whole PDUs: what holds for the first cell of a PDU holds for the others,
//! because a PDU without its first cells is useless. That rule is Romanow and Floyd's, "Dynamics of
//! TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995, for arriving PDUs; RFC 8289 and its kin know
//! packets only.

use super::decision::HeadDecision;
use super::queue::Intact;
use crate::wire::cell::Cell;

/// The PDUs that leave an output, and those of which cells wait.
pub struct Departures {
    /// By virtual channel, the PDU whose first cells have left, and the decision about it.
    leaving: Box<[Option<(u32, HeadDecision)>]>,
    /// PDUs of which no cell was dropped; a whole packet needs no entry.
    pub intact: Intact,
}

impl Departures {
    /// An empty output of `vcs` virtual channels.
    pub fn new(vcs: usize) -> Departures {
        Departures {
            leaving: vec![None; vcs].into(),
            intact: Intact::new(vcs),
        }
    }

    /// The first cell of a queue is dropped to make room: the rest of its PDU follows when it is due.
    pub fn cut(&mut self, cell: &Cell) {
        if let Some(data) = cell.part() {
            let rest = (data.pdu, HeadDecision::Drop);
            self.leaving[cell.vc.index()] = (!data.eom).then_some(rest);
        }
    }

    /// The decision about a cell that is due to start. `ask` is called for the first cell of a PDU
    /// still queued; its answer holds for the rest.
    pub fn decision(&mut self, cell: &Cell, ask: impl FnOnce() -> HeadDecision) -> HeadDecision {
        let Some(data) = cell.part() else {
            // The control of rates needs its RM cells, as at admission.
            return HeadDecision::Send;
        };
        let leaving = &mut self.leaving[cell.vc.index()];
        let decision = match *leaving {
            Some((pdu, HeadDecision::Drop)) if pdu == data.pdu => HeadDecision::Drop,
            // One marked cell marks its PDU.
            Some((pdu, _)) if pdu == data.pdu => HeadDecision::Send,
            _ => ask(),
        };
        *leaving = (!data.eom).then_some((data.pdu, decision));
        decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::{ContentsId, RmId};
    use crate::wire::vc::Vc;

    /// The decisions about cells, written as the number of their PDU with `.` behind the last, if
    /// the policy answers `answers` in turn.
    fn decisions(cells: &str, answers: &[HeadDecision]) -> String {
        let mut departures = Departures::new(1);
        let mut answers = answers.iter().copied();
        let signs = cells.split(' ').map(|text| {
            let pdu = text.trim_end_matches('.').parse().expect("a number");
            let data = Data::new(pdu, ContentsId(0), text.ends_with('.'));
            let cell = Cell::data(Vc(0), data);
            match departures.decision(&cell, || answers.next().expect("an answer")) {
                HeadDecision::Send => '+',
                HeadDecision::Mark => '*',
                HeadDecision::Drop => '-',
            }
        });
        let signs = signs.collect();
        assert_eq!(answers.next(), None, "each answer is asked for");
        signs
    }

    #[test]
    fn the_decision_about_the_first_cell_holds_for_its_pdu() {
        use HeadDecision::{Drop, Mark, Send};
        let cells = "1 1 1. 2 2. 3 3 3. 4.";
        assert_eq!(decisions(cells, &[Drop, Send, Mark, Drop]), "---++*++-");
    }

    #[test]
    fn a_pdu_whose_end_was_dropped_on_arrival_does_not_decide_about_the_next() {
        use HeadDecision::{Drop, Send};
        assert_eq!(decisions("1 1 2 2.", &[Drop, Send]), "--++");
    }

    #[test]
    fn rm_cells_are_always_sent() {
        let mut departures = Departures::new(1);
        let cell = Cell::rm(Vc(0), RmId(0));
        let decision = departures.decision(&cell, || unreachable!("nobody is asked"));
        assert_eq!(decision, HeadDecision::Send);
    }
}
