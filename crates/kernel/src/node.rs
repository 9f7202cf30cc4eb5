//! What a node author writes: an ordinary little simulator.

use crate::link::Link;
use crate::time::{Duration, Time};
use crate::tournament::Tournament;

/// Something that acts by itself and takes what arrives.
///
/// The order of what happens at one instant is part of the contract:
/// 1. a node acts on its own before it takes what arrives at that instant;
/// 2. what arrives together is taken in the order of the inputs;
/// 3. contention between inputs is the business of the node (a switch fabric, say), never an
///    accident of the kernel.
pub trait Node {
    /// What links carry.
    type Unit;
    /// What units refer to and are too small to hold, such as the contents of packets. It is handed
    /// to whichever node acts; a node touches only what a unit it holds refers to.
    type Cargo;

    /// When the node next acts on its own, [`Time::NEVER`] if it waits for arrivals only.
    fn next_wake(&self) -> Time;

    /// Acts on its own at `now`, which is [`Node::next_wake`].
    fn wake(&mut self, now: Time, out: &mut Outlet<'_, Self::Unit, Self::Cargo>);

    /// Takes a unit that arrives at `now`.
    fn receive(
        &mut self,
        now: Time,
        input: usize,
        unit: Self::Unit,
        out: &mut Outlet<'_, Self::Unit, Self::Cargo>,
    );

    /// Does all that the node does on its own up to and including [`Outlet::through`].
    ///
    /// Nothing arrives in between, so a node may replace this with a tighter loop of its own; it
    /// must look at the limit after each act, since sending may bring it nearer.
    fn advance(&mut self, out: &mut Outlet<'_, Self::Unit, Self::Cargo>) {
        while self.next_wake() <= out.through() {
            self.wake(self.next_wake(), out);
        }
    }
}

/// The outputs of the node that acts, and how far it may go.
pub struct Outlet<'a, U, C> {
    /// What the units on their way refer to.
    pub cargo: &'a mut C,
    pub(crate) links: &'a mut [Link<U>],
    /// Link of each output.
    pub(crate) outputs: &'a [u32],
    pub(crate) clocks: &'a mut Clocks,
    pub(crate) limit: &'a mut Limit,
}

impl<U, C> Outlet<'_, U, C> {
    /// Commits `unit` to an output; its transmission ends at `sent`, it arrives one propagation later.
    ///
    /// For a train, `sent` is the end of transmission of its first cell.
    #[inline]
    pub fn send(&mut self, output: usize, sent: Time, unit: U) {
        let number = self.outputs[output] as usize;
        let link = &mut self.links[number];
        debug_assert!(
            self.limit.act.is_none_or(|now| sent >= now + link.shortest),
            "a unit takes less time than the shortest that its link was told of"
        );
        let arrival = sent + link.propagation;
        // What comes behind another unit tells nobody anything new: that one arrives, and may be
        // answered, before; and for as long as it is there, its arrival is among what the runner
        // knows, wherever a run was paused.
        if link.commit(arrival, unit) {
            self.announce(number, arrival);
        }
    }

    /// Lets the runner know of a unit on a link that was empty.
    fn announce(&mut self, number: usize, arrival: Time) {
        let link = &self.links[number];
        self.clocks.arrivals[link.to].set(link.input as usize, arrival);
        if link.to_leaf && self.limit.follows {
            self.clocks.leaves.push(link.to);
            self.limit.followed(arrival);
            return;
        }
        self.clocks.announce(link.to, arrival);
        self.limit.answered(arrival);
    }

    /// Takes back the unit that was committed last to an output, whose transmission has not begun.
    ///
    /// The node at the other end must not be a leaf, which may have taken it already.
    pub fn take_back(&mut self, output: usize) -> Option<U> {
        let link = &mut self.links[self.outputs[output] as usize];
        let (unit, is_empty) = link.take_back();
        if is_empty {
            // That the node is said to have something to do earlier than it has does no harm.
            self.clocks.arrivals[link.to].set(link.input as usize, Time::NEVER);
        }
        unit
    }

    /// The last instant at which the node may act by itself before it hands over.
    #[inline]
    pub fn through(&self) -> Time {
        self.limit.through
    }
}

/// Where each node stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    /// The earliest thing each node has to do, as far as is known.
    pub next: Vec<Time>,
    /// What lies before this instant, each node has done.
    pub done: Vec<Time>,
    /// The first arrival at each input of each node.
    pub arrivals: Vec<Tournament>,
    /// Leaves to which something was sent that they have not taken yet.
    pub leaves: Vec<usize>,
    /// Nodes that were told of something earlier than what they had to do.
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

/// How far a node may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// The node.
    pub node: usize,
    /// The last instant at which it may act by itself before it takes the next arrival.
    pub through: Time,
    /// The last instant at which it may do anything.
    pub bound: Time,
    /// What it sends may be answered this long after it arrived.
    pub answer: Duration,
    /// Leaves take what is sent to them as soon as the act is over.
    pub follows: bool,
    /// The last instant of the run: further not even a leaf may go.
    pub end: Time,
    /// The instant of the act, where there is only one.
    pub act: Option<Time>,
}

impl Limit {
    /// Up to and including `bound`, or until what is sent may have been answered after `answer`.
    pub fn new(node: usize, bound: Time, answer: Duration) -> Limit {
        Limit {
            node,
            through: bound,
            bound,
            answer,
            follows: false,
            end: bound,
            act: None,
        }
    }

    /// For a single act at `now`.
    pub fn alone(node: usize, now: Time) -> Limit {
        Limit {
            act: Some(now),
            ..Limit::new(node, now, Duration::MAX)
        }
    }

    /// Lets leaves go along, as far as `end`.
    pub fn with_leaves(self, end: Time) -> Limit {
        Limit {
            follows: true,
            end,
            ..self
        }
    }

    /// A unit arrives at a leaf, whose answer will be known as soon as the present act is over.
    #[inline]
    pub fn followed(&mut self, arrival: Time) {
        self.through = self.through.min((arrival + self.answer).just_before());
    }

    /// A unit arrives elsewhere, and may be answered at once.
    #[inline]
    fn answered(&mut self, arrival: Time) {
        let before = (arrival + self.answer).just_before();
        self.bound = self.bound.min(before);
        self.through = self.through.min(before);
    }
}
