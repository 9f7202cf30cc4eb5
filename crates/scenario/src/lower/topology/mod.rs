//! Nodes and links of a scenario, with every member of every group.

pub(in crate::lower) mod expanded;
pub(in crate::lower) mod member;
pub(in crate::lower) mod names;
pub(in crate::lower) mod rows;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use models::flow::Pairs;
use models::group::MOST_TOGETHER;
use parameters::{Path, Problem, Problems, suggest};

use crate::lower::Hop;
use crate::scope::Name;
use crate::spec::ScenarioSpec;
use member::TableMember;
use rows::Rows;

/// Nodes and links by number.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Hosts, then switches, routers and edges, each in the order in which they were written.
    pub nodes: Vec<PlannedNode>,
    /// Links in the order in which they were written.
    pub links: Vec<PlannedLink>,
    groups: BTreeMap<String, Group>,
    /// Hops that leave each node, in the order of the links; the outputs of the node have the same
    /// order.
    hops: Rows<Hop>,
    /// Links beside which another link joins the same two nodes.
    parallel: BTreeSet<usize>,
    /// True if a link was refused: paths and links that seem to be absent may then be a consequence.
    lacks_links: bool,
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct PlannedNode {
    /// Kind of the node.
    pub kind: NodeKind,
    /// Table in the scenario, and number in a group.
    pub member: TableMember,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A host.
    Host,
    /// A switch.
    Switch,
    /// A router.
    Router,
    /// An edge router.
    Edge,
}

impl NodeKind {
    /// The word for the kind, as in the names of scenario tables.
    pub fn word(self) -> &'static str {
        match self {
            NodeKind::Host => "host",
            NodeKind::Switch => "switch",
            NodeKind::Router => "router",
            NodeKind::Edge => "edge",
        }
    }
}

/// A link between two nodes.
#[derive(Clone, Debug)]
pub struct PlannedLink {
    /// Table in the scenario, and number in a group.
    pub member: TableMember,
    /// The two nodes.
    ends: [u32; 2],
    /// Number of the link among the outputs of each of its nodes, and among the inputs.
    outputs: [u32; 2],
}

impl PlannedLink {
    /// The two nodes.
    pub fn ends(&self) -> [usize; 2] {
        self.ends.map(|end| end as usize)
    }
}

/// Nodes that share a name.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    first: usize,
    count: usize,
    /// Members are called `name[0]` and so on.
    numbered: bool,
}

impl Group {
    /// The nodes of the group.
    pub fn members(self) -> impl Iterator<Item = usize> {
        self.first..self.first + self.count
    }

    /// Number of nodes in the group.
    pub fn count(self) -> usize {
        self.count
    }

    /// True if the members of the group are called `name[0]` and so on.
    pub fn is_numbered(self) -> bool {
        self.numbered
    }
}

impl Topology {
    /// Expands the groups of a scenario, unless they have too many members.
    pub fn new(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Topology> {
        if let Some(problem) = too_many(spec) {
            problems.add(problem);
            return None;
        }
        let mut topology = Topology::default();
        let root = Path::root();
        for (index, (name, host)) in spec.host.iter().enumerate() {
            let at = root.key("host").key(name);
            topology.add(name, host.count, (NodeKind::Host, index), &at, problems);
        }
        for (index, name) in spec.switch.names().enumerate() {
            let at = root.key("switch").key(name);
            topology.add(name, None, (NodeKind::Switch, index), &at, problems);
        }
        for (index, name) in spec.router.names().enumerate() {
            let at = root.key("router").key(name);
            topology.add(name, None, (NodeKind::Router, index), &at, problems);
        }
        for (index, (name, edge)) in spec.edge.iter().enumerate() {
            let at = root.key("edge").key(name);
            topology.add(name, edge.count, (NodeKind::Edge, index), &at, problems);
        }
        let mut hops = vec![Vec::new(); topology.nodes.len()];
        for (index, (name, link)) in spec.link.iter().enumerate() {
            let at = root.key("link").key(name);
            let ends = topology.ends(&link.between, &at, problems);
            let joined =
                ends.and_then(|ends| topology.join(spec, index, ends, &mut hops, &at, problems));
            topology.lacks_links |= joined.is_none();
        }
        topology.nodes.shrink_to_fit();
        topology.links.shrink_to_fit();
        topology.hops = hops.into_iter().collect();
        Some(topology)
    }

    /// True if another link joins the same two nodes.
    pub fn is_parallel(&self, link: usize) -> bool {
        self.parallel.contains(&link)
    }

    /// True if a link was refused, and its problem reported.
    pub fn lacks_links(&self) -> bool {
        self.lacks_links
    }

    /// Name of a node.
    pub fn name(&self, spec: &ScenarioSpec, node: usize) -> String {
        self.node(spec, node).to_string()
    }

    /// The hops that leave a node, by output; inputs are numbered alike.
    pub fn outputs(&self, node: usize) -> &[Hop] {
        &self.hops[node]
    }

    /// The number of a hop among the outputs of its node.
    pub fn output(&self, hop: Hop) -> usize {
        self.links[hop.link()].outputs[usize::from(hop.reverse())] as usize
    }

    /// The node that a hop leads to.
    pub fn head(&self, hop: Hop) -> usize {
        self.links[hop.link()].ends[usize::from(!hop.reverse())] as usize
    }

    fn add(
        &mut self,
        name: &str,
        count: Option<u32>,
        (kind, spec): (NodeKind, usize),
        at: &Path,
        problems: &mut Problems,
    ) {
        let numbered = count.is_some();
        let count = count.unwrap_or(1) as usize;
        let group = Group {
            first: self.nodes.len(),
            count,
            numbered,
        };
        if self.groups.insert(name.to_string(), group).is_some() {
            let problem = format!("another node is called `{name}`");
            problems.add(Problem::new(at, None, problem).hint("give each node its own name"));
        }
        for member in 0..count {
            let member = TableMember::new(spec, member, numbered);
            self.nodes.push(PlannedNode { kind, member });
        }
    }

    /// The group, or the single member such as `name[3]`, with a name.
    pub fn group(&self, name: &str, at: &Path, problems: &mut Problems) -> Option<Group> {
        if let Some(group) = self.groups.get(name) {
            return Some(*group);
        }
        let stem = Name::group_in(name);
        if stem != name
            && let Some(group) = self.groups.get(stem).filter(|group| group.numbered)
        {
            let number = Name::parts(name).and_then(|(_, number)| number);
            let index = number.map(|number| number as usize);
            if let Some(index) = index.filter(|index| *index < group.count) {
                return Some(Group {
                    first: group.first + index,
                    count: 1,
                    numbered: false,
                });
            }
            let problem = format!("`{name}` does not exist");
            let hint = format!("members are `{stem}[0]` to `{stem}[{}]`", group.count - 1);
            problems.add(Problem::new(at, None, problem).hint(hint));
            return None;
        }
        let names = || self.groups.keys().map(String::as_str);
        let hint = match suggest::meant(name, names()) {
            Some(meant) => meant.to_string(),
            None if self.groups.is_empty() => {
                "declare it as `[host.NAME]` or `[switch.NAME]`".into()
            }
            None => format!("the nodes are {}", suggest::listed(names())),
        };
        problems.add(Problem::new(at, None, format!("there is no node `{name}`")).hint(hint));
        None
    }

    fn ends(&self, between: &[String], at: &Path, problems: &mut Problems) -> Option<[Group; 2]> {
        let at = at.key("between");
        let [first, second] = between else {
            let problem = format!("{} nodes are named where a link joins two", between.len());
            let hint = "write for example `between = [\"sender\", \"s1\"]`";
            problems.add(Problem::new(&at, None, problem).hint(hint));
            return None;
        };
        let ends = [
            self.group(first, &at.index(0), problems),
            self.group(second, &at.index(1), problems),
        ];
        let [Some(first), Some(second)] = ends else {
            return None;
        };
        if first.count > 1 && second.count > 1 && first.count != second.count {
            let problem = format!(
                "a group of {} meets a group of {}",
                first.count, second.count
            );
            let hint = "join groups of equal size, or a group and a single node";
            problems.add(Problem::new(&at, None, problem).hint(hint));
            return None;
        }
        Some([first, second])
    }

    /// The first link that joins two nodes, if one of the `hops` passes it.
    fn joining(&self, [first, second]: [usize; 2], hops: &[Vec<Hop>]) -> Option<usize> {
        // The search starts at the node with fewer hops: a host has few, a switch may have thousands.
        let [fewer, other] = if hops[first].len() <= hops[second].len() {
            [first, second]
        } else {
            [second, first]
        };
        let mut leaving = hops[fewer].iter();
        let hop = leaving.find(|hop| self.head(**hop) == other)?;
        Some(hop.link())
    }

    /// Links two groups, and adds the hops to those that leave each node; none if a link is refused.
    fn join(
        &mut self,
        spec: &ScenarioSpec,
        index: usize,
        ends: [Group; 2],
        hops: &mut [Vec<Hop>],
        at: &Path,
        problems: &mut Problems,
    ) -> Option<()> {
        let numbered = ends.iter().any(|end| end.numbered);
        for (member, ends) in pairs(ends[0], ends[1]).enumerate() {
            let at = at.key("between");
            if ends[0] == ends[1] {
                let problem = format!("`{}` is joined to itself", self.name(spec, ends[0]));
                problems.add(Problem::new(&at, None, problem).hint("name two different nodes"));
                return None;
            }
            if let Some(other) = self.joining(ends, hops) {
                self.parallel.extend([other, self.links.len()]);
            }
            let link = self.links.len();
            let outputs = ends.map(|end| hops[end].len());
            hops[ends[0]].push(Hop::new(link, false));
            hops[ends[1]].push(Hop::new(link, true));
            self.links.push(PlannedLink {
                member: TableMember::new(index, member, numbered),
                ends: ends.map(|end| end as u32),
                outputs: outputs.map(|output| output as u32),
            });
        }
        Some(())
    }
}

/// The problem of the largest group, if all groups together have too many members.
fn too_many(spec: &ScenarioSpec) -> Option<Problem> {
    let hosts = spec
        .host
        .iter()
        .map(|(name, host)| ("host", name, host.count));
    let edges = spec
        .edge
        .iter()
        .map(|(name, edge)| ("edge", name, edge.count));
    let groups: Vec<_> = hosts
        .chain(edges)
        .map(|(family, name, count)| (family, name, u64::from(count.unwrap_or(1))))
        .collect();
    let total: u64 = groups.iter().map(|(_, _, count)| count).sum();
    if total <= MOST_TOGETHER.unsigned_abs() {
        return None;
    }
    let (family, name, count) = groups.into_iter().max_by_key(|(_, _, count)| *count)?;
    let at = Path::root().key(family).key(name).key("count");
    let problem = format!("with the `{count}` of this group there are `{total}` hosts and edges");
    let excess = total - MOST_TOGETHER.unsigned_abs();
    let hint = format!(
        "write at most `{}`: all groups together have {MOST_TOGETHER} members at most",
        count.saturating_sub(excess).max(1)
    );
    Some(Problem::new(&at, None, problem).hint(hint))
}

/// Pairs of members of two groups: member by member, or, if one group has a single member, that
/// member with all of the other group.
pub fn pairs(first: Group, second: Group) -> impl Iterator<Item = [usize; 2]> {
    let count = first.count.max(second.count);
    let member = move |group: Group, index: usize| group.first + index.min(group.count - 1);
    (0..count).map(move |index| [member(first, index), member(second, index)])
}

/// Pairs of members of two groups with a flow from the first to the second.
pub fn flow_pairs(first: Group, second: Group, chosen: Pairs) -> Vec<[usize; 2]> {
    match chosen {
        Pairs::Members => pairs(first, second).collect(),
        Pairs::Next => {
            let count = first.count.max(second.count);
            let next = |index: usize| second.first + (index + 1) % second.count;
            let member = |index: usize| first.first + index % first.count;
            (0..count)
                .map(|index| [member(index), next(index)])
                .collect()
        }
        Pairs::All => {
            let to = |one| second.members().map(move |other| [one, other]);
            let all = first.members().flat_map(to);
            all.filter(|[one, other]| one != other).collect()
        }
    }
}
