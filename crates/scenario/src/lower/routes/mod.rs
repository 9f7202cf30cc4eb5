//! Flows and their paths: the explicit route, or the path of fewest links. Of several such paths,
//! the one written first in the scenario is chosen.
//!
//! The choice among equal paths is our own: a new link at the end of a file then moves no flow to a
//! path of equal length.

mod distances;
pub(in crate::lower) mod edges;
pub(in crate::lower) mod explicit;
pub(in crate::lower) mod first_links;
mod meshes;
pub(crate) mod paths;
pub(in crate::lower) mod repairs;

use std::collections::BTreeSet;

use models::flow::{FlowSpec, Pairs};
use parameters::{Path, Problem, Problems};

use crate::lower::topology::member::TableMember;
use crate::lower::topology::{self, Group};
use crate::lower::{Hop, NodeKind, PlannedFlow, PlannedPaths, Topology};
use crate::spec::ScenarioSpec;
use distances::{FAR, beside, distances, trunks};
use meshes::MeshSearch;

/// Largest number of flows; lowering reports a scenario with more.
const MOST: usize = 1_000_000;

/// The paths of the flows of a scenario, one flow for each member of a group.
pub fn paths_of(spec: &ScenarioSpec, topology: &Topology, problems: &mut Problems) -> PlannedPaths {
    let trunks = trunks(topology);
    let mut search = Search::new(topology, &trunks);
    let mut meshes = MeshSearch::new(spec, topology, &trunks);
    let mut flows: Vec<PlannedFlow> = Vec::new();
    // Tables of which a flow was refused, whose flows may seem to be absent as a consequence.
    let mut refused = BTreeSet::new();
    for (index, (name, flow)) in spec.flow.iter().enumerate() {
        let at = Path::root().key("flow").key(name);
        let Some([from, to]) = ends(topology, flow, &at, problems) else {
            refused.insert(index);
            continue;
        };
        let [senders, receivers] = [from, to].map(Group::count);
        let count = match flow.pairs {
            Pairs::All => senders.saturating_mul(receivers),
            Pairs::Members | Pairs::Next => senders.max(receivers),
        };
        if flows.len().saturating_add(count) > MOST {
            let problem = format!("more than {MOST} flows");
            let hint = "use smaller groups, or fewer flows";
            problems.add(Problem::new(&at, None, problem).hint(hint));
            refused.extend(index..spec.flow.len());
            break;
        }
        let numbered = from.is_numbered() || to.is_numbered();
        for (member, hosts) in topology::flow_pairs(from, to, flow.pairs)
            .into_iter()
            .enumerate()
        {
            if hosts.iter().any(|host| topology.outputs(*host).is_empty()) {
                // The check of nodes reports the host, unless a refused link ends there.
                refused.insert(index);
                break;
            }
            let path = match &flow.route {
                Some(route) => explicit::path(spec, topology, route, hosts, &at, problems),
                None => search.path(hosts, spec, &at, problems),
            };
            // All members of a group have the same problem, which is reported once.
            let Some(path) = path else {
                refused.insert(index);
                break;
            };
            let meshes = meshes.as_mut().filter(|_| flow.route.is_none());
            let mesh = meshes.and_then(|meshes| meshes.mesh(&path, flow.over.is_cells()));
            let member = TableMember::new(index, member, numbered);
            let in_cells = edges::in_cells(topology, &path, &flow.over);
            flows.push(PlannedFlow::new(member, path, in_cells, mesh));
        }
    }
    flows.shrink_to_fit();
    PlannedPaths::new(topology, flows, refused)
}

/// The hosts, or groups of hosts, of a flow.
fn ends(
    topology: &Topology,
    flow: &FlowSpec,
    at: &Path,
    problems: &mut Problems,
) -> Option<[Group; 2]> {
    let ends = [("from", &flow.from), ("to", &flow.to)]
        .map(|(key, end)| host(topology, end, &at.key(key), problems));
    let [Some(from), Some(to)] = ends else {
        return None;
    };
    let [senders, receivers] = [from, to].map(Group::count);
    let any = flow.pairs == Pairs::All;
    if !any && senders > 1 && receivers > 1 && senders != receivers {
        let problem = format!("a group of {senders} sends to a group of {receivers}");
        let hint = "use groups of equal size, a single host at one end, or `pairs = \"all\"`";
        problems.add(Problem::new(&at.key("to"), None, problem).hint(hint));
        return None;
    }
    Some([from, to])
}

/// The host or group of hosts at one end of a flow.
fn host(topology: &Topology, name: &str, at: &Path, problems: &mut Problems) -> Option<Group> {
    let group = topology.group(name, at, problems)?;
    let first = group.members().next()?;
    if topology.nodes[first].kind != NodeKind::Host {
        let problem = format!("`{name}` is not a host");
        problems.add(Problem::new(at, None, problem).hint("flows begin and end at hosts"));
        return None;
    }
    Some(group)
}

fn unreachable([from, to]: [usize; 2], name: impl Fn(usize) -> String, at: &Path) -> Problem {
    let [first, second] = [from, to].map(name);
    if from == to {
        let problem = format!("the flow ends where it begins, at `{first}`");
        return Problem::new(&at.key("to"), None, problem).hint("name two different hosts");
    }
    let problem = format!("there is no path from `{first}` to `{second}`");
    let hint = "join them by `[link.NAME]` tables; hosts do not forward";
    Problem::new(&at.key("to"), None, problem).hint(hint)
}

/// Searches for paths; consecutive flows to hosts at the same nodes use the result of one search.
struct Search<'a> {
    topology: &'a Topology,
    /// For each node, the hops from it to nodes that forward.
    trunks: &'a [Vec<Hop>],
    /// The nodes that the last search led to.
    goals: Vec<usize>,
    /// The distance of each node from the nearest of these nodes, in links.
    distances: Vec<u32>,
    /// The next hop from each node towards that node.
    nearer: Vec<Option<Hop>>,
}

impl<'a> Search<'a> {
    fn new(topology: &'a Topology, trunks: &'a [Vec<Hop>]) -> Search<'a> {
        Search {
            topology,
            trunks,
            goals: Vec::new(),
            distances: Vec::new(),
            nearer: Vec::new(),
        }
    }

    /// The path between two hosts; reports hosts without a path.
    fn path(
        &mut self,
        hosts: [usize; 2],
        spec: &ScenarioSpec,
        at: &Path,
        problems: &mut Problems,
    ) -> Option<Box<[Hop]>> {
        let path = self.fewest(hosts);
        // A refused link may be the missing part of the path.
        if path.is_none() && (hosts[0] == hosts[1] || !self.topology.lacks_links()) {
            let name = |node| self.topology.name(spec, node);
            problems.add(unreachable(hosts, name, at));
        }
        path
    }

    fn fewest(&mut self, [from, to]: [usize; 2]) -> Option<Box<[Hop]>> {
        if from == to {
            return None;
        }
        let topology = self.topology;
        let mut outputs = topology.outputs(from).iter();
        if let Some(direct) = outputs.find(|hop| topology.head(**hop) == to) {
            return Some([*direct].into());
        }
        let goals = beside(topology, to, &BTreeSet::new());
        if goals.is_empty() {
            return None;
        }
        if self.goals != goals {
            self.search(goals);
        }
        let remaining = |hop: &&Hop| self.distances[topology.head(**hop)];
        let first = topology.outputs(from).iter().min_by_key(remaining)?;
        let mut path = vec![*first];
        let mut node = topology.head(*first);
        while !self.goals.contains(&node) {
            let hop = self.nearer[node]?;
            path.push(hop);
            node = topology.head(hop);
        }
        let mut links = topology.outputs(to).iter();
        path.push(links.find(|hop| topology.head(**hop) == node)?.back());
        Some(path.into())
    }

    /// Finds for each node its first link on a path of fewest links to one of `goals`.
    fn search(&mut self, goals: Vec<usize>) {
        self.distances = distances(self.topology, self.trunks, &BTreeSet::new(), &goals);
        let remaining = |hop: &&Hop| self.distances[self.topology.head(**hop)];
        let nearest = |hops: &Vec<Hop>| {
            let hop = hops.iter().min_by_key(remaining)?;
            (remaining(&hop) != FAR).then_some(*hop)
        };
        self.nearer = self.trunks.iter().map(nearest).collect();
        self.goals = goals;
    }
}
