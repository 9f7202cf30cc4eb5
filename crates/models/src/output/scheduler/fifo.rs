//! First in, first out: one queue for all virtual channels of an output.

use parameters::parameters;

use super::{Channels, Discipline, QueuePer, Scheduler, Scheduling};

parameters! {
    /// Cells leave in the order in which they were accepted, across all virtual channels.
    pub struct Fifo {}
}

impl Fifo {
    /// The discipline of one output.
    pub fn build(&self, _channels: &Channels) -> Discipline {
        Discipline::Fifo
    }
}

/// One queue from which cells are chosen when they are sent: until then they can be taken back.
#[derive(Default)]
pub struct OneByOne {
    waits: bool,
}

impl OneByOne {
    /// The same order as that of [`Discipline::Fifo`].
    pub fn scheduling() -> Scheduling {
        Scheduling::new(OneByOne::default(), QueuePer::Output)
    }
}

impl Scheduler for OneByOne {
    fn begin(&mut self, _queue: usize, _first: u32) {
        self.waits = true;
    }

    fn next(&self) -> Option<usize> {
        self.waits.then_some(0)
    }

    fn served(&mut self, _queue: usize, next: Option<u32>) {
        self.waits = next.is_some();
    }
}
