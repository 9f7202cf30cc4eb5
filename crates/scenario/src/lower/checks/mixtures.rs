//! Checks of cells beside packets. A switch, a router and a link between two hosts carry either cells
//! or packets, since an output has one kind of unit. A host has an interface for each link, and may
//! send cells over one link and packets over another.

use parameters::{Path, Problem, Problems};

use crate::lower::topology::NodeKind;
use crate::lower::{Hop, Plan, PlannedVc};

/// Reports the first flow through a node whose bearer differs from that of the other flows.
pub fn at_node(plan: &Plan, node: usize, problems: &mut Problems) {
    let PlannedAs { cells, by } = match plan.topology.nodes[node].kind {
        NodeKind::Router => PlannedAs {
            cells: false,
            by: None,
        },
        _ => PlannedAs {
            cells: plan.carries_cells(node),
            by: plan.leaving(node).next(),
        },
    };
    let other = plan.leaving(node).find(|planned| planned.in_cells != cells);
    let Some(other) = other else {
        return;
    };
    let node = plan.node_name(node);
    let (problem, hint) = match by {
        None => (
            format!("`{node}` is a router and cannot forward cells"),
            "carry the flow `over.packet`, or make the node a switch".to_string(),
        ),
        Some(by) => (
            format!("`{node}` would forward both cells and packets"),
            alike(plan, by),
        ),
    };
    blame(plan, other, problem, hint, problems);
}

/// The units that a node forwards, cells or packets, and the flow that determines them.
struct PlannedAs {
    cells: bool,
    by: Option<PlannedVc>,
}

/// Reports the first flow on a link between two hosts whose bearer differs from that of the other
/// flows. Links of a group have the same problem, which is reported once.
pub fn on_direct_links(plan: &Plan, problems: &mut Problems) {
    let mut blamed = None;
    for (link, planned) in plan.topology.links.iter().enumerate() {
        let kinds = planned.ends().map(|end| plan.topology.nodes[end].kind);
        if kinds != [NodeKind::Host; 2] || blamed == Some(planned.member.spec()) {
            continue;
        }
        let hop = Hop::new(link, false);
        let mut vcs = plan.vcs(hop);
        let Some(by) = vcs.next() else {
            continue;
        };
        if let Some(other) = vcs.find(|planned| planned.in_cells != by.in_cells) {
            blamed = Some(planned.member.spec());
            let link = plan.link_name(link);
            let problem = format!("link `{link}` would carry both cells and packets");
            let hint = alike(plan, by) + ", or name another link between the hosts in `route`";
            blame(plan, other, problem, hint, problems);
        }
    }
}

/// Reports a problem of the bearer of a VC.
fn blame(plan: &Plan, of: PlannedVc, problem: String, hint: String, problems: &mut Problems) {
    let at = Path::root().key("flow").key(table(plan, of)).key("over");
    problems.add(Problem::new(&at, None, problem).hint(hint));
}

/// The hint that a flow be carried as that of a VC is.
fn alike(plan: &Plan, by: PlannedVc) -> String {
    format!("use the same `over` as flow `{}`", table(plan, by))
}

/// The table of the flow of a VC.
fn table(plan: &Plan, planned: PlannedVc) -> &str {
    &plan.spec.flow.0[plan.flows[planned.flow].member.spec()].0
}
