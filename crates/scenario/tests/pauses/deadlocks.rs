//! Paused queues that wait for one another.

use super::{CHAIN, dropped};
use crate::common::{by_every_runner, plan, run, value};
use scenario::report::Report;

/// Three routers in a ring, whose flows each pass two of its links.
const RING: &str = include_str!("../../../../examples/pause-ring.toml");

fn deadlocks(report: &Report) -> Vec<String> {
    let found = report.warnings.iter();
    let found = found.filter(|one| one.code == "deadlock");
    found.map(ToString::to_string).collect()
}

/// User data that each flow has delivered, in bits.
fn delivered(report: &Report, seconds: f64) -> [f64; 3] {
    ["from_a", "from_b", "from_c"]
        .map(|flow| value(report, &format!("flow {flow}"), "goodput") * seconds)
}

#[test]
fn a_ring_of_queues_that_wait_for_one_another_is_told_and_nothing_moves_any_more() {
    let report = run(RING, &[], 0);
    assert!(dropped(&report) <= 0.0);
    let circle = "packets of priority 0 wait at `r1->r2`, `r2->r3`, `r3->r1`";
    let [told] = &deadlocks(&report)[..] else {
        panic!("{:?}", report.warnings);
    };
    assert!(
        told.starts_with("port r1->r2: ") && told.contains(circle),
        "{told}"
    );
    let longer = run(RING, &[("duration", "4 ms")], 0);
    let after = [(&report, 0.002), (&longer, 0.004)].map(|(report, span)| delivered(report, span));
    for (early, late) in after[0].into_iter().zip(after[1]) {
        assert!(early > 0.0 && (early - late).abs() < 1.0, "{after:?}");
    }
}

#[test]
fn queues_that_are_paused_and_move_on_are_no_deadlock() {
    assert!(deadlocks(&run(CHAIN, &[], 0)).is_empty());
    // With a priority of their own for the flows that pass the third link, no circle closes.
    let cut = [("flow.from_b.priority", "1"), ("flow.from_c.priority", "1")];
    let report = run(RING, &cut, 0);
    assert!(deadlocks(&report).is_empty());
    assert!(value(&report, "link r1->r2", "link_paused_share") > 0.1);
    let least = delivered(&report, 1.0).into_iter().fold(f64::MAX, f64::min);
    assert!(least > 3e9, "{least}");
}

#[test]
fn inputs_with_dynamic_thresholds_wait_for_one_another_too() {
    for power in [-4, 0, 3] {
        let dynamic = RING.replace("xoff = \"40 kB\"", &format!("dynamic.power = {power}"));
        let [report, longer] =
            ["2 ms", "4 ms"].map(|duration| run(&dynamic, &[("duration", duration)], 0));
        assert!(dropped(&report) <= 0.0);
        let after = [(&report, 0.002), (&longer, 0.004)];
        let [early, late] = after.map(|(report, span)| delivered(report, span));
        let stands = early
            .iter()
            .zip(late)
            .all(|(early, late)| (early - late).abs() < 1.0);
        assert_eq!(
            !deadlocks(&report).is_empty(),
            stands,
            "2^{power}: {early:?} {late:?}"
        );
        assert!(stands, "2^{power}");
    }
}

#[test]
fn all_runners_agree_on_a_deadlock() {
    by_every_runner(&plan(RING, &[]));
    let dynamic = RING.replace("xoff = \"40 kB\"", "dynamic = {}");
    by_every_runner(&plan(&dynamic, &[]));
}
