//! The picture of a network: its nodes, with equal hosts gathered, and their positions.

use std::collections::{BTreeMap, BTreeSet};

use models::link::credit::CreditSpec;
use models::link::loss::LossSpec;
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

/// A node of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: Name,
    /// True for a host; false for a switch, a router or an edge.
    pub is_host: bool,
}

/// A link of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Numbers of its two nodes.
    pub ends: [usize; 2],
    /// Rate in bits per second.
    pub rate: u64,
    /// Propagation delay in seconds.
    pub delay: f64,
    /// Components of its loss and credit.
    pub beyond: Vec<String>,
}

/// A topology in which equal hosts of a group are one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The drawn nodes.
    pub nodes: Vec<DrawnNode>,
    /// The node of the scenario that represents each node.
    pub stands_for: Vec<usize>,
    /// One link for all links between the same drawn nodes: its nodes, and its number.
    pub links: Vec<([usize; 2], usize)>,
}

/// A drawn node.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnNode {
    /// Number of the node, or of the first of those that it represents.
    pub node: usize,
    /// Name of the node, or of several members of a group together: `sender[0..9]`.
    pub name: String,
    /// Position across and upwards, in units of a layout.
    pub place: Position,
}

/// Gathers equal hosts, and places every drawn node.
///
/// Many equal hosts of a group at the same nodes, with equal links, are drawn as one. `flows` has the
/// hosts at which each flow begins and ends.
pub fn arrange(nodes: &[Node], links: &[Link], flows: &[[usize; 2]]) -> Picture {
    let mut drawn = gathered(nodes, links);
    let numbers: Vec<usize> = drawn.nodes.iter().map(|known| known.node).collect();
    let mut beside = vec![BTreeSet::new(); nodes.len()];
    for ([first, second], _) in &drawn.links {
        beside[*first].insert(*second);
        beside[*second].insert(*first);
    }
    // A host with several neighbours is placed among them.
    let is_inner = |node: usize| !nodes[node].is_host || beside[node].len() > 1;
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
    let mut balance = places::FlowBalance::new();
    for [from, to] in flows {
        *balance.entry(drawn.stands_for[*from]).or_default() += 1;
        *balance.entry(drawn.stands_for[*to]).or_default() -= 1;
    }
    let mut places = if inner.is_empty() {
        places::beside_each_other(&numbers)
    } else {
        places::layout(&inner, &hosts, &balance)
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

/// A link as a host has it: the node at its far end, its rate, the bits of its delay, and its
/// components of loss and credit.
type OwnLink<'a> = (usize, u64, u64, &'a [String]);

/// The features in which equal hosts agree; a node that is no member of a group is equal to no other.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Likeness<'a> {
    Alone(usize),
    Member {
        group: &'a str,
        links: Vec<OwnLink<'a>>,
    },
}

/// The topology, with equal hosts of a group as one node; no node has a place.
fn gathered(nodes: &[Node], links: &[Link]) -> Picture {
    let mut like: Vec<Vec<usize>> = Vec::new();
    let mut places = BTreeMap::new();
    for (number, likeness) in likenesses(nodes, links).into_iter().enumerate() {
        let place = *places.entry(likeness).or_insert_with(|| {
            like.push(Vec::new());
            like.len() - 1
        });
        like[place].push(number);
    }
    let most = match nodes.iter().filter(|node| !node.is_host).count() {
        1 => IN_A_STAR,
        2.. if nodes.len() > CROWD => IN_A_CROWD,
        _ => GATHERED,
    };
    let mut drawn = Picture {
        stands_for: vec![0; nodes.len()],
        ..Picture::default()
    };
    for members in like {
        let length = if members.len() <= most {
            1
        } else {
            members.len()
        };
        for members in members.chunks(length) {
            drawn.nodes.push(DrawnNode {
                node: members[0],
                name: name(nodes, members),
                place: (0.0, 0.0),
            });
            for node in members {
                drawn.stands_for[*node] = members[0];
            }
        }
    }
    let mut known = BTreeSet::new();
    for (number, link) in links.iter().enumerate() {
        let ends = link.ends.map(|end| drawn.stands_for[end]);
        if known.insert(ends) {
            drawn.links.push((ends, number));
        }
    }
    drawn
}

/// The features of each node.
fn likenesses<'a>(nodes: &'a [Node], links: &'a [Link]) -> Vec<Likeness<'a>> {
    let mut links_of: Vec<Vec<&Link>> = vec![Vec::new(); nodes.len()];
    for link in links {
        for end in link.ends {
            links_of[end].push(link);
        }
    }
    let nodes = nodes.iter().enumerate();
    nodes
        .map(|(number, node)| {
            let is_member = node.is_host && node.name.number.is_some();
            if !is_member || links_of[number].is_empty() {
                return Likeness::Alone(number);
            }
            let own = links_of[number].iter().map(|link| {
                let [first, second] = link.ends;
                let far = if first == number { second } else { first };
                (far, link.rate, link.delay.to_bits(), link.beyond.as_slice())
            });
            Likeness::Member {
                group: &node.name.group,
                links: own.collect(),
            }
        })
        .collect()
}

/// The name of a node, or of several members of a group together.
fn name(nodes: &[Node], members: &[usize]) -> String {
    let first = &nodes[members[0]].name;
    let numbers = members.iter().filter_map(|node| nodes[*node].name.number);
    let numbers: Vec<u32> = numbers.collect();
    let (group, [least, next, ..]) = (&first.group, &numbers[..]) else {
        return first.to_string();
    };
    let greatest = numbers[numbers.len() - 1];
    if (*least..=greatest).eq(numbers.iter().copied()) {
        format!("{group}[{least}..{greatest}]")
    } else {
        format!("{group}[{least}, {next}, …]")
    }
}

/// The nodes and links of a plan.
pub fn of_plan(plan: &Plan) -> (Vec<Node>, Vec<Link>) {
    let nodes = plan.topology.nodes.iter().enumerate();
    let nodes = nodes.map(|(number, node)| Node {
        name: Name::of_node(plan, number),
        is_host: node.kind == NodeKind::Host,
    });
    let links = plan.topology.links.iter().enumerate();
    let links = links.map(|(number, link)| {
        let spec = plan.link_spec(number);
        let loss = spec.loss.as_ref().map(LossSpec::kind);
        let credit = spec.credit.as_ref().map(CreditSpec::kind);
        Link {
            ends: link.ends(),
            rate: spec.rate.bits_per_second(),
            delay: spec.delay.0.seconds(),
            beyond: loss.into_iter().chain(credit).map(String::from).collect(),
        }
    });
    (nodes.collect(), links.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A switch, and a group of hosts that have links to it.
    fn star(hosts: u32) -> (Vec<Node>, Vec<Link>) {
        let switch = Node {
            name: Name::alone("s"),
            is_host: false,
        };
        let members = (0..hosts).map(|number| Node {
            name: Name {
                group: "a".into(),
                number: Some(number),
            },
            is_host: true,
        });
        let links = (1..=hosts as usize).map(|host| Link {
            ends: [host, 0],
            rate: 1,
            delay: 0.0,
            beyond: Vec::new(),
        });
        (
            [switch].into_iter().chain(members).collect(),
            links.collect(),
        )
    }

    #[test]
    fn equal_hosts_are_one_node_if_there_are_many() {
        let (mut nodes, mut links) = star(IN_A_STAR as u32 + 1);
        let drawn = arrange(&nodes, &links, &[]);
        assert_eq!(drawn.nodes.len(), 2);
        assert_eq!(drawn.nodes[1].name, "a[0..40]");
        assert_eq!((drawn.stands_for[0], drawn.stands_for[7]), (0, 1));
        assert_eq!(drawn.links, [([1, 0], 0)]);
        links[3].rate = 2;
        let drawn = arrange(&nodes, &links, &[]);
        assert_eq!(drawn.nodes.len(), 42, "few are left that are equal");
        nodes[4].name = Name::alone("b");
        let last = arrange(&nodes, &links, &[]).nodes.pop();
        assert_eq!(last.map(|node| node.name), Some("b".into()));
    }

    #[test]
    fn a_node_without_a_link_is_below_the_others() {
        let (mut nodes, links) = star(2);
        nodes.push(nodes[0].clone());
        nodes.push(Node {
            name: Name::alone("lost"),
            is_host: true,
        });
        let drawn = arrange(&nodes, &links, &[]);
        let lowest = drawn.nodes[..4]
            .iter()
            .map(|node| node.place.1)
            .fold(0.0, f64::min);
        assert!(drawn.nodes[4].place.1 < lowest);
    }
}
