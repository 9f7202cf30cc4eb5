//! Edges: packets are segmented into cells between the two edges that a flow passes.

use std::ops::Range;

use models::bearer::BearerSpec;
use models::edge::EdgeSpec;
use parameters::{Path, Problem, Problems, suggest};

use crate::lower::checks::hints;
use crate::lower::{Flows, Hop, NodeKind, Topology};
use crate::spec::ScenarioSpec;

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

/// Reports flows that edges cannot carry, and queues smaller than a full packet of some flow.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    let mut blamed = None;
    for planned in &flows.paths.flows {
        let passed: Vec<String> = edges(topology, &planned.path)
            .map(|(_, edge)| topology.name(spec, edge))
            .collect();
        let table = planned.member.spec();
        let (name, flow) = &flows.tables.0[table];
        let Some((problem, hint)) = trouble(&flow.over, &passed) else {
            continue;
        };
        if blamed != Some(table) {
            blamed = Some(table);
            let at = Path::root().key("flow").key(name).key("over");
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
    policies(spec, problems);
    queues(spec, topology, flows, problems);
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
fn policies(spec: &ScenarioSpec, problems: &mut Problems) {
    for (name, edge) in spec.edge.iter() {
        if edge.discard.needs_shared_queue() {
            let at = Path::root().key("edge").key(name).key("discard");
            let problem = format!("each VC has a queue of its own at `{name}`");
            let problem = Problem::new(&at.key(edge.discard.kind()), None, problem);
            problems.add(problem.hint(hints::discard_of_one_vc()));
        }
    }
}

/// Reports queues of edges smaller than a full packet of some flow.
fn queues(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (index, (name, edge)) in spec.edge.iter().enumerate() {
        let nodes = topology.nodes.iter().enumerate();
        let members =
            nodes.filter(|(_, node)| node.kind == NodeKind::Edge && node.member.spec() == index);
        let vcs = members.flat_map(|(node, _)| flows.paths.leaving(topology, node));
        let needed = vcs.map(|planned| {
            let flow = flows.spec(planned.flow);
            let (octets, cells) = flow.wrap(
                planned.in_cells,
                flow.transport.facts().full_packet,
                flows.cells,
            );
            (
                EdgeSpec::queue_space(octets, cells, flows.cells),
                flows.paths.flows[planned.flow].member.spec(),
            )
        });
        let largest = needed.max_by_key(|(space, spec)| (*space, std::cmp::Reverse(*spec)));
        let Some((space, table)) = largest.filter(|(space, _)| *space > edge.capacity(flows.cells))
        else {
            continue;
        };
        let at = Path::root().key("edge").key(name).key("queue");
        let flow = &flows.tables.0[table].0;
        let problem = format!("the queue is smaller than a packet of flow `{flow}`");
        let hint =
            format!("write at least `\"{space} cells\"`, because no packet of the flow fits");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
