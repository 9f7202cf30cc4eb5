//! The flows of a plan with their tables: what a flow asks of the hops that it passes.

mod times;

use models::bearer::BearerSpec;
use models::bearer::packet::PacketBearer;
use models::flow::{FlowSpec, Pairs};
use models::host::ArrivalOrder;
use models::wire::class::Class;
use models::wire::format::CellFormat;
use models::wire::priority::Priority;
use parameters::{Named, ParameterTable, Path};

use super::topology::Topology;
use super::{Hop, PlannedFlow, PlannedPaths, PlannedVc};
use crate::scope::Name;
use crate::spec::ScenarioSpec;

/// All flows, by number: their paths, and the tables that declare them.
#[derive(Clone, Copy)]
pub struct Flows<'a> {
    /// Tables of flows.
    pub(in crate::lower) tables: &'a Named<FlowSpec>,
    /// Paths and VCs.
    pub(in crate::lower) paths: &'a PlannedPaths,
    /// Format of the cells of the network.
    pub(in crate::lower) cells: CellFormat,
}

impl<'a> Flows<'a> {
    /// The flows of a scenario with these paths.
    pub(in crate::lower) fn new(spec: &'a ScenarioSpec, paths: &'a PlannedPaths) -> Flows<'a> {
        Flows {
            tables: &spec.flow,
            paths,
            cells: spec.cells(),
        }
    }

    /// The table of a flow.
    pub fn spec(&self, flow: usize) -> &'a FlowSpec {
        self.planned(flow).spec(self.tables)
    }

    /// The path of a flow.
    pub(in crate::lower) fn planned(&self, flow: usize) -> &'a PlannedFlow {
        &self.paths.flows[flow]
    }

    /// Name of the table of a flow.
    pub(in crate::lower) fn table(&self, flow: usize) -> &'a str {
        &self.tables.0[self.planned(flow).member.spec()].0
    }

    /// Name of a flow.
    pub(in crate::lower) fn name(&self, flow: usize) -> String {
        self.planned(flow).member.name(self.tables)
    }

    /// The path of the table of a flow.
    pub(in crate::lower) fn at(&self, flow: usize) -> Path {
        Path::root().key("flow").key(self.table(flow))
    }

    /// Service classes of the VCs of a hop; both directions of a flow have the same class.
    pub(in crate::lower) fn classes(&self, hop: Hop) -> Box<[Class]> {
        let vcs = self.paths.vcs(hop);
        vcs.map(|planned| self.spec(planned.flow).over.class())
            .collect()
    }

    /// Priorities of the virtual channels of a hop.
    pub(crate) fn priorities(&self, hop: Hop) -> Box<[Priority]> {
        let vcs = self.paths.vcs(hop);
        vcs.map(|planned| self.spec(planned.flow).priority)
            .collect()
    }

    /// Octets on the link of the longest packet that leaves a node whole; zero if none does.
    pub(crate) fn longest_packet(&self, topology: &Topology, node: usize) -> u32 {
        let vcs = self.paths.leaving(topology, node);
        let whole = vcs.filter(|planned| !planned.in_cells);
        let octets = whole.map(|planned| {
            let flow = self.spec(planned.flow);
            flow.wrap(false, flow.transport.facts().full_packet, self.cells)
                .0
        });
        let longest = octets.max().unwrap_or(0);
        u32::try_from(longest).expect("a packet has at most 64 KiB and its framing")
    }

    /// The bearer of a VC on its hop; between a host and an edge, packets are whole.
    pub(in crate::lower) fn bearer(&self, planned: PlannedVc) -> BearerSpec {
        let over = &self.spec(planned.flow).over;
        if planned.in_cells == over.is_cells() {
            over.clone()
        } else {
            BearerSpec::PacketBearer(PacketBearer::defaults())
        }
    }

    /// The order of arrival of the packets of a flow; none if they cannot overtake each other.
    pub(in crate::lower) fn arrival_order(&self, flow: usize) -> Option<ArrivalOrder> {
        let planned = self.planned(flow);
        let may_overtake = planned.has_several_paths() && planned.in_cells().is_empty();
        let by_connection = self.spec(flow).source.connections().is_some();
        may_overtake.then(|| ArrivalOrder::new(by_connection))
    }

    /// True if the receiver of a flow may send units to its sender: acknowledgments or RM cells.
    pub(in crate::lower) fn sends_back(&self, flow: usize) -> bool {
        let flow = self.spec(flow);
        flow.transport.facts().answers || flow.over.rate_control().is_some()
    }

    /// The number of flows of the same table from the same host, if all pairs of hosts have one.
    pub(in crate::lower) fn siblings(&self, topology: &Topology, flow: usize) -> u32 {
        if self.spec(flow).pairs != Pairs::All {
            return 1;
        }
        let table = |flow: usize| self.planned(flow).member.spec();
        let host = self.paths.hosts(topology, flow)[0];
        // The flows of a host stand together.
        let is_sibling = |other: &usize| {
            table(*other) == table(flow) && self.paths.hosts(topology, *other)[0] == host
        };
        let before = (0..flow).rev().take_while(is_sibling).count();
        let after = (flow..self.paths.flows.len()).take_while(is_sibling);
        (before + after.count()) as u32
    }

    /// The flows that a flow awaits, by number: those of its list that end at its host.
    pub(in crate::lower) fn awaited(&self, topology: &Topology, flow: usize) -> Vec<usize> {
        let Some(names) = self.spec(flow).source.awaits() else {
            return Vec::new();
        };
        let names: Vec<Name> = names.iter().filter_map(|name| Name::parse(name)).collect();
        let host = self.paths.hosts(topology, flow)[0];
        let flows = 0..self.paths.flows.len();
        let of_names = flows.filter(|other| {
            self.paths.hosts(topology, *other)[1] == host && {
                let flow = Name::of(self.planned(*other).member, self.tables);
                names.iter().any(|name| name.covers(&flow))
            }
        });
        of_names.collect()
    }
}
