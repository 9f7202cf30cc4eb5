//! Flow queueing: flows hashed to queues, deficit round robin among the queues, and queues that have
//! just become active before the others.
//!
//! A flow that sends less than a quantum in each round finds its queue empty, and thus joins the
//! list of new queues and goes first. Hoeiland-Joergensen, McKenney, Taht, Gettys and Dumazet, "The
//! Flow Queue CoDel Packet Scheduler and Active Queue Management Algorithm", RFC 8290, 2018, sections
//! 4.1 and 4.2. The hash is a random number for each virtual channel, as perturbed hashes are meant to
//! be (McKenney, "Stochastic Fairness Queueing", INFOCOM 1990). As in the RFC a queue is moved or
//! removed when a packet leaves, so that an empty queue that receives a packet in time is not new.

use std::collections::{BTreeMap, VecDeque};

use parameters::{Bytes, parameters};

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind, Turn};

parameters! {
    /// Virtual channels are hashed to queues, which take turns of a quantum of octets; queues that
    /// have just become active go first.
    #[alias("sfq")]
    pub struct FlowQueue {
        /// Number of queues to which virtual channels are hashed.
        #[range(1, 65536)]
        pub queues: u64 = 1024,
        #[as_in(Turn)]
        pub quantum: Bytes = "1514 B",
    }
}

impl FlowQueue {
    /// The scheduler of one output.
    pub fn build(&self, _vcs: &OutputVcs) -> Box<dyn Scheduler> {
        Box::new(State::new(self.quantum.0))
    }
}

impl SchedulerKind for FlowQueue {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Group
    }

    fn groups(&self, vcs: &OutputVcs) -> Box<[u32]> {
        let mut random = vcs.random.clone();
        let mut numbers = BTreeMap::new();
        let hashes = vcs.classes.iter().map(|_| random.below(self.queues));
        // Queues that no flow is hashed to need no list.
        let mut number = |hash| {
            let next = numbers.len() as u32;
            *numbers.entry(hash).or_insert(next)
        };
        hashes.map(&mut number).collect()
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }
}

struct State {
    quantum: i64,
    new: VecDeque<usize>,
    old: VecDeque<usize>,
    accounts: Vec<Account>,
}

/// The account of one queue.
#[derive(Clone, Copy, Default)]
struct Account {
    /// Octets of the first packet of the queue, if a packet waits.
    next: Option<u32>,
    /// Octets that the queue may send, less those that it sent beyond its turns.
    deficit: i64,
    /// True if the queue is in a list.
    is_listed: bool,
}

impl State {
    fn new(quantum: u64) -> State {
        State {
            quantum: i64::try_from(quantum).expect("at most a megabyte"),
            new: VecDeque::new(),
            old: VecDeque::new(),
            accounts: Vec::new(),
        }
    }

    /// The number of quanta that a queue needs before it may send its first packet; none if no packet
    /// waits.
    fn quanta(&self, queue: usize) -> Option<i64> {
        let Account { next, deficit, .. } = self.accounts[queue];
        next?;
        Some(if deficit > 0 {
            0
        } else {
            -deficit / self.quantum + 1
        })
    }

    /// Moves queues until `queue` is the first of its list and may send: the loop of section 4.2.
    fn turn_to(&mut self, queue: usize) {
        loop {
            let is_new = !self.new.is_empty();
            let list = if is_new { &mut self.new } else { &mut self.old };
            let first = *list.front().expect("a queue with a packet is listed");
            let account = &mut self.accounts[first];
            if account.deficit <= 0 {
                account.deficit += self.quantum;
                list.pop_front();
                self.old.push_back(first);
            } else if account.next.is_none() {
                list.pop_front();
                // An empty new queue goes through the old ones once, or it could come back as a new
                // one and starve them.
                if is_new && !self.old.is_empty() {
                    self.old.push_back(first);
                } else {
                    account.is_listed = false;
                }
            } else {
                debug_assert_eq!(first, queue, "the queue that was next is served");
                return;
            }
        }
    }
}

impl Scheduler for State {
    fn begin(&mut self, queue: usize, first: u32) {
        if self.accounts.len() <= queue {
            self.accounts.resize(queue + 1, Account::default());
        }
        let account = &mut self.accounts[queue];
        account.next = Some(first);
        if !account.is_listed {
            account.is_listed = true;
            account.deficit = self.quantum;
            self.new.push_back(queue);
        }
    }

    fn next(&self) -> Option<usize> {
        // Lists change when a packet leaves, so this loop predicts the queue that will be first. A
        // new queue with a deficit gets its first quantum on its way to the end of the old ones.
        let mut first: Option<(i64, usize)> = None;
        let mut consider = |rounds, queue| {
            if first.is_none_or(|(least, _)| rounds < least) {
                first = Some((rounds, queue));
            }
        };
        for &queue in &self.new {
            if self.quanta(queue) == Some(0) {
                return Some(queue);
            }
        }
        for &queue in &self.old {
            match self.quanta(queue) {
                Some(0) => return Some(queue),
                Some(rounds) => consider(rounds, queue),
                None => {}
            }
        }
        for &queue in &self.new {
            if let Some(quanta) = self.quanta(queue) {
                consider(quanta - 1, queue);
            }
        }
        first.map(|(_, queue)| queue)
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        self.turn_to(queue);
        let account = &mut self.accounts[queue];
        account.deficit -= i64::from(account.next.unwrap_or(0));
        account.next = next;
    }

    fn dropped(&mut self, queue: usize, next: Option<u32>) {
        // A dropped packet costs nothing: only a packet that CoDel returns does (section 4.2).
        self.accounts[queue].next = next;
    }

    fn idle(&mut self) {
        // Every queue is found empty.
        for queue in self.new.drain(..).chain(self.old.drain(..)) {
            self.accounts[queue].is_listed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::super::script::order;
    use super::*;
    use crate::wire::class::Class;

    fn turns(sent: &[(usize, u32)]) -> Vec<usize> {
        sent.iter().map(|(queue, _)| *queue).collect()
    }

    #[test]
    fn queues_take_turns_of_a_quantum() {
        let sent = order(&mut State::new(1000), &[&[500; 6], &[1000; 3]]);
        assert_eq!(turns(&sent), [0, 0, 1, 0, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn a_queue_may_exceed_its_quantum_and_pays_for_it_later() {
        let sent = order(&mut State::new(1000), &[&[1500; 4], &[500; 12]]);
        assert_eq!(turns(&sent)[..9], [0, 1, 1, 0, 1, 1, 1, 1, 0]);
    }

    #[test]
    fn a_packet_longer_than_many_quanta_leaves_when_it_is_paid_for() {
        let sent = order(&mut State::new(100), &[&[1000, 100], &[100; 12]]);
        let turns = turns(&sent);
        let second = turns.iter().rposition(|queue| *queue == 0);
        assert_eq!(second, Some(11));
    }

    #[test]
    fn a_queue_that_becomes_active_goes_before_those_that_are() {
        let mut state = State::new(1000);
        for queue in [0, 1] {
            state.begin(queue, 1000);
        }
        for queue in [0, 1] {
            state.served(queue, Some(1000));
        }
        assert_eq!(state.next(), Some(0));
        state.begin(2, 100);
        assert_eq!(state.next(), Some(2));
    }

    #[test]
    fn an_empty_queue_is_not_new_before_the_old_ones_had_their_turn() {
        let mut state = State::new(1000);
        state.begin(0, 1000);
        state.served(0, Some(1000));
        state.begin(1, 100);
        assert_eq!(state.next(), Some(1));
        state.served(1, None);
        // Queue 1 is found empty, and moves behind queue 0.
        state.served(0, Some(1000));
        state.begin(1, 100);
        state.served(1, None);
        assert_eq!(state.next(), Some(0));
        assert!(state.new.is_empty());
    }

    #[test]
    fn a_queue_alone_is_new_again_after_the_link_was_idle() {
        let mut state = State::new(1000);
        state.pass(0, 1500);
        assert_eq!(state.accounts[0].deficit, -500);
        state.pass(0, 400);
        assert_eq!(state.accounts[0].deficit, 600);
    }

    #[test]
    fn a_dropped_packet_costs_nothing_and_keeps_the_turn() {
        let mut state = State::new(1000);
        state.begin(0, 800);
        state.begin(1, 800);
        state.dropped(0, Some(800));
        assert_eq!(state.next(), Some(0));
        state.served(0, Some(800));
        assert_eq!(state.next(), Some(0));
        state.dropped(1, None);
        assert_eq!(state.next(), Some(0));
    }

    #[test]
    fn flows_are_hashed_to_queues_that_some_may_share() {
        let vcs = OutputVcs::new(vec![Class::Ubr; 100].into());
        let groups = |queues| {
            FlowQueue {
                queues,
                ..FlowQueue::defaults()
            }
            .groups(&vcs)
        };
        let used = |groups: &[u32]| *groups.iter().max().expect("a queue") + 1;
        assert_eq!(used(&groups(1)), 1);
        let shared = used(&groups(100));
        // 100 (1 - (1 - 1/100)^100) = 63.4 queues are used on average.
        assert!((50..78).contains(&shared), "{shared}");
        assert!(used(&groups(65_536)) >= 99);
    }
}
