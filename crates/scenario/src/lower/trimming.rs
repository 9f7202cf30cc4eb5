//! Outputs that trim packets: the memory of their headers, the smallest packets that they send, and
//! checks that they can trim. The checks are our own: the model trims whole packets, on links that are
//! never paused and have no credits.

use kernel::Seed;
use models::output::buffer::BufferSpec;
use models::output::buffer::per_output::PerOutput;
use models::output::discard::{Buffer, Trimming};
use models::output::scheduler::SchedulerSpec;
use models::router::RouterSpec;
use models::transport::TransportSpec;
use parameters::{BufferLimit, BufferSize, Path, Problem, Problems};

use super::build::routers;
use super::checks::hints;
use super::topology::{NodeKind, Topology};
use super::{Hop, Plan};
use crate::spec::ScenarioSpec;

impl Plan {
    /// Octets of the smallest trimmed packet in the network; none if no output trims.
    pub fn smallest_trimmed(&self) -> Option<u64> {
        let octets = of_nodes(&self.spec).map(|one| u64::from(one.octets));
        octets.min()
    }

    /// True if an output sends packets back to their senders.
    pub fn returns_packets(&self) -> bool {
        of_nodes(&self.spec).any(|one| one.returns)
    }

    /// The buffer of the queue of headers at the output to a hop; none if headers have no memory of
    /// their own there.
    pub(in crate::lower) fn header_buffer(
        &self,
        hop: Hop,
        spec: &RouterSpec,
        seed: Seed,
    ) -> Option<Buffer> {
        let trimming = spec
            .discard
            .trimming()
            .filter(|_| !spec.buffer.is_shared())?;
        spec.scheduler.queue_of_headers()?;
        let buffer = sized(self, spec, trimming.headers, self.vcs(hop).len());
        Some(self.at_output(hop, buffer, "discard of headers", seed))
    }
}

/// What the switches and routers that trim do, table by table.
fn of_nodes(spec: &ScenarioSpec) -> impl Iterator<Item = Trimming> {
    let switches = spec.switch.iter().map(|(_, switch)| &switch.discard);
    let routers = spec.router.iter().map(|(_, router)| &router.discard);
    let discards = switches.chain(routers);
    discards.filter_map(|discard| discard.trimming())
}

/// True if a node sends packets back to their senders.
pub fn returns(spec: &ScenarioSpec, topology: &Topology, node: usize) -> bool {
    let planned = topology.nodes[node];
    let number = planned.member.spec();
    let discard = match planned.kind {
        NodeKind::Switch => &spec.switch.0[number].1.discard,
        NodeKind::Router => &spec.router.0[number].1.discard,
        NodeKind::Host | NodeKind::Edge => return false,
    };
    discard.trimming().is_some_and(|trimming| trimming.returns)
}

/// The buffer of headers of `size`, or as large as the buffer of the node.
fn sized(plan: &Plan, spec: &RouterSpec, size: Option<BufferSize>, vcs: usize) -> Buffer {
    let memory = spec.memory(plan.cells());
    let of_headers = size.map(|size| BufferSpec::PerOutput(PerOutput(BufferLimit::Size(size))));
    of_headers
        .as_ref()
        .unwrap_or(&spec.buffer)
        .in_octets(vcs, memory)
}

/// Reports nodes that cannot trim as they are asked to, with the first problem of each. Edges, and
/// switches of cells, drop what does not fit.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (family, name, spec) in routers::all(&plan.spec).filter(|(family, ..)| *family != "edge") {
        let Some(trimming) = spec.discard.trimming() else {
            continue;
        };
        let at = Path::root().key(family).key(name).key("discard");
        let at = at.key(spec.discard.kind());
        if let Some((problem, hint)) = unfit(plan, family, name) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
        } else if let Some((problem, hint)) = too_short(plan, family, name, &trimming) {
            problems.add(Problem::new(&at.key("size"), None, problem).hint(hint));
        } else if let Some(size) = trimming.headers
            && let Some((problem, hint)) = useless(plan, &spec, &trimming, size)
        {
            problems.add(Problem::new(&at.key("headers"), None, problem).hint(hint));
        } else if trimming.returns
            && let Some((problem, hint)) = cannot_take_back(plan, family, name)
        {
            problems.add(Problem::new(&at.key("no_room"), None, problem).hint(hint));
        }
    }
}

/// The reason for which a node cannot send packets back, and a hint.
fn cannot_take_back(plan: &Plan, family: &str, name: &str) -> Option<(String, String)> {
    let planned = plan
        .nodes_of(family, name)
        .flat_map(|node| plan.leaving(node));
    let mut whole = planned.filter(|planned| !planned.in_cells);
    let flow = whole.find(|planned| !plan.flow_spec(planned.flow).transport.facts().takes_back)?;
    let (flow, spec) = &plan.spec.flow.0[plan.flows[flow.flow].member.spec()];
    let kind = spec.transport.kind();
    let able = hints::kinds(|one: &TransportSpec| one.facts().takes_back);
    let problem = format!("flow `{flow}` passes `{name}`, and `{kind}` does not take packets back");
    Some((
        problem,
        format!("choose the transport {able}, or leave `no_room` out"),
    ))
}

/// The reason for which a trimmed packet of the size would be too short for its framing, and a hint.
fn too_short(
    plan: &Plan,
    family: &str,
    name: &str,
    trimming: &Trimming,
) -> Option<(String, String)> {
    let flows = plan
        .nodes_of(family, name)
        .flat_map(|node| plan.leaving(node));
    let least = flows.map(|planned| {
        let least = plan.flow_spec(planned.flow).least_packet(plan.cells());
        (least, planned.flow)
    });
    let (least, flow) = least.max_by_key(|(least, flow)| (*least, std::cmp::Reverse(*flow)))?;
    (u64::from(trimming.octets) < least).then(|| {
        let flow = &plan.spec.flow.0[plan.flows[flow].member.spec()].0;
        let problem =
            format!("a packet of flow `{flow}` has `{least} B` at least, with its framing");
        (problem, format!("write at least `\"{least} B\"`"))
    })
}

/// The reason for which a node cannot trim, and a hint.
fn unfit(plan: &Plan, family: &str, name: &str) -> Option<(String, String)> {
    plan.nodes_of(family, name).find_map(|node| {
        let whole = plan.leaving(node).filter(|planned| !planned.in_cells);
        let mut flows = whole.map(|planned| &plan.flows[planned.flow]);
        if let Some(flow) = flows.find(|flow| flow.passes_edges()) {
            let flow = &plan.spec.flow.0[flow.member.spec()].0;
            let problem = format!("flow `{flow}` passes edges, which cut its packets into cells");
            let hint = "carry the flow `over.packet`, or choose another policy";
            return Some((problem, hint.to_string()));
        }
        let mut hops = plan
            .topology
            .outputs(node)
            .iter()
            .flat_map(|hop| [*hop, hop.back()]);
        hops.find_map(|hop| {
            let (lossless, key) = if plan.pause_demand(hop).is_some() {
                ("may be paused", "pause")
            } else if plan.packet_credit(hop).is_some() {
                ("has credits", "credit")
            } else {
                return None;
            };
            let problem = format!("a link of `{name}` {lossless}, so nothing there is trimmed");
            Some((
                problem,
                format!("leave out `{key}`, or choose another policy"),
            ))
        })
    })
}

/// The reason for which the memory of headers is of no use, and a hint.
fn useless(
    plan: &Plan,
    spec: &RouterSpec,
    trimming: &Trimming,
    size: BufferSize,
) -> Option<(&'static str, String)> {
    if spec.scheduler.queue_of_headers().is_none() {
        let first = hints::kinds(|one: &SchedulerSpec| one.queue_of_headers().is_some());
        let hint = format!("choose the scheduler {first}, or leave `headers` out");
        return Some(("trimmed packets wait with the other packets", hint));
    }
    if spec.buffer.is_shared() {
        let hint = "write `buffer.per_output`, or leave `headers` out";
        return Some((
            "trimmed packets wait in the memory of all packets",
            hint.into(),
        ));
    }
    let needed = spec
        .memory(plan.cells())
        .for_packets()
        .space(trimming.octets);
    (sized(plan, spec, Some(size), 0).capacity < needed).then(|| {
        let hint = format!("write at least `\"{needed} B\"`, or leave `headers` out");
        ("no trimmed packet fits into it", hint)
    })
}
