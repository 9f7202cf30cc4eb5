//! First in, first out: one queue for all virtual channels of an output. Units leave in order of
//! arrival. Our own choice, which changes no time: an output commits each unit when it accepts it.
//! Only an output that pushes cells out or waits for credit calls this scheduler.

use parameters::parameters;

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};

parameters! {
    /// Cells leave in the order in which they were accepted, across all virtual channels.
    #[alias("fcfs")]
    pub struct Fifo {}
}

impl Fifo {
    /// The scheduler of one output.
    pub fn build(&self, _vcs: &OutputVcs) -> Box<dyn Scheduler> {
        Box::new(OneByOne::default())
    }
}

impl SchedulerKind for Fifo {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Output
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }
}

/// One queue, from which a unit is taken when its transmission starts.
#[derive(Default)]
pub struct OneByOne {
    has_units: bool,
}

impl Scheduler for OneByOne {
    fn begin(&mut self, _queue: usize, _first: u32) {
        self.has_units = true;
    }

    fn next(&self) -> Option<usize> {
        self.has_units.then_some(0)
    }

    fn served(&mut self, _queue: usize, next: Option<u32>) {
        self.has_units = next.is_some();
    }
}
