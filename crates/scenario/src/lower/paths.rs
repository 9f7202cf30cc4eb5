//! The paths of all flows, and the virtual channels of each link.

use std::collections::BTreeSet;
use std::ops::Range;

use models::flow::FlowSpec;
use models::wire::vc::Vc;
use parameters::Named;

use super::Hop;
use super::routes::paths::Mesh;
use super::topology::member::TableMember;
use super::topology::rows::Rows;
use super::topology::{NodeKind, Topology};

/// The paths of all flows, and the virtual channels of each link.
#[derive(Clone, Debug)]
pub struct PlannedPaths {
    /// Flows and their paths, in the order in which they were written.
    pub flows: Vec<PlannedFlow>,
    /// Tables of flows of which a flow was refused; none once the plan is complete.
    refused: BTreeSet<usize>,
    /// The VCs of each link from its first node to its second; the VCs of the other direction
    /// belong to the same flows.
    vcs: Rows<Carried>,
    /// By node: true if the flows through it are in cells, or if no flow passes it.
    in_cells: Box<[bool]>,
}

/// A flow and its path.
#[derive(Clone, Debug)]
pub struct PlannedFlow {
    /// Table in the scenario, and number in a group.
    pub member: TableMember,
    /// Path of the flow: the hops from the sending host to the receiving host.
    pub path: Box<[Hop]>,
    /// The hops in cells; see [`PlannedFlow::in_cells`].
    in_cells: Range<u32>,
    /// VC of the flow on each hop, the same in both directions.
    pub vcs: Box<[Vc]>,
    /// All links that its packets may pass; none if it always takes `path`.
    pub(crate) mesh: Option<Box<Mesh>>,
}

impl PlannedFlow {
    /// A flow that has no VCs yet, and is in cells on the hops `in_cells`.
    pub(in crate::lower) fn new(
        member: TableMember,
        path: Box<[Hop]>,
        in_cells: Range<u32>,
        mesh: Option<Mesh>,
    ) -> PlannedFlow {
        PlannedFlow {
            member,
            path,
            in_cells,
            vcs: [].into(),
            mesh: mesh.map(Box::new),
        }
    }

    /// The table of the flow.
    pub fn spec<'a>(&self, tables: &'a Named<FlowSpec>) -> &'a FlowSpec {
        &tables.0[self.member.spec()].1
    }

    /// The hosts at which the flow begins and ends.
    pub fn hosts(&self, topology: &Topology) -> [usize; 2] {
        let (first, last) = (self.path[0], self.path[self.path.len() - 1]);
        [topology.head(first.back()), topology.head(last)]
    }

    /// The hops on which the flow is in cells: all or none, unless it passes edges.
    pub fn in_cells(&self) -> Range<usize> {
        self.in_cells.start as usize..self.in_cells.end as usize
    }

    /// The hops that its packets may pass to the receiving host.
    pub fn hops(&self) -> impl Iterator<Item = Hop> + Clone {
        let several = self.mesh.iter().flat_map(|mesh| mesh.labels.iter());
        let only = self.path.iter().filter(|_| self.mesh.is_none());
        only.copied().chain(several.map(|label| label.hop))
    }

    /// The links on which its host may send its packets while no link is down.
    pub(in crate::lower) fn first_hops(&self, topology: &Topology) -> &[Hop] {
        let mesh = self.mesh.as_ref();
        let next = mesh.and_then(|mesh| mesh.next_at(self.hosts(topology)[0], false));
        next.map_or(&self.path[..1], |next| &next.sets[0])
    }

    /// True if its packets may take several paths.
    pub fn has_several_paths(&self) -> bool {
        self.mesh.is_some()
    }

    /// True if edges on its path segment its packets into cells.
    pub fn passes_edges(&self) -> bool {
        !self.in_cells.is_empty() && self.in_cells.len() < self.path.len()
    }
}

/// Traffic of a VC from the first node of its link to the second.
#[derive(Clone, Copy, Debug)]
struct Carried {
    flow: u32,
    back: bool,
    in_cells: bool,
}

/// A virtual channel of a link, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedVc {
    /// Flow of the VC.
    pub flow: usize,
    /// True if the VC leads from the receiving host to the sending host.
    pub back: bool,
    /// True if packets are in cells on this hop.
    pub in_cells: bool,
}

impl PlannedPaths {
    /// Numbers the VCs of flows; `refused` are the tables of those that have no path.
    pub(in crate::lower) fn new(
        topology: &Topology,
        mut flows: Vec<PlannedFlow>,
        refused: BTreeSet<usize>,
    ) -> PlannedPaths {
        let vcs = number_vcs(topology, &mut flows);
        let nodes = 0..topology.nodes.len();
        let in_cells = nodes.map(|node| {
            let hops = topology.outputs(node).iter();
            let mut carried = hops.flat_map(|hop| &vcs[hop.link()]);
            carried.next().is_none_or(|carried| carried.in_cells)
        });
        PlannedPaths {
            in_cells: in_cells.collect(),
            flows,
            refused,
            vcs,
        }
    }

    /// True if a flow of the group with this name was refused, and its problem reported.
    pub(in crate::lower) fn lacks(&self, tables: &Named<FlowSpec>, group: &str) -> bool {
        let names = self.refused.iter().map(|table| &tables.0[*table].0);
        names.into_iter().any(|name| name == group)
    }

    /// True if any flow was refused, and its problem reported.
    pub(in crate::lower) fn lacks_flows(&self) -> bool {
        !self.refused.is_empty()
    }

    /// The hosts at which a flow begins and ends.
    pub(in crate::lower) fn hosts(&self, topology: &Topology, flow: usize) -> [usize; 2] {
        self.flows[flow].hosts(topology)
    }

    /// Flows by the table that declares them.
    pub(in crate::lower) fn by_table(&self) -> impl Iterator<Item = &[PlannedFlow]> {
        let spec = |flow: &PlannedFlow| flow.member.spec();
        self.flows
            .chunk_by(move |one, next| spec(one) == spec(next))
    }

    /// The first flow of each table, and its number.
    pub(in crate::lower) fn firsts(&self) -> impl Iterator<Item = (usize, &PlannedFlow)> {
        self.by_table().scan(0, |number, members| {
            let first = (*number, &members[0]);
            *number += members.len();
            Some(first)
        })
    }

    /// Virtual channels of a hop, by number.
    pub fn vcs(&self, hop: Hop) -> impl ExactSizeIterator<Item = PlannedVc> {
        let vcs = self.vcs[hop.link()].iter();
        vcs.map(move |planned| PlannedVc {
            flow: planned.flow as usize,
            back: planned.back != hop.reverse(),
            in_cells: planned.in_cells,
        })
    }

    /// VCs that leave a node, output by output.
    pub fn leaving(&self, topology: &Topology, node: usize) -> impl Iterator<Item = PlannedVc> {
        let hops = topology.outputs(node).iter();
        hops.flat_map(|hop| self.vcs(*hop))
    }

    /// True if the flows through a node are in cells, or if no flow passes it.
    pub fn carries_cells(&self, node: usize) -> bool {
        self.in_cells[node]
    }

    /// True if the flows on a hop are in cells; all flows of a hop are alike.
    pub fn is_in_cells(&self, hop: Hop) -> bool {
        self.vcs(hop).next().is_some_and(|one| one.in_cells)
    }

    /// True if the node at the beginning of a hop sends cells over it.
    pub fn sends_cells(&self, topology: &Topology, hop: Hop) -> bool {
        let node = topology.head(hop.back());
        match topology.nodes[node].kind {
            NodeKind::Edge => self.is_in_cells(hop),
            // Hosts may have links with cells and links with packets.
            NodeKind::Host => self.vcs(hop).next().is_none_or(|planned| planned.in_cells),
            NodeKind::Switch | NodeKind::Router => self.carries_cells(node),
        }
    }

    /// True if a node is a router, or a switch that acts as one.
    pub(in crate::lower) fn is_router(&self, topology: &Topology, node: usize) -> bool {
        match topology.nodes[node].kind {
            NodeKind::Router => true,
            NodeKind::Switch => !self.carries_cells(node),
            NodeKind::Host | NodeKind::Edge => false,
        }
    }

    /// The hop by which a VC arrives at the node that has `output`.
    pub(in crate::lower) fn before(&self, output: Hop, planned: PlannedVc) -> Option<Hop> {
        let path = &self.flows[planned.flow].path;
        let back = |hop: &Hop| hop.back();
        let way: Vec<Hop> = if planned.back {
            path.iter().rev().map(back).collect()
        } else {
            path.to_vec()
        };
        let place = way.iter().position(|hop| *hop == output)?;
        way.get(place.checked_sub(1)?).copied()
    }
}

/// Numbers the virtual channels of every link, flow by flow.
fn number_vcs(topology: &Topology, flows: &mut [PlannedFlow]) -> Rows<Carried> {
    let mut vcs = vec![Vec::new(); topology.links.len()];
    for (flow, planned) in flows.iter_mut().enumerate() {
        let in_cells = planned.in_cells();
        let mut number = |hop: Hop, in_cells: bool| {
            let vcs = &mut vcs[hop.link()];
            vcs.push(Carried {
                flow: flow as u32,
                back: hop.reverse(),
                in_cells,
            });
            Vc(vcs.len() as u32 - 1)
        };
        if let Some(mesh) = &mut planned.mesh {
            for label in &mut mesh.labels {
                label.vc = number(label.hop, !in_cells.is_empty());
            }
            let of_path = planned.path.iter().map(|hop| mesh.label(*hop));
            let of_path = of_path.map(|label| label.expect("the path is in the mesh").vc);
            planned.vcs = of_path.collect();
        } else {
            let path = planned.path.iter().enumerate();
            let of_path = path.map(|(place, hop)| number(*hop, in_cells.contains(&place)));
            planned.vcs = of_path.collect();
        }
    }
    vcs.into_iter().collect()
}
