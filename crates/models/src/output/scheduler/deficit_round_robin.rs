//! Deficit round robin (DRR): turns that are fair in octets, for packets of any length.
//!
//! Each VC that has packets waiting takes its turn, in which it may send as many octets as its
//! deficit. Each turn adds a `quantum` to the deficit, and each packet sent subtracts its length.
//! The rest is kept for the next turn, but a VC without waiting packets loses it. If a quantum is
//! at least a packet, a turn costs the same for any number of VCs.
//!
//! Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round-Robin", IEEE/ACM
//! Transactions on Networking 4(3), 1996, section III. As in the paper, the end of a packet's
//! transmission, not its start, continues or ends a turn, so packets that arrived during the
//! transmission count. A VC that receives a packet while its last packet is in transmission thus
//! keeps its turn.

use std::collections::VecDeque;

use parameters::{Bytes, parameters};

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind, Turn};

parameters! {
    /// Each virtual channel has a queue of its own, and may send a quantum of octets in each turn.
    #[alias("drr")]
    pub struct DeficitRoundRobin {
        /// Octets added to the deficit of a virtual channel in each turn.
        #[as_in(Turn)]
        pub quantum: Bytes,
    }
}

impl DeficitRoundRobin {
    /// The scheduler of one output.
    pub fn build(&self, vcs: &OutputVcs) -> Box<dyn Scheduler> {
        Box::new(State::new(self.quantum.0, vcs.classes.len()))
    }
}

impl SchedulerKind for DeficitRoundRobin {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Vc
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }
}

struct State {
    quantum: u64,
    /// The queue whose turn it is, until the end of the turn's last packet.
    turn: Option<usize>,
    /// The other queues with waiting packets, in the order of their turns.
    active: VecDeque<usize>,
    accounts: Box<[Account]>,
}

/// The state of one queue.
#[derive(Clone, Copy, Default)]
struct Account {
    /// Octets of the first packet of the queue, if a packet waits.
    next: Option<u32>,
    /// Octets that the queue may send.
    deficit: u64,
}

impl Account {
    /// The number of quanta that the queue needs before it may send its first packet; none if no
    /// packet waits.
    fn quanta(&self, quantum: u64) -> Option<u64> {
        let next = u64::from(self.next?);
        Some(next.saturating_sub(self.deficit).div_ceil(quantum))
    }
}

impl State {
    fn new(quantum: u64, queues: usize) -> State {
        State {
            quantum,
            turn: None,
            active: VecDeque::with_capacity(queues),
            accounts: vec![Account::default(); queues].into(),
        }
    }

    /// The queue in service, if its deficit still covers its first packet.
    fn current_turn(&self) -> Option<usize> {
        let can_pay = |queue: &usize| self.accounts[*queue].quanta(self.quantum) == Some(0);
        self.turn.filter(can_pay)
    }

    /// Ends the present turn.
    fn end_turn(&mut self) {
        if let Some(queue) = self.turn.take() {
            match self.accounts[queue].next {
                Some(_) => self.active.push_back(queue),
                None => self.accounts[queue].deficit = 0,
            }
        }
    }

    /// Starts turns until a queue may send its first packet.
    fn take_turns(&mut self) {
        while let Some(queue) = self.active.pop_front() {
            self.accounts[queue].deficit += self.quantum;
            self.turn = Some(queue);
            if self.current_turn().is_some() {
                return;
            }
            self.active.push_back(queue);
        }
    }
}

impl Scheduler for State {
    fn begin(&mut self, queue: usize, first: u32) {
        self.accounts[queue].next = Some(first);
        if self.turn != Some(queue) {
            self.active.push_back(queue);
        }
    }

    fn next(&self) -> Option<usize> {
        if let Some(queue) = self.current_turn() {
            return Some(queue);
        }
        // A turn starts when a packet starts, so this loop predicts the first queue whose deficit
        // will suffice.
        let last = self.turn.into_iter();
        let mut first = None;
        for queue in self.active.iter().copied().chain(last) {
            let Some(quanta) = self.accounts[queue].quanta(self.quantum) else {
                continue;
            };
            if quanta <= 1 {
                return Some(queue);
            }
            if first.is_none_or(|(least, _)| quanta < least) {
                first = Some((quanta, queue));
            }
        }
        first.map(|(_, queue)| queue)
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        if self.current_turn().is_none() {
            self.end_turn();
            self.take_turns();
        }
        debug_assert_eq!(self.turn, Some(queue), "the queue that was next is served");
        let account = &mut self.accounts[queue];
        account.deficit -= u64::from(account.next.unwrap_or(0));
        account.next = next;
    }

    fn idle(&mut self) {
        self.end_turn();
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
    fn octets_left_over_from_a_turn_are_kept_for_the_next() {
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
        assert_eq!(turns, [1, 1, 0, 1, 1, 1, 0, 1]);
    }

    #[test]
    fn a_deficit_is_lost_when_the_last_packet_has_been_sent() {
        let mut state = drr(1000);
        state.begin(0, 10);
        state.served(0, None);
        state.idle();
        state.begin(0, 1500);
        state.served(0, None);
        assert_eq!(state.accounts[0].deficit, 500);
    }

    #[test]
    fn a_turn_continues_if_a_packet_arrives_before_the_last_one_has_been_sent() {
        let mut state = drr(1000);
        state.begin(0, 400);
        state.served(0, None);
        state.begin(1, 400);
        state.begin(0, 600);
        assert_eq!(state.next(), Some(0));
        state.served(0, None);
        assert_eq!(state.next(), Some(1));
    }

    #[test]
    fn a_single_vc_gets_no_turn_before_the_link_is_free() {
        let mut state = drr(1000);
        state.begin(0, 1000);
        state.served(0, Some(1000));
        // This packet arrives while the first is in transmission.
        state.begin(1, 1000);
        assert_eq!(state.next(), Some(1));
    }
}
