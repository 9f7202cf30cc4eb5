//! Runners decide which node handles its next event.
//!
//! [`Stepwise`] is the specification: one event at a time, always the earliest in the whole
//! network. The others let a node run alone as long as no event of another node can reach it
//! (conservative synchronisation; Fujimoto, "Parallel Discrete Event Simulation", CACM 33(10),
//! 1990). [`Windows`] runs one node after another for the shortest lookahead of any link.
//! [`OnDemand`] runs the node whose next event is the earliest, until a unit from another node, or
//! a reply to one of its own units, could arrive. With every runner each node handles the same
//! events in the same order; `tests/equivalence.rs` checks this.
//!
//! This file may be written for speed.

use crate::network::Network;
use crate::node::{Horizon, Node, acts_first};
use crate::time::{Duration, Time};
use crate::tournament::Tournament;

/// Drives the nodes of a network through time.
pub trait Runner {
    /// Runs until every node has handled all its events before `end`.
    fn run<N: Node>(&mut self, network: &mut Network<N>, end: Time);
}

/// One event at a time, in the order (time, own event before arrival, node, input).
#[derive(Clone, Copy, Debug, Default)]
pub struct Stepwise;

impl Runner for Stepwise {
    fn run<N: Node>(&mut self, network: &mut Network<N>, end: Time) {
        loop {
            let act = (0..network.nodes.len())
                .map(|node| {
                    let wake = network.nodes[node].next_wake();
                    let (arrival, input) = network.next_arrival(node);
                    if acts_first(&network.nodes[node], wake, arrival, input) {
                        (wake, node, None)
                    } else {
                        (arrival, node, Some(input))
                    }
                })
                .min_by_key(|(time, node, input)| (*time, input.is_some(), *node));
            match act {
                Some((now, node, None)) if now < end => {
                    let (arrival, input) = network.next_arrival(node);
                    let mut horizon = Horizon::single_act(node, now);
                    if arrival == now {
                        horizon.next_input = input;
                    }
                    network.advance(&mut horizon);
                }
                Some((now, node, Some(input))) if now < end => {
                    network.deliver(&mut Horizon::single_act(node, now), input);
                }
                _ => return network.settle(end),
            }
        }
    }
}

/// Runs the nodes one after another through windows as long as the shortest lookahead.
#[derive(Clone, Debug, Default)]
pub struct Windows {
    /// Number of windows, for benchmarks.
    pub windows: u64,
    /// Number of times that a node was run, for benchmarks.
    pub visits: u64,
    /// Extra length of a window, for the test that shows that a longer window gives wrong results.
    pub excess: Duration,
    /// Order in which the nodes run in a window, for the test that shows that this order changes no
    /// result.
    pub order: Option<Vec<usize>>,
}

impl Runner for Windows {
    fn run<N: Node>(&mut self, network: &mut Network<N>, end: Time) {
        let length = network.lookahead() + self.excess;
        assert!(
            length > Duration::ZERO,
            "a link without lookahead cannot be run in windows"
        );
        for node in 0..network.nodes.len() {
            network.wiring.states[node].next = network.next(node);
        }
        loop {
            let start = network
                .wiring
                .states
                .iter()
                .map(|state| state.next)
                .min()
                .unwrap_or(Time::NEVER);
            if start >= end {
                return network.settle(end);
            }
            self.windows += 1;
            let window_end = (start + length).min(end);
            for index in 0..network.nodes.len() {
                let node = self.order.as_ref().map_or(index, |order| order[index]);
                if network.wiring.states[node].next < window_end {
                    self.visits += 1;
                    network.run(Horizon::new(node, window_end.just_before(), Duration::MAX));
                }
            }
        }
    }
}

/// Longest simulated time for which one node runs at a time, so that [`OnDemand::run_some`] can
/// stop.
pub(crate) const LONGEST_VISIT: Duration = Duration::from_us(1_000);

/// Runs the node whose next event is the earliest, until a unit from another node could reach it.
///
/// The other nodes have no event before that of the node second in time. So no unit reaches the
/// first node before that event plus the shortest lookahead of its inputs, unless the unit is a
/// reply to one that the first node sends.
#[derive(Clone, Debug, Default)]
pub struct OnDemand {
    /// Number of times that a node was run, for benchmarks.
    pub visits: u64,
}

impl OnDemand {
    /// Runs to `end`, or until nodes have been run about `visits` times; returns the time reached.
    ///
    /// Pauses change no result.
    ///
    /// # Panics
    /// If the network has been run in parts: see [`crate::Threads`].
    pub fn run_some<N: Node>(&mut self, network: &mut Network<N>, end: Time, visits: u64) -> Time {
        assert!(!network.is_in_parts(), "each part has contents of its own");
        let mut order = Order::new(network);
        self.visits += order.advance(network, end, end, visits);
        let now = order.first().min(end);
        network.settle(now);
        now
    }
}

/// The nodes of a network, by the times of their next events.
pub(crate) struct Order {
    /// The shortest lookahead of the inputs of each node.
    entries: Vec<Duration>,
    nodes: Tournament,
}

impl Order {
    /// The order of the nodes of a network as it is.
    pub fn new<N: Node>(network: &mut Network<N>) -> Order {
        let nodes = network.nodes.len();
        let mut order = Order {
            entries: (0..nodes).map(|node| network.entry(node)).collect(),
            nodes: Tournament::new(nodes),
        };
        for node in 0..nodes {
            network.wiring.states[node].next = network.next(node);
            order.note(network, node);
        }
        order
    }

    /// The time of the next event of all.
    pub fn first(&self) -> Time {
        self.nodes.first().0
    }

    /// Runs the first node until a unit from another node could reach it, again and again, at most
    /// `most` times; nodes handle events before `until`, and leaves before `end`. Returns the number
    /// of times that a node was run.
    // Not inlined, so that all runners call one copy, into which `Network::run` is inlined.
    #[inline(never)]
    pub fn advance<N: Node>(
        &mut self,
        network: &mut Network<N>,
        until: Time,
        end: Time,
        most: u64,
    ) -> u64 {
        for visits in 0..most {
            let (next, node) = self.nodes.first();
            if next >= until {
                return visits;
            }
            let others = self.nodes.first_but(node);
            let reach = (others + self.entries[node]).min(next + LONGEST_VISIT);
            let bound = reach.min(until).just_before();
            let horizon = Horizon::new(node, bound, self.entries[node]);
            network.run(horizon.with_leaves(end.just_before()));
            self.note(network, node);
            for changed in &network.wiring.rescheduled {
                self.note(network, *changed);
            }
        }
        most
    }

    /// Records the time of the next event of a node.
    #[inline]
    pub fn note<N: Node>(&mut self, network: &Network<N>, node: usize) {
        self.nodes.set(node, network.wiring.states[node].next);
    }
}

impl Runner for OnDemand {
    fn run<N: Node>(&mut self, network: &mut Network<N>, end: Time) {
        self.run_some(network, end, u64::MAX);
    }
}
