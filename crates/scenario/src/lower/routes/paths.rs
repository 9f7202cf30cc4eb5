//! Flows with several paths: the next links of each flow at every node that its packets may reach.
//!
//! All paths of fewest links count, parallel links included. A flow that always has one path has no
//! mesh: it is lowered and run as if no rule for several paths existed. The labels are our own design:
//! as in MPLS (RFC 3031), a packet carries a label that is valid on one link, and a flow has one for
//! each link that its packets may pass.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kernel::Duration;
use models::paths::PathsSpec;
use models::wire::vc::Vc;
use parameters::{Path, Problem, Problems};

use super::repairs;
use crate::lower::checks::hints;
use crate::lower::topology::{NodeKind, Topology};
use crate::lower::{Hop, Plan};
use crate::spec::ScenarioSpec;

/// The links of a flow that has several paths.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The links, in order of [`FlowHop::hop`].
    pub labels: Box<[FlowHop]>,
    /// The next links at each node, by direction: towards the receiving host, and back. None back for a
    /// flow in cells, whose VC goes back on its path.
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

    /// The nodes at which one of several links is chosen.
    pub fn dividing(&self) -> impl Iterator<Item = usize> {
        let nodes = self.next.iter().flatten();
        let dividing = nodes.filter(|next| next.sets.iter().any(|hops| hops.len() > 1));
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
pub const FAR: u32 = u32::MAX;

/// Finds the meshes of flows.
pub struct MeshSearch<'a> {
    topology: &'a Topology,
    /// By node, true if it uses several paths.
    divides: Vec<bool>,
    /// By node, the hops from it to nodes that forward.
    trunks: &'a [Vec<Hop>],
    /// The links that routes avoid, before the first change of routes and after each of them.
    avoided: Vec<BTreeSet<usize>>,
    /// By node that a search led to and number of changes, the distances of all nodes from it.
    distances: BTreeMap<(usize, usize), Vec<u32>>,
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
    /// The search in a topology with these trunks; none if no node chooses among paths and no route
    /// changes.
    pub fn new(
        spec: &ScenarioSpec,
        topology: &'a Topology,
        trunks: &'a [Vec<Hop>],
    ) -> Option<MeshSearch<'a>> {
        let divides = |node| rule(spec, topology, node).is_some_and(|rule| rule.divides());
        let divides: Vec<bool> = (0..topology.nodes.len()).map(divides).collect();
        let avoided = repairs::avoided(spec, topology);
        (divides.contains(&true) || avoided.len() > 1).then(|| MeshSearch {
            topology,
            divides,
            trunks,
            avoided,
            distances: BTreeMap::new(),
        })
    }

    /// The mesh of a flow with this path of fewest links; none if it always takes it. A VC keeps to the
    /// path on which it was set up, in both directions.
    pub fn mesh(&mut self, path: &[Hop], is_cells: bool) -> Option<Mesh> {
        let (first, last) = (path[0], path[path.len() - 1]);
        if first == last {
            return None;
        }
        let back: Vec<Hop> = path.iter().rev().map(|hop| hop.back()).collect();
        let times = if is_cells { 1 } else { self.avoided.len() };
        let way = Way {
            start: self.topology.head(first),
            last,
            path,
        };
        let there = self.next(&way, times);
        let way = Way {
            start: self.topology.head(last.back()),
            last: first.back(),
            path: &back,
        };
        let back = if is_cells {
            Vec::new()
        } else {
            self.next(&way, times)
        };
        let hops = |next: &[NextHops]| -> Vec<Hop> {
            let sets = next.iter().flat_map(|next| &next.sets);
            sets.flatten().copied().collect()
        };
        let mut numbers = BTreeSet::from([first.number()]);
        numbers.extend(hops(&there).iter().map(|hop| hop.number()));
        numbers.extend(hops(&back).iter().map(|hop| hop.back().number()));
        let changes = |next: &NextHops| next.sets.len() > 1;
        if numbers.len() == path.len() && !there.iter().chain(&back).any(changes) {
            return None;
        }
        let topology = self.topology;
        let from_first = self.distances(topology.head(first), 0);
        let labels = numbers.into_iter().map(|number| {
            let hop = Hop(number);
            let level = if hop == first {
                0
            } else {
                from_first[topology.head(hop.back())].saturating_add(1)
            };
            FlowHop {
                hop,
                vc: Vc(0),
                level,
            }
        });
        let labels = labels.collect();
        Some(Mesh {
            labels,
            next: [there.into(), back.into()],
        })
    }

    /// The next hops of each node that packets of one direction may reach, before the first change of
    /// routes and after each of the others.
    fn next(&mut self, way: &Way<'_>, times: usize) -> Vec<NextHops> {
        let mut next: BTreeMap<usize, NextHops> = BTreeMap::new();
        let mut reached = VecDeque::from([way.start]);
        while let Some(node) = reached.pop_front() {
            if next.contains_key(&node) {
                continue;
            }
            let (mut sets, mut in_force) = (Vec::<Box<[Hop]>>::new(), Vec::new());
            for time in 0..times {
                let hops = self.next_of(node, way, time);
                let known = sets.iter().position(|set| **set == *hops);
                in_force.push(known.unwrap_or(sets.len()) as u32);
                if known.is_none() {
                    sets.push(hops.into());
                }
            }
            let forwarding = sets.iter().flatten().filter(|hop| **hop != way.last);
            reached.extend(forwarding.map(|hop| self.topology.head(*hop)));
            let in_force = in_force.into();
            next.insert(
                node,
                NextHops {
                    node,
                    sets,
                    in_force,
                },
            );
        }
        next.into_values().collect()
    }

    /// The next hops of a node after so many changes of routes.
    fn next_of(&mut self, node: usize, way: &Way<'_>, time: usize) -> Vec<Hop> {
        let topology = self.topology;
        let goal = topology.head(way.last.back());
        let mut hops: Vec<Hop> = if node == goal {
            vec![way.last]
        } else {
            let trunks = self.trunks;
            let distances = self.distances(goal, time);
            let nearer = |hop: &&Hop| distances[topology.head(**hop)] < distances[node];
            trunks[node].iter().filter(nearer).copied().collect()
        };
        hops.retain(|hop| !self.avoided[time].contains(&hop.link()));
        if !self.divides[node] {
            let usual = hops.iter().find(|hop| way.path.contains(hop));
            let usual = usual.or(hops.first()).copied();
            hops = usual.into_iter().collect();
        }
        hops
    }

    /// The distance of each node from `goal` after so many changes of routes, in links.
    fn distances(&mut self, goal: usize, time: usize) -> &[u32] {
        let (topology, trunks, avoided) = (self.topology, self.trunks, &self.avoided[time]);
        let known = self.distances.entry((goal, time));
        known.or_insert_with(|| distances(topology, trunks, avoided, goal))
    }
}

/// The distance of each node from `goal`, in links.
fn distances(
    topology: &Topology,
    trunks: &[Vec<Hop>],
    avoided: &BTreeSet<usize>,
    goal: usize,
) -> Vec<u32> {
    let mut distances = vec![FAR; trunks.len()];
    distances[goal] = 0;
    let mut queue = VecDeque::from([goal]);
    while let Some(node) = queue.pop_front() {
        for hop in trunks[node]
            .iter()
            .filter(|hop| !avoided.contains(&hop.link()))
        {
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
        let kind = |label: &FlowHop| plan.topology.nodes[plan.topology.head(label.hop)].kind;
        let has_credit = |label: &FlowHop| plan.link_spec(label.hop.link()).credit.is_some();
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
