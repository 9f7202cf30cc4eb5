//! The outputs of a switch, against a naive switch that looks at one cell after another.

use std::collections::VecDeque;

use kernel::{
    Duration, Network, Node, OnDemand, Outlet, Runner, Seed, Stepwise, Time, Windows, Wire,
};
use models::cell::{CELL_OCTETS, Train};
use models::frame::{FrameId, Frames};
use models::loss::LossyEnds;
use models::port::Port;
use models::switch::Switch;
use models::switch::admission::Admission;
use models::switch::discard::{Buffer, DiscardSpec};
use models::switch::fabric::{FabricSpec, Inputs};
use models::switch::outputs::Outputs;
use models::switch::port::{Line, OutputPort};
use models::switch::scheduler::SchedulerSpec;
use models::unit::Unit;
use models::vc::{Route, Vc};
use parameters::{understand, value};
use proptest::prelude::*;

/// Time of a cell on every input.
const CELL: u64 = 10;

/// More channels than any case has.
const CHANNELS: u32 = 4;

/// When every case has come to rest.
const END: Time = Time::from_ps(100_000);

/// A switch, and what arrives at it.
#[derive(Clone, Debug)]
struct Case {
    sources: Vec<Source>,
    /// Cell time of each output.
    outputs: Vec<u64>,
    round_robin: bool,
    shared: bool,
    capacity: u64,
}

/// A source, whose cells all go to one channel of one output.
#[derive(Clone, Debug)]
struct Source {
    output: usize,
    vc: u32,
    /// Idle time before each train, and its cells.
    trains: Vec<(u64, u32)>,
}

impl Source {
    /// When each train arrives, and how many cells it has.
    fn arrivals(&self) -> VecDeque<(u64, u32)> {
        let mut next = CELL;
        let trains = self.trains.iter().map(|(gap, cells)| {
            let first = next + gap;
            next = first + u64::from(*cells) * CELL;
            (first, *cells)
        });
        trains.collect()
    }
}

/// When cells have left each output, and on which channel, in order.
type Departures = Vec<Vec<(u64, u32)>>;

/// What the naive switch sends: it takes all arrivals in order, each after what leaves before it.
fn expected(case: &Case) -> Departures {
    let mut arrivals = Vec::new();
    for (number, source) in case.sources.iter().enumerate() {
        for (first, cells) in source.arrivals() {
            // What continues a train goes before what begins one.
            let cells = (0..u64::from(cells)).map(|cell| (first + cell * CELL, cell == 0, number));
            arrivals.extend(cells);
        }
    }
    arrivals.sort_unstable();
    let mut outputs: Vec<Naive> = case.outputs.iter().map(|time| Naive::new(*time)).collect();
    for (now, _, number) in arrivals {
        let source = &case.sources[number];
        for output in &mut outputs {
            output.serve(now, case.round_robin);
        }
        let waiting = |output: &Naive| output.waiting.len() as u64;
        let occupied: u64 = if case.shared {
            outputs.iter().map(waiting).sum()
        } else {
            waiting(&outputs[source.output])
        };
        if occupied < case.capacity {
            outputs[source.output].take(now, source.vc, case.round_robin);
        }
    }
    for output in &mut outputs {
        output.serve(u64::MAX, case.round_robin);
    }
    outputs.into_iter().map(|output| output.left).collect()
}

/// An output that keeps its cells in order of arrival, and searches them for the one to send.
struct Naive {
    cell_time: u64,
    free_at: u64,
    /// Channel of each cell.
    waiting: Vec<u32>,
    /// Channel served last.
    last: u32,
    left: Vec<(u64, u32)>,
}

impl Naive {
    fn new(cell_time: u64) -> Naive {
        Naive {
            cell_time,
            free_at: 0,
            waiting: Vec::new(),
            last: CHANNELS - 1,
            left: Vec::new(),
        }
    }

    /// Sends what starts before or at `now`.
    fn serve(&mut self, now: u64, round_robin: bool) {
        while !self.waiting.is_empty() && self.free_at <= now {
            self.start(self.free_at, round_robin);
        }
    }

    /// Takes a cell, which starts at once if it finds the link free.
    fn take(&mut self, now: u64, vc: u32, round_robin: bool) {
        self.waiting.push(vc);
        if self.free_at <= now {
            self.start(now, round_robin);
        }
    }

    fn start(&mut self, start: u64, round_robin: bool) {
        let mut place = 0;
        if round_robin {
            // The channel that comes next after the last one, which itself comes last.
            let after = |vc: u32| (vc + CHANNELS - self.last - 1) % CHANNELS;
            for (other, vc) in self.waiting.iter().enumerate() {
                if after(*vc) < after(self.waiting[place]) {
                    place = other;
                }
            }
        }
        self.last = self.waiting.remove(place);
        self.free_at = start + self.cell_time;
        self.left.push((self.free_at, self.last));
    }
}

/// Ends of the links: the switch in the middle, sources before it, sinks after it.
enum End {
    Source(VecDeque<(u64, u32)>),
    Switch(Box<Switch>),
    Sink(Vec<(u64, u32)>),
}

impl Node for End {
    type Unit = Unit;
    type Cargo = Frames;

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

    fn wake(&mut self, now: Time, out: &mut Outlet<'_, Unit, Frames>) {
        match self {
            End::Source(trains) => {
                let (first, cells) = trains.pop_front().expect("a train is due");
                let train = Train {
                    vc: Vc(0),
                    pdu: 0,
                    frame: FrameId(0),
                    cells,
                    spacing: Duration::from_ps(CELL),
                    eom: false,
                    marked: false,
                    uniform: true,
                };
                out.send(0, Time::from_ps(first), Unit::Cells(train));
            }
            End::Switch(switch) => switch.wake(now, out),
            End::Sink(_) => {}
        }
    }

    fn advance(&mut self, out: &mut Outlet<'_, Unit, Frames>) {
        if let End::Switch(switch) = self {
            return switch.advance(out);
        }
        while self.next_wake() <= out.through() {
            self.wake(self.next_wake(), out);
        }
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_, Unit, Frames>) {
        match (self, unit) {
            (End::Switch(switch), unit) => switch.receive(now, input, unit, out),
            (End::Sink(arrived), Unit::Cells(train)) => arrived.push((now.ps(), train.vc.0)),
            _ => unreachable!("sinks are sent cells, and sources nothing"),
        }
    }
}

/// The switch, then sinks, then sources.
fn network(case: &Case) -> Network<End> {
    let buffer = Buffer::of_cells(case.capacity, CELL_OCTETS, CHANNELS as usize);
    let scheduler: SchedulerSpec = if case.round_robin {
        understand(&value!({ round_robin = {} })).expect("a scheduler")
    } else {
        SchedulerSpec::default()
    };
    let ports = case.outputs.iter().enumerate().map(|(output, cell_time)| {
        let line = Line {
            output,
            cell_time: Duration::from_ps(*cell_time),
            gathers: false,
        };
        let discard = DiscardSpec::default().build(&buffer);
        let admission = Admission::new(&buffer, discard, None);
        OutputPort::new(line, admission, scheduler.build(&buffer), buffer.vcs)
    });
    let outputs = Outputs::new(ports.collect(), LossyEnds::new(), case.shared);
    let inputs = Inputs {
        inputs: case.sources.len(),
        outputs: case.outputs.len(),
        cell_time: Duration::from_ps(CELL),
        random: Seed {
            seed: 1,
            replication: 0,
        }
        .stream("switch", "fabric"),
    };
    let routes = case.sources.iter().map(|source| {
        vec![Route {
            output: source.output as u32,
            vc: Vc(source.vc),
        }]
    });
    let switch = Switch::new(
        FabricSpec::default().build(&inputs),
        outputs,
        routes.collect(),
    );
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
    Network::new(nodes, Frames::default(), &wires)
}

fn departures(network: &Network<End>) -> Departures {
    let sinks = network.nodes.iter().filter_map(|node| match node {
        End::Sink(arrived) => Some(arrived.clone()),
        _ => None,
    });
    sinks.collect()
}

fn sources(outputs: usize, vcs: u32) -> impl Strategy<Value = Vec<Source>> {
    // Gaps of whole cells make many things happen at one instant.
    let gap = prop_oneof![(0u64..8).prop_map(|cells| cells * CELL), 0u64..80];
    let trains = prop::collection::vec((gap, 1u32..12), 0..8);
    let source =
        (0..outputs, 0..vcs, trains).prop_map(|(output, vc, trains)| Source { output, vc, trains });
    prop::collection::vec(source, 1..6)
}

/// Cell times at which ends and beginnings of cells often meet, and others.
fn cell_time() -> impl Strategy<Value = u64> {
    prop_oneof![Just(CELL), Just(2 * CELL), 5u64..40]
}

fn cases() -> impl Strategy<Value = Case> {
    let outputs = prop::collection::vec(cell_time(), 1..4);
    let outputs =
        outputs.prop_flat_map(|outputs| (sources(outputs.len(), CHANNELS), Just(outputs)));
    (outputs, any::<[bool; 2]>(), 1u64..30).prop_map(
        |((sources, outputs), [round_robin, shared], capacity)| Case {
            sources,
            outputs,
            round_robin,
            shared,
            capacity,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn cells_leave_as_they_do_from_a_naive_switch(case in cases()) {
        let mut stepwise = network(&case);
        Stepwise.run(&mut stepwise, END);
        prop_assert_eq!(departures(&stepwise), expected(&case));
        let mut windows = network(&case);
        Windows::default().run(&mut windows, END);
        prop_assert_eq!(departures(&windows), expected(&case));
        let mut on_demand = network(&case);
        OnDemand::default().run(&mut on_demand, END);
        prop_assert_eq!(departures(&on_demand), expected(&case));
    }

    #[test]
    fn with_one_channel_round_robin_does_what_fifo_does(
        sources in sources(1, 1),
        cell_time in cell_time(),
        capacity in 1u64..30,
        warm_up in 0u64..300,
        span in 1u64..800,
    ) {
        let measured = [false, true].map(|round_robin| {
            let case = Case {
                sources: sources.clone(),
                outputs: vec![cell_time],
                round_robin,
                shared: false,
                capacity,
            };
            let mut network = network(&case);
            let [warm_up, end] = [warm_up, warm_up + span].map(Time::from_ps);
            port(&mut network).record(Duration::from_ps(7));
            OnDemand::default().run(&mut network, warm_up);
            port(&mut network).begin_counting(warm_up);
            OnDemand::default().run(&mut network, end);
            let queue = port(&mut network).recorded_queue(end).expect("a queue").all.clone();
            let drops = port(&mut network).meter().drops.clone().expect("drops").vcs;
            let reading = port(&mut network).read(end);
            let reading = format!("{reading:?}");
            OnDemand::default().run(&mut network, END);
            (queue, drops, reading, departures(&network))
        });
        prop_assert_eq!(&measured[0], &measured[1]);
    }
}

fn port(network: &mut Network<End>) -> &mut OutputPort {
    match &mut network.nodes[0] {
        End::Switch(switch) => &mut switch.outputs.ports[0],
        _ => unreachable!("the first node is the switch"),
    }
}

#[test]
fn channels_that_always_have_cells_share_a_link_to_a_cell() {
    // Three sources, each as fast as the link, and a buffer that always holds cells of all.
    let source = |vc, start| Source {
        output: 0,
        vc,
        trains: vec![(start, 900)],
    };
    let case = Case {
        sources: vec![source(0, 0), source(1, 3), source(2, 101)],
        outputs: vec![CELL],
        round_robin: true,
        shared: false,
        capacity: 10_000,
    };
    let mut network = network(&case);
    OnDemand::default().run(&mut network, END);
    let left = &departures(&network)[0];
    assert_eq!(left.len(), 2700);
    let together = &left[40..2600];
    for (place, pair) in together.windows(4).enumerate() {
        let vcs: Vec<u32> = pair.iter().map(|(_, vc)| *vc).collect();
        assert_eq!(vcs[0], vcs[3], "cell {place}");
        assert!(vcs[0] != vcs[1] && vcs[1] != vcs[2] && vcs[0] != vcs[2]);
    }
}
