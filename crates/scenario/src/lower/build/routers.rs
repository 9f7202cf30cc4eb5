//! Routers, and the outputs through which packets leave.

use models::output::Queueing;
use models::output::admission::{BufferGate, BufferLayout};
use models::output::memory::Memory;
use models::output::scheduler::Scheduling;
use models::paths::Forks;
use models::router::{PacketOutput, Router, RouterSpec};
use models::switch::SwitchSpec;
use models::wire::vc::Route;

use super::Builder;
use crate::lower::{Hop, NodeKind, Topology};
use crate::spec::ScenarioSpec;

/// A switch as a router, which it is for flows that are carried as whole packets.
pub fn of_switch(switch: &SwitchSpec) -> RouterSpec {
    RouterSpec {
        buffer: switch.buffer.clone(),
        discard: switch.discard.clone(),
        scheduler: switch.scheduler.clone(),
        memory: switch.memory.clone(),
        mark: switch.mark.clone(),
        paths: switch.paths.clone(),
        ties: switch.ties,
    }
}

/// A router, or a switch as a router; none of any other node.
pub fn of_node(spec: &ScenarioSpec, topology: &Topology, node: usize) -> Option<RouterSpec> {
    let planned = topology.nodes[node];
    let number = planned.member.spec();
    match planned.kind {
        NodeKind::Router => Some(spec.router.0[number].1.clone()),
        NodeKind::Switch => Some(of_switch(&spec.switch.0[number].1)),
        NodeKind::Host | NodeKind::Edge => None,
    }
}

/// Every node that forwards, as a router, with its table and its name in the scenario.
pub fn all(spec: &ScenarioSpec) -> impl Iterator<Item = (&'static str, &str, RouterSpec)> {
    let switches = spec.switch.iter();
    let switches = switches.map(|(name, switch)| ("switch", name, of_switch(switch)));
    let routers = spec.router.iter();
    let routers = routers.map(|(name, router)| ("router", name, router.clone()));
    let edges = spec.edge.iter();
    let edges = edges.map(|(name, edge)| ("edge", name, RouterSpec::from(edge)));
    switches.chain(routers).chain(edges)
}

impl Builder<'_> {
    /// A router at the start of a run.
    pub(super) fn router(
        &self,
        node: usize,
        spec: &RouterSpec,
        routes: Vec<Vec<Route>>,
        forks: Option<Forks>,
    ) -> Router {
        let hops = self.topology.outputs(node).iter().enumerate();
        let counts = self.inputs.of(node).is_some();
        let memory = spec.memory(self.flows.cells);
        let memory = memory.passed_by(self.flows.longest_packet(self.topology, node));
        let ports = hops.map(|(output, hop)| self.packet_port(output, *hop, spec, memory, counts));
        let mut made = Router::new(ports.collect(), spec.buffer.is_shared(), routes);
        if let Some(inputs) = self.input_accounts(node) {
            made.count_inputs(inputs);
        }
        if let Some(chance) = self.chance(node, spec.ties) {
            made.leave_ties_to(chance);
        }
        if let Some(forks) = forks {
            made.fork(forks);
        }
        made
    }

    /// An output through which packets leave; its node has this `memory`, and `counts` what its inputs hold, or does not.
    pub(super) fn packet_port(
        &self,
        output: usize,
        hop: Hop,
        spec: &RouterSpec,
        memory: Memory,
        counts: bool,
    ) -> PacketOutput {
        let buffer = spec
            .buffer
            .in_octets(self.flows.paths.vcs(hop).len(), memory);
        let buffer = self.at_output(hop, buffer, "discard");
        let rate = self.links.rate(hop);
        let transmitter = self.transmitter(output, hop);
        let gate = BufferGate::new(&buffer, &spec.discard, spec.mark.as_ref());
        let node = self.topology.nodes[self.topology.head(hop.back())];
        let gate = if node.kind == NodeKind::Edge {
            gate.without_trimming()
        } else {
            gate
        };
        let layout = if spec.buffer.is_per_vc() {
            BufferLayout::PerVc(gate)
        } else if let Some(headers) = self.header_buffer(hop, spec) {
            let headers = BufferGate::new(&headers, &spec.discard, None);
            BufferLayout::PerQueue(Box::new([headers.without_trimming(), gate]))
        } else {
            BufferLayout::One(gate)
        };
        let vcs = self.output_vcs(hop);
        let scheduling = spec.scheduler.scheduling(&vcs);
        let clock = self.clock(hop);
        // A replay may delay any packet, and so may a change of the rate by a program that steers the
        // run, or a shaper, so no departure is known before its start.
        let waits = self.links.retry(hop).is_some() || clock.is_some();
        let starts = scheduling.is_none() && waits;
        let scheduling = scheduling.or_else(|| starts.then(Scheduling::one_by_one));
        let queueing = Queueing::new(layout, self.storing(hop, scheduling, counts));
        let mut output = PacketOutput::new(
            transmitter,
            rate,
            memory.for_packets(),
            queueing,
            &vcs.classes,
            None,
        );
        if let Some(clock) = clock {
            output.follow_rate(clock);
        }
        output
    }
}
