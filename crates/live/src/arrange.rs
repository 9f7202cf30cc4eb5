//! The picture of a network: its nodes, with equal hosts gathered, and their positions.

use std::collections::{BTreeMap, BTreeSet};

use models::credit::CreditSpec;
use models::loss::LossSpec;
use scenario::lower::{NodeKind, Plan};
use scenario::report::Name;

use crate::places::{self, Position};

/// Largest number of equal hosts that are drawn one by one in any network.
const GATHERED: usize = 3;

/// Largest number of equal hosts that are drawn one by one around one switch.
const IN_A_STAR: usize = 40;

/// Largest number of equal hosts that are drawn one by one among many nodes.
const IN_A_CROWD: usize = 1;

/// Number of nodes above which a network counts as large.
const CROWD: usize = 24;

/// A topology in which equal hosts of a group are one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arranged {
    /// The drawn nodes.
    pub nodes: Vec<ArrangedNode>,
    /// The node of the scenario that represents each node.
    pub stands_for: Vec<usize>,
    /// One link for all links between the same drawn nodes: its nodes, and its number.
    pub links: Vec<([usize; 2], usize)>,
}

/// A drawn node.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrangedNode {
    /// Number of the node, or of the first of those that it represents.
    pub node: usize,
    /// Name of the node, or of several members of a group together: `sender[0..9]`.
    pub name: String,
    /// Position across and upwards, in units of a layout.
    pub place: Position,
}

/// Gathers equal hosts, and places every drawn node.
///
/// Many equal hosts of a group at one node, with equal links, are drawn as one.
pub fn arrange(plan: &Plan) -> Arranged {
    let mut drawn = gathered(plan);
    let kind = |node: usize| plan.topology.nodes[node].kind;
    let numbers: Vec<usize> = drawn.nodes.iter().map(|known| known.node).collect();
    let is_inner = |node: usize| kind(node) != NodeKind::Host;
    let inner_nodes = numbers.iter().filter(|node| is_inner(**node));
    let mut inner: places::Neighbours = inner_nodes.map(|node| (*node, Vec::new())).collect();
    let mut hosts = places::Neighbours::new();
    for ([first, second], _) in &drawn.links {
        for (node, other) in [(*first, *second), (*second, *first)] {
            match (is_inner(node), is_inner(other)) {
                (true, true) => inner.entry(node).or_default().push(other),
                (true, false) => hosts.entry(node).or_default().push(other),
                (false, _) => {}
            }
        }
    }
    let mut places = if inner.is_empty() {
        places::beside_each_other(&numbers)
    } else {
        places::layout(&inner, &hosts)
    };
    let known: BTreeSet<usize> = hosts
        .values()
        .flatten()
        .chain(inner.keys())
        .copied()
        .collect();
    let lowest = places
        .values()
        .map(|(_, y)| *y)
        .fold(f64::INFINITY, f64::min);
    let is_alone = |node: &&usize| !inner.is_empty() && !known.contains(node);
    let alone: Vec<usize> = numbers.iter().filter(is_alone).copied().collect();
    for (index, node) in alone.into_iter().enumerate() {
        places.insert(node, (2.0 * index as f64, lowest - 1.5));
    }
    for known in &mut drawn.nodes {
        known.place = places[&known.node];
    }
    drawn
}

/// What equal hosts have in common; a node that is no member of a group has only itself.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Alone(usize),
    Member {
        group: String,
        neighbour: usize,
        /// Rate, delay, and components of loss and credit of the link.
        link: (u64, u64, [Option<&'static str>; 2]),
    },
}

/// The topology, with equal hosts of a group as one node; no node has a place.
fn gathered(plan: &Plan) -> Arranged {
    let topology = &plan.topology;
    let mut like: Vec<Vec<usize>> = Vec::new();
    let mut places = BTreeMap::new();
    for (number, likeness) in likenesses(plan).into_iter().enumerate() {
        let place = *places.entry(likeness).or_insert_with(|| {
            like.push(Vec::new());
            like.len() - 1
        });
        like[place].push(number);
    }
    let forwarding = topology
        .nodes
        .iter()
        .filter(|node| node.kind != NodeKind::Host)
        .count();
    let most = match forwarding {
        1 => IN_A_STAR,
        2.. if topology.nodes.len() > CROWD => IN_A_CROWD,
        _ => GATHERED,
    };
    let mut drawn = Arranged {
        stands_for: vec![0; topology.nodes.len()],
        ..Arranged::default()
    };
    for nodes in like {
        let parts = nodes.chunks(if nodes.len() <= most { 1 } else { nodes.len() });
        for nodes in parts {
            drawn.nodes.push(ArrangedNode {
                node: nodes[0],
                name: name(plan, nodes),
                place: (0.0, 0.0),
            });
            for node in nodes {
                drawn.stands_for[*node] = nodes[0];
            }
        }
    }
    let mut known = BTreeSet::new();
    for (number, link) in topology.links.iter().enumerate() {
        let ends = link.ends().map(|end| drawn.stands_for[end]);
        if known.insert(ends) {
            drawn.links.push((ends, number));
        }
    }
    drawn
}

/// What each node has in common with others.
fn likenesses(plan: &Plan) -> Vec<Likeness> {
    let topology = &plan.topology;
    let mut links_of = vec![Vec::new(); topology.nodes.len()];
    for (number, link) in topology.links.iter().enumerate() {
        link.ends()
            .into_iter()
            .for_each(|end| links_of[end].push(number));
    }
    let nodes = topology.nodes.iter().enumerate();
    nodes
        .map(|(number, node)| {
            let name = Name::of_node(plan, number);
            let ([link], NodeKind::Host, Some(_)) = (&links_of[number][..], node.kind, name.number)
            else {
                return Likeness::Alone(number);
            };
            let [first, second] = topology.links[*link].ends();
            let spec = plan.link_spec(*link);
            let loss = spec.loss.as_ref().map(LossSpec::kind);
            let credit = spec.credit.as_ref().map(CreditSpec::kind);
            Likeness::Member {
                group: name.group,
                neighbour: if first == number { second } else { first },
                link: (
                    spec.rate.bits_per_second(),
                    spec.delay.0.ps(),
                    [loss, credit],
                ),
            }
        })
        .collect()
}

/// The name of a node, or of several members of a group together.
fn name(plan: &Plan, nodes: &[usize]) -> String {
    let names: Vec<Name> = nodes
        .iter()
        .map(|node| Name::of_node(plan, *node))
        .collect();
    let numbers: Vec<u32> = names.iter().filter_map(|name| name.number).collect();
    let (group, [first, second, ..]) = (&names[0].group, &numbers[..]) else {
        return names[0].to_string();
    };
    let last = numbers[numbers.len() - 1];
    if (*first..=last).eq(numbers.iter().copied()) {
        format!("{group}[{first}..{last}]")
    } else {
        format!("{group}[{first}, {second}, …]")
    }
}
