//! The routes of all nodes: where each VC leads, and the next links of flows with several paths.

use kernel::{Seed, Stream, Time};
use models::host::ArrivalOrder;
use models::paths::{Fork, Forks, NextLinks, Passing, PathChoice};
use models::wire::vc::{Route, Vc};

use super::paths::{Mesh, NextHops, rule};
use super::repairs;
use crate::lower::{Hop, Plan};

/// The routes of all nodes, at the start of a run.
pub struct Forwarding {
    /// The next hop of each VC, by node and input.
    pub routes: Vec<Vec<Vec<Route>>>,
    /// The groups of next links, by node.
    groups: Vec<Vec<NextLinks>>,
    /// Times at which routes change.
    changes: Box<[Time]>,
    /// The routes of each flow from its sending host, and back from its receiving host.
    pub starts: Vec<[Route; 2]>,
}

impl Forwarding {
    /// The routes of a plan; `seed` decides the choices of a run.
    pub fn new(plan: &Plan, seed: Seed) -> Forwarding {
        let nodes = 0..plan.topology.nodes.len();
        let routes = nodes.clone().map(|node| {
            let inputs = plan.topology.outputs(node).iter();
            let unused = |hop: &Hop| vec![Route::NONE; plan.vcs(*hop).len()];
            inputs.map(unused).collect()
        });
        let mut forwarding = Forwarding {
            routes: routes.collect(),
            groups: nodes.map(|_| Vec::new()).collect(),
            changes: repairs::changes(&plan.spec),
            starts: Vec::with_capacity(plan.flows.len()),
        };
        for (number, flow) in plan.flows.iter().enumerate() {
            let starts = match &flow.mesh {
                None => forwarding.join(plan, &flow.path, &flow.vcs),
                Some(mesh) if flow.in_cells.is_empty() => forwarding.fork(plan, number, mesh, seed),
                Some(mesh) => {
                    let path = plan.path_of_vc(number, mesh, seed);
                    let vcs = path.iter().map(|hop| mesh.label(*hop));
                    let vcs: Option<Vec<Vc>> = vcs.map(|label| Some(label?.vc)).collect();
                    forwarding.join(plan, &path, &vcs.expect("the path is in the mesh"))
                }
            };
            forwarding.starts.push(starts);
        }
        forwarding
    }

    /// The forks of a node; none if all flows through it have one path.
    pub fn forks(&mut self, plan: &Plan, node: usize, seed: Seed) -> Option<Forks> {
        let groups = std::mem::take(&mut self.groups[node]);
        if groups.is_empty() {
            return None;
        }
        let choice = plan.choice(node, groups.len(), seed);
        let outputs = plan.topology.outputs(node).iter();
        let vcs = outputs.map(|hop| plan.vcs(*hop).len());
        let changes = self.changes.clone();
        Some(Forks::new(choice, groups, changes, vcs))
    }

    /// Sets the routes of a path, in both directions; returns those from its ends.
    fn join(&mut self, plan: &Plan, path: &[Hop], vcs: &[Vc]) -> [Route; 2] {
        for (hops, vcs) in path.windows(2).zip(vcs.windows(2)) {
            let node = plan.topology.head(hops[0]);
            let before = plan.topology.output(hops[0].back());
            let after = plan.topology.output(hops[1]);
            self.routes[node][before][vcs[0].index()] = Route {
                output: after as u32,
                vc: vcs[1],
            };
            self.routes[node][after][vcs[1].index()] = Route {
                output: before as u32,
                vc: vcs[0],
            };
        }
        let last = path.len() - 1;
        [(path[0], vcs[0]), (path[last].back(), vcs[last])].map(|(hop, vc)| Route {
            output: plan.topology.output(hop) as u32,
            vc,
        })
    }

    /// Sets the next links of a flow with several paths; returns the routes from its hosts.
    fn fork(&mut self, plan: &Plan, flow: usize, mesh: &Mesh, seed: Seed) -> [Route; 2] {
        let path = &plan.flows[flow].path;
        let ends = [path[0], path[path.len() - 1].back()];
        let mut starts = [false, true].map(|back| route(plan, mesh, ends[usize::from(back)], back));
        let mut random = plan.flow_stream(flow, seed);
        let by_connection = plan.flow_spec(flow).source.connections().is_some();
        for (back, next) in [false, true].into_iter().zip(&mesh.next) {
            let connection = random.bits();
            for NextHops {
                node,
                sets,
                in_force,
            } in next
            {
                let group = self.groups[*node].len() as u32;
                let routes = |hops: &[Hop]| -> Box<[Route]> {
                    let routes = hops.iter().map(|hop| route(plan, mesh, *hop, back));
                    routes.collect()
                };
                self.groups[*node].push(NextLinks {
                    flow: connection,
                    by_connection,
                    sets: sets.iter().map(|hops| routes(hops)).collect(),
                    in_force: in_force.clone(),
                });
                self.lead_to(plan, mesh, (*node, back), Route::fork(group));
                let end = usize::from(back);
                if *node == plan.hosts(flow)[end] {
                    starts[end] = Route::fork(group);
                }
            }
        }
        starts
    }

    /// Lets the packets of one direction that arrive at a node take `route`.
    fn lead_to(&mut self, plan: &Plan, mesh: &Mesh, (node, back): (usize, bool), route: Route) {
        for (input, out) in plan.topology.outputs(node).iter().enumerate() {
            // Packets that arrive from the far end of `out` pass its reverse.
            let towards = if back { *out } else { out.back() };
            if let Some(label) = mesh.label(towards) {
                self.routes[node][input][label.vc.index()] = route;
            }
        }
    }
}

/// The route over a hop that packets pass in one direction.
fn route(plan: &Plan, mesh: &Mesh, hop: Hop, back: bool) -> Route {
    let towards = if back { hop.back() } else { hop };
    let label = mesh.label(towards).expect("a next link has a label");
    Route {
        output: plan.topology.output(hop) as u32,
        vc: label.vc,
    }
}

impl Plan {
    /// The order of arrival of the packets of a flow; none if they cannot overtake each other.
    pub(in crate::lower) fn arrival_order(&self, flow: usize) -> Option<ArrivalOrder> {
        let planned = &self.flows[flow];
        let may_overtake = planned.mesh.is_some() && planned.in_cells.is_empty();
        let by_connection = self.flow_spec(flow).source.connections().is_some();
        may_overtake.then(|| ArrivalOrder::new(by_connection))
    }

    /// The stream that makes a number of a flow, from which nodes choose its paths.
    fn flow_stream(&self, flow: usize, seed: Seed) -> Stream {
        seed.stream(&self.flow_name(flow), "paths")
    }

    /// The choice of a node among paths, for so many groups of next links.
    fn choice(&self, node: usize, groups: usize, seed: Seed) -> Option<Box<dyn PathChoice>> {
        let random = seed.stream(&self.node_name(node), "paths");
        let rule = rule(&self.spec, &self.topology, node)?;
        rule.build(&Fork { random, groups })
    }

    /// The path of a flow in cells: each node chooses once, when the VC is set up.
    fn path_of_vc(&self, flow: usize, mesh: &Mesh, seed: Seed) -> Vec<Hop> {
        let connection = self.flow_stream(flow, seed).bits();
        let mut path = Vec::new();
        let mut reached = self.hosts(flow)[0];
        if mesh.next_at(reached, false).is_none() {
            path.push(self.flows[flow].path[0]);
            reached = self.topology.head(path[0]);
        }
        while let Some(NextHops { node, sets, .. }) = mesh.next_at(reached, false) {
            let hops = &sets[0];
            let links = hops.len();
            let choice = (links > 1).then(|| self.choice(*node, 1, seed)).flatten();
            let chosen = choice.map_or(0, |mut choice| {
                choice.choose(Passing {
                    now: Time::ZERO,
                    group: 0,
                    connection,
                    links,
                })
            });
            path.push(hops[chosen]);
            reached = self.topology.head(hops[chosen]);
        }
        path
    }
}
