//! Round robin: a queue for each virtual channel, and one cell of each that is not empty in turn.
//!
//! As all cells are of one length, channels that have cells waiting share the link equally, to a
//! cell: the fair queueing of Nagle, "On Packet Switches with Infinite Storage", IEEE Transactions on
//! Communications 35(4), 1987.

use parameters::parameters;

use super::{Scheduler, Service};
use crate::switch::discard::Buffer;
use crate::switch::numbers::NumberSet;
use crate::vc::Vc;

parameters! {
    /// Each virtual channel has a queue of its own, and each that is not empty sends one cell in turn.
    pub struct RoundRobin {}
}

impl RoundRobin {
    /// The service of one output.
    pub fn build(&self, _buffer: &Buffer) -> Service {
        Service::Chosen(Box::new(State {
            waiting: NumberSet::default(),
            turn: 0,
        }))
    }
}

struct State {
    /// Channels with cells.
    waiting: NumberSet,
    /// The channel after the last one served.
    turn: usize,
}

impl Scheduler for State {
    fn begin(&mut self, vc: Vc) {
        self.waiting.insert(vc.index());
    }

    fn next(&self) -> Option<Vc> {
        let next = self.waiting.first_from(self.turn);
        let next = next.or_else(|| self.waiting.first_from(0))?;
        Some(Vc(next as u32))
    }

    fn served(&mut self, vc: Vc, more: bool) {
        if !more {
            self.waiting.remove(vc.index());
        }
        self.turn = vc.index() + 1;
    }
}
