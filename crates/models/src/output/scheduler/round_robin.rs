//! Round robin: each virtual channel has a queue, and queues with cells waiting send one cell in
//! turn.
//!
//! All cells have one length, so VCs that have cells waiting share the link equally, to within a
//! cell. Nagle, "On Packet Switches with Infinite Storage", IEEE Transactions on Communications
//! 35(4), 1987 (first RFC 970), section "Fairness in Packet Switching Systems", which proposes a
//! queue for each source, served in turn.

use parameters::parameters;

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};
use crate::output::choice::number_set::Turns;

parameters! {
    /// Each virtual channel has a queue of its own; those with cells waiting send one cell in turn.
    #[alias("rr")]
    pub struct RoundRobin {}
}

impl RoundRobin {
    /// The scheduler of one output.
    pub fn build(&self, _vcs: &OutputVcs) -> Box<dyn Scheduler> {
        Box::new(State(Turns::default()))
    }
}

impl SchedulerKind for RoundRobin {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Vc
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }

    fn serves_by_credit(&self) -> bool {
        true
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
