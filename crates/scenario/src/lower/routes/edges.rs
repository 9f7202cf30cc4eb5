//! Edges: packets are segmented into cells between the two edges that a flow passes.

use std::ops::Range;

use kernel::Seed;
use models::bearer::BearerSpec;
use models::bearer::packet::PacketBearer;
use models::edge::{CellPort, Edge, EdgeOutput, EdgeSpec};
use models::output::admission::BufferGate;
use models::output::memory::Memory;
use models::paced::{Paced, Pacer};
use models::router::RouterSpec;
use models::wire::vc::Route;
use parameters::{ParameterTable, Path, Problem, Problems, suggest};

use crate::lower::checks::hints;
use crate::lower::topology::{NodeKind, Topology};
use crate::lower::{Hop, Plan, PlannedVc};

/// The links of a path on which a flow is in cells, by their place on the path.
pub fn in_cells(topology: &Topology, path: &[Hop], over: &BearerSpec) -> Range<u32> {
    if !over.is_cells() {
        return 0..0;
    }
    let mut edges = edges(topology, path).map(|(place, _)| place as u32 + 1);
    match edges.next() {
        None => 0..path.len() as u32,
        Some(first) => first..edges.last().unwrap_or(first),
    }
}

/// The edges on a path: for each edge the place of the link before it on the path, and its node
/// number.
fn edges<'a>(topology: &'a Topology, path: &'a [Hop]) -> impl Iterator<Item = (usize, usize)> + 'a {
    let nodes = path.iter().map(|hop| topology.head(*hop)).enumerate();
    nodes.filter(|(_, node)| topology.nodes[*node].kind == NodeKind::Edge)
}

impl Plan {
    /// The bearer of a VC on its hop; between a host and an edge, packets are whole.
    pub(in crate::lower) fn bearer(&self, planned: PlannedVc) -> BearerSpec {
        let over = &self.flow_spec(planned.flow).over;
        if planned.in_cells == over.is_cells() {
            over.clone()
        } else {
            BearerSpec::PacketBearer(PacketBearer::defaults())
        }
    }

    /// An edge at the start of a run.
    pub(in crate::lower) fn edge(
        &self,
        node: usize,
        spec: &EdgeSpec,
        seed: Seed,
        routes: Vec<Vec<Route>>,
    ) -> Edge {
        let hops = self.topology.outputs(node).iter().enumerate();
        let counts = self.counts_inputs(node);
        let outputs = hops.map(|(output, hop)| {
            if self.sends_cells(*hop) {
                return EdgeOutput::Cells(self.cell_port(output, *hop, spec, seed));
            }
            let sender = RouterSpec::from(spec);
            let memory = sender.memory(self.cells());
            EdgeOutput::Packets(self.packet_port(output, *hop, &sender, memory, seed, counts))
        });
        Edge::new(outputs.collect(), routes, self.cells())
    }

    fn cell_port(&self, output: usize, hop: Hop, spec: &EdgeSpec, seed: Seed) -> CellPort {
        let rate = self.rate(hop);
        let vcs = self.vcs(hop).len();
        let RouterSpec {
            buffer,
            discard,
            mark,
            ..
        } = spec.into();
        let queue = buffer.in_cells(vcs, Memory::new(None, self.cells()));
        let gate = BufferGate::new(&queue, &discard, mark.as_ref());
        let transmitter = self.transmitter(output, hop, seed);
        let cell_time = self.cell_time(hop);
        let pacers = self.vcs(hop).map(|planned| {
            // VCs without a rate of their own take turns on the link.
            let pacer = self.pacer(planned, rate);
            Some(pacer.unwrap_or_else(|| Pacer::at_most(cell_time)))
        });
        let mut paced = Paced::new(pacers.collect()).expect("there is a VC");
        if let Some(buffer) = self.credit_buffer(hop) {
            paced.wait_for_credit(buffer);
        }
        let bearers = self.vcs(hop);
        let bearers = bearers.map(|planned| self.bearer(planned).wrapping(self.cells()));
        let bearers = bearers.collect();
        let mut port = CellPort::new(transmitter, (rate, self.cells()), gate, bearers, paced);
        if self.sends_credits(hop) {
            port.meter.send_credits();
        }
        port
    }
}

/// Reports flows that edges cannot carry, and queues smaller than a full packet of some flow.
pub fn check(plan: &Plan, problems: &mut Problems) {
    let mut blamed = None;
    for planned in &plan.flows {
        let passed: Vec<String> = edges(&plan.topology, &planned.path)
            .map(|(_, edge)| plan.node_name(edge))
            .collect();
        let spec = planned.member.spec();
        let (name, flow) = &plan.spec.flow.0[spec];
        let Some((problem, hint)) = trouble(&flow.over, &passed) else {
            continue;
        };
        if blamed != Some(spec) {
            blamed = Some(spec);
            let at = Path::root().key("flow").key(name).key("over");
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
    policies(plan, problems);
    queues(plan, problems);
}

/// The problem of a flow that passes `edges`, and a hint.
fn trouble(over: &BearerSpec, passed: &[String]) -> Option<(String, &'static str)> {
    match passed {
        [first, ..] if !over.is_cells() => Some((
            format!("the flow passes the edge `{first}` in whole packets"),
            "carry it in cells, for example `over.ubr`, or make the edge a router",
        )),
        [only] => Some((
            format!("the flow passes only one edge, `{only}`"),
            "packets are segmented into cells at one edge, and reassembled at another",
        )),
        [_, _] if over.answers_at_once() => Some((
            "edges do not support `reverse = \"ideal\"`".to_string(),
            "leave out `abr.reverse`: an edge controls the rate of both directions",
        )),
        [_, _, _, ..] => Some((
            format!(
                "the flow passes {} edges: {}",
                passed.len(),
                suggest::listed(passed.iter().map(String::as_str))
            ),
            "a flow passes at most two edges, with only switches between them",
        )),
        [] | [_, _] => None,
    }
}

/// Reports discard policies of edges that compare VCs, because a queue of an edge holds a single
/// VC.
fn policies(plan: &Plan, problems: &mut Problems) {
    for (name, edge) in plan.spec.edge.iter() {
        if edge.discard.needs_shared_queue() {
            let at = Path::root().key("edge").key(name).key("discard");
            let problem = format!("each VC has a queue of its own at `{name}`");
            let problem = Problem::new(&at.key(edge.discard.kind()), None, problem);
            problems.add(problem.hint(hints::discard_of_one_vc()));
        }
    }
}

/// Reports queues of edges smaller than a full packet of some flow.
fn queues(plan: &Plan, problems: &mut Problems) {
    for (index, (name, edge)) in plan.spec.edge.iter().enumerate() {
        let nodes = plan.topology.nodes.iter().enumerate();
        let members =
            nodes.filter(|(_, node)| node.kind == NodeKind::Edge && node.member.spec() == index);
        let vcs = members.flat_map(|(node, _)| plan.leaving(node));
        let needed = vcs.map(|planned| {
            let flow = plan.flow_spec(planned.flow);
            let (octets, cells) = flow.wrap(
                planned.in_cells,
                flow.transport.facts().full_packet,
                plan.cells(),
            );
            (
                EdgeSpec::queue_space(octets, cells, plan.cells()),
                plan.flows[planned.flow].member.spec(),
            )
        });
        let largest = needed.max_by_key(|(space, spec)| (*space, std::cmp::Reverse(*spec)));
        let Some((space, spec)) = largest.filter(|(space, _)| *space > edge.capacity(plan.cells()))
        else {
            continue;
        };
        let at = Path::root().key("edge").key(name).key("queue");
        let flow = &plan.spec.flow.0[spec].0;
        let problem = format!("the queue is smaller than a packet of flow `{flow}`");
        let hint =
            format!("write at least `\"{space} cells\"`, because no packet of the flow fits");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
