//! What a switch owes the senders of the links by which cells come to it: credits.

use crate::cell::{Cell, Kind};
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
    pub fn arrive(&mut self, input: usize, vc: Vc) {
        if let Some(ledgers) = &mut self.ledgers[input] {
            ledgers[vc.index()].arrive();
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
