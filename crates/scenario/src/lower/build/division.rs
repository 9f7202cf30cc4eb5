//! The division of a network among threads: a heuristic of ours, which changes no result.
//!
//! The parts should have equal work, and long links between them, since the threads meet once in
//! the shortest lookahead of these links. Work is estimated as bits a second, as if the flows of
//! each link shared it equally. A part grows from one node by the neighbour to which it sends most:
//! the greedy graph growing of Karypis and Kumar, "A Fast and High Quality Multilevel Scheme for
//! Partitioning Irregular Graphs", SIAM Journal on Scientific Computing 20(1), 1998, section 3.2.

use std::collections::BTreeSet;

use kernel::{Division, Duration};

use crate::lower::{Hop, NodeKind, PlannedLinks, PlannedPaths, Topology};

/// How much more work than in the best division the largest part may have, if links between parts
/// are longer then.
const TOLERANCE: f64 = 1.1;

/// The division of the nodes among at most so many threads; none if they cannot be divided.
pub fn division(
    topology: &Topology,
    paths: &PlannedPaths,
    links: &PlannedLinks,
    threads: usize,
) -> Option<Division> {
    // Lookaheads of one magnitude are as good as each other.
    let magnitudes = borders(topology, paths).map(|link| lookahead(links, link).ps().ilog2());
    let magnitudes: BTreeSet<u32> = magnitudes.collect();
    let shares = shares(paths, links);
    let found = magnitudes.into_iter().rev().map(|magnitude| {
        let least = Duration::from_ps(1 << magnitude);
        let roots = roots(topology, paths, links, least);
        Clusters::new(topology, paths, &shares, &roots).divided(threads)
    });
    let found: Vec<(Vec<usize>, f64)> = found.collect();
    let least = found.iter().map(|(_, largest)| *largest);
    let most = least.fold(f64::INFINITY, f64::min) * TOLERANCE;
    let best = found.into_iter().find(|(_, largest)| *largest <= most);
    let (part_of, _) = best?;
    Some(Division::new(part_of)).filter(|division| division.parts() > 1)
}

/// Bits a second of each flow, if the flows of each link share it equally.
fn shares(paths: &PlannedPaths, links: &PlannedLinks) -> Vec<f64> {
    let flows = paths.flows.iter().map(|flow| {
        let hops = flow.path.iter();
        let shares = hops.map(|hop| {
            let rate = links.rate(*hop).bits_per_second();
            rate as f64 / paths.vcs(*hop).len() as f64
        });
        shares.fold(f64::INFINITY, f64::min)
    });
    flows.collect()
}

/// The links on which parts may meet. A host or an edge stays with the switches to which it sends
/// cells: they recall what they have announced, wherever it is. A host with one link stays with
/// its only neighbour in any case.
fn borders(topology: &Topology, paths: &PlannedPaths) -> impl Iterator<Item = usize> {
    (0..topology.links.len()).filter(|link| {
        let is_in_cells = paths.is_in_cells(Hop::new(*link, false));
        let ends = topology.links[*link].ends();
        ends.iter().all(|end| match topology.nodes[*end].kind {
            NodeKind::Host => topology.outputs(*end).len() > 1 && !is_in_cells,
            NodeKind::Edge => !is_in_cells,
            NodeKind::Switch | NodeKind::Router => true,
        })
    })
}

/// A lower bound of the lookahead of a link, whatever its shortest unit.
fn lookahead(links: &PlannedLinks, link: usize) -> Duration {
    let hop = Hop::new(link, false);
    links.cell_time(hop) + links.delay(hop)
}

/// The cluster of each node, if parts may meet only on links with that lookahead or more: each names one
/// of its nodes.
fn roots(
    topology: &Topology,
    paths: &PlannedPaths,
    links: &PlannedLinks,
    least: Duration,
) -> Vec<usize> {
    let open: BTreeSet<usize> = borders(topology, paths).collect();
    let mut clusters: Vec<usize> = (0..topology.nodes.len()).collect();
    for (number, link) in topology.links.iter().enumerate() {
        if open.contains(&number) && lookahead(links, number) >= least {
            continue;
        }
        let [one, other] = link.ends().map(|end| root(&mut clusters, end));
        clusters[one.max(other)] = one.min(other);
    }
    (0..clusters.len())
        .map(|node| root(&mut clusters, node))
        .collect()
}

/// The first node of the cluster of a node, where each node names another of its cluster.
fn root(clusters: &mut [usize], mut node: usize) -> usize {
    while clusters[node] != node {
        clusters[node] = clusters[clusters[node]];
        node = clusters[node];
    }
    node
}

/// Clusters of nodes, with their work.
struct Clusters {
    /// The cluster of each node.
    of_node: Vec<usize>,
    /// Bits a second through all its nodes.
    work: Vec<f64>,
    /// Other clusters and the bits a second on a link to them.
    neighbours: Vec<Vec<(usize, f64)>>,
}

impl Clusters {
    /// The clusters, each of which `roots` names by one of its nodes, where flows send their `shares`.
    fn new(topology: &Topology, paths: &PlannedPaths, shares: &[f64], roots: &[usize]) -> Clusters {
        let names: Vec<usize> = BTreeSet::from_iter(roots).into_iter().copied().collect();
        let number = |root| names.binary_search(root).expect("a cluster");
        let of_node: Vec<usize> = roots.iter().map(number).collect();
        let mut work = vec![0.0; names.len()];
        let mut neighbours = vec![Vec::new(); names.len()];
        for link in 0..topology.links.len() {
            let vcs = paths.vcs(Hop::new(link, false));
            let load: f64 = vcs.map(|planned| shares[planned.flow]).sum();
            let [one, other] = topology.links[link].ends().map(|end| of_node[end]);
            work[one] += load;
            work[other] += load;
            if one != other {
                neighbours[one].push((other, load));
                neighbours[other].push((one, load));
            }
        }
        Clusters {
            of_node,
            work,
            neighbours,
        }
    }

    /// The part of each node, of at most so many parts, and the work of the largest part.
    fn divided(&self, parts: usize) -> (Vec<usize>, f64) {
        let mut part_of: Vec<Option<usize>> = vec![None; self.work.len()];
        let mut rest: f64 = self.work.iter().sum();
        let mut largest = 0.0_f64;
        let parts = parts.min(self.work.len()).max(1);
        for part in 0..parts - 1 {
            let wanted = rest / (parts - part) as f64;
            let work = self.grow(&mut part_of, part, wanted, parts);
            largest = largest.max(work);
            rest -= work;
        }
        let part = |cluster: &usize| part_of[*cluster].unwrap_or(parts - 1);
        (self.of_node.iter().map(part).collect(), largest.max(rest))
    }

    /// Adds clusters to a part until it has about the `wanted` work, and leaves one to each further
    /// part; returns its work.
    fn grow(&self, part_of: &mut [Option<usize>], part: usize, wanted: f64, parts: usize) -> f64 {
        let is_free = |one: &Option<usize>| one.is_none();
        let most = part_of.iter().filter(|one| is_free(one)).count() - (parts - 1 - part);
        let mut inside = vec![0.0; self.work.len()];
        let mut work = 0.0;
        for added in 0..most {
            let free = (0..self.work.len()).filter(|cluster| is_free(&part_of[*cluster]));
            let next = if added == 0 {
                free.min_by_key(|cluster| {
                    let neighbours = self.neighbours[*cluster].iter();
                    neighbours
                        .filter(|(one, _)| is_free(&part_of[*one]))
                        .count()
                })
            } else {
                let share = |cluster: usize| inside[cluster] / self.outside(cluster);
                free.rev()
                    .max_by(|one, other| share(*one).total_cmp(&share(*other)))
            };
            let Some(next) = next else { break };
            if added > 0 && work + self.work[next] / 2.0 > wanted {
                break;
            }
            part_of[next] = Some(part);
            work += self.work[next];
            for (other, load) in &self.neighbours[next] {
                inside[*other] += load;
            }
        }
        work
    }

    /// Bits a second on the links of a cluster to all others.
    fn outside(&self, cluster: usize) -> f64 {
        let loads = self.neighbours[cluster].iter().map(|(_, load)| load);
        loads.sum::<f64>().max(1.0)
    }
}
