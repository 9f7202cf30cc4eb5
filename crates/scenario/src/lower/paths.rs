//! Flows with several paths: the next links of each flow at every node that its packets may reach.
//!
//! All paths of fewest links count, parallel links included. A flow that always has one path has no
//! mesh: it is lowered and run as if no rule for several paths existed. The labels are our own design:
//! as in MPLS (RFC 3031), a packet carries a label that is valid on one link, and a flow has one for
//! each link that its packets may pass.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use kernel::Duration;
use models::paths::PathsSpec;
use models::vc::Vc;
use parameters::{Path, Problem, Problems};

use super::topology::{NodeKind, Topology};
use super::{Hop, Plan, hints};
use crate::spec::ScenarioSpec;

/// The links of a flow that has several paths.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The links, in order of [`Label::hop`].
    pub labels: Box<[Label]>,
    /// The next links at each node, by direction: towards the receiving host, and back. None back for a
    /// flow in cells, whose VC goes back on its path.
    pub next: [Box<[NextHops]>; 2],
}

/// A link of a flow, and its VC there.
#[derive(Clone, Copy, Debug)]
pub struct Label {
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
    /// The next links.
    pub hops: Box<[Hop]>,
}

impl Mesh {
    /// The label of a hop towards the receiving host.
    pub fn label(&self, hop: Hop) -> Option<Label> {
        let number = |label: &Label| label.hop.number();
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

    /// The nodes at which one of several links is chosen.
    pub fn dividing(&self) -> impl Iterator<Item = usize> {
        let nodes = self.next.iter().flatten();
        let dividing = nodes.filter(|next| next.hops.len() > 1);
        dividing.map(|next| next.node)
    }
}

/// The rule of a node for several paths; none for a host and for an edge, which do not choose.
pub fn rule<'a>(spec: &'a ScenarioSpec, topology: &Topology, node: usize) -> Option<&'a PathsSpec> {
    let planned = topology.nodes[node];
    let number = planned.member.spec();
    match planned.kind {
        NodeKind::Switch => Some(&spec.switch.0[number].1.paths),
        NodeKind::Router => Some(&spec.router.0[number].1.paths),
        NodeKind::Host | NodeKind::Edge => None,
    }
}

/// Distances in links, beyond any path.
const FAR: u32 = u32::MAX;

/// Finds the meshes of flows.
pub struct MeshSearch<'a> {
    topology: &'a Topology,
    /// By node, true if it uses several paths.
    divides: Rc<[bool]>,
    /// By node, the hops from it to nodes that forward.
    trunks: &'a [Vec<Hop>],
    /// By node that a search led to, the distances of all nodes from it.
    distances: BTreeMap<usize, Vec<u32>>,
}

/// One direction of a flow.
struct Way<'a> {
    /// The first node that forwards.
    start: usize,
    /// The hop to the host.
    last: Hop,
    /// The path in this direction, which a node with a single path keeps to.
    path: &'a [Hop],
}

impl<'a> MeshSearch<'a> {
    /// The search in a topology with these trunks; none if no node chooses among paths.
    pub fn new(
        spec: &ScenarioSpec,
        topology: &'a Topology,
        trunks: &'a [Vec<Hop>],
    ) -> Option<MeshSearch<'a>> {
        let divides = |node| rule(spec, topology, node).is_some_and(|rule| rule.divides());
        let divides: Rc<[bool]> = (0..topology.nodes.len()).map(divides).collect();
        divides.contains(&true).then(|| MeshSearch {
            topology,
            divides,
            trunks,
            distances: BTreeMap::new(),
        })
    }

    /// The mesh of a flow with this path of fewest links; none if it is the only one. A VC goes back
    /// on its path.
    pub fn mesh(&mut self, path: &[Hop], is_cells: bool) -> Option<Mesh> {
        let (first, last) = (path[0], path[path.len() - 1]);
        if first == last {
            return None;
        }
        let back: Vec<Hop> = path.iter().rev().map(|hop| hop.back()).collect();
        let there = self.next(&Way {
            start: self.topology.head(first),
            last,
            path,
        });
        let back = if is_cells {
            BTreeMap::new()
        } else {
            self.next(&Way {
                start: self.topology.head(last.back()),
                last: first.back(),
                path: &back,
            })
        };
        let mut hops = BTreeSet::from([first.number()]);
        hops.extend(there.values().flatten().map(|hop| hop.number()));
        hops.extend(back.values().flatten().map(|hop| hop.back().number()));
        if hops.len() == path.len() {
            return None;
        }
        let topology = self.topology;
        let from_first = self.distances(topology.head(first));
        let labels = hops.into_iter().map(|number| {
            let hop = Hop(number);
            let tail = topology.head(hop.back());
            let level = if hop == first {
                0
            } else {
                from_first[tail].saturating_add(1)
            };
            Label {
                hop,
                vc: Vc(0),
                level,
            }
        });
        let labels = labels.collect();
        let next = [there, back].map(|next| {
            let next = next.into_iter();
            next.map(|(node, hops)| NextHops {
                node,
                hops: hops.into(),
            })
            .collect()
        });
        Some(Mesh { labels, next })
    }

    /// The distance of each node from `goal`, in links.
    fn distances(&mut self, goal: usize) -> &[u32] {
        let (topology, trunks) = (self.topology, self.trunks);
        let known = self.distances.entry(goal);
        known.or_insert_with(|| distances(topology, trunks, goal))
    }

    /// The next hops of each node that packets of one direction may reach.
    fn next(&mut self, way: &Way<'_>) -> BTreeMap<usize, Vec<Hop>> {
        let (topology, trunks) = (self.topology, self.trunks);
        let goal = topology.head(way.last.back());
        let divides = self.divides.clone();
        let distances = self.distances(goal);
        let mut next = BTreeMap::new();
        let mut reached = VecDeque::from([way.start]);
        while let Some(node) = reached.pop_front() {
            if next.contains_key(&node) {
                continue;
            }
            let mut hops: Vec<Hop> = if node == goal {
                vec![way.last]
            } else {
                let nearer = |hop: &&Hop| distances[topology.head(**hop)] < distances[node];
                trunks[node].iter().filter(nearer).copied().collect()
            };
            if !divides[node] {
                let usual = hops.iter().find(|hop| way.path.contains(hop));
                let usual = usual.or(hops.first()).copied();
                hops = usual.into_iter().collect();
            }
            let forwarding = hops.iter().filter(|hop| **hop != way.last);
            reached.extend(forwarding.map(|hop| topology.head(*hop)));
            next.insert(node, hops);
        }
        next
    }
}

/// The distance of each node from `goal`, in links.
fn distances(topology: &Topology, trunks: &[Vec<Hop>], goal: usize) -> Vec<u32> {
    let mut distances = vec![FAR; trunks.len()];
    distances[goal] = 0;
    let mut queue = VecDeque::from([goal]);
    while let Some(node) = queue.pop_front() {
        for hop in &trunks[node] {
            let next = topology.head(*hop);
            if distances[next] == FAR {
                distances[next] = distances[node] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

/// Reports flows that cannot take several paths: those whose packets edges segment, those in cells
/// that would not stay in order, and those in cells over links with credit.
pub fn check(plan: &Plan, problems: &mut Problems) {
    let mut blamed = None;
    for planned in &plan.flows {
        let spec = planned.member.spec();
        let Some(mesh) = planned.mesh.as_deref().filter(|_| blamed != Some(spec)) else {
            continue;
        };
        let name = &plan.spec.flow.0[spec].0;
        let at = Path::root().key("flow").key(name).key("route");
        let kind = |label: &Label| plan.topology.nodes[plan.topology.head(label.hop)].kind;
        let has_credit = |label: &Label| plan.link_spec(label.hop.link()).credit.is_some();
        let found = if mesh
            .labels
            .iter()
            .any(|label| kind(label) == NodeKind::Edge)
        {
            let problem = "the flow passes edges and has several equal paths";
            Some(Problem::new(&at, None, problem).hint(ROUTE))
        } else if planned.in_cells().is_empty() {
            None
        } else if let Some(problem) = out_of_order(plan, mesh) {
            Some(problem)
        } else if mesh.labels.iter().any(has_credit) {
            let problem = "the VC has several equal paths, over a link with credit";
            Some(Problem::new(&at, None, problem).hint(ROUTE))
        } else {
            None
        };
        if let Some(problem) = found {
            blamed = Some(spec);
            problems.add(problem);
        }
    }
}

/// The hint that gives a flow one path.
const ROUTE: &str = "write the nodes of one path, or let the nodes have `paths.single = {}`";

/// The problem of a node that would send the cells of a VC over several links.
fn out_of_order(plan: &Plan, mesh: &Mesh) -> Option<Problem> {
    let rule = |node: usize| rule(&plan.spec, &plan.topology, node);
    let mut dividing = mesh.dividing().filter_map(|node| Some((node, rule(node)?)));
    let (node, rule) = dividing.find(|(_, rule)| !rule.keeps_together())?;
    let planned = plan.topology.nodes[node];
    let name = plan.node_name(node);
    let at = Path::root()
        .key(planned.kind.word())
        .key(&name)
        .key("paths");
    let problem = format!("`{name}` forwards cells, and the cells of a VC stay in order");
    let others = hints::kinds(|one: &PathsSpec| one.keeps_together());
    let hint = format!("choose {others}, or carry the flows in whole packets");
    Some(Problem::new(&at.key(rule.kind()), None, problem).hint(hint))
}
