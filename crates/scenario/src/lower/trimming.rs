//! Outputs that trim packets: the memory of their headers, and checks that they can trim. The checks are our own: the model trims whole packets, on links that are
//! never paused and have no credits.

use models::output::buffer::BufferSpec;
use models::output::buffer::per_output::PerOutput;
use models::output::discard::{Buffer, Trimming};
use models::output::scheduler::SchedulerSpec;
use models::router::RouterSpec;
use models::transport::TransportSpec;
use models::wire::format::CellFormat;
use parameters::{BufferLimit, BufferSize, Path, Problem, Problems};

use super::build::routers;
use super::checks::hints;
use crate::lower::{Flows, NodeKind, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

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
pub fn sized(
    router: &RouterSpec,
    cells: CellFormat,
    size: Option<BufferSize>,
    vcs: usize,
) -> Buffer {
    let memory = router.memory(cells);
    let of_headers = size.map(|size| BufferSpec::PerOutput(PerOutput(BufferLimit::Size(size))));
    of_headers
        .as_ref()
        .unwrap_or(&router.buffer)
        .in_octets(vcs, memory)
}

/// Reports nodes that cannot trim as they are asked to, with the first problem of each. Edges, and
/// switches of cells, drop what does not fit.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (family, name, router) in routers::all(spec).filter(|(family, ..)| *family != "edge") {
        let Some(trimming) = router.discard.trimming() else {
            continue;
        };
        let at = Path::root().key(family).key(name).key("discard");
        let at = at.key(router.discard.kind());
        if let Some((problem, hint)) = unfit(spec, topology, flows, links, family, name) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
        } else if let Some((problem, hint)) =
            too_short(spec, topology, flows, family, name, &trimming)
        {
            problems.add(Problem::new(&at.key("size"), None, problem).hint(hint));
        } else if let Some(size) = trimming.headers
            && let Some((problem, hint)) = useless(&router, spec.cells(), &trimming, size)
        {
            problems.add(Problem::new(&at.key("headers"), None, problem).hint(hint));
        } else if trimming.returns
            && let Some((problem, hint)) = cannot_take_back(spec, topology, flows, family, name)
        {
            problems.add(Problem::new(&at.key("no_room"), None, problem).hint(hint));
        }
    }
}

/// The reason for which a node cannot send packets back, and a hint.
fn cannot_take_back(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    family: &str,
    name: &str,
) -> Option<(String, String)> {
    let planned = topology
        .nodes_of(spec, family, name)
        .flat_map(|node| flows.paths.leaving(topology, node));
    let mut whole = planned.filter(|planned| !planned.in_cells);
    let flow = whole.find(|planned| !flows.spec(planned.flow).transport.facts().takes_back)?;
    let (flow, written) = &flows.tables.0[flows.paths.flows[flow.flow].member.spec()];
    let kind = written.transport.kind();
    let able = hints::kinds(|one: &TransportSpec| one.facts().takes_back);
    let problem = format!("flow `{flow}` passes `{name}`, and `{kind}` does not take packets back");
    Some((
        problem,
        format!("choose the transport {able}, or leave `no_room` out"),
    ))
}

/// The reason for which a trimmed packet of the size would be too short for its framing, and a hint.
fn too_short(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    family: &str,
    name: &str,
    trimming: &Trimming,
) -> Option<(String, String)> {
    let passing = topology
        .nodes_of(spec, family, name)
        .flat_map(|node| flows.paths.leaving(topology, node));
    let least = passing.map(|planned| {
        let least = flows.spec(planned.flow).least_packet(flows.cells);
        (least, planned.flow)
    });
    let (least, flow) = least.max_by_key(|(least, flow)| (*least, std::cmp::Reverse(*flow)))?;
    (u64::from(trimming.octets) < least).then(|| {
        let flow = flows.table(flow);
        let problem =
            format!("a packet of flow `{flow}` has `{least} B` at least, with its framing");
        (problem, format!("write at least `\"{least} B\"`"))
    })
}

/// The reason for which a node cannot trim, and a hint.
fn unfit(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    family: &str,
    name: &str,
) -> Option<(String, String)> {
    topology.nodes_of(spec, family, name).find_map(|node| {
        let whole = flows
            .paths
            .leaving(topology, node)
            .filter(|planned| !planned.in_cells);
        let mut passing = whole.map(|planned| &flows.paths.flows[planned.flow]);
        if let Some(flow) = passing.find(|flow| flow.passes_edges()) {
            let flow = &flows.tables.0[flow.member.spec()].0;
            let problem = format!("flow `{flow}` passes edges, which cut its packets into cells");
            let hint = "carry the flow `over.packet`, or choose another policy";
            return Some((problem, hint.to_string()));
        }
        let mut hops = topology
            .outputs(node)
            .iter()
            .flat_map(|hop| [*hop, hop.back()]);
        hops.find_map(|hop| {
            let (lossless, key) = if links.pause(hop).is_some() {
                ("may be paused", "pause")
            } else if links.packet_credit(hop).is_some() {
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
    router: &RouterSpec,
    cells: CellFormat,
    trimming: &Trimming,
    size: BufferSize,
) -> Option<(&'static str, String)> {
    if router.scheduler.queue_of_headers().is_none() {
        let first = hints::kinds(|one: &SchedulerSpec| one.queue_of_headers().is_some());
        let hint = format!("choose the scheduler {first}, or leave `headers` out");
        return Some(("trimmed packets wait with the other packets", hint));
    }
    if router.buffer.is_shared() {
        let hint = "write `buffer.per_output`, or leave `headers` out";
        return Some((
            "trimmed packets wait in the memory of all packets",
            hint.into(),
        ));
    }
    let needed = router.memory(cells).for_packets().space(trimming.octets);
    (sized(router, cells, Some(size), 0).capacity < needed).then(|| {
        let hint = format!("write at least `\"{needed} B\"`, or leave `headers` out");
        ("no trimmed packet fits into it", hint)
    })
}
