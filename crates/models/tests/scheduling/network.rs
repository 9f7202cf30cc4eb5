//! The switch under test between sources and sinks.

use std::collections::VecDeque;

use kernel::{Duration, LinkOutlet, Network, Node, Rate, Seed, Time, Wire};
use models::link::transmitter::Transmitter;
use models::output::Queueing;
use models::output::admission::{BufferGate, BufferLayout};
use models::output::discard::{Buffer, DiscardSpec};
use models::output::scheduler::OutputVcs;
use models::switch::fabric::{FabricSpec, Inputs};
use models::switch::outputs::Outputs;
use models::switch::{CellOutput, Switch};
use models::wire::cell::{Data, Train};
use models::wire::class::Class;
use models::wire::contents::{Cargo, ContentsId};
use models::wire::format::CellFormat;
use models::wire::unit::Unit;
use models::wire::vc::{Route, Vc};

use super::case::{CELL, Case, Departures, Memory, VCS};

/// A node of the test: the switch, a source before it, or a sink after it.
pub enum End {
    Source(VecDeque<(u64, u32)>),
    Switch(Box<Switch>),
    Sink(Vec<(u64, u32)>),
}

impl Node for End {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        match self {
            // A train is committed one cell time before its first cell arrives.
            End::Source(trains) => trains
                .front()
                .map_or(Time::NEVER, |(first, _)| Time::from_ps(first - CELL)),
            End::Switch(switch) => switch.next_wake(),
            End::Sink(_) => Time::NEVER,
        }
    }

    fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, Unit, Cargo>) {
        match self {
            End::Source(trains) => {
                let (first, cells) = trains.pop_front().expect("a train is due");
                let data = Data::new(0, ContentsId(0), false);
                let train = Train::data(Vc(0), data, cells, Duration::from_ps(CELL));
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
            (End::Sink(arrived), Unit::Cells(train)) => arrived.push((now.ps(), train.vc.0)),
            _ => unreachable!("sinks are sent cells, and sources nothing"),
        }
    }
}

/// The buffers of one output, with tail drop.
fn layout(memory: &Memory) -> BufferLayout {
    let vcs = VCS as usize;
    let gate = |capacity| {
        let buffer = Buffer::of_cells(capacity, CellFormat::ATM.octets(), vcs);
        BufferGate::new(&buffer, &DiscardSpec::default(), None)
    };
    match memory {
        Memory::PerOutput(capacity) | Memory::Shared(capacity) => {
            BufferLayout::One(gate(*capacity))
        }
        Memory::PerClass(capacities) => BufferLayout::PerClass(Box::new(capacities.map(gate))),
    }
}

/// A network of the switch, then the sinks, then the sources.
pub fn network(case: &Case) -> Network<End> {
    let scheduler = case.order.spec();
    let vcs = OutputVcs::new(case.classes.into());
    let ports = case.outputs.iter().enumerate().map(|(output, cell_time)| {
        let transmitter = Transmitter::new(output, None);
        let cell_time = Duration::from_ps(*cell_time);
        let queueing = Queueing::new(layout(&case.memory), scheduler.scheduling(&vcs));
        CellOutput::new(
            transmitter,
            cell_time,
            CellFormat::ATM,
            queueing,
            &case.classes,
            None,
        )
    });
    let shared = matches!(case.memory, Memory::Shared(_));
    let outputs = Outputs::new(ports.collect(), None, shared);
    let routes = case.sources.iter().map(|source| {
        vec![Route {
            output: source.output as u32,
            vc: Vc(source.vc),
        }]
    });
    let fabric = FabricSpec::default().build(&inputs(case));
    let switch = Switch::new(fabric, outputs, routes.collect());
    let mut nodes = vec![End::Switch(Box::new(switch))];
    let mut wires = Vec::new();
    let wire = |from, to, shortest| Wire {
        from,
        to,
        shortest: Duration::from_ps(shortest),
        propagation: Duration::ZERO,
    };
    for cell_time in &case.outputs {
        wires.push(wire(0, nodes.len(), *cell_time));
        nodes.push(End::Sink(Vec::new()));
    }
    for source in &case.sources {
        wires.push(wire(nodes.len(), 0, CELL));
        nodes.push(End::Source(source.arrivals()));
    }
    Network::new(nodes, Cargo::default(), &wires)
}

fn inputs(case: &Case) -> Inputs {
    let receiving = case.sources.iter().map(|source| source.output);
    let bits = CellFormat::ATM.bits() * 1_000_000_000_000;
    let rates = case.outputs.iter().map(|cell_time| bits / cell_time);
    Inputs {
        inputs: case.sources.len(),
        outputs: case.outputs.len(),
        classes: vec![vec![Class::Ubr; case.sources.len()].into(); case.outputs.len()].into(),
        routed: receiving.enumerate().collect(),
        rates: rates.map(Rate::from_bits_per_second).collect(),
        cell_time: Duration::from_ps(CELL),
        cells: CellFormat::ATM,
        random: Seed {
            seed: 1,
            replication: 0,
        }
        .stream("switch", "fabric"),
        chance: None,
    }
}

pub fn departures(network: &Network<End>) -> Departures {
    let sinks = network.nodes.iter().filter_map(|node| match node {
        End::Sink(arrived) => Some(arrived.clone()),
        _ => None,
    });
    sinks.collect()
}

/// The first port of the switch.
pub fn port(network: &mut Network<End>) -> &mut CellOutput {
    match &mut network.nodes[0] {
        End::Switch(switch) => &mut switch.outputs.ports[0],
        _ => unreachable!("the first node is the switch"),
    }
}
