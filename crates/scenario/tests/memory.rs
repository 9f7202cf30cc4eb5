//! Heap memory of a flow: small, and constant over time.

use crate::common::{is_soak, plan, scenario, seed, ten_tcp};
use allocation_counter::{AllocationInfo, measure};
use kernel::{Network, OnDemand, Runner, Time};
use models::metrics::joined;
use models::node::AnyNode;
use parameters::Problems;
use scenario::lower::Plan;
use scenario::run::Simulation;
use scenario::{Scenario, ScenarioSpec};

const CELLS: &[Setting] = &[];
const PACKETS: &[Setting] = &[
    ("flow.bulk.over.packet", "{}"),
    ("flow.telnet.over.packet", "{}"),
];

/// Largest heap memory of a flow, in octets. Debug assertions add a second count of its output.
const MOST: i64 = 2048 + if cfg!(debug_assertions) { 16 } else { 0 };

/// A setting, as `--set` takes it.
type Setting<'a> = (&'a str, &'a str);

/// The scenario of ten TCP connections with small packets, and further settings.
fn spec(settings: &[Setting]) -> ScenarioSpec {
    let small = [("flow.bulk.transport.tcp.packet", "512 B")];
    let settings = [&small, settings].concat();
    scenario(&ten_tcp(), &settings).spec
}

/// A network before its first event, and the memory of the network with its plan.
fn network(spec: &ScenarioSpec) -> (Network<AnyNode>, i64) {
    let mut made = None;
    let taken = measure(|| {
        let plan = Plan::new(spec, &mut Problems::default()).expect("no mistakes");
        let network = plan.network(seed(0));
        made = Some((plan, network));
    });
    (made.expect("it was made").1, taken.bytes_current)
}

fn run(network: &mut Network<AnyNode>, until_ms: u64) -> AllocationInfo {
    let end = Time::from_ps(until_ms * 1_000_000_000);
    measure(|| OnDemand::default().run(network, end))
}

#[test]
fn a_flow_takes_less_than_two_kibioctets_however_many_there_are() {
    for way in [CELLS, PACKETS] {
        let state = |flows: &str| {
            let count = ("host.sender.count", flows);
            network(&spec(&[&[count], way].concat())).1
        };
        let [hundred, thousand, more] = ["100", "1000", "3000"].map(state);
        let each = (thousand - hundred) / 900;
        assert!(each < MOST, "{each} octets a flow with {way:?}");
        // No table grows with the square of the number of flows.
        let each = (more - thousand) / 2000;
        assert!(each < MOST, "{each} octets for each of many with {way:?}");
    }
}

#[test]
fn reading_the_end_takes_memory_in_proportion_to_the_ports_of_a_node() {
    let retry = ("link.access.retry.llr", "{}");
    let credit = ("link.access.credit.cbfc", "{}");
    let shared = ("switch.s1.buffer.shared", "{ size = \"10 GB\" }");
    let none = ("switch.s1.discard.tail_drop", "{}");
    for way in [
        CELLS.to_vec(),
        PACKETS.to_vec(),
        [PACKETS, &[retry]].concat(),
        [PACKETS, &[credit, shared, none]].concat(),
    ] {
        let octets = |flows: &str| {
            let count = ("host.sender.count", flows);
            let short = ("duration", "1 us");
            let plan = plan(&ten_tcp(), &[&[count, short], &way[..]].concat());
            measure(|| drop(Simulation::new(&plan, seed(0)).run(|_| true))).bytes_total
        };
        let [few, many, more] = ["500", "1000", "2000"].map(octets);
        let (first, second) = ((many - few) / 500, (more - many) / 1000);
        // By the square each flow more would take twice as much.
        assert!(
            second * 4 < first * 5,
            "{first}, then {second} with {way:?}"
        );
    }
}

#[test]
fn a_misspelt_key_is_compared_with_names_at_each_point_and_not_with_shapes() {
    let allocations = |key: &str, points: usize| {
        let seeds: Vec<String> = (0..points).map(|seed| seed.to_string()).collect();
        let sweep = format!("[sweep]\nseed = [{}]\n", seeds.join(", "));
        let text = format!("{key}\n{}\n{sweep}", ten_tcp());
        let read = || drop(Scenario::read(&text, "x", &[]));
        measure(read).count_total
    };
    let of_a_point = |key: &str| (allocations(key, 60) - allocations(key, 20)) / 40;
    // The first reading of all makes the shape of a scenario, which is kept.
    allocations("summary = 1", 1);
    let (right, wrong) = (of_a_point(""), of_a_point("summary = 1"));
    // The shape of a scenario takes many thousands.
    assert!(
        wrong < right + 1000,
        "{wrong} allocations a point instead of {right}"
    );
}

#[test]
fn a_packet_on_its_way_takes_less_than_400_octets() {
    // On a path of 20,000 km the whole window is in flight, without losses.
    let far = [
        ("host.sender.count", "1"),
        ("link.exit.delay", "100 ms"),
        ("switch.s1.buffer.per_output", "100000 cells"),
        ("flow.bulk.transport.tcp.initial_ssthresh", "100 %"),
        ("flow.bulk.transport.tcp.timers.rfc6298", "{}"),
    ];
    for way in [CELLS, PACKETS] {
        let [few, many] = ["128 KiB", "1 MiB"].map(|window| {
            let window = ("flow.bulk.transport.tcp.window", window);
            let mut network = network(&spec(&[&far[..], &[window], way].concat())).0;
            let most = run(&mut network, 5_000).bytes_max;
            (network.cargo.live(), most)
        });
        let packets = many.0 - few.0;
        assert!(packets > 1_700, "{packets} packets more");
        // Contents of 80 octets, and a unit of 40 in each direction of the link, for all packets
        // that may be in flight at once, in tables that may just have doubled.
        let each = (many.1 - few.1) / packets;
        assert!(each < 400, "{each} octets with {way:?}");
    }
}

#[test]
fn memory_does_not_grow_with_time() {
    for way in [CELLS, PACKETS] {
        let (mut network, state) = network(&spec(way));
        let early = run(&mut network, 2_000);
        let late = run(&mut network, 8_000);
        let before = state as u64 + early.bytes_max;
        let after = (state + early.bytes_current) as u64 + late.bytes_max;
        // After 300,000 more packets, memory may have grown only by a queue of record length.
        assert!(
            after * 50 <= before * 51,
            "{before} octets grew to {after} with {way:?}"
        );
    }
}

/// Short connections over a router, one every 20 us.
const CONNECTIONS: &str = r#"
duration = "20 s"
[host.client]
[host.server]
[router.r1]
buffer.per_output = "1 MB"
[link.near]
between = ["server", "r1"]
rate = "1 Gbit/s"
[link.far]
between = ["r1", "client"]
rate = "1 Gbit/s"
[flow.web]
from = "server"
to = "client"
source.connections = { arrivals.poisson.gap = "20 us", size.geometric.mean = "800 B" }
transport.tcp = { packet = "1500 B", handshake = true }
over.packet = {}
"#;

#[test]
fn connections_that_are_closed_take_no_memory() {
    let plan = scenario(CONNECTIONS, &[]).plan().clone();
    let mut network = plan.network(seed(0));
    let early = run(&mut network, 500);
    // A hundred thousand connections later, or a million.
    let end = if is_soak() { 20_000 } else { 2_500 };
    let late = run(&mut network, end);
    let before = early.bytes_max;
    let after = early.bytes_current as u64 + late.bytes_max;
    assert!(after * 10 <= before * 11, "{before} octets grew to {after}");
    let AnyNode::Host(server) = &network.nodes[1] else {
        panic!("the second node is the server");
    };
    let connections = server.senders[0].connections().expect("they come and go");
    assert!(joined(connections.times()).count() > (end - 100) * 50);
}
