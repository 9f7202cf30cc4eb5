//! Deficit round robin (DRR): turns that are fair in octets, whatever the lengths of packets.
//!
//! Each channel with something waiting has a turn, in which it may send as many octets as it has
//! saved up. With every turn it is given a `quantum`; what it cannot use, since its next packet is
//! longer than what it has left, it keeps for the next turn, and loses when nothing more of it
//! waits. A turn costs the same however many channels there are, if a quantum is at least a packet.
//!
//! Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round-Robin", IEEE/ACM Transactions
//! on Networking 4(3), 1996.

use std::collections::VecDeque;

use parameters::{Bytes, parameters};

use super::{Channels, Division, Scheduler, Service};

parameters! {
    /// Each channel has a queue of its own, and sends a number of octets in turn.
    pub struct DeficitRoundRobin {
        /// Octets that a channel may send more with every turn.
        #[range("40 B", "1 MB")]
        pub quantum: Bytes = "1500 B",
    }
}

impl DeficitRoundRobin {
    /// The service of one output.
    pub fn build(&self, channels: &Channels) -> Service {
        Service::Chosen {
            scheduler: Box::new(State::new(self.quantum.0, channels.classes.len())),
            division: Division::Channels,
            by_class: false,
        }
    }
}

struct State {
    quantum: u64,
    /// Queues in which something waits; the first of them can pay for what goes next.
    turns: VecDeque<usize>,
    accounts: Box<[Account]>,
}

/// Of one queue.
#[derive(Clone, Copy, Default)]
struct Account {
    /// Octets of what goes next.
    next: u32,
    /// Octets that it may send.
    deficit: u64,
}

impl State {
    fn new(quantum: u64, queues: usize) -> State {
        State {
            quantum,
            turns: VecDeque::with_capacity(queues),
            accounts: vec![Account::default(); queues].into(),
        }
    }

    /// Gives turns until the queue whose turn it is can pay.
    fn take_turns(&mut self) {
        while let Some(queue) = self.turns.pop_front() {
            let account = &mut self.accounts[queue];
            account.deficit += self.quantum;
            if account.deficit >= u64::from(account.next) {
                return self.turns.push_front(queue);
            }
            self.turns.push_back(queue);
        }
    }
}

impl Scheduler for State {
    fn begin(&mut self, queue: usize, first: u32) {
        self.accounts[queue] = Account {
            next: first,
            deficit: 0,
        };
        self.turns.push_back(queue);
        if self.turns.len() == 1 {
            self.take_turns();
        }
    }

    fn next(&self) -> Option<usize> {
        self.turns.front().copied()
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        let account = &mut self.accounts[queue];
        account.deficit -= u64::from(account.next);
        match next {
            Some(next) if account.deficit >= u64::from(next) => account.next = next,
            Some(next) => {
                account.next = next;
                self.turns.rotate_left(1);
                self.take_turns();
            }
            None => {
                self.turns.pop_front();
                self.take_turns();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::order;
    use super::*;

    fn drr(quantum: u64) -> State {
        State::new(quantum, 4)
    }

    #[test]
    fn octets_that_a_turn_leaves_over_are_kept_for_the_next() {
        let queues = [
            &[200, 750, 20][..],
            &[500, 500],
            &[200, 600, 100],
            &[50, 700],
        ];
        let first = [(0, 200), (1, 500), (2, 200), (3, 50)];
        let second = [(0, 750), (0, 20), (1, 500), (2, 600), (2, 100), (3, 700)];
        assert_eq!(
            order(&mut drr(500), &queues),
            [&first[..], &second].concat()
        );
    }

    #[test]
    fn long_packets_wait_for_as_many_turns_as_they_need() {
        let sent = order(&mut drr(100), &[&[300, 300], &[100; 6]]);
        let turns: Vec<usize> = sent.iter().map(|(queue, _)| *queue).collect();
        assert_eq!(turns, [0, 1, 1, 1, 0, 1, 1, 1]);
    }

    #[test]
    fn what_is_saved_up_is_lost_with_the_last_packet() {
        let mut state = drr(1000);
        state.begin(0, 10);
        state.served(0, None);
        state.begin(0, 1500);
        assert_eq!(state.accounts[0].deficit, 2000);
    }
}
