//! The positions at which the nodes of a network are drawn.
//!
//! Switches, routers and edges are placed first, with the hosts that have several neighbours, and
//! each other host beside its neighbour. If every node placed first has hosts, or if all are in a
//! line, the nodes are placed in columns by their distance in links from one end; otherwise, as in a
//! fat tree, in rows by their distance in links from the hosts. Within a column or row, nodes are
//! ordered by the positions of their neighbours in the previous column or row: Sugiyama, Tagawa and
//! Toda, "Methods for Visual Understanding of Hierarchical System Structures", IEEE Transactions on
//! Systems, Man, and Cybernetics 11(2), 1981.
//!
//! Columns are in the direction of the flows, from left to right. The hosts of a single switch are
//! at its left if they send and at its right if they receive; they are around it if there are many,
//! or if none only sends or receives.

use std::collections::{BTreeMap, VecDeque};
use std::f64::consts::PI;

/// A position across and upwards.
pub type Position = (f64, f64);

/// Nodes with their neighbours.
pub type Neighbours = BTreeMap<usize, Vec<usize>>;

/// Hosts with the number of flows that begin there, less the number of flows that end there.
pub type FlowBalance = BTreeMap<usize, i64>;

type Places = BTreeMap<usize, Position>;

/// Horizontal distance between neighbouring nodes.
const COLUMN: f64 = 2.3;

/// Vertical distance between neighbouring nodes.
const ROW: f64 = 1.0;

/// Largest ratio of width to height of a picture with rows; wider pictures get a larger distance
/// between rows.
const WIDEST: f64 = 4.0;

/// Largest number of hosts above one another at a side of a single switch.
const MOST_STACKED: usize = 16;

/// Number of passes that order nodes by the positions of their neighbours.
const ROUNDS: usize = 4;

/// The position of each node of a network with at least one switch, router or edge.
///
/// `inner` has these nodes, and the hosts with several neighbours, each with its neighbours among
/// them; `hosts` has the other hosts of each.
pub fn layout(
    inner: &Neighbours,
    hosts: &Neighbours,
    balance: &FlowBalance,
) -> BTreeMap<usize, Position> {
    if inner.len() == 1 {
        return by_flow(inner, hosts, balance).unwrap_or_else(|| around(inner, hosts));
    }
    let mut begin: Vec<usize> = inner.keys().copied().collect();
    if !hosts.is_empty() {
        begin.retain(|node| hosts.contains_key(node));
    }
    let ranks = distances(inner, &begin);
    if ranks.values().any(|rank| *rank > 0) && !is_line(inner) {
        in_rows(inner, hosts, &ranks)
    } else {
        let mut places = in_columns(inner, hosts);
        if is_leftwards(&places, balance) {
            for (across, _) in places.values_mut() {
                *across = -*across;
            }
        }
        places
    }
}

/// True if flows go to the left rather than to the right.
fn is_leftwards(places: &Places, balance: &FlowBalance) -> bool {
    let mut across = 0.0;
    for (host, flows) in balance {
        across += *flows as f64 * places.get(host).map_or(0.0, |(across, _)| *across);
    }
    across > 0.0
}

/// The positions of the nodes of a network without switches.
pub fn beside_each_other(nodes: &[usize]) -> BTreeMap<usize, Position> {
    let nodes = nodes.iter().enumerate();
    nodes
        .map(|(index, node)| (*node, (COLUMN * index as f64, 0.0)))
        .collect()
}

fn is_line(inner: &Neighbours) -> bool {
    let degrees = || inner.values().map(Vec::len);
    degrees().max() <= Some(2) && degrees().sum::<usize>() == 2 * (inner.len() - 1)
}

/// Number of links from each node to the nearest of `begin`; 0 for a node that reaches none.
fn distances(inner: &Neighbours, begin: &[usize]) -> BTreeMap<usize, usize> {
    let mut distances: BTreeMap<usize, usize> = begin.iter().map(|node| (*node, 0)).collect();
    let mut queue: VecDeque<usize> = begin.iter().copied().collect();
    while let Some(node) = queue.pop_front() {
        let next = distances[&node] + 1;
        for other in &inner[&node] {
            distances.entry(*other).or_insert_with(|| {
                queue.push_back(*other);
                next
            });
        }
    }
    let of = |node: &usize| distances.get(node).copied().unwrap_or(0);
    inner.keys().map(|node| (*node, of(node))).collect()
}

/// The nodes of each column or row, ordered by their neighbours in the previous one.
///
/// `ranks` has the number of the column or row of each node.
fn layers(inner: &Neighbours, ranks: &BTreeMap<usize, usize>) -> Vec<Vec<usize>> {
    let last = ranks.values().copied().max().unwrap_or(0);
    let mut layers = vec![Vec::new(); last + 1];
    for node in inner.keys() {
        layers[ranks[node]].push(*node);
    }
    // No column or row is empty, since each node has a link to the previous one.
    let mut position = BTreeMap::new();
    for layer in &layers {
        number(layer, &mut position);
    }
    for _ in 0..ROUNDS {
        for layer in &mut layers[1..] {
            let weight = |node: &usize| {
                let before = |other: &&usize| ranks[other] < ranks[node];
                let beside: Vec<f64> = inner[node]
                    .iter()
                    .filter(before)
                    .map(|other| position[other])
                    .collect();
                if beside.is_empty() {
                    position[node]
                } else {
                    beside.iter().sum::<f64>() / beside.len() as f64
                }
            };
            let mut weighed: Vec<(f64, usize)> =
                layer.iter().map(|node| (weight(node), *node)).collect();
            weighed.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            *layer = weighed.into_iter().map(|(_, node)| node).collect();
            number(layer, &mut position);
        }
    }
    layers
}

/// Notes the place of each node in its layer, from 0 to 1.
fn number(layer: &[usize], position: &mut BTreeMap<usize, f64>) {
    for (index, node) in layer.iter().enumerate() {
        position.insert(*node, index as f64 / layer.len() as f64);
    }
}

fn hosts_of(hosts: &Neighbours, node: usize) -> &[usize] {
    hosts.get(&node).map_or(&[], Vec::as_slice)
}

/// Switches from left to right, with the hosts of the first switch on its left, those of the last on
/// its right, and all other hosts above and below their switches.
///
/// If a switch is alone in its column, half of its hosts are above it and half below, so that a long
/// line of switches does not become a thin strip.
fn in_columns(inner: &Neighbours, hosts: &Neighbours) -> Places {
    let first = *inner.keys().next().expect("there are several switches");
    let far = distances(inner, &[first]);
    // The first column is an end of the line, preferably the first node of the scenario.
    let ends = inner.iter().filter(|(_, others)| others.len() == 1);
    let ends: Vec<usize> = ends.map(|(node, _)| *node).collect();
    let begin = if ends.contains(&first) {
        first
    } else {
        // Of several that are equally far, the first.
        ends.into_iter()
            .rev()
            .max_by_key(|node| far[node])
            .unwrap_or(first)
    };
    let columns = layers(inner, &distances(inner, &[begin]));
    let mut places = Places::new();
    let mut x = 0.0;
    for (number, column) in columns.iter().enumerate() {
        let side = match number {
            0 => -COLUMN,
            _ if number == columns.len() - 1 => COLUMN,
            _ => 0.0,
        };
        let width = |node: &usize| {
            let (above, below) = halves(hosts_of(hosts, *node), column.len() == 1);
            above.len().max(below.len()).max(1)
        };
        let widest = match column.iter().map(width).max() {
            Some(widest) if side == 0.0 => widest,
            _ => 1,
        };
        x += COLUMN * (widest - 1) as f64 / 2.0;
        places.extend(place_column(column, hosts, x, side));
        x += COLUMN * (widest - 1) as f64 / 2.0 + COLUMN;
    }
    places
}

/// Switches above one another, with hosts to the left or right of their switches, or else above and
/// below.
fn place_column(column: &[usize], hosts: &Neighbours, x: f64, side: f64) -> Places {
    let is_alone = column.len() == 1;
    let is_beside = side != 0.0;
    let away = ROW * if is_alone { 1.7 } else { 1.1 };
    let mut places = Places::new();
    let mut y = 0.0;
    for node in column {
        let around = hosts_of(hosts, *node);
        let height = match around.len() {
            0 => 1.0,
            hosts if is_beside => hosts as f64,
            _ => 2.2,
        };
        let middle = if is_beside { y - ROW * height / 2.0 } else { y };
        places.insert(*node, (x, middle));
        if is_beside {
            places.extend(stacked(around, x + side, middle));
        } else {
            let (above, below) = halves(around, is_alone);
            places.extend(side_by_side(above, x, middle + away, COLUMN));
            places.extend(side_by_side(below, x, middle - away, COLUMN));
        }
        y -= ROW * height;
    }
    let heights = column.iter().map(|node| places[node].1);
    let centre = heights.sum::<f64>() / column.len() as f64;
    for (_, upwards) in places.values_mut() {
        *upwards -= centre;
    }
    places
}

/// The hosts drawn above and below a switch.
fn halves(hosts: &[usize], is_alone: bool) -> (&[usize], &[usize]) {
    hosts.split_at(if is_alone { hosts.len() / 2 } else { 0 })
}

/// Switches in rows above the hosts.
fn in_rows(inner: &Neighbours, hosts: &Neighbours, ranks: &BTreeMap<usize, usize>) -> Places {
    let rows = layers(inner, ranks);
    let width = 0.75 * COLUMN;
    let mut places = Places::new();
    let mut x = 0.0;
    for node in &rows[0] {
        let below = hosts_of(hosts, *node);
        let span = width * below.len().max(1) as f64;
        places.insert(*node, (x + span / 2.0, 0.0));
        places.extend(side_by_side(below, x + span / 2.0, -1.3 * ROW, width));
        x += span;
    }
    let rise = (x / WIDEST / (rows.len() - 1) as f64).max(2.0 * ROW);
    for (rank, row) in rows.iter().enumerate().skip(1) {
        for (index, node) in row.iter().enumerate() {
            let across = x * (index as f64 + 0.5) / row.len() as f64;
            places.insert(*node, (across, rise * rank as f64));
        }
    }
    places
}

/// The hosts of one switch: those that send at its left, those that receive at its right, and others
/// below; none if a side would have no host, or too many.
fn by_flow(inner: &Neighbours, hosts: &Neighbours, balance: &FlowBalance) -> Option<Places> {
    let of_sign = |sign: i64| {
        let everyone = hosts.values().flatten().copied();
        let alike =
            everyone.filter(|host| balance.get(host).map_or(0, |flows| flows.signum()) == sign);
        alike.collect::<Vec<usize>>()
    };
    let [receivers, others, senders] = [-1, 0, 1].map(of_sign);
    let sides = [senders.len(), receivers.len()];
    if sides.contains(&0) || sides.iter().any(|side| *side > MOST_STACKED) {
        return None;
    }
    let mut places: Places = inner.keys().map(|node| (*node, (0.0, 0.0))).collect();
    places.extend(stacked(&senders, -COLUMN, 0.0));
    places.extend(stacked(&receivers, COLUMN, 0.0));
    places.extend(side_by_side(&others, 0.0, -1.3 * ROW, COLUMN));
    Some(places)
}

/// Hosts around one switch.
fn around(inner: &Neighbours, hosts: &Neighbours) -> Places {
    let everyone: Vec<usize> = hosts.values().flatten().copied().collect();
    let mut places: Places = inner.keys().map(|node| (*node, (0.0, 0.0))).collect();
    let count = everyone.len() as f64;
    let radius = (0.32 * count).max(1.6);
    for (index, host) in everyone.iter().enumerate() {
        let place = if everyone.len() <= 2 {
            (COLUMN * (2.0 * index as f64 - 1.0), 0.0)
        } else {
            let angle = PI / 2.0 - 2.0 * PI * index as f64 / count;
            (1.25 * radius * libm::cos(angle), radius * libm::sin(angle))
        };
        places.insert(*host, place);
    }
    places
}

fn stacked(nodes: &[usize], x: f64, y: f64) -> Places {
    let top = y + ROW * (nodes.len() as f64 - 1.0) / 2.0;
    let nodes = nodes.iter().enumerate();
    nodes
        .map(|(index, node)| (*node, (x, top - ROW * index as f64)))
        .collect()
}

fn side_by_side(nodes: &[usize], x: f64, y: f64, width: f64) -> Places {
    let left = x - width * (nodes.len() as f64 - 1.0) / 2.0;
    let nodes = nodes.iter().enumerate();
    nodes
        .map(|(index, node)| (*node, (left + width * index as f64, y)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(links: &[[usize; 2]], nodes: usize) -> Neighbours {
        let mut inner: Neighbours = (0..nodes).map(|node| (node, Vec::new())).collect();
        for [one, other] in links {
            inner.entry(*one).or_default().push(*other);
            inner.entry(*other).or_default().push(*one);
        }
        inner
    }

    #[test]
    fn a_line_of_switches_is_drawn_from_left_to_right() {
        let inner = network(&[[0, 1], [1, 2]], 3);
        let hosts = Neighbours::from([(0, vec![3, 4]), (1, vec![5]), (2, vec![6])]);
        let places = layout(&inner, &hosts, &FlowBalance::new());
        let across: Vec<f64> = [3, 0, 1, 2, 6].iter().map(|node| places[node].0).collect();
        assert!(across.is_sorted_by(|one, next| one < next), "{across:?}");
        assert_eq!((places[&3].1, places[&4].1), (0.5, -0.5));
        let places = layout(&inner, &hosts, &FlowBalance::from([(3, -1), (6, 1)]));
        let across: Vec<f64> = [6, 2, 1, 0, 3].iter().map(|node| places[node].0).collect();
        assert!(across.is_sorted_by(|one, next| one < next), "{across:?}");
    }

    #[test]
    fn a_tree_is_drawn_in_rows_above_its_hosts() {
        let inner = network(&[[0, 2], [1, 2], [0, 3], [1, 3]], 4);
        let hosts = Neighbours::from([(0, vec![4, 5]), (1, vec![6])]);
        let places = layout(&inner, &hosts, &FlowBalance::from([(4, -1), (6, 1)]));
        let upwards = |nodes: &[usize]| nodes.iter().map(|node| places[node].1).collect::<Vec<_>>();
        assert_eq!(upwards(&[4, 5, 6]), [-1.3; 3]);
        assert_eq!(upwards(&[0, 1, 2, 3]), [0.0, 0.0, 2.0, 2.0]);
    }

    #[test]
    fn hosts_of_a_single_switch_are_around_it() {
        let hosts = Neighbours::from([(0, vec![1, 2, 3, 4])]);
        let one_way = FlowBalance::from([(1, 1), (2, 1)]);
        let places = layout(&network(&[], 1), &hosts, &one_way);
        assert_eq!(places[&0], (0.0, 0.0));
        let upwards: Vec<f64> = (1..=4).map(|host| places[&host].1.round()).collect();
        assert_eq!(upwards, [2.0, 0.0, -2.0, 0.0]);
    }

    #[test]
    fn hosts_of_a_single_switch_are_at_its_left_if_they_send_and_at_its_right_if_they_receive() {
        let hosts = Neighbours::from([(0, vec![1, 2, 3, 4])]);
        let balance = FlowBalance::from([(1, 1), (2, 1), (3, -2), (4, 0)]);
        let places = layout(&network(&[], 1), &hosts, &balance);
        assert_eq!(
            [1, 2].map(|host| places[&host]),
            [(-COLUMN, 0.5), (-COLUMN, -0.5)]
        );
        assert_eq!((places[&0], places[&3]), ((0.0, 0.0), (COLUMN, 0.0)));
        assert!(places[&4].1 < -1.0, "it neither sends nor receives");
    }
}
