//! Checks of cells beside packets. A switch, a router and a link between two hosts carry either cells
//! or packets, since an output has one kind of unit. A host has an interface for each link, and may
//! send cells over one link and packets over another.

use parameters::{Path, Problem, Problems};

use crate::lower::{Flows, Hop, NodeKind, PlannedVc, Topology};
use crate::spec::ScenarioSpec;

/// Reports the first flow through a node whose bearer differs from that of the other flows.
pub fn at_node(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    node: usize,
    problems: &mut Problems,
) {
    let PlannedAs { cells, by } = match topology.nodes[node].kind {
        NodeKind::Router => PlannedAs {
            cells: false,
            by: None,
        },
        _ => PlannedAs {
            cells: flows.paths.carries_cells(node),
            by: flows.paths.leaving(topology, node).next(),
        },
    };
    let other = flows
        .paths
        .leaving(topology, node)
        .find(|planned| planned.in_cells != cells);
    let Some(other) = other else {
        return;
    };
    let node = topology.name(spec, node);
    let (problem, hint) = match by {
        None => (
            format!("`{node}` is a router and cannot forward cells"),
            "carry the flow `over.packet`, or make the node a switch".to_string(),
        ),
        Some(by) => (
            format!("`{node}` would forward both cells and packets"),
            alike(flows, by),
        ),
    };
    blame(flows, other, problem, hint, problems);
}

/// The units that a node forwards, cells or packets, and the flow that determines them.
struct PlannedAs {
    cells: bool,
    by: Option<PlannedVc>,
}

/// Reports the first flow on a link between two hosts whose bearer differs from that of the other
/// flows. Links of a group have the same problem, which is reported once.
pub fn on_direct_links(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    problems: &mut Problems,
) {
    let mut blamed = None;
    for (link, planned) in topology.links.iter().enumerate() {
        let kinds = planned.ends().map(|end| topology.nodes[end].kind);
        if kinds != [NodeKind::Host; 2] || blamed == Some(planned.member.spec()) {
            continue;
        }
        let hop = Hop::new(link, false);
        let mut vcs = flows.paths.vcs(hop);
        let Some(by) = vcs.next() else {
            continue;
        };
        if let Some(other) = vcs.find(|planned| planned.in_cells != by.in_cells) {
            blamed = Some(planned.member.spec());
            let link = topology.link_name(spec, link);
            let problem = format!("link `{link}` would carry both cells and packets");
            let hint = alike(flows, by) + ", or name another link between the hosts in `route`";
            blame(flows, other, problem, hint, problems);
        }
    }
}

/// Reports a problem of the bearer of a VC.
fn blame(flows: Flows<'_>, of: PlannedVc, problem: String, hint: String, problems: &mut Problems) {
    let at = Path::root().key("flow").key(table(flows, of)).key("over");
    problems.add(Problem::new(&at, None, problem).hint(hint));
}

/// The hint that a flow be carried as that of a VC is.
fn alike(flows: Flows<'_>, by: PlannedVc) -> String {
    format!("use the same `over` as flow `{}`", table(flows, by))
}

/// The table of the flow of a VC.
fn table(flows: Flows<'_>, planned: PlannedVc) -> &str {
    flows.table(planned.flow)
}
