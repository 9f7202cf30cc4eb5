//! The network of a plan: nodes, links and flows at the start of a run.

pub(in crate::lower) mod division;
mod hosts;
pub(in crate::lower) mod losses;
pub(in crate::lower) mod queueing;
pub(crate) mod routers;

use std::collections::BTreeSet;

use kernel::{Network, Rate, Seed, Wire};
use models::credit::CreditBuffer;
use models::link::control::ORDERED_SET;
use models::node::AnyNode;
use models::output::Queueing;
use models::paced::Pacer;
use models::switch::credits::Credits;
use models::switch::fabric::Inputs;
use models::switch::outputs::Outputs;
use models::switch::rate::{OutputRateControl, Supply};
use models::switch::{CellOutput, Switch, SwitchSpec};
use models::ties::{Chance, TieRule};
use models::wire::class::Class;
use models::wire::contents::Cargo;
use models::wire::vc::Route;

use crate::lower::routes::forwarding::Forwarding;
use crate::lower::topology::NodeKind;
use crate::lower::{Hop, Plan, PlannedNode, PlannedVc};

impl Plan {
    /// The network at the start of a run.
    pub fn network(&self, seed: Seed) -> Network<AnyNode> {
        let mut ends = self.ends(seed);
        let mut forwarding = Forwarding::new(self, seed);
        let mut nodes: Vec<AnyNode> = (0..self.topology.nodes.len())
            .map(|number| (number, self.topology.nodes[number]))
            .map(|(number, PlannedNode { kind, member })| match kind {
                NodeKind::Host => {
                    AnyNode::Host(self.host(number, &mut ends, &mut forwarding, seed))
                }
                NodeKind::Switch => {
                    let spec = &self.spec.switch.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    if self.carries_cells(number) {
                        AnyNode::Switch(self.switch(number, spec, seed, routes))
                    } else {
                        let spec = routers::of_switch(spec);
                        let forks = forwarding.forks(self, number, seed);
                        AnyNode::Router(self.router(number, &spec, seed, routes, forks))
                    }
                }
                NodeKind::Router => {
                    let spec = &self.spec.router.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    let forks = forwarding.forks(self, number, seed);
                    AnyNode::Router(self.router(number, spec, seed, routes, forks))
                }
                NodeKind::Edge => {
                    let spec = &self.spec.edge.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    AnyNode::Edge(self.edge(number, spec, seed, routes))
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
    pub fn wires(&self) -> Vec<Wire> {
        let links = 0..self.topology.links.len();
        let hops = links.flat_map(|link| [false, true].map(|reverse| Hop::new(link, reverse)));
        let trimmed = self.smallest_trimmed();
        hops.map(|hop| {
            let link = self.link_spec(hop.link());
            let smallest = self.vcs(hop).map(|planned| {
                let flow = self.flow_spec(planned.flow);
                match flow.wrap(
                    planned.in_cells,
                    flow.transport.facts().smallest_packet,
                    self.cells(),
                ) {
                    (octets, 0) => octets * 8,
                    _ => self.cells().bits(),
                }
            });
            let smallest = smallest
                .chain(self.control_frames(hop).map(|octets| octets * 8))
                .chain(trimmed.map(|octets| octets * 8));
            let smallest = smallest.min().unwrap_or(self.cells().bits());
            // A node runs ahead by the time of the shortest unit at the fastest rate ever.
            let fastest = self.rate_changes(hop).map(|changes| changes.fastest());
            let with_sets = smallest.min(8 * ORDERED_SET);
            let retries = self.retry_limits(hop).is_some();
            Wire {
                from: self.topology.head(hop.back()),
                to: self.topology.head(hop),
                shortest: fastest.unwrap_or(link.rate).transmission(if retries {
                    with_sets
                } else {
                    smallest
                }),
                propagation: link.delay.0,
            }
        })
        .collect()
    }

    /// The pacer of the cells of a VC at a host whose link has the rate `line`; none if they
    /// are sent back to back.
    pub(in crate::lower) fn pacer(&self, planned: PlannedVc, line: Rate) -> Option<Pacer> {
        let over = &self.flow_spec(planned.flow).over;
        match over.rate_control() {
            Some(abr) if planned.back && !abr.controls_reverse() => Some(Pacer::Immediate),
            Some(abr) => {
                let round_trip = self.round_trip_of_cells(planned.flow);
                Some(Pacer::abr(abr.contract(line, round_trip, self.cells())))
            }
            None => {
                let descriptor = over.descriptor()?;
                Some(Pacer::shaped(&descriptor, self.cells()))
            }
        }
    }

    fn switch(
        &self,
        node: usize,
        spec: &SwitchSpec,
        seed: Seed,
        routes: Vec<Vec<Route>>,
    ) -> Switch {
        let hops = self.topology.outputs(node);
        let ports = hops.iter().enumerate().map(|(output, hop)| {
            let transmitter = self.transmitter(output, *hop, seed);
            let classes = self.classes(*hop);
            let layout = self.layout(*hop, spec, classes.len(), seed);
            let queueing = Queueing::new(layout, self.scheduling(*hop, spec, seed));
            let control = self.control(*hop, spec, &classes);
            let mut port = CellOutput::new(
                transmitter,
                self.cell_time(*hop),
                self.cells(),
                queueing,
                &classes,
                control,
            );
            if self.sends_credits(*hop) {
                port.meter.send_credits();
            }
            port
        });
        let chance = self.chance(node, spec.ties, seed);
        let fabric = spec.fabric.build(&self.inputs(node, &routes, chance, seed));
        let policers = self.policers(node);
        let shared = spec.buffer.is_shared();
        let mut outputs = Outputs::new(ports.collect(), policers, shared);
        if self.is_controlled(node) {
            let buffers = |hop: fn(&Hop) -> Hop| -> Vec<Option<CreditBuffer>> {
                hops.iter()
                    .map(|out| self.credit_buffer(hop(out)))
                    .collect()
            };
            let [here, beyond] = [buffers(|hop| hop.back()), buffers(|hop| *hop)];
            outputs.set_credits(Credits::new(&here, &beyond, &routes));
        }
        let mut switch = Switch::new(fabric, outputs, routes);
        if let Some(chance) = chance {
            switch.leave_ties_to(chance);
        }
        switch
    }

    /// The random draw that decides ties at a node, if ties are random.
    pub(in crate::lower) fn chance(
        &self,
        node: usize,
        ties: TieRule,
        seed: Seed,
    ) -> Option<Chance> {
        ties.build(seed.stream(&self.node_name(node), "ties"))
    }

    /// The inputs of a switch, with the routes of each.
    fn inputs(
        &self,
        node: usize,
        routes: &[Vec<Route>],
        chance: Option<Chance>,
        seed: Seed,
    ) -> Inputs {
        let hops = self.topology.outputs(node);
        let fastest = hops.iter().map(|hop| self.cell_time(*hop)).min();
        Inputs {
            inputs: hops.len(),
            outputs: hops.len(),
            classes: hops.iter().map(|hop| self.classes(*hop)).collect(),
            routed: self.routed(node, routes),
            rates: hops.iter().map(|hop| self.rate(*hop)).collect(),
            cell_time: fastest.unwrap_or(kernel::Duration::from_us(1)),
            cells: self.cells(),
            random: seed.stream(&self.node_name(node), "fabric"),
            chance,
        }
    }

    /// The pairs of an input and an output of a node between which cells may move, by the routes of
    /// each input.
    fn routed(&self, node: usize, routes: &[Vec<Route>]) -> Box<[(usize, usize)]> {
        let hops = self.topology.outputs(node).iter().zip(routes);
        let pairs = hops.enumerate().flat_map(|(input, (hop, routes))| {
            let vcs = self.vcs(hop.back()).zip(routes);
            let used =
                vcs.filter(|(planned, route)| **route != Route::NONE && self.may_carry(*planned));
            used.map(move |(_, route)| (input, route.output as usize))
        });
        let distinct: BTreeSet<(usize, usize)> = pairs.collect();
        distinct.into_iter().collect()
    }

    /// True if a flow may send units on a VC.
    fn may_carry(&self, planned: PlannedVc) -> bool {
        !planned.back || self.sends_back(planned.flow)
    }

    /// True if the receiver of a flow may send units to its sender: acknowledgments or RM cells.
    pub(super) fn sends_back(&self, flow: usize) -> bool {
        let flow = self.flow_spec(flow);
        flow.transport.facts().answers || flow.over.rate_control().is_some()
    }

    /// The rate allocator of an output with VCs of these classes.
    fn control(&self, hop: Hop, spec: &SwitchSpec, classes: &[Class]) -> Option<OutputRateControl> {
        if !classes.contains(&Class::Abr) {
            return None;
        }
        let buffer = spec
            .buffer
            .of_class(Class::Abr, classes.len(), spec.memory(self.cells()))?;
        let link = self.rate(hop);
        let allocator = spec
            .rate
            .as_ref()?
            .build(&Supply::new(buffer, link, &spec.scheduler));
        Some(OutputRateControl::new(allocator, classes))
    }

    /// True if the cells of a PDU are gathered on a hop, because its far end reassembles them.
    pub(in crate::lower) fn gathers(&self, hop: Hop) -> bool {
        let far = self.topology.nodes[self.topology.head(hop)].kind;
        matches!(far, NodeKind::Host | NodeKind::Edge)
    }
}
