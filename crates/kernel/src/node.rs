//! Nodes: the trait that a model implements.

use crate::arrivals::Arrivals;
use crate::link::Link;
use crate::time::{Duration, Time};

/// A node, which acts on its own and receives units.
///
/// The order of events at one instant is part of the contract:
/// 1. a node acts on its own before it receives units that arrive at that instant, unless
///    [`Node::wakes_before`] says otherwise;
/// 2. units that arrive together are received in the order of the inputs;
/// 3. contention between inputs is the business of the node (a switch fabric, say), never an
///    accident of the kernel.
pub trait Node {
    /// Type of the units on links.
    type Unit;
    /// Data to which units refer because they are too small to hold it, such as the contents of
    /// packets. The acting node has access to all of it, and may change only the data of units that
    /// it holds.
    type Cargo;

    /// Time of the node's next own act; [`Time::NEVER`] if it waits for arrivals only.
    fn next_wake(&self) -> Time;

    /// True if the next own act, which is due when a unit arrives at `input`, comes before that
    /// arrival. It does, unless the act stands for the arrival of a unit at another input that the
    /// node has known for a while.
    fn wakes_before(&self, _input: usize) -> bool {
        true
    }

    /// Acts on its own at `now`, which is [`Node::next_wake`].
    fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>);

    /// Receives a unit that arrives at `now`.
    fn receive(
        &mut self,
        now: Time,
        input: usize,
        unit: Self::Unit,
        out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>,
    );

    /// Does all own acts of the node up to and including [`LinkOutlet::through`].
    ///
    /// No unit arrives in between, so a node may replace this with a tighter loop of its own; it
    /// must check the limit after each act, because sending may move it closer.
    fn advance(&mut self, out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>) {
        loop {
            let wake = self.next_wake();
            let is_due =
                wake < out.through() || wake == out.through() && self.wakes_before(out.before());
            if !is_due {
                return;
            }
            self.wake(wake, out);
        }
    }

    /// Brings the state of the node to the instant `through`, before the state is read.
    ///
    /// A node may leave changes that no other node can notice until its next act, since many of
    /// them together may take less time. The runners call this before they return.
    fn settle(&mut self, _through: Time, _out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>) {}
}

/// The outputs of the acting node, and the limit of its acts.
pub struct LinkOutlet<'a, U, C> {
    /// Data to which units in flight refer, such as the contents of packets.
    pub cargo: &'a mut C,
    pub(crate) links: &'a mut [Link<U>],
    /// Link of each output.
    pub(crate) outputs: &'a [u32],
    pub(crate) clocks: &'a mut Clocks,
    pub(crate) limit: &'a mut Limit,
}

impl<U, C> LinkOutlet<'_, U, C> {
    /// Commits `unit` to an output; its transmission ends at `sent`, and it arrives one propagation
    /// delay later.
    ///
    /// For a train, `sent` is the end of transmission of its first cell.
    #[inline]
    pub fn send(&mut self, output: usize, sent: Time, unit: U) {
        let number = self.outputs[output] as usize;
        let link = &mut self.links[number];
        debug_assert!(
            self.limit.act.is_none_or(|now| sent >= now + link.shortest),
            "a unit takes less time than the shortest unit declared for its link"
        );
        let arrival = sent + link.propagation;
        // A unit behind another on the same link does not make the receiver's next event earlier:
        // the first unit arrives before it, and the runner knows the arrival time of the first,
        // even after a pause of the run.
        if link.commit(arrival, unit) {
            self.announce(number, arrival);
        }
    }

    /// Commits `unit` like [`LinkOutlet::send`], unless a unit that is on its way takes it in: `join`
    /// adds the unit to one that arrives at the first of the given times; the second is that of the
    /// unit itself. It returns false if it does not. Returns true if the unit was taken in.
    ///
    /// The joined unit must mean to the receiver what the two mean one after the other.
    #[inline]
    pub fn send_or_join(
        &mut self,
        output: usize,
        sent: Time,
        unit: U,
        mut join: impl FnMut(&mut U, Time, Time) -> bool,
    ) -> bool {
        let link = &mut self.links[self.outputs[output] as usize];
        let arrival = sent + link.propagation;
        let joined = link.join(arrival, |before, at| join(before, at, arrival));
        if !joined {
            self.send(output, sent, unit);
        }
        joined
    }

    /// Reports to the runner a unit on a link that was empty.
    fn announce(&mut self, number: usize, arrival: Time) {
        let link = &self.links[number];
        self.clocks.arrivals[link.to].add(link.input as usize, arrival);
        if link.to_leaf && self.limit.follows {
            self.clocks.leaves.push(link.to);
            self.limit.followed(arrival);
            return;
        }
        self.clocks.announce(link.to, arrival);
        self.limit.answered(arrival);
    }

    /// The last instant at which the node may act on its own before it returns.
    #[inline]
    pub fn through(&self) -> Time {
        self.limit.through
    }

    /// The input of the unit that arrives at [`LinkOutlet::through`] and comes next; if there is
    /// none, a number beyond all inputs.
    #[inline]
    pub fn before(&self) -> usize {
        self.limit.before
    }
}

/// Progress of each node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    /// Lower bound of the next event time of each node.
    pub next: Vec<Time>,
    /// Time before which each node has handled all its events.
    pub done: Vec<Time>,
    /// The first arrival at each input of each node.
    pub arrivals: Vec<Arrivals>,
    /// Leaves with units that they have not received yet.
    pub leaves: Vec<usize>,
    /// Nodes whose next event has moved forward.
    pub news: Vec<usize>,
}

impl Clocks {
    #[inline]
    fn announce(&mut self, node: usize, arrival: Time) {
        assert!(
            arrival >= self.done[node],
            "a unit was committed later than its transmission began"
        );
        if arrival < self.next[node] {
            self.next[node] = arrival;
            self.news.push(node);
        }
    }
}

/// Limit of a node's acts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// The node.
    pub node: usize,
    /// The last instant at which the node may act on its own before it receives the next arrival.
    pub through: Time,
    /// The input at which a unit arrives at `through`, or a number beyond all inputs.
    pub before: usize,
    /// The last instant at which the node may act or receive.
    pub bound: Time,
    /// Least time from the arrival of a unit that the node sends to the arrival of the answer.
    pub answer: Duration,
    /// True if leaves receive units as soon as the act is over.
    pub follows: bool,
    /// The last instant of the run, also for leaves.
    pub end: Time,
    /// The instant of the act, for a limit to a single act.
    pub act: Option<Time>,
}

impl Limit {
    /// A limit at `bound`, included, or at the earliest answer to a unit sent, `answer` after its
    /// arrival.
    pub fn new(node: usize, bound: Time, answer: Duration) -> Limit {
        Limit {
            node,
            through: bound,
            before: usize::MAX,
            bound,
            answer,
            follows: false,
            end: bound,
            act: None,
        }
    }

    /// A limit to a single act at `now`.
    pub fn alone(node: usize, now: Time) -> Limit {
        Limit {
            act: Some(now),
            ..Limit::new(node, now, Duration::MAX)
        }
    }

    /// Lets leaves receive units at once, as far as `end`.
    pub fn with_leaves(self, end: Time) -> Limit {
        Limit {
            follows: true,
            end,
            ..self
        }
    }

    /// A unit is sent to a leaf, whose answer will be known as soon as the present act is over.
    #[inline]
    pub fn followed(&mut self, arrival: Time) {
        self.through = self.through.min((arrival + self.answer).just_before());
    }

    /// A unit is sent to another node, and may be answered at its arrival.
    #[inline]
    fn answered(&mut self, arrival: Time) {
        let before = (arrival + self.answer).just_before();
        self.bound = self.bound.min(before);
        self.through = self.through.min(before);
    }
}
