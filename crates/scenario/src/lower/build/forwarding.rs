//! The routes of all nodes: where each VC leads, and the next links of flows with several paths.

use kernel::{Stream, Time};
use models::paths::{Fork, Forks, NextLinks, Passing, PathChoice};
use models::wire::vc::{Route, Vc};

use super::Builder;
use crate::lower::routes::paths::{Mesh, NextHops, rule};
use crate::lower::routes::repairs;
use crate::lower::{Hop, Topology};

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
    /// The routes of a network.
    pub fn new(builder: &Builder<'_>) -> Forwarding {
        let nodes = 0..builder.topology.nodes.len();
        let routes = nodes.clone().map(|node| {
            let inputs = builder.topology.outputs(node).iter();
            let unused = |hop: &Hop| vec![Route::NONE; builder.flows.paths.vcs(*hop).len()];
            inputs.map(unused).collect()
        });
        let mut forwarding = Forwarding {
            routes: routes.collect(),
            groups: nodes.map(|_| Vec::new()).collect(),
            changes: repairs::changes(builder.spec),
            starts: Vec::with_capacity(builder.flows.paths.flows.len()),
        };
        for (number, flow) in builder.flows.paths.flows.iter().enumerate() {
            let starts = match &flow.mesh {
                None => forwarding.join(builder.topology, &flow.path, &flow.vcs),
                Some(mesh) if flow.in_cells().is_empty() => forwarding.fork(builder, number, mesh),
                Some(mesh) => {
                    let path = builder.path_of_vc(number, mesh);
                    let vcs = path.iter().map(|hop| mesh.label(*hop));
                    let vcs: Option<Vec<Vc>> = vcs.map(|label| Some(label?.vc)).collect();
                    forwarding.join(
                        builder.topology,
                        &path,
                        &vcs.expect("the path is in the mesh"),
                    )
                }
            };
            forwarding.starts.push(starts);
        }
        forwarding
    }

    /// The forks of a node; none if all flows through it have one path.
    pub fn forks(&mut self, builder: &Builder<'_>, node: usize) -> Option<Forks> {
        let groups = std::mem::take(&mut self.groups[node]);
        if groups.is_empty() {
            return None;
        }
        let choice = builder.choice(node, groups.len());
        let outputs = builder.topology.outputs(node).iter();
        let vcs = outputs.map(|hop| builder.flows.paths.vcs(*hop).len());
        let changes = self.changes.clone();
        Some(Forks::new(choice, groups, changes, vcs))
    }

    /// Sets the routes of a path, in both directions; returns those from its ends.
    fn join(&mut self, topology: &Topology, path: &[Hop], vcs: &[Vc]) -> [Route; 2] {
        for (hops, vcs) in path.windows(2).zip(vcs.windows(2)) {
            let node = topology.head(hops[0]);
            let before = topology.output(hops[0].back());
            let after = topology.output(hops[1]);
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
            output: topology.output(hop) as u32,
            vc,
        })
    }

    /// Sets the next links of a flow with several paths; returns the routes from its hosts.
    fn fork(&mut self, builder: &Builder<'_>, flow: usize, mesh: &Mesh) -> [Route; 2] {
        let path = &builder.flows.paths.flows[flow].path;
        let ends = [path[0], path[path.len() - 1].back()];
        let mut starts =
            [false, true].map(|back| route(builder.topology, mesh, ends[usize::from(back)], back));
        let mut random = builder.flow_stream(flow);
        let by_connection = builder.flows.spec(flow).source.connections().is_some();
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
                    let routes = hops
                        .iter()
                        .map(|hop| route(builder.topology, mesh, *hop, back));
                    routes.collect()
                };
                self.groups[*node].push(NextLinks {
                    flow: connection,
                    by_connection,
                    sets: sets.iter().map(|hops| routes(hops)).collect(),
                    in_force: in_force.clone(),
                });
                self.lead_to(builder.topology, mesh, (*node, back), Route::fork(group));
                let end = usize::from(back);
                if *node == builder.flows.paths.hosts(builder.topology, flow)[end] {
                    starts[end] = Route::fork(group);
                }
            }
        }
        starts
    }

    /// Lets the packets of one direction that arrive at a node take `route`.
    fn lead_to(
        &mut self,
        topology: &Topology,
        mesh: &Mesh,
        (node, back): (usize, bool),
        route: Route,
    ) {
        for (input, out) in topology.outputs(node).iter().enumerate() {
            // Packets that arrive from the far end of `out` pass its reverse.
            let towards = if back { *out } else { out.back() };
            if let Some(label) = mesh.label(towards) {
                self.routes[node][input][label.vc.index()] = route;
            }
        }
    }
}

/// The route over a hop that packets pass in one direction.
fn route(topology: &Topology, mesh: &Mesh, hop: Hop, back: bool) -> Route {
    let towards = if back { hop.back() } else { hop };
    let label = mesh.label(towards).expect("a next link has a label");
    Route {
        output: topology.output(hop) as u32,
        vc: label.vc,
    }
}

impl Builder<'_> {
    /// The stream that makes a number of a flow, from which nodes choose its paths.
    fn flow_stream(&self, flow: usize) -> Stream {
        self.seed.stream(&self.flows.name(flow), "paths")
    }

    /// The choice of a node among paths, for so many groups of next links.
    fn choice(&self, node: usize, groups: usize) -> Option<Box<dyn PathChoice>> {
        let random = self
            .seed
            .stream(&self.topology.name(self.spec, node), "paths");
        let rule = rule(self.spec, self.topology, node)?;
        rule.build(&Fork { random, groups })
    }

    /// The path of a flow in cells: each node chooses once, when the VC is set up.
    fn path_of_vc(&self, flow: usize, mesh: &Mesh) -> Vec<Hop> {
        let connection = self.flow_stream(flow).bits();
        let mut path = Vec::new();
        let mut reached = self.flows.paths.hosts(self.topology, flow)[0];
        if mesh.next_at(reached, false).is_none() {
            path.push(self.flows.paths.flows[flow].path[0]);
            reached = self.topology.head(path[0]);
        }
        while let Some(NextHops { node, sets, .. }) = mesh.next_at(reached, false) {
            let hops = &sets[0];
            let links = hops.len();
            let choice = (links > 1).then(|| self.choice(*node, 1)).flatten();
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
