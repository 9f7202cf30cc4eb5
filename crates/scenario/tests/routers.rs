//! Schedulers of routers, in whole networks.

use crate::common::{run, scenario, seed};
use scenario::report::Report;
use scenario::run::Simulation;

const SCHEDULERS: [&str; 4] = ["fifo", "round_robin", "deficit_round_robin", "self_clocked"];

/// Two flows that each would fill the link, with packets of 500 and 1500 octets.
const OVERLOAD: &str = r#"
duration = "1.1 s"
warm_up = "0.1 s"
[host.short]
[host.long]
[host.receiver]
[router.r1]
buffer.per_output = "60 kB"
[link.short]
between = ["short", "r1"]
rate = "20 Mbit/s"
[link.long]
between = ["long", "r1"]
rate = "20 Mbit/s"
[link.exit]
between = ["r1", "receiver"]
rate = "10 Mbit/s"
[flow.short]
from = "short"
to = "receiver"
source.constant_rate = { rate = "12 Mbit/s" }
transport.datagram = { packet = "500 B" }
over.packet = {}
[flow.long]
from = "long"
to = "receiver"
source.constant_rate = { rate = "12 Mbit/s" }
transport.datagram = { packet = "1500 B" }
over.packet = {}
"#;

/// Octets per second of a flow at its receiver, headers included.
fn arrived(report: &Report, flow: &str, packet: f64) -> f64 {
    let goodput = report.value(&format!("flow {flow}"), "goodput");
    goodput.expect("a goodput") * packet / (packet - 28.0) / 8.0
}

/// The rates of both flows over a link that is never idle, in octets per second.
fn shares(scheduler: &str, buffer: (&str, &str)) -> [f64; 2] {
    let scheduler = format!("router.r1.scheduler.{scheduler}");
    let buffer = (&*format!("router.r1.buffer.{}", buffer.0), buffer.1);
    let report = run(OVERLOAD, &[(&*scheduler, "{}"), buffer], 0);
    let used = report.value("port r1->receiver", "utilization");
    assert!((used.expect("a utilization") - 1.0).abs() < 1e-3);
    [
        arrived(&report, "short", 500.0),
        arrived(&report, "long", 1500.0),
    ]
}

#[test]
fn fair_queueing_shares_a_link_by_octets_and_turns_share_it_by_packets() {
    let each = ("per_vc", "20 kB");
    for scheduler in ["deficit_round_robin", "self_clocked"] {
        let [short, long] = shares(scheduler, each);
        assert!((short - long).abs() < 1500.0, "{short} and {long}");
    }
    let [short, long] = shares("round_robin", each);
    assert!((3.0 * short - long).abs() < 3000.0, "{short} and {long}");
}

#[test]
fn without_a_buffer_of_its_own_a_flow_with_long_packets_is_locked_out() {
    // A shared buffer has space for a short packet far more often than for a long one, and the
    // scheduler cannot serve packets that were not accepted.
    for scheduler in SCHEDULERS {
        let [short, long] = shares(scheduler, ("per_output", "20 kB"));
        assert!(long < 0.01 * short, "{scheduler}: {short} and {long}");
    }
}

/// [`OVERLOAD`] without the flow that overloads the link.
fn alone(scheduler: &str) -> Report {
    let scheduler = format!("router.r1.scheduler.{scheduler}");
    let settings = [
        (&*scheduler, "{}"),
        ("flow.short.source.constant_rate.rate", "0.1 kbit/s"),
        ("flow.short.source.constant_rate.start", "10 s"),
        ("record.every", "1 ms"),
    ];
    run(OVERLOAD, &settings, 0)
}

#[test]
fn a_flow_alone_is_served_as_in_order() {
    let in_order = alone("fifo");
    assert!(in_order.value("port r1->receiver", "packet_loss_ratio") > Some(0.1));
    for scheduler in &SCHEDULERS[1..] {
        let mut chosen = alone(scheduler);
        let of_flow = chosen.series["port r1->receiver of long"].clone();
        let in_one = &in_order.series["port r1->receiver"];
        assert_eq!(of_flow["queue"], in_one["queue"]);
        chosen
            .series
            .0
            .retain(|scope, _| in_order.series.0.contains_key(scope));
        assert_eq!(chosen.series, in_order.series);
        assert_eq!(chosen.scalars, in_order.scalars);
    }
}

#[test]
fn the_queues_of_the_vcs_add_up_to_that_of_the_port() {
    let settings = [
        ("router.r1.scheduler.deficit_round_robin", "{}"),
        ("router.r1.buffer.per_vc", "20 kB"),
        ("record.every", "0.7 ms"),
    ];
    let report = run(OVERLOAD, &settings, 0);
    let series = |what: &str| report.series[&format!("port r1->receiver{what}")]["queue"].values();
    let of_flows = series(" of short").into_iter().zip(series(" of long"));
    let sum: Vec<f64> = of_flows.map(|(short, long)| short + long).collect();
    let all = series("");
    assert!(
        sum.iter()
            .zip(&all)
            .all(|(sum, all)| (sum - all).abs() < 1e-9)
    );
    assert!(all.iter().any(|cells| *cells > 500.0));
}

#[test]
fn one_table_makes_a_network_of_switches_one_of_routers_with_the_same_order() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/fair-queueing.toml"
    );
    let text = std::fs::read_to_string(path).expect("the example is part of the repository");
    let example = scenario(&text, &[]);
    assert_eq!(example.points.len(), 6);
    for (index, point) in example.points.iter().enumerate() {
        let scenario = example.point(index);
        let report = Simulation::new(scenario.plan(), seed(0)).run(|_| true);
        let report = report.expect("nobody cancels");
        let fairness = report.value("network", "fairness_index").expect("an index");
        if point[0].1 == "in order" {
            assert!(fairness < 0.9, "{point:?}: {fairness}");
        } else {
            assert!(fairness > 0.985, "{point:?}: {fairness}");
        }
    }
}
