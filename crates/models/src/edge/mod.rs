//! Edge routers, which segment packets into cells, and reassemble packets from cells.
//!
//! Between two edges a flow is carried in cells, elsewhere in whole packets. Towards the cells each
//! VC has a queue of packets of its own, which empties at the rate at which the VC may send. If
//! explicit rates keep the cell network uncongested, packets wait, and are dropped, at the edge.
//! `docs/concepts/edges.md` gives the sources.

mod cells;

use kernel::{Node, Time};
use parameters::{BufferLimit, BufferSize, parameters};

use crate::group::NodeGroup;
use crate::metrics::UnforwardedOctets;
use crate::output::Port;
use crate::output::buffer::BufferSpec;
use crate::output::buffer::per_output::PerOutput;
use crate::output::discard::DiscardSpec;
use crate::output::mark::MarkSpec;
use crate::output::scheduler::SchedulerSpec;
use crate::paths::PathsSpec;
use crate::router::{PacketOutput, RouterSpec};
use crate::ties::TieRule;
use crate::wire::cell::{Payload, Train};
use crate::wire::contents::Cargo;
use crate::wire::ecn::CongestionField;
use crate::wire::format::CellFormat;
use crate::wire::unit::{Outlet, PacketUnit, Unit};
use crate::wire::vc::Route;
pub use cells::CellPort;

parameters! {
    /// An edge router, or a group of equal ones: packets on one side, cells on the other.
    pub struct EdgeSpec {
        /// Size of the group; members are called `name[0]`, `name[1]` and so on. If not given, one
        /// edge router called `name`.
        #[as_in(NodeGroup)]
        pub count: Option<u32>,
        /// Capacity of each queue; there is one for each virtual channel of a link with cells, and
        /// one for each link with packets. A packet counts in the cells of the
        /// network.
        pub queue: BufferSize,
        /// Discard policy of the queues.
        pub discard: DiscardSpec = default,
        /// Rule by which queues mark packets; if not given, none are marked.
        pub mark: Option<MarkSpec>,
    }
}

impl From<&EdgeSpec> for RouterSpec {
    /// The parameters of the edge's outputs to links with packets, in the form of a router.
    fn from(edge: &EdgeSpec) -> RouterSpec {
        RouterSpec {
            buffer: BufferSpec::PerOutput(PerOutput(BufferLimit::Size(edge.queue))),
            discard: edge.discard.clone(),
            scheduler: SchedulerSpec::default(),
            memory: None,
            mark: edge.mark.clone(),
            paths: PathsSpec::default(),
            ties: TieRule::InOrder,
        }
    }
}

impl EdgeSpec {
    /// Capacity of a queue, in cells of this format.
    pub fn capacity(&self, cells: CellFormat) -> u64 {
        let spec = RouterSpec::from(self);
        spec.buffer.in_cells(0, spec.memory(cells)).capacity
    }

    /// Space in a queue, in cells of this format, of a packet of `octets` that is cut into `cells`
    /// cells; zero cells for a packet that stays whole.
    pub fn queue_space(octets: u64, cells: u32, format: CellFormat) -> u64 {
        match cells {
            0 => octets.div_ceil(format.octets()),
            cells => u64::from(cells),
        }
    }
}

/// An output of an edge.
pub enum EdgeOutput {
    /// To a link that carries packets.
    Packets(PacketOutput),
    /// To a link that carries cells.
    Cells(CellPort),
}

impl EdgeOutput {
    fn port(&self) -> &dyn Port {
        match self {
            EdgeOutput::Packets(port) => port,
            EdgeOutput::Cells(port) => port,
        }
    }

    fn port_mut(&mut self) -> &mut dyn Port {
        match self {
            EdgeOutput::Packets(port) => port,
            EdgeOutput::Cells(port) => port,
        }
    }

    fn next_service(&self) -> Time {
        match self {
            // An output to packets commits each packet when it accepts it, so no start is to come.
            EdgeOutput::Packets(_) => Time::NEVER,
            EdgeOutput::Cells(port) => port.next_service(),
        }
    }
}

/// An edge router.
pub struct Edge {
    outputs: Vec<EdgeOutput>,
    /// Route of each VC or flow label, by input.
    routes: Vec<Vec<Route>>,
    /// Counts of the octets that this edge receives in cells and does not forward, by input and VC.
    pub unforwarded: Vec<Vec<UnforwardedOctets>>,
    /// Counts of arrivals in cells.
    pub arrived: ArrivedCells,
    /// Format of the cells of the network.
    cells: CellFormat,
}

/// Arrivals in cells at an edge since the start, for the conservation laws.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArrivedCells {
    /// Number of cells.
    pub cells: u64,
    /// Number of resource management (RM) cells, which `cells` includes.
    pub rm_cells: u64,
    /// Damaged PDUs, which are dropped.
    pub damaged: u64,
}

impl Edge {
    /// An edge with `routes[input][vc]`; inputs and outputs are numbered alike.
    pub fn new(outputs: Vec<EdgeOutput>, routes: Vec<Vec<Route>>, cells: CellFormat) -> Edge {
        Edge {
            unforwarded: routes
                .iter()
                .map(|vcs| vec![UnforwardedOctets::default(); vcs.len()])
                .collect(),
            outputs,
            routes,
            arrived: ArrivedCells::default(),
            cells,
        }
    }

    /// The outputs of the edge.
    pub fn ports(&self) -> impl Iterator<Item = &dyn Port> {
        self.outputs.iter().map(EdgeOutput::port)
    }

    /// The outputs of the edge, mutable.
    pub fn ports_mut(&mut self) -> impl Iterator<Item = &mut dyn Port> {
        self.outputs.iter_mut().map(EdgeOutput::port_mut)
    }

    /// The outputs that send cells, with their numbers.
    pub fn cell_ports(&self) -> impl Iterator<Item = (usize, &CellPort)> {
        let outputs = self.outputs.iter().enumerate();
        outputs.filter_map(|(number, output)| match output {
            EdgeOutput::Cells(port) => Some((number, port)),
            EdgeOutput::Packets(_) => None,
        })
    }

    /// The outputs that send cells, with their numbers, mutable.
    pub fn cell_ports_mut(&mut self) -> impl Iterator<Item = (usize, &mut CellPort)> {
        let outputs = self.outputs.iter_mut().enumerate();
        outputs.filter_map(|(number, output)| match output {
            EdgeOutput::Cells(port) => Some((number, port)),
            EdgeOutput::Packets(_) => None,
        })
    }

    /// Restarts the counts of unforwarded octets, and of paced VCs, at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        let all = self.unforwarded.iter_mut();
        all.for_each(|vcs| vcs.fill(UnforwardedOctets::default()));
        let ports = self.cell_ports_mut();
        ports.for_each(|(_, port)| port.paced.begin_counting(now));
    }

    /// Takes a train from a link with cells: an RM cell, a credit, or all cells of a PDU.
    fn receive_cells(&mut self, now: Time, input: usize, train: Train, out: &mut Outlet<'_>) {
        let wire = u64::from(train.cells) * self.cells.octets();
        let unforwarded = &mut self.unforwarded[input][train.vc.index()];
        self.arrived.cells += u64::from(train.cells);
        let Payload::Data(data) = train.payload else {
            let EdgeOutput::Cells(port) = &mut self.outputs[input] else {
                unreachable!("links carry cells in both directions or in none")
            };
            match train.payload {
                Payload::Rm { id, .. } => {
                    self.arrived.rm_cells += 1;
                    unforwarded.control += wire;
                    port.receive_rm(now, train.vc, id, train.efci, out);
                }
                Payload::Credit { forwarded } => port.on_credit(now, train.vc, forwarded, out),
                Payload::Data(_) | Payload::Check { .. } => {
                    unreachable!("edges send check cells and receive none")
                }
            }
            return;
        };
        if !data.eom {
            // The PDU has not ended in time, so it has no contents.
            unforwarded.damaged += wire;
            return;
        }
        let contents = out.cargo.get(data.contents);
        if !(train.uniform && train.cells == contents.cells) {
            out.cargo.take(data.contents);
            unforwarded.damaged += wire;
            self.arrived.damaged += 1;
            return;
        }
        let packet = PacketUnit {
            vc: train.vc,
            contents: data.contents,
            octets: contents.octets,
            congestion: CongestionField::of(
                data.marked || contents.marked,
                contents.segment.not_ect(),
            ),
            trimmed: false,
            input: 0,
        };
        self.forward(now, input, packet, out);
    }

    /// Offers a whole packet to the output of its route.
    fn forward(&mut self, now: Time, input: usize, packet: PacketUnit, out: &mut Outlet<'_>) {
        let route = self.routes[input][packet.vc.index()];
        let output = route.output as usize;
        match &mut self.outputs[output] {
            EdgeOutput::Cells(port) => port.offer(now, packet, route.vc, out),
            EdgeOutput::Packets(port) => {
                let mut leaving = PacketUnit {
                    vc: route.vc,
                    ..packet
                };
                if !port.transmitter.loses_offered_packet(now, &leaving, out) {
                    port.offer(now, now, &mut leaving, 0, None, out);
                }
            }
        }
    }
}

impl Node for Edge {
    type Unit = Unit;
    type Cargo = Cargo;

    // Not inlined: networks have few edges, and inlined code of edges would prevent the inlining of
    // other nodes.
    #[inline(never)]
    fn next_wake(&self) -> Time {
        let services = self.outputs.iter().map(EdgeOutput::next_service);
        services.min().unwrap_or(Time::NEVER)
    }

    #[inline(never)]
    fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
        for output in &mut self.outputs {
            if let EdgeOutput::Cells(port) = output {
                port.serve(now, out);
            }
        }
    }

    #[inline(never)]
    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        match unit {
            Unit::Packet(packet) => self.forward(now, input, packet, out),
            Unit::Cells(train) => self.receive_cells(now, input, train, out),
            _ => unreachable!(
                "lowering refuses pauses, credits and retry on the links of edges, and hosts amend no cells there"
            ),
        }
    }
}
