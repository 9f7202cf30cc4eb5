//! Deficit round robin at a router, compared packet by packet with the published algorithm.
//!
//! Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round-Robin", IEEE/ACM
//! Transactions on Networking 4(3), 1996, figure 2.

use std::collections::VecDeque;

use kernel::{Duration, LinkOutlet, Network, Node, OnDemand, Rate, Runner, Stepwise, Time, Wire};
use models::link::transmitter::Transmitter;
use models::output::Queueing;
use models::output::admission::{BufferGate, BufferLayout};
use models::output::discard::{Buffer, DiscardSpec};
use models::output::memory::Memory;
use models::output::scheduler::deficit_round_robin::DeficitRoundRobin;
use models::output::scheduler::{OutputVcs, SchedulerSpec};
use models::router::{PacketOutput, Router};
use models::wire::class::Class;
use models::wire::contents::{Cargo, Contents};
use models::wire::ecn::CongestionField;
use models::wire::format::CellFormat;
use models::wire::segment::Segment;
use models::wire::unit::{PacketUnit, Unit};
use models::wire::vc::{Route, Vc};
use parameters::Bytes;
use proptest::prelude::*;

/// Rate of the output: one octet per picosecond.
const RATE: u64 = 8_000_000_000_000;

/// An instant after the last event of every case.
const END: Time = Time::from_ps(1_000_000);

/// Longest packet in octets, and transmission time of any packet on an input in picoseconds.
const LONGEST: u64 = 2000;

/// Arrival times and lengths of the packets of one input.
type Arrivals = Vec<(u64, u32)>;

/// Departure times, inputs and lengths of packets.
type Departures = Vec<(u64, u32, u32)>;

/// The algorithm of the figure, extended by time: packets that arrive during a transmission are
/// enqueued before the next packet is chosen, and packets that arrive at its end are enqueued
/// afterwards.
struct Published<'a> {
    quantum: u64,
    arrivals: Vec<(u64, usize, u32)>,
    queues: Vec<VecDeque<u32>>,
    deficits: Vec<u64>,
    active: VecDeque<usize>,
    now: u64,
    left: &'a mut Departures,
}

impl Published<'_> {
    /// Enqueues the packets that have arrived before `self.now`. The flow `serving` is active
    /// although it is not on the list of active flows.
    fn enqueue(&mut self, serving: Option<usize>) {
        while let Some((at, flow, octets)) = self.arrivals.first().copied()
            && at < self.now
        {
            self.arrivals.remove(0);
            if !self.active.contains(&flow) && serving != Some(flow) {
                self.active.push_back(flow);
                self.deficits[flow] = 0;
            }
            self.queues[flow].push_back(octets);
        }
    }

    fn run(&mut self) {
        loop {
            let Some(flow) = self.active.pop_front() else {
                if self.arrivals.is_empty() {
                    return;
                }
                // The link is idle, so the next packet is served on its arrival.
                let (at, flow, octets) = self.arrivals.remove(0);
                self.now = self.now.max(at);
                self.deficits[flow] = 0;
                self.queues[flow].push_back(octets);
                self.active.push_back(flow);
                continue;
            };
            self.deficits[flow] += self.quantum;
            while let Some(octets) = self.queues[flow].front().copied()
                && u64::from(octets) <= self.deficits[flow]
            {
                self.queues[flow].pop_front();
                self.now += u64::from(octets);
                self.left.push((self.now, flow as u32, octets));
                self.enqueue(Some(flow));
                self.deficits[flow] -= u64::from(octets);
            }
            if self.queues[flow].is_empty() {
                self.deficits[flow] = 0;
            } else {
                self.active.push_back(flow);
            }
        }
    }
}

fn published(quantum: u64, inputs: &[Arrivals]) -> Departures {
    let numbered = inputs.iter().enumerate();
    let mut arrivals: Vec<(u64, usize, u32)> = numbered
        .flat_map(|(flow, own)| own.iter().map(move |(at, octets)| (*at, flow, *octets)))
        .collect();
    arrivals.sort_by_key(|(at, flow, _)| (*at, *flow));
    let mut left = Vec::new();
    Published {
        quantum,
        arrivals,
        queues: vec![VecDeque::new(); inputs.len()],
        deficits: vec![0; inputs.len()],
        active: VecDeque::new(),
        now: 0,
        left: &mut left,
    }
    .run();
    left
}

/// A node of the test: the router, a source before it, or the sink after it.
enum End {
    Source(VecDeque<(u64, u32)>),
    Router(Box<Router>),
    Sink(Departures),
}

impl Node for End {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        match self {
            End::Source(packets) => {
                let next = packets.front();
                next.map_or(Time::NEVER, |(at, _)| Time::from_ps(at - LONGEST))
            }
            End::Router(router) => router.next_wake(),
            End::Sink(_) => Time::NEVER,
        }
    }

    fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, Unit, Cargo>) {
        match self {
            End::Source(packets) => {
                let (at, octets) = packets.pop_front().expect("a packet is due");
                let contents = out.cargo.insert(Contents {
                    segment: Segment::default(),
                    octets,
                    cells: 0,
                    sent: now,
                    number: 0,
                    marked: false,
                    pdu: 0,
                });
                let packet = PacketUnit {
                    vc: Vc(0),
                    contents,
                    octets,
                    congestion: CongestionField::Clear,
                    trimmed: false,
                    input: 0,
                };
                out.send(0, Time::from_ps(at), Unit::Packet(packet));
            }
            End::Router(router) => router.wake(now, out),
            End::Sink(_) => {}
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
            (End::Router(router), unit) => router.receive(now, input, unit, out),
            (End::Sink(left), Unit::Packet(packet)) => {
                out.cargo.take(packet.contents);
                left.push((now.ps(), packet.vc.0, packet.octets));
            }
            _ => unreachable!("sinks are sent packets, and sources nothing"),
        }
    }
}

fn network(quantum: u64, inputs: &[Arrivals]) -> Network<End> {
    let flows = inputs.len();
    let buffer = Buffer::of_octets(1_000_000, CellFormat::ATM.octets(), flows);
    let gate = BufferGate::new(&buffer, &DiscardSpec::default(), None);
    let scheduler = SchedulerSpec::DeficitRoundRobin(DeficitRoundRobin {
        quantum: Bytes(quantum),
    });
    let vcs = OutputVcs::new(vec![Class::Ubr; flows].into());
    let queueing = Queueing::new(BufferLayout::One(gate), scheduler.scheduling(&vcs));
    let rate = Rate::from_bits_per_second(RATE);
    let transmitter = Transmitter::new(0, None);
    let memory = Memory::new(None, CellFormat::ATM).for_packets();
    let port = PacketOutput::new(transmitter, rate, memory, queueing, &vcs.classes, None);
    let routes = (0..flows as u32).map(|vc| {
        vec![Route {
            output: 0,
            vc: Vc(vc),
        }]
    });
    let node = Router::new(vec![port], false, routes.collect());
    let mut nodes = vec![End::Router(Box::new(node)), End::Sink(Vec::new())];
    let wire = |from, to, shortest| Wire {
        from,
        to,
        shortest: Duration::from_ps(shortest),
        propagation: Duration::ZERO,
    };
    let mut wires = vec![wire(0, 1, 1)];
    for arrivals in inputs {
        wires.push(wire(nodes.len(), 0, LONGEST));
        nodes.push(End::Source(arrivals.iter().copied().collect()));
    }
    Network::new(nodes, Cargo::default(), &wires)
}

fn departures(quantum: u64, inputs: &[Arrivals], runner: &mut impl Runner) -> Departures {
    let mut network = network(quantum, inputs);
    runner.run(&mut network, END);
    let End::Sink(left) = &network.nodes[1] else {
        unreachable!("the second node is the sink")
    };
    left.clone()
}

/// Packets of one input. Lengths and gaps are often multiples of one number, which makes many
/// events simultaneous.
fn arrivals() -> impl Strategy<Value = Arrivals> {
    let octets = prop_oneof![(1u32..5).prop_map(|times| 400 * times), 40u32..=2000];
    let gap = prop_oneof![(0u64..10).prop_map(|times| 400 * times), 0u64..6000];
    prop::collection::vec((gap, octets), 0..20).prop_map(|packets| {
        let mut at = LONGEST;
        let packets = packets.into_iter().map(|(gap, octets)| {
            at += gap;
            (at, octets)
        });
        packets.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn packets_leave_as_under_the_published_algorithm(
        inputs in prop::collection::vec(arrivals(), 1..5),
        quantum in prop_oneof![Just(400u64), Just(2000), 40u64..5000],
    ) {
        let expected = published(quantum, &inputs);
        prop_assert_eq!(&departures(quantum, &inputs, &mut Stepwise), &expected);
        prop_assert_eq!(&departures(quantum, &inputs, &mut OnDemand::default()), &expected);
    }
}
