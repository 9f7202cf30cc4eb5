//! Nodes: the trait that a model implements, and the outputs and the horizon that it is given.
//!
//! That a unit carries its arrival time from the start of its transmission is ours:
//! `docs/decisions/0002-lookahead-not-a-heap.md`.

use std::ops::Range;

use crate::arrivals::Arrivals;
use crate::link::{ELSEWHERE, Link};
use crate::time::{Duration, Time};

/// A node, which acts on its own and receives units.
///
/// The order of events at one instant is part of the contract:
/// 1. a node acts on its own before it receives units that arrive at that instant, unless
///    [`Node::wakes_before`] says otherwise;
/// 2. units that arrive together are received in the order of the inputs;
/// 3. contention between inputs is resolved by the node (by a switch fabric, say), never by an
///    accident of the kernel.
///
/// Models make four exceptions, which `docs/concepts/kernel-and-ties.md` lists with their reasons.
pub trait Node {
    /// Type of the units on links.
    type Unit;
    /// Data to which units refer because units are too small to hold it, such as the contents of
    /// packets. The acting node has access to all of it, and may change the data of its own units
    /// only.
    type Cargo;

    /// Time of the node's next own act; [`Time::NEVER`] if it waits for arrivals only.
    fn next_wake(&self) -> Time;

    /// True if the next own act comes before a unit that arrives at `input` at the same instant. It
    /// does, unless the act stands for the arrival of a cell at another input, which was announced
    /// before as part of a train: such acts and arrivals come in the order of the inputs.
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

    /// Does all own acts of the node up to and including [`LinkOutlet::horizon`].
    ///
    /// No unit arrives in between, so a node may replace this with a tighter loop of its own; it
    /// must read the horizon again after each act, because a sent unit may bring it closer.
    fn advance(&mut self, out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>) {
        loop {
            let wake = self.next_wake();
            if !acts_first(self, wake, out.horizon(), out.next_input()) {
                return;
            }
            self.wake(wake, out);
        }
    }

    /// Makes all changes up to and including the instant `through` that the node has deferred. The
    /// runners call this before they return, since the state of the node may then be read.
    ///
    /// A node may defer changes that no other node can notice, if many of them together cost less.
    fn settle(&mut self, _through: Time, _out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>) {}
}

/// True if the own act of a node at `wake` comes before the unit that arrives at `input` at
/// `arrival`: see [`Node::wakes_before`].
// Inlined, because it is called for each act.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(crate) fn acts_first(
    node: &(impl Node + ?Sized),
    wake: Time,
    arrival: Time,
    input: usize,
) -> bool {
    wake < arrival || wake == arrival && node.wakes_before(input)
}

/// The outputs of the acting node, and its horizon.
pub struct LinkOutlet<'a, U, C> {
    /// Data to which units in flight refer, such as the contents of packets.
    pub cargo: &'a mut C,
    pub(crate) links: &'a mut [Link<U>],
    /// Link of each output of each node.
    pub(crate) departures: &'a [u32],
    /// First output of the acting node in `departures`.
    pub(crate) first_output: usize,
    pub(crate) clocks: &'a mut Clocks,
    pub(crate) horizon: &'a mut Horizon,
}

impl<U, C> LinkOutlet<'_, U, C> {
    /// Commits `unit` to an output; its transmission ends at `sent`, and it arrives one propagation
    /// delay later.
    ///
    /// For a train, `sent` is the end of transmission of its first cell.
    // Inlined: a call would cost a third of what this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn send(&mut self, output: usize, sent: Time, unit: U) {
        let number = self.link(output);
        let link = &mut self.links[number];
        debug_assert!(
            self.horizon
                .single_act
                .is_none_or(|now| sent >= now + link.shortest),
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

    /// Joins `unit` to one of the last units in flight on the link, or commits it like
    /// [`LinkOutlet::send`] if that is not possible; returns true if it was joined.
    ///
    /// `join(last, last_arrival, arrival)` adds the unit, which arrives at `arrival`, to the unit
    /// `last`, which arrives at `last_arrival`, and returns true; or it returns false. A joined unit
    /// must stand for the two units, one after the other.
    #[inline]
    pub fn send_or_join(
        &mut self,
        output: usize,
        sent: Time,
        unit: U,
        mut join: impl FnMut(&mut U, Time, Time) -> bool,
    ) -> bool {
        let number = self.link(output);
        let link = &mut self.links[number];
        let arrival = sent + link.propagation;
        let joined = link.join(arrival, |before, at| join(before, at, arrival));
        if !joined {
            self.send(output, sent, unit);
        }
        joined
    }

    /// The link of an output.
    #[inline]
    fn link(&self, output: usize) -> usize {
        self.departures[self.first_output + output] as usize
    }

    /// Reports to the runner a unit on a link that was empty. A leaf receives the unit as soon as the
    /// act is over, if the runner allows it; any other node when the runner chooses it.
    #[inline(never)]
    fn announce(&mut self, number: usize, arrival: Time) {
        let link = &self.links[number];
        if link.to_leaf && self.horizon.runs_leaves {
            self.clocks.leaves.push(number);
            self.horizon.on_send_to_leaf(arrival);
            return;
        }
        if link.to == ELSEWHERE {
            return;
        }
        self.clocks.announce(link.to, link.input, arrival);
        self.horizon.on_send_to_node(arrival);
    }

    /// The last instant at which the node may act on its own before it returns: the conservative bound
    /// of Fujimoto, "Parallel Discrete Event Simulation", CACM 33(10), 1990.
    #[inline]
    pub fn horizon(&self) -> Time {
        self.horizon.act_until
    }

    /// The input at which a unit arrives at [`LinkOutlet::horizon`], the lowest if there are several;
    /// without any, a number beyond all inputs.
    #[inline]
    pub fn next_input(&self) -> usize {
        self.horizon.next_input
    }
}

/// What the kernel knows of a node.
#[derive(Clone, Debug)]
pub(crate) struct NodeState {
    /// The link of its first input; those of the others follow.
    pub first_input: u32,
    /// Number of inputs.
    pub inputs: u32,
    /// First output of the node among those of all nodes.
    pub first_output: u32,
    /// Lower bound of the time of its next event.
    pub next: Time,
    /// Time before which it has handled all its events.
    pub done: Time,
    /// The first arrival at each input.
    pub arrivals: Arrivals,
}

impl NodeState {
    /// The links that end at the node, by input.
    pub fn inputs(&self) -> Range<usize> {
        let first = self.first_input as usize;
        first..first + self.inputs as usize
    }
}

/// Progress of the nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    /// The state of each node.
    pub states: Vec<NodeState>,
    /// Links to leaves that were empty before the present act sent a unit. The units are not among
    /// the arrivals of the leaf.
    pub leaves: Vec<usize>,
    /// Nodes whose next event has moved.
    pub rescheduled: Vec<usize>,
}

impl Clocks {
    #[inline]
    pub fn announce(&mut self, node: usize, input: u32, arrival: Time) {
        let state = &mut self.states[node];
        assert!(
            arrival >= state.done,
            "a unit was committed later than its transmission began"
        );
        state.arrivals.add(input as usize, arrival);
        if arrival < state.next {
            state.next = arrival;
            self.rescheduled.push(node);
        }
    }
}

/// How far the acting node may run (Fujimoto's lower bound on the time stamps of its later input).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    /// The node.
    pub node: usize,
    /// The last instant at which the node may act on its own before it receives its next arrival.
    pub act_until: Time,
    /// The input at which a unit arrives at `act_until`, or a number beyond all inputs.
    pub next_input: usize,
    /// The last instant up to which all arrivals are known: the node may act and receive up to and
    /// including this instant.
    pub safe_until: Time,
    /// Least time from the arrival of a unit that the node sends to the arrival of a reply.
    pub reply_delay: Duration,
    /// True if leaves run as soon as an act that sends to them is over.
    pub runs_leaves: bool,
    /// The last instant of the run, up to which leaves run.
    pub run_end: Time,
    /// The instant of the act, if the node performs one act only.
    pub single_act: Option<Time>,
}

impl Horizon {
    /// A horizon at `safe_until`, or earlier if a reply to a unit that the node sends may arrive
    /// earlier: at least `reply_delay` after the arrival of that unit.
    pub fn new(node: usize, safe_until: Time, reply_delay: Duration) -> Horizon {
        Horizon {
            node,
            act_until: safe_until,
            next_input: usize::MAX,
            safe_until,
            reply_delay,
            runs_leaves: false,
            run_end: safe_until,
            single_act: None,
        }
    }

    /// The horizon of a single act at `now`.
    pub fn single_act(node: usize, now: Time) -> Horizon {
        Horizon {
            single_act: Some(now),
            ..Horizon::new(node, now, Duration::MAX)
        }
    }

    /// This horizon of a node whose leaves run as soon as it sends to them, up to `run_end`.
    pub fn with_leaves(self, run_end: Time) -> Horizon {
        Horizon {
            runs_leaves: true,
            run_end,
            ..self
        }
    }

    /// A unit is sent to a leaf. The node acts no later than a reply could arrive; whether one does
    /// is known as soon as the leaf has run.
    #[inline]
    pub fn on_send_to_leaf(&mut self, arrival: Time) {
        self.act_until = self
            .act_until
            .min((arrival + self.reply_delay).just_before());
    }

    /// A unit is sent to a node that is no leaf, and a reply may be sent at its arrival.
    #[inline]
    fn on_send_to_node(&mut self, arrival: Time) {
        let before = (arrival + self.reply_delay).just_before();
        self.safe_until = self.safe_until.min(before);
        self.act_until = self.act_until.min(before);
    }
}
