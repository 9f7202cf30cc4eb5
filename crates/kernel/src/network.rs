//! A network: nodes joined by links. It handles the events of one node up to the node's horizon.
//!
//! Each node is a logical process of conservative synchronisation: Fujimoto, "Parallel Discrete
//! Event Simulation", CACM 33(10), 1990. Our own rule: leaves run ahead of their hub, because a
//! runner that goes from node to node for each packet takes much longer
//! (`docs/decisions/0012-hosts-run-ahead.md`).
//!
//! This file may be written for speed.

use std::iter;
use std::ops::Range;

use crate::arrivals::Arrivals;
use crate::link::Link;
use crate::node::{Horizon, LinkOutlet, Node, NodeState, Wiring, acts_first};
use crate::time::{Duration, Time};

/// A network and the state of everything in it.
///
/// A *leaf* is a node with one link, to its *hub*: for example a host and its switch. Only units
/// from its hub can reach a leaf, in order of arrival. A runner may therefore deliver a unit to a
/// leaf as soon as the unit is sent, long before its arrival time; the hub then knows the units
/// that the leaf sends in reply. Our own rule: see `docs/decisions/0012-hosts-run-ahead.md`.
#[derive(Clone, Debug)]
pub struct Network<N: Node> {
    /// The nodes, in the order in which they were added.
    pub nodes: Vec<N>,
    /// Data to which units refer, such as the contents of packets.
    pub cargo: N::Cargo,
    /// The same for the nodes of the second part and each further one, if the network is run in
    /// parts.
    pub(crate) cargo_of_others: Vec<N::Cargo>,
    pub(crate) wiring: Wiring<N::Unit>,
}

/// One direction of a connection between two nodes.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// Sending node; the direction takes its next free output.
    pub from: usize,
    /// Receiving node; the direction takes its next free input.
    pub to: usize,
    /// Transmission time of the shortest unit.
    pub shortest: Duration,
    /// Propagation delay.
    pub propagation: Duration,
}

impl<N: Node> Network<N> {
    /// Joins `nodes` by `wires`; each wire takes the next output and input of its ends.
    ///
    /// A wire may not lead from a node to itself: a node schedules its own events by
    /// [`Node::next_wake`].
    pub fn new(nodes: Vec<N>, cargo: N::Cargo, wires: &[Wire]) -> Network<N> {
        let inputs = Rows::new(nodes.len(), wires.iter().map(|wire| wire.to));
        let outputs = Rows::new(nodes.len(), wires.iter().map(|wire| wire.from));
        // Outputs are numbered in the order of the wires; links are stored by their destination.
        let [mut arriving, mut leaving] = [inputs.clone(), outputs.clone()];
        let mut departures = vec![0; wires.len()];
        let mut links: Vec<Link<N::Unit>> = Vec::with_capacity(wires.len());
        for wire in wires {
            assert_ne!(wire.from, wire.to, "a wire joins two nodes");
            let index = arriving.next(wire.to);
            departures[leaving.next(wire.from)] = index as u32;
            let input = index - inputs.of(wire.to).start;
            links.push(Link::new(
                wire.to,
                input as u32,
                wire.shortest,
                wire.propagation,
            ));
        }
        links.sort_by_key(|link| (link.to, link.input));
        mark_leaves(&mut links, wires, nodes.len());
        let states = nodes.iter().enumerate().map(|(number, node)| NodeState {
            first_input: inputs.of(number).start as u32,
            inputs: inputs.of(number).len() as u32,
            first_output: outputs.of(number).start as u32,
            next: node.next_wake(),
            done: Time::ZERO,
            arrivals: Arrivals::default(),
        });
        let wiring = Wiring {
            links,
            departures,
            states: states.collect(),
            leaves: Vec::new(),
            rescheduled: Vec::new(),
        };
        Network {
            nodes,
            cargo,
            cargo_of_others: Vec::new(),
            wiring,
        }
    }

    /// The cargo of all parts.
    pub fn cargos(&self) -> impl Iterator<Item = &N::Cargo> {
        iter::once(&self.cargo).chain(&self.cargo_of_others)
    }

    /// True if the network has been run in parts.
    pub(crate) fn is_in_parts(&self) -> bool {
        !self.cargo_of_others.is_empty()
    }

    /// The shortest lookahead of any link; without links, [`Duration::MAX`].
    pub fn lookahead(&self) -> Duration {
        self.wiring
            .links
            .iter()
            .map(Link::lookahead)
            .min()
            .unwrap_or(Duration::MAX)
    }

    /// The links, by (node, input) at their far end.
    pub fn links(&self) -> &[Link<N::Unit>] {
        &self.wiring.links
    }

    /// One instant after the latest event that any node has handled: no node has handled an event
    /// at this instant or later.
    pub fn ahead(&self) -> Time {
        let done = self.wiring.states.iter().map(|state| state.done).max();
        done.unwrap_or(Time::ZERO) + Duration::from_ps(1)
    }

    /// The shortest lookahead of the links that end at `node`.
    pub(crate) fn entry(&self, node: usize) -> Duration {
        let links = &self.wiring.links[self.wiring.states[node].inputs()];
        links
            .iter()
            .map(Link::lookahead)
            .min()
            .unwrap_or(Duration::MAX)
    }

    /// Time of the earliest arrival at `node`, and its input; of simultaneous arrivals the lowest
    /// input comes first.
    #[inline]
    pub(crate) fn next_arrival(&self, node: usize) -> (Time, usize) {
        self.wiring.states[node].arrivals.first()
    }

    /// The time of the next event at `node`.
    // Inlined, because it is called several times for each event.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn next(&self, node: usize) -> Time {
        self.next_arrival(node).0.min(self.nodes[node].next_wake())
    }

    /// Handles all events of a node up to its horizon, and records the instant reached.
    pub(crate) fn run(&mut self, mut horizon: Horizon) {
        let node = horizon.node;
        self.wiring.rescheduled.clear();
        let next = loop {
            let (acting, mut out) = self.acting(&mut horizon);
            let (arrival, input) = out.wiring.states[node].arrivals.first();
            let wake = acting.next_wake();
            let arrives = arrival <= out.horizon.safe_until;
            out.horizon.act_until = out.horizon.safe_until.min(arrival);
            if wake <= out.horizon.act_until && acts_first(acting, wake, arrival, input) {
                out.horizon.next_input = if arrives { input } else { usize::MAX };
                acting.advance(&mut out);
            } else if arrives {
                deliver_from(acting, input, &mut out);
            } else {
                break wake.min(arrival);
            }
            // A leaf may have replied, and its reply may arrive before the node's next event.
            self.run_leaves(&mut horizon);
        };
        let state = &mut self.wiring.states[node];
        state.done = horizon.safe_until + Duration::from_ps(1);
        state.next = next;
    }

    /// Delivers to leaves the units that the hub's last event has sent to them. Only the hub sends
    /// to a leaf, so nothing can reach the leaf before these units.
    #[inline]
    fn run_leaves(&mut self, horizon: &mut Horizon) {
        while let Some(link) = self.wiring.leaves.pop() {
            self.run_leaf(link, horizon);
        }
    }

    /// Delivers all units in flight on a link to the leaf at its end, and handles the leaf's own
    /// events before each of them. The hub's present event has sent all of these units.
    ///
    /// The next event of the leaf may send a unit to the hub, so the hub's horizon must not lie
    /// beyond the arrival of that unit.
    fn run_leaf(&mut self, link: usize, hub: &mut Horizon) {
        let leaf = self.wiring.links[link].to;
        let mut horizon = Horizon::new(leaf, hub.run_end, Duration::MAX);
        horizon.next_input = 0;
        let (acting, mut out) = self.acting(&mut horizon);
        let before = out.wiring.states[leaf].next;
        let (mut wake, mut done) = (before, Time::ZERO);
        let mut arrival = out.wiring.links[link].first_arrival();
        while arrival <= hub.run_end {
            out.horizon.act_until = arrival;
            if acts_first(acting, wake, arrival, 0) {
                acting.advance(&mut out);
            }
            let (now, unit, next) = out.wiring.links[link].take();
            acting.receive(now, 0, unit, &mut out);
            wake = acting.next_wake();
            (done, arrival) = (now, next);
        }
        let state = &mut self.wiring.states[leaf];
        if arrival < Time::NEVER {
            state.arrivals.add(0, arrival);
        }
        state.done = state.done.max(done);
        state.next = wake.min(arrival);
        hub.safe_until = hub
            .safe_until
            .min((state.next + hub.reply_delay).just_before());
        if state.next != before {
            self.wiring.rescheduled.push(leaf);
        }
    }

    /// Handles a node's own events up to the horizon.
    pub(crate) fn advance(&mut self, horizon: &mut Horizon) {
        let (acting, mut out) = self.acting(horizon);
        acting.advance(&mut out);
    }

    /// Makes the deferred changes of all nodes up to the instant before `now`: see [`Node::settle`].
    pub(crate) fn settle(&mut self, now: Time) {
        let through = now.just_before();
        for node in 0..self.nodes.len() {
            let mut horizon = Horizon::new(node, through, Duration::MAX);
            let (acting, mut out) = self.acting(&mut horizon);
            acting.settle(through, &mut out);
        }
    }

    /// Delivers the next arrival at `input` to a node.
    pub(crate) fn deliver(&mut self, horizon: &mut Horizon, input: usize) {
        let state = &mut self.wiring.states[horizon.node];
        let (now, unit, next) = self.wiring.links[state.first_input as usize + input].take();
        state.arrivals.replace_first(input, next);
        let (acting, mut out) = self.acting(horizon);
        acting.receive(now, input, unit, &mut out);
    }

    // Inlined, because it runs for each event.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn acting<'a>(
        &'a mut self,
        horizon: &'a mut Horizon,
    ) -> (&'a mut N, LinkOutlet<'a, N::Unit, N::Cargo>) {
        let node = horizon.node;
        let out = LinkOutlet {
            cargo: &mut self.cargo,
            first_output: self.wiring.states[node].first_output as usize,
            wiring: &mut self.wiring,
            horizon,
        };
        (&mut self.nodes[node], out)
    }
}

/// Delivers units from `input` as long as the next event of the acting node is an arrival at that
/// input.
fn deliver_from<N: Node>(
    acting: &mut N,
    input: usize,
    out: &mut LinkOutlet<'_, N::Unit, N::Cargo>,
) {
    let node = out.horizon.node;
    let link = out.wiring.states[node].first_input as usize + input;
    // Looked up only if this input has another unit in flight.
    let mut other_arrival = None;
    loop {
        let (now, unit, next) = out.wiring.links[link].take();
        out.horizon.act_until = now;
        acting.receive(now, input, unit, out);
        let arrivals = &mut out.wiring.states[node].arrivals;
        let goes_on = next <= out.horizon.safe_until
            && out.wiring.leaves.is_empty()
            && next < acting.next_wake()
            && next < *other_arrival.get_or_insert_with(|| arrivals.second());
        if !goes_on {
            arrivals.replace_first(input, next);
            return;
        }
    }
}

/// Row boundaries of a table that holds the rows of all nodes one after another: the start of each
/// row, and the end of the last.
#[derive(Clone, Debug)]
struct Rows(Vec<u32>);

impl Rows {
    /// Rows for `nodes` nodes; the length of a row is the number of times that its node occurs in
    /// `entries`.
    fn new(nodes: usize, entries: impl Iterator<Item = usize>) -> Rows {
        let mut ends = vec![0; nodes + 1];
        for node in entries {
            ends[node + 1] += 1;
        }
        for node in 0..nodes {
            ends[node + 1] += ends[node];
        }
        Rows(ends)
    }

    /// Takes the next free index of a node's row.
    fn next(&mut self, node: usize) -> usize {
        self.0[node] += 1;
        self.0[node] as usize - 1
    }

    /// The row of a node.
    #[inline]
    fn of(&self, node: usize) -> Range<usize> {
        self.0[node] as usize..self.0[node + 1] as usize
    }
}

/// Marks each link that leads to a leaf.
fn mark_leaves<U>(links: &mut [Link<U>], wires: &[Wire], nodes: usize) {
    // The only neighbour of each node, in both directions; none if it has several.
    let mut hubs: Vec<Option<usize>> = vec![None; nodes];
    let mut is_leaf = vec![true; nodes];
    let mut inputs = vec![0; nodes];
    for wire in wires {
        inputs[wire.to] += 1;
        for (node, other) in [(wire.to, wire.from), (wire.from, wire.to)] {
            is_leaf[node] &= *hubs[node].get_or_insert(other) == other;
        }
    }
    for link in links {
        let (node, hub) = (link.to, hubs[link.to]);
        // If two nodes have no other neighbour, one of them is the hub.
        let pair = hub.is_some_and(|hub| is_leaf[hub] && inputs[hub] == 1 && node < hub);
        link.to_leaf = is_leaf[node] && inputs[node] == 1 && !pair;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaves of a network of `nodes` nodes, with a wire for each (from, to) of `ways`.
    fn leaves_of(nodes: usize, ways: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
        let wires = ways.map(|(from, to)| Wire {
            from,
            to,
            shortest: Duration::from_ps(1),
            propagation: Duration::ZERO,
        });
        let wires: Vec<Wire> = wires.collect();
        let links = wires.iter();
        let mut links: Vec<Link<()>> = links
            .map(|wire| Link::new(wire.to, 0, wire.shortest, wire.propagation))
            .collect();
        mark_leaves(&mut links, &wires, nodes);
        let leading = links.iter().filter(|link| link.to_leaf);
        let mut leaves: Vec<usize> = leading.map(|link| link.to).collect();
        leaves.sort_unstable();
        leaves
    }

    /// The leaves of a network in which each pair of nodes is joined in both directions.
    fn leaves(nodes: usize, pairs: &[(usize, usize)]) -> Vec<usize> {
        let both = pairs.iter();
        leaves_of(
            nodes,
            both.flat_map(|(one, other)| [(*one, *other), (*other, *one)]),
        )
    }

    #[test]
    fn a_node_with_one_link_to_one_neighbour_is_a_leaf() {
        // The hub of a star has the number 1: the result does not depend on the hub's number.
        assert_eq!(leaves(4, &[(1, 0), (1, 2), (1, 3)]), [0, 2, 3]);
        assert_eq!(leaves(4, &[(0, 1), (1, 2), (2, 3)]), [0, 3]);
        assert_eq!(leaves(3, &[(0, 1), (0, 1), (1, 2)]), [2]);
    }

    #[test]
    fn a_node_that_sends_and_receives_on_different_links_is_not_a_leaf() {
        assert_eq!(leaves_of(3, [(0, 1), (1, 2)].into_iter()), [2]);
    }

    #[test]
    fn one_of_two_nodes_joined_only_to_each_other_is_a_leaf() {
        assert_eq!(leaves(2, &[(0, 1)]), [1]);
    }
}
