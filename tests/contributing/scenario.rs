//! Scenarios name the members that were added, and their parameters.

extern crate cellrelay_scenario as scenario;

use kernel::Seed;
use parameters::Problems;
use scenario::Scenario;
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::run::Simulation;

/// A link that loses a packet now and then, before the window has filled it.
const LINE: &str = r#"
duration = "5 s"
[host.a]
[host.b]
[link.l]
between = ["a", "b"]
rate = "20 Mbit/s"
delay = "50 ms"
loss.nth = [100, 600, 1100]
[flow.f]
from = "a"
to = "b"
over.packet = {}
transport.tcp = { window = "256 KiB", window_scaling = true }
"#;

/// Two flows that together exceed the rate of their common link, with packets of 500 and 1500
/// octets.
const OVERLOAD: &str = r#"
duration = "1 s"
[host.short]
[host.long]
[host.receiver]
[router.r]
buffer.per_output = "60 kB"
[link.short]
between = ["short", "r"]
rate = "20 Mbit/s"
[link.long]
between = ["long", "r"]
rate = "20 Mbit/s"
[link.exit]
between = ["r", "receiver"]
rate = "10 Mbit/s"
[flow.short]
from = "short"
to = "receiver"
source.constant_rate = { rate = "8 Mbit/s" }
transport.datagram = { packet = "500 B", header = "0 B" }
over.packet = {}
[flow.long]
from = "long"
to = "receiver"
source.constant_rate = { rate = "8 Mbit/s" }
transport.datagram = { packet = "1500 B", header = "0 B" }
over.packet = {}
"#;

fn report(scenario: &str, settings: &[(&str, &str)]) -> Report {
    let settings: Vec<_> = settings
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    let read = Scenario::read(scenario, "scenario.toml", &settings);
    let spec = read.unwrap_or_else(|error| panic!("{error}")).spec;
    let plan = Plan::new(&spec, &mut Problems::default()).expect("it was checked");
    let seed = Seed {
        seed: 1,
        replication: 0,
    };
    let report = Simulation::new(&plan, seed).run(|_| true);
    report.expect("nobody cancels")
}

fn goodput(scenario: &str, flow: &str, settings: &[(&str, &str)]) -> f64 {
    let report = report(scenario, settings);
    let goodput = report.value(&format!("flow {flow}"), "goodput");
    goodput.expect("a flow")
}

#[test]
fn what_a_loss_costs_is_what_the_parameter_says() {
    let congestion = "flow.f.transport.tcp.congestion";
    let cost = |spec| goodput(LINE, "f", &[(congestion, spec)]);
    let gentle = cost("{ scalable = {} }");
    let harsh = cost("{ scalable = { reduction = \"90 %\" } }");
    assert!(gentle > 2.0 * harsh, "{gentle} and {harsh} bit/s");
}

#[test]
fn a_source_and_a_bearer_run_in_a_scenario() {
    let settings = [
        ("flow.f.source", "{ burst = { size = \"1 MB\" } }"),
        ("flow.f.over", "{ ethernet = {} }"),
    ];
    // A megabyte in five seconds.
    let found = goodput(LINE, "f", &settings);
    assert!((found - 1.6e6).abs() < 1.0, "{found} bit/s");
}

#[test]
fn a_discard_policy_limits_a_queue_in_a_scenario() {
    let longest = |alpha: &str| {
        let policy = format!("{{ dynamic_threshold = {{ alpha = {alpha} }} }}");
        // One flow alone, which exceeds the rate of the link.
        let settings = [
            ("router.r.discard", &*policy),
            ("flow.short.source.constant_rate.rate", "16 Mbit/s"),
            ("flow.long.source.constant_rate.start", "10 s"),
        ];
        let report = report(OVERLOAD, &settings);
        let longest = report.value("port r->receiver", "max_queue_octets");
        longest.expect("a queue")
    };
    // The queue Q of a buffer B grows until Q = alpha (B - Q), to within a packet.
    for (alpha, octets) in [("1", 30_000.0), ("0.5", 20_000.0), ("2", 40_000.0)] {
        let found = longest(alpha);
        assert!((found - octets).abs() <= 500.0, "{alpha}: {found} octets");
    }
}

#[test]
fn a_scheduler_orders_the_packets_of_a_scenario() {
    let settings = [
        ("router.r.scheduler", "{ shortest_first = {} }"),
        ("router.r.buffer", "{ per_vc = \"60 kB\" }"),
    ];
    // All short packets leave, and long packets take the rest of the link.
    for (flow, expected) in [("short", 8e6), ("long", 2e6)] {
        let found = goodput(OVERLOAD, flow, &settings);
        assert!((found - expected).abs() < 5e4, "{flow}: {found} bit/s");
    }
}
