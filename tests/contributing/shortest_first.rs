//! Shortest packet first: the shortest of the packets at the head of the queues leaves next.
//!
//! This order makes the mean time that packets wait the least, at the cost of long packets.
//!
//! Phipps, "Machine Repair as a Priority Waiting-Line Problem", Operations Research 4(1), 1956.
//! There all jobs compete; here the packets of one virtual channel keep their order, and of equally
//! long packets the one of the first virtual channel leaves first.

use std::collections::BTreeSet;

use parameters::parameters;

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};

parameters! {
    /// Each virtual channel has a queue of its own; the shortest of their first packets leaves
    /// next.
    pub struct ShortestFirst {}
}

impl ShortestFirst {
    /// The scheduler of one output.
    pub fn build(&self, _vcs: &OutputVcs) -> Box<dyn Scheduler> {
        Box::new(State::default())
    }
}

impl SchedulerKind for ShortestFirst {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Vc
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }
}

#[derive(Default)]
struct State {
    /// The length of the first packet of each queue that has one, and the queue.
    first: BTreeSet<(u32, usize)>,
}

impl Scheduler for State {
    fn begin(&mut self, queue: usize, first: u32) {
        self.first.insert((first, queue));
    }

    fn next(&self) -> Option<usize> {
        self.first.first().map(|(_, queue)| *queue)
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        self.first.retain(|(_, waiting)| *waiting != queue);
        if let Some(octets) = next {
            self.begin(queue, octets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::order;
    use super::*;

    #[test]
    fn the_shortest_of_the_first_packets_leaves_next() {
        let sent = order(&mut State::default(), &[&[500, 40][..], &[300, 600]]);
        assert_eq!(sent, [(1, 300), (0, 500), (0, 40), (1, 600)]);
    }
}
