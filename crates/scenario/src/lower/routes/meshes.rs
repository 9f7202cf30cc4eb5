//! The search for the meshes of flows: from both hosts, the next links of every node that packets may
//! reach, before the first change of routes and after each of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use models::wire::vc::Vc;

use super::distances::{FAR, beside, distances};
use super::paths::{FlowHop, Mesh, NextHops, rule};
use super::repairs;
use crate::lower::trimming;
use crate::lower::{Hop, Topology};
use crate::spec::ScenarioSpec;

/// Finds the meshes of flows.
pub struct MeshSearch<'a> {
    topology: &'a Topology,
    /// By node, true if it uses several paths.
    divides: Vec<bool>,
    /// By node, true if it sends packets back to their senders.
    returns: Vec<bool>,
    /// By node, the hops from it to nodes that forward.
    trunks: &'a [Vec<Hop>],
    /// The links that routes avoid, before the first change of routes and after each of them.
    avoided: Vec<BTreeSet<usize>>,
    /// The searches so far, by number of changes and the nodes that they led to.
    searches: BTreeMap<(usize, Vec<usize>), usize>,
    /// The distance of each node from the nearest goal, by search.
    distances: Vec<Vec<u32>>,
}

/// One direction of a flow.
struct Way<'a> {
    /// The host that sends.
    from: usize,
    /// The host that receives.
    to: usize,
    /// The path in this direction, which a node with a single path keeps to.
    path: &'a [Hop],
    /// The search that led to `to`, before the first change of routes and after each of the others.
    searches: Vec<usize>,
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
        let returns = |node| trimming::returns(spec, topology, node);
        let avoided = repairs::avoided(spec, topology);
        (divides.contains(&true) || avoided.len() > 1).then(|| MeshSearch {
            topology,
            divides,
            returns: (0..topology.nodes.len()).map(returns).collect(),
            trunks,
            avoided,
            searches: BTreeMap::new(),
            distances: Vec::new(),
        })
    }

    /// The mesh of a flow with this path of fewest links; none if it always takes it. A VC keeps to the
    /// path on which it was set up, in both directions.
    pub fn mesh(&mut self, path: &[Hop], is_cells: bool) -> Option<Mesh> {
        let (first, last) = (path[0], path[path.len() - 1]);
        let [from, to] = [self.topology.head(first.back()), self.topology.head(last)];
        let times = if is_cells { 1 } else { self.avoided.len() };
        let there = self.next([from, to], &[], path, times);
        let back: Vec<Hop> = path.iter().rev().map(|hop| hop.back()).collect();
        let back = if is_cells {
            Vec::new()
        } else {
            // Answers may pass by a node that returns packets, which needs a way back all the same.
            let nodes = there.iter().map(|next| next.node);
            let returning: Vec<usize> = nodes.filter(|node| self.returns[*node]).collect();
            self.next([to, from], &returning, &back, times)
        };
        let hops = |next: &[NextHops]| -> Vec<Hop> {
            let sets = next.iter().flat_map(|next| &next.sets);
            sets.flatten().copied().collect()
        };
        // A host with one link has no next links of its own.
        let mut numbers = BTreeSet::from([first.number(), last.number()]);
        numbers.extend(hops(&there).iter().map(|hop| hop.number()));
        numbers.extend(hops(&back).iter().map(|hop| hop.back().number()));
        if numbers.len() == path.len() && !there.iter().chain(&back).any(NextHops::changes) {
            return None;
        }
        let topology = self.topology;
        let search = self.search(from, 0);
        let from_first = &self.distances[search];
        let labels = numbers.into_iter().map(|number| {
            let hop = Hop::of(number);
            let tail = topology.head(hop.back());
            let level = if tail == from {
                0
            } else {
                from_first[tail].saturating_add(1)
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

    /// The next hops of each node that packets from one host to another may reach, or packets to it
    /// from the nodes of `others`, before the first change of routes and after each of the others.
    fn next(
        &mut self,
        [from, to]: [usize; 2],
        others: &[usize],
        path: &[Hop],
        times: usize,
    ) -> Vec<NextHops> {
        let searches = (0..times).map(|time| self.search(to, time)).collect();
        let way = Way {
            from,
            to,
            path,
            searches,
        };
        let mut next: BTreeMap<usize, NextHops> = BTreeMap::new();
        let start = match self.topology.outputs(from) {
            [only] => self.topology.head(*only),
            _ => from,
        };
        let mut reached: VecDeque<usize> = [start].iter().chain(others).copied().collect();
        while let Some(node) = reached.pop_front() {
            if node == to || next.contains_key(&node) {
                continue;
            }
            let (mut sets, mut in_force) = (Vec::<Box<[Hop]>>::new(), Vec::new());
            for time in 0..times {
                let hops = self.next_of(node, &way, time);
                let known = sets.iter().position(|set| **set == *hops);
                in_force.push(known.unwrap_or(sets.len()) as u32);
                if known.is_none() {
                    sets.push(hops.into());
                }
            }
            reached.extend(sets.iter().flatten().map(|hop| self.topology.head(*hop)));
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
    fn next_of(&self, node: usize, way: &Way<'_>, time: usize) -> Vec<Hop> {
        let topology = self.topology;
        let is_up = |hop: &&Hop| !self.avoided[time].contains(&hop.link());
        let leads_there = |hop: &&Hop| topology.head(**hop) == way.to;
        let outputs = topology.outputs(node);
        let distances = &self.distances[way.searches[time]];
        let distance = |hop: &Hop| distances[topology.head(*hop)];
        let mut hops: Vec<Hop> = if node == way.from {
            // The links to the receiving host itself, or else those to the nodes nearest to it.
            let up: Vec<Hop> = outputs.iter().filter(is_up).copied().collect();
            let nearest = up.iter().map(distance).min().unwrap_or(FAR);
            let is_direct = up.iter().any(|hop| leads_there(&hop));
            let begins = |hop: &&Hop| {
                if is_direct {
                    leads_there(hop)
                } else {
                    nearest < FAR && distance(hop) == nearest
                }
            };
            up.iter().filter(begins).copied().collect()
        } else if distances[node] == 0 {
            outputs
                .iter()
                .filter(leads_there)
                .filter(is_up)
                .copied()
                .collect()
        } else {
            let nearer = |hop: &&Hop| distance(hop) < distances[node];
            self.trunks[node]
                .iter()
                .filter(nearer)
                .filter(is_up)
                .copied()
                .collect()
        };
        if !self.divides[node] {
            let usual = hops.iter().find(|hop| way.path.contains(hop));
            let usual = usual.or(hops.first()).copied();
            hops = usual.into_iter().collect();
        }
        hops
    }

    /// The number of the search for the distances from a host after so many changes of routes. If
    /// routes avoid all of its links, packets come to the nodes beside it, and no further.
    fn search(&mut self, host: usize, time: usize) -> usize {
        let (topology, avoided) = (self.topology, &self.avoided[time]);
        let mut goals = beside(topology, host, avoided);
        if goals.is_empty() {
            goals = beside(topology, host, &BTreeSet::new());
        }
        let next = self.distances.len();
        let found = self.searches.entry((time, goals));
        let (_, goals) = found.key().clone();
        let search = *found.or_insert(next);
        if search == next {
            self.distances
                .push(distances(topology, self.trunks, avoided, &goals));
        }
        search
    }
}
