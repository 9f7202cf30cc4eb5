//! Round robin: a queue for each virtual channel, and one cell of each that is not empty in turn.
//!
//! As all cells are of one length, channels that have cells waiting share the link equally, to a
//! cell: the fair queueing of Nagle, "On Packet Switches with Infinite Storage", IEEE Transactions on
//! Communications 35(4), 1987.

use parameters::parameters;

use super::{Channels, Discipline, QueuePer, Scheduler, Scheduling};
use crate::output::numbers::Turns;

parameters! {
    /// Each virtual channel has a queue of its own; those with cells waiting send one cell in turn.
    pub struct RoundRobin {}
}

impl RoundRobin {
    /// The discipline of one output.
    pub fn build(&self, _channels: &Channels) -> Discipline {
        let state = State(Turns::default());
        Discipline::Scheduled(Scheduling::new(state, QueuePer::Vc))
    }
}

struct State(Turns);

impl Scheduler for State {
    fn begin(&mut self, queue: usize, _first: u32) {
        self.0.insert(queue);
    }

    fn next(&self) -> Option<usize> {
        self.0.next()
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        self.0.served(queue, next.is_some());
    }
}
