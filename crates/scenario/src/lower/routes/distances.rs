//! Distances of nodes in links, which decide the paths of flows. Hosts do not forward, so no path
//! leads through one.
//!
//! Breadth-first search: Moore, "The Shortest Path Through a Maze", International Symposium on the
//! Theory of Switching, 1959.

use std::collections::{BTreeSet, VecDeque};

use crate::lower::{Hop, NodeKind, Topology};

/// Beyond any path.
pub const FAR: u32 = u32::MAX;

/// For each node, the hops from it to nodes that forward; none from a host.
pub fn trunks(topology: &Topology) -> Vec<Vec<Hop>> {
    let trunks = (0..topology.nodes.len()).map(|node| {
        let outputs = topology.outputs(node).iter().copied();
        outputs
            .filter(|hop| forwards(topology, node) && forwards(topology, topology.head(*hop)))
            .collect()
    });
    trunks.collect()
}

/// The nodes beside a host that forward, in the order of the links of the host that are not `avoided`.
pub fn beside(topology: &Topology, host: usize, avoided: &BTreeSet<usize>) -> Vec<usize> {
    let mut beside = Vec::new();
    for hop in topology.outputs(host) {
        let node = topology.head(*hop);
        let counts = forwards(topology, node) && !avoided.contains(&hop.link());
        if counts && !beside.contains(&node) {
            beside.push(node);
        }
    }
    beside
}

/// The distance of each node from the nearest of `goals`, over the links that are not `avoided`.
pub fn distances(
    topology: &Topology,
    trunks: &[Vec<Hop>],
    avoided: &BTreeSet<usize>,
    goals: &[usize],
) -> Vec<u32> {
    let mut distances = vec![FAR; trunks.len()];
    for goal in goals {
        distances[*goal] = 0;
    }
    let mut queue = VecDeque::from(goals.to_vec());
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

fn forwards(topology: &Topology, node: usize) -> bool {
    topology.nodes[node].kind != NodeKind::Host
}
