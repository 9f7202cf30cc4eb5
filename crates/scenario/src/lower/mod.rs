//! Lowering: from what users write to a network that can run.
//!
//! Lowering reports every mistake, so a [`Plan`] always runs. [`topology`] numbers nodes and links,
//! [`routes`] finds the path of every flow, [`checks`] checks that each part supports the flows
//! through it, and [`build`] makes the network.

pub(crate) mod build;
pub(crate) mod checks;
mod clocks;
mod computed;
mod credit;
mod inputs;
mod packet_credit;
pub(crate) mod pause;
mod points;
pub(crate) mod recorded;
mod retry;
pub(crate) mod routes;
mod tables;
mod topology;
mod trimming;

use std::collections::BTreeSet;
use std::ops::Range;

use kernel::{Duration, Rate};
use models::flow::FlowSpec;
use models::link::LinkSpec;
use models::wire::class::Class;
use models::wire::format::CellFormat;
use models::wire::vc::Vc;
use parameters::Problems;

use crate::spec::ScenarioSpec;
pub use checks::warnings::{About, PlanWarning};
pub use points::Points;
use routes::Flows;
use routes::paths::Mesh;
pub use topology::expanded::Expanded;
pub use topology::member::TableMember;
use topology::rows::Rows;
pub use topology::{NodeKind, PlannedLink, PlannedNode, Topology};

/// A scenario without mistakes, as nodes, links and flows by number.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenario, with its topology expanded.
    pub spec: ScenarioSpec,
    /// Nodes and links.
    pub topology: Topology,
    /// Flows and their paths, in the order in which they were written.
    pub flows: Vec<PlannedFlow>,
    /// Tables of flows of which a flow was refused; none once the plan is complete.
    refused: BTreeSet<usize>,
    /// The VCs of each link from its first node to its second; the VCs of the other direction
    /// belong to the same flows.
    vcs: Rows<Carried>,
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

    /// True if its packets may take several paths.
    pub fn has_several_paths(&self) -> bool {
        self.mesh.is_some()
    }

    /// True if edges on its path segment its packets into cells.
    pub fn passes_edges(&self) -> bool {
        !self.in_cells.is_empty() && self.in_cells.len() < self.path.len()
    }
}

/// A link passed in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop(u32);

impl Hop {
    /// A hop over a link, from its second node to its first if `reverse`.
    pub fn new(link: usize, reverse: bool) -> Hop {
        Hop(link as u32 * 2 + u32::from(reverse))
    }

    /// The hop with a number.
    pub(crate) fn of(number: u32) -> Hop {
        Hop(number)
    }

    /// Twice the number of the link, and one more from its second node to its first.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Number of the link.
    pub fn link(self) -> usize {
        self.0 as usize / 2
    }

    /// True if the hop leads from the second node of the link to the first.
    pub fn reverse(self) -> bool {
        self.0 % 2 == 1
    }

    /// The hop in the opposite direction.
    pub fn back(self) -> Hop {
        Hop(self.0 ^ 1)
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

impl Plan {
    /// Lowers a scenario.
    ///
    /// Problems have paths in the scenario, but no line numbers; see [`Problems::locate`].
    pub fn new(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Plan> {
        Plan::of(&Expanded::new(spec), problems)
    }

    /// Lowers a scenario with an expanded topology.
    fn of(expanded: &Expanded, problems: &mut Problems) -> Option<Plan> {
        let mut found = Problems::default();
        let plan = Plan::of_parts(&expanded.spec, &mut found);
        let is_right = found.is_empty();
        problems.extend(expanded.trace_back(found));
        plan.filter(|_| is_right)
    }

    /// Reports names of nodes and flows that do not exist, whatever the other values are.
    fn check_names(expanded: &Expanded, problems: &mut Problems) {
        let mut found = Problems::default();
        if let Some(plan) = Plan::joined(&expanded.spec, &mut found) {
            checks::goals::check(&plan, &mut found);
        }
        problems.extend(expanded.trace_back(found));
    }

    /// Lowers a scenario in which every node and link is written.
    fn of_parts(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Plan> {
        let plan = Plan::joined(spec, problems)?;
        checks::plan(&plan, problems);
        Some(plan)
    }

    /// The nodes, links and flows of a scenario, before they are checked.
    fn joined(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Plan> {
        let topology = Topology::new(spec, problems)?;
        let Flows { mut flows, refused } = routes::flows(spec, &topology, problems);
        let vcs = number_vcs(&topology, &mut flows);
        Some(Plan {
            spec: spec.clone(),
            topology,
            flows,
            refused,
            vcs,
        })
    }

    /// Format of the cells of the network.
    pub fn cells(&self) -> CellFormat {
        self.spec.cells()
    }

    /// Transmission time of a cell on a hop.
    pub fn cell_time(&self, hop: Hop) -> Duration {
        self.cells().time(self.rate(hop))
    }

    /// The table of a flow.
    pub fn flow_spec(&self, flow: usize) -> &FlowSpec {
        &self.spec.flow.0[self.flows[flow].member.spec()].1
    }

    /// True if a flow of the group with this name was refused, and its problem reported.
    fn lacks_flows_of(&self, group: &str) -> bool {
        let names = self.refused.iter().map(|table| &self.spec.flow.0[*table].0);
        names.into_iter().any(|name| name == group)
    }

    /// Name of a flow.
    pub fn flow_name(&self, flow: usize) -> String {
        self.flows[flow].member.name(&self.spec.flow)
    }

    /// Name of a node.
    pub fn node_name(&self, node: usize) -> String {
        self.topology.name(&self.spec, node)
    }

    /// The hosts at which a flow begins and ends.
    pub fn hosts(&self, flow: usize) -> [usize; 2] {
        let path = &self.flows[flow].path;
        let (first, last) = (path[0], path[path.len() - 1]);
        [self.topology.head(first.back()), self.topology.head(last)]
    }

    /// The table of a link.
    pub fn link_spec(&self, link: usize) -> &LinkSpec {
        &self.spec.link.0[self.topology.links[link].member.spec()].1
    }

    /// Name of a link.
    pub fn link_name(&self, link: usize) -> String {
        self.topology.links[link].member.name(&self.spec.link)
    }

    /// Rate of a hop.
    pub fn rate(&self, hop: Hop) -> Rate {
        self.link_spec(hop.link()).rate
    }

    /// The hops over the links of a table, in both directions of each.
    pub(in crate::lower) fn hops_of_table(&self, table: usize) -> impl Iterator<Item = Hop> {
        let links = self.topology.links.iter().enumerate();
        let members = links.filter(move |(_, link)| link.member.spec() == table);
        members.flat_map(|(link, _)| [false, true].map(|reverse| Hop::new(link, reverse)))
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

    /// Octets of the smallest and of the largest packet that may pass a hop; none if no packet does.
    /// The largest packet of a flow counts in both directions.
    pub(in crate::lower) fn packet_sizes(&self, hop: Hop) -> Option<(u64, u64)> {
        let mut sizes: Option<(u64, u64)> = None;
        let trimmed = self.smallest_trimmed();
        for planned in self.vcs(hop) {
            let flow = self.flow_spec(planned.flow);
            let facts = flow.transport.facts();
            let [small, full] = [facts.smallest_packet, facts.largest_packet]
                .map(|octets| flow.wrap(false, octets, self.cells()).0);
            let small = trimmed.map_or(small, |trimmed| small.min(trimmed));
            let (smallest, largest) = sizes.unwrap_or((small, full));
            sizes = Some((smallest.min(small), largest.max(full)));
        }
        sizes
    }

    /// Service classes of the VCs of a hop; both directions of a flow have the same class.
    pub fn classes(&self, hop: Hop) -> Box<[Class]> {
        let vcs = self.vcs(hop);
        vcs.map(|planned| self.flow_spec(planned.flow).over.class())
            .collect()
    }

    /// VCs that leave a node, output by output.
    pub fn leaving(&self, node: usize) -> impl Iterator<Item = PlannedVc> {
        self.topology
            .outputs(node)
            .iter()
            .flat_map(|hop| self.vcs(*hop))
    }

    /// True if the flows through a node are in cells, or if no flow passes it.
    pub fn carries_cells(&self, node: usize) -> bool {
        self.leaving(node)
            .next()
            .is_none_or(|planned| planned.in_cells)
    }

    /// True if the flows on a hop are in cells; all flows of a hop are alike.
    pub fn is_in_cells(&self, hop: Hop) -> bool {
        self.vcs(hop).next().is_some_and(|one| one.in_cells)
    }

    /// True if the node at the beginning of a hop sends cells over it.
    pub fn sends_cells(&self, hop: Hop) -> bool {
        let node = self.topology.head(hop.back());
        match self.topology.nodes[node].kind {
            NodeKind::Edge => self.is_in_cells(hop),
            // Hosts may have links with cells and links with packets.
            NodeKind::Host => self.vcs(hop).next().is_none_or(|planned| planned.in_cells),
            NodeKind::Switch | NodeKind::Router => self.carries_cells(node),
        }
    }

    /// Transmission time of a full packet of a flow on the slowest link of its paths.
    pub fn packet_time(&self, flow: usize) -> Duration {
        let (spec, planned) = (self.flow_spec(flow), &self.flows[flow]);
        let full = spec.transport.facts().full_packet;
        let times = planned.hops().enumerate().map(|(place, hop)| {
            let rate = self.rate(hop);
            let in_cells = if planned.mesh.is_some() {
                !planned.in_cells.is_empty()
            } else {
                planned.in_cells().contains(&place)
            };
            match spec.wrap(in_cells, full, self.cells()) {
                (octets, 0) => rate.transmission(octets * 8),
                (_, cells) => self.cell_time(hop) * u64::from(cells),
            }
        });
        times.max().unwrap_or(Duration::ZERO)
    }

    /// Round-trip time of one cell on the idle part of the path that a flow passes in cells; with
    /// several paths, on the slowest link at each distance from the sending host.
    pub fn round_trip_of_cells(&self, flow: usize) -> Duration {
        let planned = &self.flows[flow];
        let time = |hop: Hop| (self.cell_time(hop) + self.link_spec(hop.link()).delay.0) * 2;
        if let Some(mesh) = &planned.mesh {
            return mesh.longest(time);
        }
        let times = planned.path[planned.in_cells()].iter();
        let times = times.map(|hop| time(*hop));
        times.fold(Duration::ZERO, |sum, time| sum + time)
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
