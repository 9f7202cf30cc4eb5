//! Self-clocked fair queueing (SCFQ): what would end first if the link were shared octet by octet.
//!
//! Each packet has a tag, that of the packet before it on its channel plus its own length. A channel
//! that has had nothing waiting goes on from the tag of the packet that is being sent, which is the
//! clock; so nobody is given a share of the past. The smallest tag goes next, and of equal tags that
//! of the channel written first.
//!
//! Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications", Proc. IEEE INFOCOM
//! 1994.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use parameters::parameters;

use super::{Channels, Discipline, QueuePer, Scheduler, Scheduling};

parameters! {
    /// Self-clocked fair queueing: each virtual channel has a queue of its own; the unit with the
    /// smallest finishing tag leaves first.
    pub struct SelfClocked {}
}

impl SelfClocked {
    /// The discipline of one output.
    pub fn build(&self, channels: &Channels) -> Discipline {
        let state = State::new(channels.classes.len());
        Discipline::Scheduled(Scheduling::new(state, QueuePer::Vc))
    }
}

struct State {
    /// Tag of what is being sent, or was last.
    clock: u64,
    /// Tag of what was last given one, by queue.
    last: Box<[u64]>,
    /// Tag of what goes next of each queue that has something, and the queue.
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

    /// Gives a tag to what goes next of a queue.
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
            debug_assert_eq!(queue, first, "what goes next has gone");
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
    fn the_packet_that_would_end_first_octet_by_octet_is_served_first() {
        let queues = [&[300, 300][..], &[100; 6], &[250, 50]];
        let sent = order(&mut State::new(3), &queues);
        let queues: Vec<usize> = sent.iter().map(|(queue, _)| *queue).collect();
        // Tags 300 and 600; 100 to 600; 250 and 300.
        assert_eq!(queues, [1, 1, 2, 0, 1, 2, 1, 1, 0, 1]);
    }

    #[test]
    fn a_queue_that_was_empty_earns_no_service_meanwhile() {
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
