//! Nodes joined by links.

use crate::link::Link;
use crate::node::{Clocks, Limit, Node, Outlet};
use crate::time::{Duration, Time};

/// A network and the state of everything in it.
#[derive(Clone, Debug)]
pub struct Network<N: Node> {
    /// The nodes, in the order in which they were added.
    pub nodes: Vec<N>,
    /// What units refer to.
    pub cargo: N::Cargo,
    /// Sorted by (node, input) once the network is complete, so that one node's inputs are adjacent.
    links: Vec<Link<N::Unit>>,
    /// Links that end at each node, as a range of `links`.
    inputs: Vec<std::ops::Range<usize>>,
    /// Links that begin at each node, by output.
    outputs: Vec<Vec<usize>>,
    pub(crate) clocks: Clocks,
}

/// One direction of a connection between two nodes.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// Node whose next free output it takes.
    pub from: usize,
    /// Node whose next free input it takes.
    pub to: usize,
    /// Transmission time of the shortest unit.
    pub shortest: Duration,
    /// Propagation delay.
    pub propagation: Duration,
}

impl<N: Node> Network<N> {
    /// Joins `nodes` by `wires`; each wire takes the next output and input of its ends.
    ///
    /// No wire leads from a node to itself: a node that has something to tell itself wakes.
    pub fn new(nodes: Vec<N>, cargo: N::Cargo, wires: &[Wire]) -> Network<N> {
        let mut inputs_used = vec![0; nodes.len()];
        let mut numbered: Vec<(usize, Link<N::Unit>)> = Vec::with_capacity(wires.len());
        for wire in wires {
            assert_ne!(wire.from, wire.to, "a wire joins two nodes");
            let input = &mut inputs_used[wire.to];
            numbered.push((
                wire.from,
                Link::new(wire.to, *input, wire.shortest, wire.propagation),
            ));
            *input += 1;
        }
        // Outputs are numbered in the order of the wires, links are stored by where they end.
        let mut order: Vec<usize> = (0..wires.len()).collect();
        order.sort_by_key(|wire| (numbered[*wire].1.to, numbered[*wire].1.input));
        let mut place = vec![0; wires.len()];
        for (position, wire) in order.iter().enumerate() {
            place[*wire] = position;
        }
        let mut outputs = vec![Vec::new(); nodes.len()];
        for (wire, (from, _)) in numbered.iter().enumerate() {
            outputs[*from].push(place[wire]);
        }
        let mut links: Vec<Link<N::Unit>> = numbered.into_iter().map(|(_, link)| link).collect();
        links.sort_by_key(|link| (link.to, link.input));
        let mut inputs = Vec::with_capacity(nodes.len());
        let mut next = 0;
        for used in inputs_used {
            inputs.push(next..next + used);
            next += used;
        }
        let clocks = Clocks {
            next: nodes.iter().map(Node::next_wake).collect(),
            done: vec![Time::ZERO; nodes.len()],
            arrivals: vec![Time::NEVER; wires.len()],
            news: Vec::new(),
        };
        Network {
            nodes,
            cargo,
            links,
            inputs,
            outputs,
            clocks,
        }
    }

    /// The shortest lookahead of any link; with no links, nodes never meet.
    pub fn lookahead(&self) -> Duration {
        self.links
            .iter()
            .map(Link::lookahead)
            .min()
            .unwrap_or(Duration::MAX)
    }

    /// The links, by (node, input) at their far end.
    pub fn links(&self) -> &[Link<N::Unit>] {
        &self.links
    }

    /// The shortest lookahead of the links that end at `node`.
    pub(crate) fn entry(&self, node: usize) -> Duration {
        let links = &self.links[self.inputs[node].clone()];
        links
            .iter()
            .map(Link::lookahead)
            .min()
            .unwrap_or(Duration::MAX)
    }

    /// Earliest arrival at `node`, and at which input; the first input wins a tie.
    pub(crate) fn next_arrival(&self, node: usize) -> (Time, usize) {
        let mut earliest = (Time::NEVER, 0);
        let arrivals = &self.clocks.arrivals[self.inputs[node].clone()];
        for (input, arrival) in arrivals.iter().enumerate() {
            if *arrival < earliest.0 {
                earliest = (*arrival, input);
            }
        }
        earliest
    }

    /// The earliest thing that `node` has to do.
    pub(crate) fn next(&self, node: usize) -> Time {
        self.next_arrival(node).0.min(self.nodes[node].next_wake())
    }

    /// Lets `node` do all it has to do within the limit, and notes how far it came.
    pub(crate) fn run(&mut self, mut limit: Limit) {
        let node = limit.node;
        self.clocks.news.clear();
        loop {
            let (arrival, input) = self.next_arrival(node);
            limit.through = limit.bound.min(arrival);
            self.advance(&mut limit);
            if arrival > limit.bound {
                break;
            }
            self.deliver(&mut limit, input);
        }
        self.clocks.done[node] = limit.bound + Duration::from_ps(1);
        self.clocks.next[node] = self.next(node);
    }

    /// Lets a node do all it does on its own within the limit.
    pub(crate) fn advance(&mut self, limit: &mut Limit) {
        let (acting, mut out) = self.acting(limit);
        acting.advance(&mut out);
    }

    /// Lets a node take the unit that arrives next at `input`.
    pub(crate) fn deliver(&mut self, limit: &mut Limit, input: usize) {
        let link = self.inputs[limit.node].start + input;
        let (now, unit, next) = self.links[link].take();
        self.clocks.arrivals[link] = next;
        let (acting, mut out) = self.acting(limit);
        acting.receive(now, input, unit, &mut out);
    }

    fn acting<'a>(
        &'a mut self,
        limit: &'a mut Limit,
    ) -> (&'a mut N, Outlet<'a, N::Unit, N::Cargo>) {
        let node = limit.node;
        let out = Outlet {
            cargo: &mut self.cargo,
            links: &mut self.links,
            outputs: &self.outputs[node],
            clocks: &mut self.clocks,
            limit,
        };
        (&mut self.nodes[node], out)
    }
}
