//! A switch with one output, sources before it and a sink after it.

use std::collections::VecDeque;

use kernel::{Duration, LinkOutlet, Network, Node, Rate, Seed, Time, Wire};
use models::link::transmitter::Transmitter;
use models::output::Queueing;
use models::output::admission::BufferGate;
use models::output::discard::{Buffer, DiscardSpec};
use models::switch::fabric::{FabricSpec, Inputs};
use models::switch::outputs::Outputs;
use models::switch::{CellOutput, Switch};
use models::wire::cell::{Data, Train};
use models::wire::class::Class;
use models::wire::contents::{Cargo, Contents, ContentsId};
use models::wire::format::CellFormat;
use models::wire::segment::Segment;
use models::wire::unit::Unit;
use models::wire::vc::{Route, Vc};

/// Transmission time of a cell on every input.
pub const CELL: u64 = 10;

/// The arrivals at the inputs of a switch, and its configuration.
#[derive(Clone, Debug)]
pub struct Case {
    /// The cells of each input, which form one VC.
    pub sources: Vec<Vec<Part>>,
    /// Transmission time of a cell on the output.
    pub cell_time: u64,
    pub capacity: u64,
}

/// Consecutive cells of one priority: a PDU or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Idle time before the cells.
    pub gap: u64,
    pub cells: u32,
    pub clp: bool,
    pub eom: bool,
}

/// The arrival time of the first cell, the number of the PDU, and the cells.
pub type Arrival = (u64, u32, Part);

impl Case {
    /// The arrivals from one source.
    pub fn arrivals(&self, source: usize) -> VecDeque<Arrival> {
        let (mut next, mut pdu) = (CELL, 0);
        let parts = self.sources[source].iter().map(|part| {
            let first = next + part.gap;
            next = first + u64::from(part.cells) * CELL;
            let arrival = (first, pdu, *part);
            pdu += u32::from(part.eom);
            arrival
        });
        parts.collect()
    }
}

/// A cell that has left the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    pub at: u64,
    pub vc: u32,
    pub pdu: u32,
    pub clp: bool,
}

pub enum End {
    Source(VecDeque<Arrival>),
    Switch(Box<Switch>),
    Sink(Vec<Left>),
}

impl Node for End {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        match self {
            // A train is committed one cell time before its first cell arrives.
            End::Source(parts) => parts
                .front()
                .map_or(Time::NEVER, |(first, ..)| Time::from_ps(first - CELL)),
            End::Switch(switch) => switch.next_wake(),
            End::Sink(_) => Time::NEVER,
        }
    }

    fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, Unit, Cargo>) {
        match self {
            End::Source(parts) => {
                let (first, pdu, part) = parts.pop_front().expect("cells are due");
                let contents = if part.eom {
                    out.cargo.insert(Contents {
                        segment: Segment::default(),
                        octets: 100,
                        cells: part.cells,
                        sent: now,
                        number: 0,
                        marked: false,
                        pdu,
                    })
                } else {
                    ContentsId(0)
                };
                let data = Data {
                    clp: part.clp,
                    ..Data::new(pdu, contents, part.eom)
                };
                let train = Train::data(Vc(0), data, part.cells, Duration::from_ps(CELL));
                out.send(0, Time::from_ps(first), Unit::Cells(train));
            }
            End::Switch(switch) => switch.wake(now, out),
            End::Sink(_) => {}
        }
    }

    fn advance(&mut self, out: &mut LinkOutlet<'_, Unit, Cargo>) {
        if let End::Switch(switch) = self {
            return switch.advance(out);
        }
        while self.next_wake() <= out.horizon() {
            self.wake(self.next_wake(), out);
        }
    }

    fn receive(
        &mut self,
        now: Time,
        input: usize,
        unit: Unit,
        out: &mut LinkOutlet<'_, Unit, Cargo>,
    ) {
        match (self, unit) {
            (End::Switch(switch), unit) => switch.receive(now, input, unit, out),
            (End::Sink(left), Unit::Cells(train)) => {
                let data = train.part().expect("these cells carry data");
                if data.eom {
                    out.cargo.take(data.contents);
                }
                left.push(Left {
                    at: now.ps(),
                    vc: train.vc.0,
                    pdu: data.pdu,
                    clp: data.clp,
                });
            }
            _ => unreachable!("sinks are sent cells, and sources nothing"),
        }
    }
}

/// A network of the switch, then the sink, then the sources.
pub fn network(case: &Case, discard: &DiscardSpec) -> Network<End> {
    let count = case.sources.len();
    let buffer = Buffer::of_cells(case.capacity, CellFormat::ATM.octets(), count);
    let gate = BufferGate::new(&buffer, discard, None);
    let transmitter = Transmitter::new(0, None);
    let cell_time = Duration::from_ps(case.cell_time);
    let classes = vec![Class::Ubr; count];
    let queueing = Queueing::Fifo(gate);
    let port = CellOutput::new(
        transmitter,
        cell_time,
        CellFormat::ATM,
        queueing,
        &classes,
        None,
    );
    let outputs = Outputs::new(vec![port], None, false);
    let seed = Seed {
        seed: 1,
        replication: 0,
    };
    let rate = Rate::from_bits_per_second(CellFormat::ATM.bits() * 1_000_000_000_000 / CELL);
    let inputs = Inputs {
        inputs: count,
        outputs: 1,
        classes: [vec![Class::Ubr; count].into()].into(),
        routed: (0..count).map(|input| (input, 0)).collect(),
        rates: vec![rate; 1].into(),
        cell_time: Duration::from_ps(CELL),
        cells: CellFormat::ATM,
        random: seed.stream("switch", "fabric"),
        chance: None,
    };
    let routes = (0..count as u32).map(|vc| {
        vec![Route {
            output: 0,
            vc: Vc(vc),
        }]
    });
    let fabric = FabricSpec::default().build(&inputs);
    let switch = Switch::new(fabric, outputs, routes.collect());
    let mut nodes = vec![End::Switch(Box::new(switch)), End::Sink(Vec::new())];
    let wire = |from, to, shortest| Wire {
        from,
        to,
        shortest: Duration::from_ps(shortest),
        propagation: Duration::ZERO,
    };
    let mut wires = vec![wire(0, 1, case.cell_time)];
    for source in 0..count {
        wires.push(wire(nodes.len(), 0, CELL));
        nodes.push(End::Source(case.arrivals(source)));
    }
    Network::new(nodes, Cargo::default(), &wires)
}

/// The cells that have left the switch.
pub fn left(network: &Network<End>) -> &[Left] {
    match &network.nodes[1] {
        End::Sink(left) => left,
        _ => unreachable!("the second node is the sink"),
    }
}

/// The output of the switch.
pub fn port(network: &mut Network<End>) -> &mut CellOutput {
    match &mut network.nodes[0] {
        End::Switch(switch) => &mut switch.outputs.ports[0],
        _ => unreachable!("the first node is the switch"),
    }
}
