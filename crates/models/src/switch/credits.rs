//! What a switch owes the senders of the links by which cells come to it: credits.

use crate::cell::{Cell, Kind, Train};
use crate::credit::{Ledger, Room};
use crate::frame::FrameId;
use crate::vc::{Route, Vc};

/// What has come by controlled links, and gone on.
///
/// Inputs and outputs of a node are numbered alike, so that the credits for an input leave by the
/// output of the same number.
pub struct Credits {
    /// By input and virtual channel; nothing for an input whose link is not controlled.
    ledgers: Vec<Option<Box<[Ledger]>>>,
    /// By output and virtual channel, where its cells come from. Both directions of a flow take the
    /// same way, so these are the routes of the other direction.
    origins: Vec<Vec<Route>>,
    /// Credits made.
    pub made: u64,
    /// Credits that have arrived.
    pub arrived: u64,
}

impl Credits {
    /// `rooms` by input; `routes[input][vc]`.
    pub fn new(rooms: &[Option<Room>], routes: &[Vec<Route>]) -> Credits {
        let ledgers = rooms.iter().zip(routes).map(|(room, vcs)| {
            room.map(|room| vec![Ledger::new(room); vcs.len()].into_boxed_slice())
        });
        Credits {
            ledgers: ledgers.collect(),
            origins: routes.to_vec(),
            made: 0,
            arrived: 0,
        }
    }

    /// A cell arrives at `input`.
    ///
    /// # Panics
    /// If more come together over a controlled link, where each has to wait for credit.
    pub fn arrive(&mut self, input: usize, train: &Train) {
        if let Some(ledgers) = &mut self.ledgers[input] {
            assert_eq!(train.cells, 1, "cells that want credit come one by one");
            ledgers[train.vc.index()].arrive();
        }
    }

    /// A cell of a channel of `output` has left the buffer. Returns the credit to be sent for it, if
    /// it is time to send one, and by which output.
    pub fn leave(&mut self, output: usize, vc: Vc) -> Option<(usize, Cell)> {
        let origin = self.origins[output][vc.index()];
        let input = origin.output as usize;
        let ledgers = self.ledgers[input].as_mut()?;
        let forwarded = ledgers[origin.vc.index()].forward()?;
        self.made += 1;
        let credit = Cell {
            vc: origin.vc,
            pdu: forwarded,
            frame: FrameId(0),
            kind: Kind::Credit,
            eom: false,
            marked: false,
            clp: false,
        };
        Some((input, credit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A switch of which only the first of two inputs comes by a controlled link.
    fn credits() -> Credits {
        let room = Room { cells: 4, batch: 2 };
        let over = |output| vec![Route { output, vc: Vc(0) }];
        Credits::new(&[Some(room), None], &[over(1), over(0)])
    }

    fn train(cells: u32) -> Train {
        Train {
            cells,
            ..Train::from(Cell {
                vc: Vc(0),
                pdu: 1,
                frame: FrameId(0),
                kind: Kind::Data,
                eom: false,
                marked: false,
                clp: false,
            })
        }
    }

    #[test]
    fn a_credit_goes_back_by_the_output_beside_the_input() {
        let mut credits = credits();
        let told = [1, 2, 3, 4].map(|_| {
            credits.arrive(0, &train(1));
            let credit = credits.leave(1, Vc(0));
            credit.map(|(output, credit)| (output, credit.kind, credit.pdu))
        });
        let credit = |forwarded| Some((0, Kind::Credit, forwarded));
        assert_eq!(told, [None, credit(2), None, credit(4)]);
        assert_eq!(credits.made, 2);
    }

    #[test]
    fn trains_come_where_nobody_counts() {
        let mut credits = credits();
        credits.arrive(1, &train(3));
        assert!(credits.leave(0, Vc(0)).is_none());
    }

    #[test]
    #[should_panic(expected = "cells that want credit come one by one")]
    fn no_train_comes_over_a_controlled_link() {
        credits().arrive(0, &train(2));
    }
}
