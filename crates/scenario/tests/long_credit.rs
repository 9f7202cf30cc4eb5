//! A thousand connections over sixteen controlled links: no cell and no credit is lost, and memory
//! does not grow.

use crate::common::{is_soak, plan, seed, value};
use allocation_counter::measure;
use kernel::{OnDemand, Runner, Time};
use scenario::report::Report;
use scenario::run::Simulation;

/// Connections.
const MANY: u32 = 1000;
/// Controlled links between switches that each connection passes.
const HOPS: u32 = 16;

/// Seventeen switches in a row.
const CHAIN: &str = include_str!("../../../examples/credit-chain.toml");

/// The documentation page that states the memory of such a run.
const PAGE: &str = include_str!("../../../docs/concepts/credits.md");

/// The megabytes of memory that the page states.
fn said() -> f64 {
    let (_, after) = PAGE
        .split_once("The simulator needs ")
        .expect("the page says so");
    let (number, _) = after.split_once(" MB").expect("in megabytes");
    number.parse().expect("a number")
}

/// A duration in milliseconds, longer in `make soak`.
fn duration() -> u64 {
    if is_soak() { 80 } else { 8 }
}

fn settings(duration: u64, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let duration = format!("{duration} ms");
    let all = [("duration", duration.as_str()), ("warm_up", "2 ms")];
    let all = all.iter().chain(more);
    all.map(|(key, value)| ((*key).into(), (*value).into()))
        .collect()
}

fn report(more: &[(&str, &str)]) -> Report {
    let settings = settings(duration(), more);
    let settings: Vec<_> = settings
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    // A run that reports has conserved cells, packets and RM cells.
    let plan = plan(CHAIN, &settings);
    let simulation = Simulation::new(&plan, seed(0));
    simulation.run(|_| true).expect("nobody cancels")
}

#[test]
fn a_thousand_connections_over_sixteen_links_lose_nothing() {
    for credit in ["n23", "adaptive"] {
        let link = format!("topology.chain.trunk.credit.{credit}");
        let report = report(&[(&link, "{}")]);
        for hop in 1..=HOPS {
            let port = format!("port s{hop}->s{}", hop + 1);
            assert!(value(&report, &port, "cell_loss_ratio") < 1e-12, "{port}");
        }
        for flow in 0..MANY {
            let flow = format!("flow bulk[{flow}]");
            assert!(value(&report, &flow, "retransmission_ratio") < 1e-12);
            assert!(value(&report, &flow, "goodput") > 0.0);
        }
        let used = value(&report, "port s16->s17", "utilization");
        assert!(used > 0.98, "{credit}: {used}");
    }
}

#[test]
fn memory_does_not_grow_with_time() {
    let settings = settings(
        40,
        &[
            ("topology.chain.trunk.credit.adaptive.check", "1 ms"),
            ("topology.chain.trunk.loss.cell", "0.001 %"),
        ],
    );
    let settings: Vec<_> = settings
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let mut made = None;
    let state = measure(|| {
        let plan = plan(CHAIN, &settings);
        made = Some(plan.network(seed(0)));
    });
    let mut network = made.expect("it was made");
    let mut most = |until: u64| {
        let end = Time::from_ps(until * 1_000_000_000);
        measure(|| OnDemand::default().run(&mut network, end))
    };
    let early = most(8);
    let late = most(40);
    let (before, state) = (
        state.bytes_current as u64 + early.bytes_max,
        state.bytes_current,
    );
    let after = (state + early.bytes_current) as u64 + late.bytes_max;
    let each = before / u64::from(MANY * HOPS);
    println!("{before} octets, then {after}: {each} for each connection and link");
    // After four times as long, memory has not grown beyond its size at the start.
    assert!(after <= before, "{before} octets grew to {after}");
    // A smaller number is as unexpected as a larger one.
    assert!((1350..1500).contains(&each), "{each} octets each");
    assert!(
        (said() - before as f64 / 1e6).abs() < 1.0,
        "{before} octets, and the page says {}",
        said()
    );
}
