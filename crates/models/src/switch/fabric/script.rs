//! Scripts for the tests of the fabrics: trains in, and the order in which cells reach the output.

use kernel::{
    Duration, LinkOutlet, Network, Node, Rate, Runner, Seed, Stepwise, Stream, Time, Wire,
};

use super::{FabricSpec, Inputs};
use crate::link::transmitter::Transmitter;
use crate::output::Queueing;
use crate::output::admission::BufferGate;
use crate::output::discard::{Buffer, DiscardSpec};
use crate::switch::CellOutput;
use crate::switch::Switch;
use crate::switch::outputs::Outputs;
use crate::wire::cell::{Data, Train, TrainOrder};
use crate::wire::class::Class;
use crate::wire::contents::{Cargo, ContentsId};
use crate::wire::format::CellFormat;
use crate::wire::unit::{Amendment, Unit};
use crate::wire::vc::{Route, Vc};

/// Transmission time of a cell, and length of a slot.
const CELL: u64 = 10;

/// Rate at which a cell of ATM takes so long, in bit/s.
const RATE: u64 = CellFormat::ATM.bits() * 1_000_000_000_000 / CELL;

/// The nodes of the test: the switch, the sources before it, and the sink after it.
enum End {
    Source(Vec<(u64, Sent)>),
    Switch(Box<Switch>),
    Sink(Vec<(u64, u32)>),
}

/// A unit of a source, which arrives at a given time.
#[derive(Clone, Copy, Debug)]
pub enum Sent {
    /// A train of this number of cells; its first cell arrives at the given time.
    Cells(u32),
    /// A train of this number of cells, of which the last ends a packet.
    Packet(u32),
    /// A train of this number of cells, announced behind the last cell of the link, which arrives
    /// at the given time.
    Behind(u32),
    /// An amendment that recalls this number of announced cells.
    Recall(u32),
    /// An amendment that respaces the announced cells.
    Respace {
        /// Time from the arrival of the amendment to the arrival of the first cell.
        after: u64,
        /// Time from the arrival of one cell to the arrival of the next.
        spacing: u64,
    },
}

impl From<Sent> for Unit {
    fn from(sent: Sent) -> Unit {
        let train = |cells, order, eom| {
            let data = Data::new(0, ContentsId(0), eom);
            Unit::Cells(Train {
                order,
                ..Train::data(Vc(0), data, cells, Duration::from_ps(CELL))
            })
        };
        match sent {
            Sent::Cells(cells) => train(cells, TrainOrder::Contiguous, false),
            Sent::Packet(cells) => train(cells, TrainOrder::Contiguous, true),
            Sent::Behind(cells) => train(cells, TrainOrder::Announced, false),
            Sent::Recall(cells) => Unit::Amendment(Amendment::Recall(cells)),
            Sent::Respace { after, spacing } => Unit::Amendment(Amendment::Respace {
                after: Duration::from_ps(after),
                spacing: Duration::from_ps(spacing),
            }),
        }
    }
}

impl Node for End {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        match self {
            End::Source(units) => units.first().map_or(Time::NEVER, |unit| {
                // A train is committed one cell time before its first cell arrives.
                Time::from_ps(unit.0 - CELL)
            }),
            End::Switch(switch) => switch.next_wake(),
            End::Sink(_) => Time::NEVER,
        }
    }

    fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, Unit, Cargo>) {
        match self {
            End::Source(units) => {
                let (arrival, sent) = units.remove(0);
                out.send(0, Time::from_ps(arrival), sent.into());
            }
            End::Switch(switch) => switch.wake(now, out),
            End::Sink(_) => {}
        }
    }

    fn advance(&mut self, out: &mut LinkOutlet<'_, Unit, Cargo>) {
        match self {
            End::Switch(switch) => switch.advance(out),
            _ => {
                while self.next_wake() <= out.horizon() {
                    self.wake(self.next_wake(), out);
                }
            }
        }
    }

    fn receive(
        &mut self,
        now: Time,
        input: usize,
        unit: Unit,
        out: &mut LinkOutlet<'_, Unit, Cargo>,
    ) {
        match self {
            End::Source(_) => {}
            End::Switch(switch) => switch.receive(now, input, unit, out),
            End::Sink(arrived) => {
                let Unit::Cells(train) = unit else {
                    unreachable!("only cells are sent")
                };
                arrived.push((now.ps() - CELL, train.vc.0));
            }
        }
    }
}

/// The random stream of the fabric.
fn random() -> Stream {
    let seed = Seed {
        seed: 1,
        replication: 0,
    };
    seed.stream("s1", "fabric")
}

/// Start of the transmission of each cell, and its input; trains are written as (arrival of the
/// first cell, number of cells) by input.
pub fn order(fabric: &FabricSpec, trains: &[&[(u64, u32)]]) -> Vec<(u64, u32)> {
    let units = trains.iter().map(|trains| {
        let units = trains.iter();
        units
            .map(|(at, cells)| (*at, Sent::Cells(*cells)))
            .collect()
    });
    order_of(fabric, units.collect())
}

/// As [`order`], for units written as (arrival, unit) by input.
pub fn order_of(fabric: &FabricSpec, units: Vec<Vec<(u64, Sent)>>) -> Vec<(u64, u32)> {
    order_with(1000, fabric, units)
}

/// As [`order_of`], for an output with a buffer of so many cells.
pub fn order_with(
    cells: u64,
    fabric: &FabricSpec,
    units: Vec<Vec<(u64, Sent)>>,
) -> Vec<(u64, u32)> {
    let count = units.len();
    let buffer = Buffer::of_cells(cells, CellFormat::ATM.octets(), count);
    let cell_time = Duration::from_ps(CELL);
    let transmitter = Transmitter::new(0, None);
    let gate = BufferGate::new(&buffer, &DiscardSpec::default(), None);
    let port = CellOutput::new(
        transmitter,
        cell_time,
        CellFormat::ATM,
        Queueing::Fifo(gate),
        &vec![Class::Ubr; count],
        None,
    );
    let routes = (0..count as u32).map(|input| {
        vec![Route {
            output: 0,
            vc: Vc(input),
        }]
    });
    let inputs = Inputs {
        inputs: count,
        outputs: 1,
        classes: [vec![Class::Ubr; count].into()].into(),
        routed: (0..count).map(|input| (input, 0)).collect(),
        rates: [Rate::from_bits_per_second(RATE)].into(),
        cell_time,
        cells: CellFormat::ATM,
        random: random(),
        chance: None,
    };
    let outputs = Outputs::new(vec![port], None, false);
    let switch = Switch::new(fabric.build(&inputs), outputs, routes.collect());
    let mut nodes = vec![End::Switch(Box::new(switch)), End::Sink(Vec::new())];
    let wire = |from, to| Wire {
        from,
        to,
        shortest: cell_time,
        propagation: Duration::ZERO,
    };
    let mut wires = vec![wire(0, 1)];
    for units in units {
        wires.push(wire(nodes.len(), 0));
        nodes.push(End::Source(units));
    }
    let mut network = Network::new(nodes, Cargo::default(), &wires);
    Stepwise.run(&mut network, Time::from_ps(10_000));
    match &network.nodes[1] {
        End::Sink(arrived) => arrived.clone(),
        _ => unreachable!("the second node is the sink"),
    }
}
