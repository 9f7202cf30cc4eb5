//! Lowering: from what users write to a network that can run.
//!
//! Everything that could go wrong is found here, and all of it is reported; a [`Plan`] always runs.
//! [`topology`] gives every node and link a number, [`route`] every flow a path, [`check`] asks of
//! each part whether it can do what the flows through it need ([`rates`] and [`classes`] with it),
//! and [`build`] makes the network.

mod allocators;
mod build;
mod check;
mod classes;
mod credit;
mod edges;
mod rates;
mod route;
mod topology;

use std::ops::Range;

use kernel::Duration;
use models::cell::CELL_BITS;
use models::class::Class;
use models::flow::FlowSpec;
use models::loss::LossSpec;
use models::vc::Vc;
use parameters::Problems;

use crate::spec::ScenarioSpec;
pub use topology::{Kind, PlannedLink, PlannedNode, Topology};

/// A network that is known to make sense.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it was lowered from.
    pub spec: ScenarioSpec,
    /// Nodes and links.
    pub topology: Topology,
    /// Flows and their paths, in the order in which they were written.
    pub flows: Vec<PlannedFlow>,
    /// What each link carries in each direction: the flow and whether it is on its way back, by
    /// virtual channel.
    pub channels: Vec<[Vec<Channel>; 2]>,
}

/// A flow with a path.
#[derive(Clone, Debug)]
pub struct PlannedFlow {
    /// Name, with the number of the member if the flow is one of a group.
    pub name: String,
    /// Which of the flows of the scenario it is a member of.
    pub spec: usize,
    /// Host at which it begins.
    pub from: usize,
    /// Host at which it ends.
    pub to: usize,
    /// Links from there to here.
    pub path: Vec<Hop>,
    /// Which of them it passes in cells: all or none, unless edges cut its packets into cells.
    pub in_cells: Range<usize>,
    /// Virtual channel of the flow on each of them, the same in both directions.
    pub vcs: Vec<Vc>,
}

impl PlannedFlow {
    /// Whether its packets are cut into cells on the way, and put together again.
    pub fn passes_edges(&self) -> bool {
        !self.in_cells.is_empty() && self.in_cells.len() < self.path.len()
    }
}

/// A link passed in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Which link.
    pub link: usize,
    /// From its second node to its first.
    pub reverse: bool,
}

impl Hop {
    /// The same link the other way.
    pub fn back(self) -> Hop {
        Hop {
            reverse: !self.reverse,
            ..self
        }
    }
}

/// A virtual channel of a link, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Flow that it belongs to.
    pub flow: usize,
    /// Whether it leads from the end of the flow to its beginning.
    pub back: bool,
    /// Whether packets are cut into cells here.
    pub in_cells: bool,
}

impl Plan {
    /// Lowers a scenario.
    ///
    /// Problems have paths but no places; see [`Problems::locate`].
    pub fn new(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Plan> {
        let before = problems.len();
        let topology = Topology::new(spec, problems)?;
        let mut flows = route::flows(spec, &topology, problems);
        let channels = number_channels(&topology, &mut flows);
        let plan = Plan {
            spec: spec.clone(),
            topology,
            flows,
            channels,
        };
        check::plan(&plan, problems);
        (problems.len() == before).then_some(plan)
    }

    /// What was written of a flow.
    pub fn flow_spec(&self, flow: usize) -> &FlowSpec {
        &self.spec.flow.0[self.flows[flow].spec].1
    }

    /// What a link loses, if anything.
    pub fn loss(&self, link: usize) -> Option<&LossSpec> {
        self.spec.link.0[self.topology.links[link].spec]
            .1
            .loss
            .as_ref()
    }

    /// Channels of a hop.
    pub fn channels(&self, hop: Hop) -> &[Channel] {
        &self.channels[hop.link][usize::from(hop.reverse)]
    }

    /// Service classes of the channels of a hop; both directions of a flow have the same.
    pub fn classes(&self, hop: Hop) -> Box<[Class]> {
        let channels = self.channels(hop).iter();
        channels
            .map(|channel| self.flow_spec(channel.flow).over.class())
            .collect()
    }

    /// The channels that leave a node, output by output.
    pub fn leaving(&self, node: usize) -> impl Iterator<Item = &Channel> {
        self.topology
            .outputs(node)
            .iter()
            .flat_map(|hop| self.channels(*hop))
    }

    /// Whether the flows through a node are cut into cells; true if there are none.
    pub fn carries_cells(&self, node: usize) -> bool {
        self.leaving(node)
            .next()
            .is_none_or(|channel| channel.in_cells)
    }

    /// Whether the node that a hop leaves sends cells over it.
    pub fn sends_cells(&self, hop: Hop) -> bool {
        let node = self.topology.head(hop.back());
        match self.topology.nodes[node].kind {
            Kind::Edge(_) => self.channels(hop).first().is_some_and(|one| one.in_cells),
            _ => self.carries_cells(node),
        }
    }

    /// Time that a full packet of a flow takes on the slowest link of its path.
    pub fn packet_time(&self, flow: usize) -> Duration {
        let full = self.flow_spec(flow).transport.full_packet();
        let planned = &self.flows[flow];
        let times = planned.path.iter().enumerate().map(|(place, hop)| {
            let rate = self.topology.links[hop.link].rate;
            match self.wrap(flow, planned.in_cells.contains(&place), full) {
                (octets, 0) => rate.transmission(octets * 8),
                (_, cells) => rate.transmission(CELL_BITS) * u64::from(cells),
            }
        });
        times.max().unwrap_or(Duration::ZERO)
    }

    /// Time after which a cell comes back that meets no other where a flow is in cells.
    pub fn round_trip_of_cells(&self, flow: usize) -> Duration {
        let planned = &self.flows[flow];
        let times = planned.path[planned.in_cells.clone()].iter().map(|hop| {
            let link = &self.topology.links[hop.link];
            (link.rate.transmission(CELL_BITS) + link.delay) * 2
        });
        times.fold(Duration::ZERO, |sum, time| sum + time)
    }
}

/// Numbers the virtual channels of every link, flow by flow.
fn number_channels(topology: &Topology, flows: &mut [PlannedFlow]) -> Vec<[Vec<Channel>; 2]> {
    let mut channels = vec![[Vec::new(), Vec::new()]; topology.links.len()];
    for (flow, planned) in flows.iter_mut().enumerate() {
        for (place, hop) in planned.path.iter().enumerate() {
            let in_cells = planned.in_cells.contains(&place);
            let [forward, reverse] = &mut channels[hop.link];
            planned.vcs.push(Vc(forward.len() as u32));
            forward.push(Channel {
                flow,
                back: hop.reverse,
                in_cells,
            });
            reverse.push(Channel {
                flow,
                back: !hop.reverse,
                in_cells,
            });
        }
    }
    channels
}
