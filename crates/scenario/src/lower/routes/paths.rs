//! Flows with several paths: the next links of each flow at every node that its packets may reach.
//!
//! All paths of fewest links count, parallel links included. A flow that always has one path has no
//! mesh: it is lowered and run as if no rule for several paths existed. The labels are our own design:
//! as in MPLS (RFC 3031), a packet carries a label that is valid on one link, and a flow has one for
//! each link that its packets may pass.

use std::collections::BTreeMap;

use kernel::Duration;
use models::paths::PathsSpec;
use models::wire::vc::Vc;
use parameters::{Path, Problem, Problems};

use crate::lower::checks::hints;
use crate::lower::{Flows, Hop, NodeKind, Topology};
use crate::spec::ScenarioSpec;

/// The links of a flow that has several paths.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The links, in order of [`FlowHop::hop`].
    pub labels: Box<[FlowHop]>,
    /// The next links at each node, hosts with several links included, by direction: towards the
    /// receiving host, and back. None back for a flow in cells, whose VC goes back on its path.
    pub next: [Box<[NextHops]>; 2],
}

/// A link of a flow, and its VC there.
#[derive(Clone, Copy, Debug)]
pub struct FlowHop {
    /// The hop in the direction towards the receiving host.
    pub hop: Hop,
    /// VC of the flow on the link.
    pub vc: Vc,
    /// Least number of links from the sending host to this one.
    pub level: u32,
}

/// The next links of a flow at a node, in one direction.
#[derive(Clone, Debug)]
pub struct NextHops {
    /// Number of the node.
    pub node: usize,
    /// The sets of next links at some time; the first is the one without outages.
    pub sets: Vec<Box<[Hop]>>,
    /// The set in force before the first change of routes, and after each of them.
    pub in_force: Box<[u32]>,
}

impl NextHops {
    /// True if outages change the next links.
    pub fn changes(&self) -> bool {
        self.sets.len() > 1
    }
}

impl Mesh {
    /// The label of a hop towards the receiving host.
    pub fn label(&self, hop: Hop) -> Option<FlowHop> {
        let number = |label: &FlowHop| label.hop.number();
        let found = self.labels.binary_search_by_key(&hop.number(), number);
        Some(self.labels[found.ok()?])
    }

    /// The sum of the longest times on links, one for each distance from the sending host.
    pub fn longest(&self, time: impl Fn(Hop) -> Duration) -> Duration {
        let mut longest = BTreeMap::new();
        for label in &self.labels {
            let known = longest.entry(label.level).or_insert(Duration::ZERO);
            *known = time(label.hop).max(*known);
        }
        let times = longest.into_values();
        times.fold(Duration::ZERO, |sum, time| sum + time)
    }

    /// The next links at a node in one direction, towards the receiving host or `back`; none if it
    /// always has the same single one.
    pub fn next_at(&self, node: usize, back: bool) -> Option<&NextHops> {
        let mut next = self.next[usize::from(back)].iter();
        next.find(|next| next.node == node)
    }

    /// True if outages change the links of the flow.
    pub fn changes(&self) -> bool {
        self.next.iter().flatten().any(NextHops::changes)
    }

    /// The nodes at which one of several links is chosen.
    pub fn dividing(&self) -> impl Iterator<Item = usize> {
        let nodes = self.next.iter().flatten();
        let dividing = nodes.filter(|next| next.sets.iter().any(|hops| hops.len() > 1));
        dividing.map(|next| next.node)
    }
}

/// The rule of a node for several paths; none for an edge, which does not choose, and for a host that
/// takes the link written first.
pub fn rule<'a>(spec: &'a ScenarioSpec, topology: &Topology, node: usize) -> Option<&'a PathsSpec> {
    let planned = topology.nodes[node];
    let number = planned.member.spec();
    match planned.kind {
        NodeKind::Switch => Some(&spec.switch.0[number].1.paths),
        NodeKind::Router => Some(&spec.router.0[number].1.paths),
        NodeKind::Host => spec.host.0[number].1.paths.as_ref(),
        NodeKind::Edge => None,
    }
}

/// Reports flows that cannot take several paths: those whose packets edges segment, those in cells
/// that would not stay in order, and those in cells over links with credit.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    let mut blamed = None;
    for planned in &flows.paths.flows {
        let table = planned.member.spec();
        let Some(mesh) = planned.mesh.as_deref().filter(|_| blamed != Some(table)) else {
            continue;
        };
        let name = &flows.tables.0[table].0;
        let at = Path::root().key("flow").key(name).key("route");
        let kind = |label: &FlowHop| topology.nodes[topology.head(label.hop)].kind;
        let has_credit =
            |label: &FlowHop| topology.link_spec(spec, label.hop.link()).credit.is_some();
        let found = if mesh
            .labels
            .iter()
            .any(|label| kind(label) == NodeKind::Edge)
        {
            let problem = "the flow passes edges and has several equal paths";
            Some(Problem::new(&at, None, problem).hint(ROUTE))
        } else if planned.in_cells().is_empty() {
            None
        } else if let Some(problem) = out_of_order(spec, topology, mesh) {
            Some(problem)
        } else if mesh.labels.iter().any(has_credit) {
            let problem = "the VC has several equal paths, over a link with credit";
            Some(Problem::new(&at, None, problem).hint(ROUTE))
        } else {
            None
        };
        if let Some(problem) = found {
            blamed = Some(table);
            problems.add(problem);
        }
    }
}

/// The hint that gives a flow one path.
const ROUTE: &str = "write the nodes of one path, or let the nodes have `paths.single = {}`";

/// The problem of a node that would send the cells of a VC over several links.
fn out_of_order(spec: &ScenarioSpec, topology: &Topology, mesh: &Mesh) -> Option<Problem> {
    let rule = |node: usize| rule(spec, topology, node);
    let mut dividing = mesh.dividing().filter_map(|node| Some((node, rule(node)?)));
    let (node, rule) = dividing.find(|(_, rule)| !rule.keeps_together())?;
    let planned = topology.nodes[node];
    let name = topology.name(spec, node);
    let at = Path::root()
        .key(planned.kind.word())
        .key(topology.table(spec, node))
        .key("paths");
    let does = match planned.kind {
        NodeKind::Host => "sends",
        _ => "forwards",
    };
    let problem = format!("`{name}` {does} cells, and the cells of a VC stay in order");
    let others = hints::kinds(|one: &PathsSpec| one.keeps_together());
    let hint = format!("choose {others}, or carry the flows in whole packets");
    Some(Problem::new(&at.key(rule.kind()), None, problem).hint(hint))
}
