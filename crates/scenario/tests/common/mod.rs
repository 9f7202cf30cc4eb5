//! Scenarios for tests, and how to run them.

#![allow(dead_code)]

pub mod packets;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use kernel::{Network, OnDemand, Runner, Seed, Stepwise, Threads, Time, Windows};
use models::node::AnyNode;
use proptest::prelude::ProptestConfig;
use scenario::Scenario;
use scenario::lower::Plan;
use scenario::report::{Measurements, Report, Scope};
use scenario::run::Simulation;
use scenario::run::record_all;

/// Shares that divide the capacity of a port that sends no credits.
pub const SHARES: [&str; 8] = [
    "greedy_useful_share",
    "padding_share",
    "duplicate_share",
    "dead_cell_share",
    "background_share",
    "control_share",
    "underway_share",
    "idle_share",
];

/// True under `make soak`, in which tests may take minutes.
pub fn is_soak() -> bool {
    std::env::var_os("SOAK").is_some()
}

/// A law over networks that cost a second each: it is tried on a few, and on ten times as many in `make soak`.
pub fn cases(few: u32) -> ProptestConfig {
    ProptestConfig::with_cases(if is_soak() { 10 * few } else { few })
}

/// Reads a scenario that must be without mistakes.
pub fn scenario(text: &str, settings: &[(&str, &str)]) -> Scenario {
    let settings: Vec<(String, String)> = settings
        .iter()
        .map(|(path, value)| ((*path).into(), (*value).into()))
        .collect();
    Scenario::read(text, "test.toml", &settings).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a scenario, and lowers it to a plan.
pub fn plan(text: &str, settings: &[(&str, &str)]) -> Arc<Plan> {
    scenario(text, settings).plan().clone()
}

/// The seed of one replication.
pub fn seed(replication: u64) -> Seed {
    Seed {
        seed: 1,
        replication,
    }
}

/// Makes one run, and asserts that each flow is under exactly one limit at every instant.
pub fn run(text: &str, settings: &[(&str, &str)], replication: u64) -> Report {
    let plan = plan(text, settings);
    let report = Simulation::new(&plan, seed(replication))
        .run(|_| true)
        .expect("nobody cancels");
    assert_limited(&report);
    report
}

/// Asserts that the shares of time under each limit (`limited_by_*`) add up to one for every flow,
/// unless the flow consists of connections that come and go, each under a limit of its own.
pub fn assert_limited(report: &Report) {
    let mut sums: BTreeMap<&Scope, f64> = BTreeMap::new();
    for scalar in &report.scalars {
        if scalar.metric.name == "arrivals" {
            sums.insert(&scalar.scope, 1.0);
        }
        if scalar.metric.name.starts_with("limited_by_") {
            assert!((0.0..=1.0).contains(&scalar.value), "{scalar:?}");
            *sums.entry(&scalar.scope).or_default() += scalar.value;
        }
    }
    assert!(!sums.is_empty());
    for (flow, sum) in sums {
        assert!((sum - 1.0).abs() < 1e-9, "{flow} is limited for {sum}");
    }
}

/// One run of the first replication by `runner`, measured from the start without a warm-up.
pub fn report(plan: &Plan, runner: &mut impl Runner) -> Report {
    report_of(plan, plan.network(seed(0)), |network, end| {
        runner.run(network, end);
    })
}

/// The reference run for every other runner: nodes act one at a time, and a switch handles every
/// cell by itself.
pub fn specified(plan: &Plan) -> Report {
    let mut network = plan.network(seed(0));
    network
        .nodes
        .iter_mut()
        .for_each(AnyNode::offer_cells_singly);
    report_of(plan, network, |network, end| Stepwise.run(network, end))
}

/// One run in as many parts as there are threads, or in fewer if the nodes cannot be divided so.
pub fn in_parts(plan: &Plan, threads: usize) -> Option<Report> {
    let mut threads = Threads::new(plan.division(threads)?);
    let run = |network: &mut Network<AnyNode>, end| {
        threads.run_some(network, end, u64::MAX);
    };
    Some(report_of(plan, plan.network(seed(0)), run))
}

fn report_of(
    plan: &Plan,
    mut network: Network<AnyNode>,
    run: impl FnOnce(&mut Network<AnyNode>, Time),
) -> Report {
    let end = Time::ZERO + plan.spec.duration;
    if let Some(record) = &plan.spec.record {
        record_all(&mut network, record.every);
    }
    run(&mut network, end);
    let measured = Measurements::read(plan, &mut network, Time::ZERO, end);
    Report::of(vec![measured], plan, &mut network, 0)
}

/// One run of the first replication; asserts that every runner gives the same report.
pub fn by_every_runner(plan: &Plan) -> Report {
    let expected = specified(plan);
    assert_eq!(report(plan, &mut Stepwise), expected);
    assert_limited(&expected);
    assert_eq!(report(plan, &mut Windows::default()), expected);
    assert_eq!(report(plan, &mut OnDemand::default()), expected);
    for threads in 2..=4 {
        if let Some(report) = in_parts(plan, threads) {
            assert_eq!(report, expected, "{threads} threads");
        }
    }
    expected
}

/// The value of a metric of a scope.
pub fn value(report: &Report, scope: &str, metric: &str) -> f64 {
    let found = report.value(scope, metric);
    found.unwrap_or_else(|| panic!("{scope} has no {metric}"))
}

/// Asserts that the relative difference between found and expected is at most `tolerance`.
pub fn assert_close(found: f64, expected: f64, share: f64, what: &str) {
    assert!(
        (found / expected - 1.0).abs() <= share,
        "{what}: {found} instead of {expected}"
    );
}

/// Compares `text` with a golden file, or writes the file anew with `UPDATE_GOLDEN=1`.
pub fn check(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).expect("the golden file can be written");
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == text,
        "{name} has changed; if it should, run with UPDATE_GOLDEN=1 and read the diff\n{text}"
    );
}

/// Ten TCP connections through one port.
pub fn ten_tcp() -> String {
    include_str!("ten-tcp.toml").to_string()
}

/// Two switches in a row, with flows in both directions and random jitter.
pub const CROSSING: &str = r#"
duration = "30 ms"
[host.left]
count = 3
[host.right]
count = 3
[switch.west]
buffer.per_output = "60 cells"
[switch.east]
buffer.per_output = "40 cells"
[link.left]
between = ["left", "west"]
rate = "155.52 Mbit/s"
delay = "2 us"
[link.trunk]
between = ["west", "east"]
rate = "100 Mbit/s"
delay = "50 us"
[link.right]
between = ["east", "right"]
rate = "25.6 Mbit/s"
delay = "1 us"
[flow.east]
from = "left"
to = "right"
source.greedy = { start = { uniform = ["0 s", "1 ms"] } }
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "0.1 ms" } }
jitter.packet_time = {}
[flow.west]
from = "right"
to = "left"
source.telnet = { gap = { exponential = { mean = "0.4 ms" } }, message = "300 B" }
transport.tcp = { packet = "576 B", congestion.tahoe_gbn = {}, timers.ns = { tick = "0.1 ms", min = "1 ms" } }
"#;
