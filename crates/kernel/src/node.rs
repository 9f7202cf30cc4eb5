//! Nodes: the trait that a model implements, and the outputs and the horizon that the kernel hands
//! to a node.
//!
//! Our own design: a unit carries its arrival time from the start of its transmission, so links
//! need no entries in an event list (`docs/decisions/0002-lookahead-not-a-heap.md`).

use std::ops::Range;

use crate::arrivals::Arrivals;
use crate::link::{ELSEWHERE, Link};
use crate::time::{Duration, Time};

/// A node, which handles its own events, such as timers and starts of transmission, and the units
/// that arrive.
///
/// The order of events at one instant is part of the contract:
/// 1. a node's own event comes before the units that arrive at that instant, unless
///    [`Node::wakes_before`] says otherwise;
/// 2. units that arrive together are received in the order of the inputs;
/// 3. the node itself, for example a switch fabric, resolves contention between inputs; the order in
///    which the kernel runs the nodes has no influence.
///
/// Models make four exceptions, which `docs/concepts/kernel-and-ties.md` lists with their reasons.
pub trait Node {
    /// Type of the units on links.
    type Unit: Copy;
    /// Data to which units refer because units are too small to hold it, such as the contents of
    /// packets. The node that handles an event has access to all of it, and may change only the
    /// data of its own units.
    type Cargo;

    /// Time of the node's next own event; [`Time::NEVER`] if only arrivals are to come.
    fn next_wake(&self) -> Time;

    /// True if the next own event comes before a unit that arrives at `input` at the same instant.
    ///
    /// False only where the own event stands for a cell of an announced train at another input:
    /// such events and arrivals are handled in the order of the inputs.
    fn wakes_before(&self, _input: usize) -> bool {
        true
    }

    /// Handles the node's own event at `now`, which is [`Node::next_wake`].
    fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>);

    /// Receives a unit that arrives at `now`.
    fn receive(
        &mut self,
        now: Time,
        input: usize,
        unit: Self::Unit,
        out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>,
    );

    /// Handles all own events of the node up to and including [`LinkOutlet::horizon`].
    ///
    /// No unit arrives before the horizon, so a node may replace this loop by a tighter one. It
    /// must read the horizon again after each event, because sending a unit may bring the horizon
    /// closer.
    fn advance(&mut self, out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>) {
        loop {
            let wake = self.next_wake();
            if !acts_first(self, wake, out.horizon(), out.next_input()) {
                return;
            }
            self.wake(wake, out);
        }
    }

    /// Makes all changes that the node has deferred, up to and including the instant `through`. The
    /// runners call this before they return, since the state of the node may then be read.
    ///
    /// A node may defer changes that no other node can notice, where one step for many changes
    /// costs less.
    fn settle(&mut self, _through: Time, _out: &mut LinkOutlet<'_, Self::Unit, Self::Cargo>) {}
}

/// True if the node's own event at `wake` comes before the unit that arrives at `input` at
/// `arrival`: see [`Node::wakes_before`].
// Inlined, because it is called for each event.
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

/// The outputs of the node that handles an event, and its horizon.
pub struct LinkOutlet<'a, U, C> {
    /// Data to which units in flight refer, such as the contents of packets.
    pub cargo: &'a mut C,
    pub(crate) wiring: &'a mut Wiring<U>,
    /// Position of the node's first output in [`Wiring::departures`].
    pub(crate) first_output: usize,
    pub(crate) horizon: &'a mut Horizon,
}

impl<U, C> LinkOutlet<'_, U, C> {
    /// Commits `unit` to an output; its transmission ends at `sent`, and it arrives one propagation
    /// delay later.
    ///
    /// For a train, `sent` is the end of transmission of its first cell.
    // Inlined: a call would add a third to the cost of this function.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn send(&mut self, output: usize, sent: Time, unit: U) {
        let number = self.link(output);
        let link = &mut self.wiring.links[number];
        debug_assert!(
            self.horizon
                .single_act
                .is_none_or(|now| sent >= now + link.shortest),
            "a unit takes less time than the shortest unit declared for its link"
        );
        let arrival = sent + link.propagation;
        // A unit behind another on the same link does not bring the receiver's next event forward:
        // the unit in front arrives earlier, and the runner knows its arrival time, even after a
        // pause of the run.
        if link.commit(arrival, unit) {
            self.announce(number, arrival);
        }
    }

    /// Joins `unit` to one of the last units in flight on the link, or else commits it as
    /// [`LinkOutlet::send`] does; returns true if it was joined.
    ///
    /// `join(last, last_arrival, arrival)` returns true if it has added the unit, which arrives at
    /// `arrival`, to the unit `last`, which arrives at `last_arrival`. A joined unit must stand for
    /// the two units, one after the other.
    #[inline]
    pub fn send_or_join(
        &mut self,
        output: usize,
        sent: Time,
        unit: U,
        mut join: impl FnMut(&mut U, Time, Time) -> bool,
    ) -> bool {
        let number = self.link(output);
        let link = &mut self.wiring.links[number];
        let arrival = sent + link.propagation;
        let joined = link.join(arrival, |before, at| join(before, at, arrival));
        if !joined {
            self.send(output, sent, unit);
        }
        joined
    }

    /// The index of the link at an output.
    #[inline]
    fn link(&self, output: usize) -> usize {
        self.wiring.departures[self.first_output + output] as usize
    }

    /// Tells the runner that a unit is on a link that was empty. A leaf receives the unit right
    /// after the present event, if the runner allows it; any other node receives it when the runner
    /// chooses that node.
    #[inline(never)]
    fn announce(&mut self, number: usize, arrival: Time) {
        if self.wiring.links[number].to_leaf && self.horizon.runs_leaves {
            self.horizon.on_send_to_leaf(arrival);
            self.wiring.leaves.push(number);
        } else {
            self.announce_to_node(number, arrival);
        }
    }

    // Not inlined, so that `announce` saves no registers for it.
    #[inline(never)]
    fn announce_to_node(&mut self, number: usize, arrival: Time) {
        let link = &self.wiring.links[number];
        if link.to == ELSEWHERE {
            return;
        }
        self.wiring.announce(link.to, link.input, arrival);
        self.horizon.on_send_to_node(arrival);
    }

    /// The last instant up to which the node may handle its own events before it returns: the bound
    /// of conservative synchronisation, Fujimoto, "Parallel Discrete Event Simulation", CACM
    /// 33(10), 1990.
    #[inline]
    pub fn horizon(&self) -> Time {
        self.horizon.act_until
    }

    /// The input at which a unit arrives at [`LinkOutlet::horizon`], the lowest if there are
    /// several; `usize::MAX` if no unit arrives then.
    #[inline]
    pub fn next_input(&self) -> usize {
        self.horizon.next_input
    }
}

/// The state of a node that the kernel keeps.
#[derive(Clone, Debug)]
pub(crate) struct NodeState {
    /// The link at the node's first input; the links at its other inputs follow.
    pub first_input: u32,
    /// Number of inputs.
    pub inputs: u32,
    /// The node's first output among the outputs of all nodes.
    pub first_output: u32,
    /// Lower bound of the time of the node's next event.
    pub next: Time,
    /// Time before which all events of the node have been handled.
    pub done: Time,
    /// The first arrival at each input.
    pub arrivals: Arrivals,
}

impl NodeState {
    /// The range of the links that end at the node, by input.
    pub fn inputs(&self) -> Range<usize> {
        let first = self.first_input as usize;
        first..first + self.inputs as usize
    }
}

/// The links between the nodes, and the progress of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Wiring<U> {
    /// The links, sorted by (node, input) of their far ends once the network is complete, so that
    /// the inputs of one node are adjacent.
    pub links: Vec<Link<U>>,
    /// Index of the link at each output, by (node, output).
    pub departures: Vec<u32>,
    /// The state of each node.
    pub states: Vec<NodeState>,
    /// Links to leaves that were empty before the present event sent a unit. The `arrivals` of the
    /// leaf do not contain these units.
    pub leaves: Vec<usize>,
    /// Nodes whose next event has a new time.
    pub rescheduled: Vec<usize>,
}

impl<U> Default for Wiring<U> {
    fn default() -> Wiring<U> {
        Wiring {
            links: Vec::new(),
            departures: Vec::new(),
            states: Vec::new(),
            leaves: Vec::new(),
            rescheduled: Vec::new(),
        }
    }
}

impl<U> Wiring<U> {
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

/// How far a node may run: Fujimoto's lower bound on the time stamps of the units still to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    /// The node.
    pub node: usize,
    /// The last instant up to which the node may handle own events before its next arrival.
    pub act_until: Time,
    /// The input at which a unit arrives at `act_until`, or `usize::MAX`.
    pub next_input: usize,
    /// The last instant up to which all arrivals are known: the node may handle all events up to
    /// and including this instant.
    pub safe_until: Time,
    /// Least time from the arrival of the node's unit at another node to the arrival of a reply.
    pub reply_delay: Duration,
    /// True if a leaf runs right after each event of the hub that sends to it.
    pub runs_leaves: bool,
    /// The last instant of the run, up to which leaves run.
    pub run_end: Time,
    /// The instant of the event, if the node handles only one.
    pub single_act: Option<Time>,
}

impl Horizon {
    /// A horizon at `safe_until`. Each unit that the node sends brings the horizon forward, if
    /// needed, to the earliest reply: `reply_delay` after the arrival of that unit.
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

    /// The horizon of a node that handles only the event at `now`.
    pub fn single_act(node: usize, now: Time) -> Horizon {
        Horizon {
            single_act: Some(now),
            ..Horizon::new(node, now, Duration::MAX)
        }
    }

    /// The same horizon for a hub whose leaves run, up to `run_end`, right after it has sent to
    /// them.
    pub fn with_leaves(self, run_end: Time) -> Horizon {
        Horizon {
            runs_leaves: true,
            run_end,
            ..self
        }
    }

    /// The node sends a unit to a leaf, and stops before the earliest possible reply. The next run
    /// of the leaf shows whether there is a reply.
    #[inline]
    pub fn on_send_to_leaf(&mut self, arrival: Time) {
        self.act_until = self
            .act_until
            .min((arrival + self.reply_delay).just_before());
    }

    /// The node sends a unit to a node that is no leaf, which may reply as soon as the unit
    /// arrives.
    #[inline]
    fn on_send_to_node(&mut self, arrival: Time) {
        let before = (arrival + self.reply_delay).just_before();
        self.safe_until = self.safe_until.min(before);
        self.act_until = self.act_until.min(before);
    }
}
