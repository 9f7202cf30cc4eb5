//! The network of a plan: nodes, links and flows at the start of a run.

pub(in crate::lower) mod division;
mod edges;
mod forwarding;
mod gates;
mod hosts;
mod losses;
mod queueing;
pub(crate) mod routers;
mod switches;

use kernel::{Network, Seed, Wire};
use models::link::LinkSpec;
use models::node::AnyNode;
use models::ties::{Chance, TieRule};
use models::wire::contents::Cargo;

use crate::lower::inputs::PlannedInputs;
use crate::lower::{Flows, Hop, NodeKind, PlannedLinks, PlannedNode, Topology};
use crate::spec::ScenarioSpec;
use forwarding::Forwarding;

/// Builds the nodes and the links of a run from the values of a plan.
pub(in crate::lower) struct Builder<'a> {
    pub spec: &'a ScenarioSpec,
    pub topology: &'a Topology,
    pub flows: Flows<'a>,
    pub links: &'a PlannedLinks,
    pub inputs: &'a PlannedInputs,
    /// Decides all random choices of the run.
    pub seed: Seed,
}

impl<'a> Builder<'a> {
    /// The table of the link of a hop.
    fn link_spec(&self, hop: Hop) -> &'a LinkSpec {
        self.topology.link_spec(self.spec, hop.link())
    }

    /// The network at the start of a run.
    pub fn network(&self) -> Network<AnyNode> {
        let mut ends = self.ends();
        let mut forwarding = Forwarding::new(self);
        let mut nodes: Vec<AnyNode> = (0..self.topology.nodes.len())
            .map(|number| (number, self.topology.nodes[number]))
            .map(|(number, PlannedNode { kind, member })| match kind {
                NodeKind::Host => AnyNode::Host(self.host(number, &mut ends, &mut forwarding)),
                NodeKind::Switch => {
                    let spec = &self.spec.switch.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    if self.flows.paths.carries_cells(number) {
                        AnyNode::Switch(self.switch(number, spec, routes))
                    } else {
                        let spec = routers::of_switch(spec);
                        let forks = forwarding.forks(self, number);
                        AnyNode::Router(self.router(number, &spec, routes, forks))
                    }
                }
                NodeKind::Router => {
                    let spec = &self.spec.router.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    let forks = forwarding.forks(self, number);
                    AnyNode::Router(self.router(number, spec, routes, forks))
                }
                NodeKind::Edge => {
                    let spec = &self.spec.edge.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    AnyNode::Edge(self.edge(number, spec, routes))
                }
            })
            .collect();
        self.join_switches(&mut nodes);
        Network::new(nodes, Cargo::default(), &self.wires())
    }

    /// Lets the outputs of switches send interleaved trains on the links to switches that take them.
    fn join_switches(&self, nodes: &mut [AnyNode]) {
        for from in 0..nodes.len() {
            for (output, hop) in self.topology.outputs(from).iter().enumerate() {
                let takes = match &nodes[self.topology.head(*hop)] {
                    AnyNode::Switch(switch) => switch.takes_interleaved(),
                    _ => false,
                };
                if takes && let AnyNode::Switch(switch) = &mut nodes[from] {
                    switch.outputs.send_interleaved(output);
                }
            }
        }
    }

    /// The wires of each link, one in each direction; the outputs and inputs of a node have the
    /// same numbers.
    fn wires(&self) -> Vec<Wire> {
        let links = 0..self.topology.links.len();
        let hops = links.flat_map(|link| [false, true].map(|reverse| Hop::new(link, reverse)));
        let wires = hops.map(|hop| {
            let link = self.link_spec(hop);
            // A node runs ahead by the time of the shortest unit at the fastest rate ever.
            let changes = link.schedule(hop.reverse());
            let fastest = changes.map_or(link.rate, |changes| changes.fastest());
            Wire {
                from: self.topology.head(hop.back()),
                to: self.topology.head(hop),
                shortest: fastest.transmission(self.links.shortest(hop)),
                propagation: link.delay.0,
            }
        });
        wires.collect()
    }

    /// The random draw that decides ties at a node, if ties are random.
    fn chance(&self, node: usize, ties: TieRule) -> Option<Chance> {
        ties.build(
            self.seed
                .stream(&self.topology.name(self.spec, node), "ties"),
        )
    }
}
