//! Self-clocked fair queueing (SCFQ): the next packet is approximately the one whose transmission
//! would end first if the VCs shared the link octet by octet.
//!
//! The tag of a packet is the tag of the previous packet on its VC plus the length of the packet.
//! The tag of the packet in transmission is the clock. A VC that had no packets waiting continues
//! from the clock, so that it gets no share of the past. The packet with the smallest tag leaves
//! next; of packets with equal tags, the packet of the VC that the scenario names first.
//!
//! Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications", Proc. IEEE INFOCOM
//! 1994, whose subject is this rule.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use parameters::parameters;

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};

parameters! {
    /// Self-clocked fair queueing: each virtual channel has a queue of its own; the unit with the
    /// smallest finishing tag leaves first.
    #[alias("scfq")]
    #[alias(
        "wfq",
        "write `self_clocked`, which approximates weighted fair queueing with equal weights"
    )]
    pub struct SelfClocked {}
}

impl SelfClocked {
    /// The scheduler of one output.
    pub fn build(&self, vcs: &OutputVcs) -> Box<dyn Scheduler> {
        Box::new(State::new(vcs.classes.len()))
    }
}

impl SchedulerKind for SelfClocked {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Vc
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }
}

struct State {
    /// Tag of the unit that started last.
    clock: u64,
    /// Latest tag of each queue.
    last: Box<[u64]>,
    /// Each queue that has units, with the tag of its first unit.
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
}

impl State {
    fn new(queues: usize) -> State {
        State {
            clock: 0,
            last: vec![0; queues].into(),
            waiting: BinaryHeap::with_capacity(queues),
        }
    }

    /// Gives a tag to the first unit of a queue.
    fn tag(&mut self, queue: usize, octets: u32, after: u64) {
        let tag = after + u64::from(octets);
        self.last[queue] = tag;
        self.waiting.push(Reverse((tag, queue)));
    }
}

impl Scheduler for State {
    fn begin(&mut self, queue: usize, first: u32) {
        self.tag(queue, first, self.last[queue].max(self.clock));
    }

    fn next(&self) -> Option<usize> {
        self.waiting.peek().map(|Reverse((_, queue))| *queue)
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        if let Some(Reverse((tag, first))) = self.waiting.pop() {
            debug_assert_eq!(queue, first, "the queue of the smallest tag is served");
            self.clock = tag;
            if let Some(octets) = next {
                self.tag(queue, octets, tag);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::order;
    use super::*;

    #[test]
    fn the_packet_that_would_end_first_octet_by_octet_leaves_first() {
        let queues = [&[300, 300][..], &[100; 6], &[250, 50]];
        let sent = order(&mut State::new(3), &queues);
        let queues: Vec<usize> = sent.iter().map(|(queue, _)| *queue).collect();
        // The tags are 300 and 600 in queue 0; 100 to 600 in queue 1; 250 and 300 in queue 2.
        assert_eq!(queues, [1, 1, 2, 0, 1, 2, 1, 1, 0, 1]);
    }

    #[test]
    fn a_vc_that_becomes_active_gets_no_share_of_the_past() {
        let mut state = State::new(2);
        state.begin(0, 100);
        (0..50).for_each(|_| state.served(0, Some(100)));
        state.begin(1, 100);
        let turns: Vec<usize> = (0..6)
            .map(|_| {
                let queue = state.next().expect("both wait");
                state.served(queue, Some(100));
                queue
            })
            .collect();
        assert_eq!(turns, [0, 1, 0, 1, 0, 1]);
    }
}
