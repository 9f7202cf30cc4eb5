//! Measuring a run in batches changes none of its events.

use std::collections::BTreeSet;

use crate::common::{CROSSING, run, ten_tcp};
use scenario::report::Report;

fn batched(text: &str, count: &str) -> [Report; 2] {
    let settings = [("duration", "0.1 s"), ("warm_up", "7 ms")];
    let whole = run(text, &settings, 0);
    let in_parts = run(text, &[settings[0], settings[1], ("batches", count)], 0);
    [whole, in_parts]
}

fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    std::fs::read_to_string(format!("{folder}/{name}.toml")).expect("an example")
}

/// Sums and means over time: the mean over equal batches must equal the value of the whole run.
#[test]
fn rates_and_shares_are_the_means_of_those_of_the_batches() {
    for text in [CROSSING.to_string(), ten_tcp()] {
        let [whole, batched] = batched(&text, "31");
        assert_eq!(batched.batches.len(), 31);
        for scalar in &whole.scalars {
            if !matches!(
                scalar.metric.name,
                "goodput" | "mean_queue" | "utilization" | "idle_share" | "useful_share"
            ) {
                continue;
            }
            let mean = batched
                .value(&scalar.scope.to_string(), scalar.metric.name)
                .expect("a mean");
            assert!(
                (mean - scalar.value).abs() <= 1e-9 * scalar.value.abs(),
                "{} of {}: {mean} instead of {}",
                scalar.metric.name,
                scalar.scope,
                scalar.value
            );
        }
    }
}

/// Ratios: the ratio of the sums over all batches must equal that of the whole run, except for
/// rounding.
#[test]
fn ratios_of_the_whole_are_those_of_its_batches_together() {
    let mut ratios = BTreeSet::new();
    let examples = ["explicit-rate", "service-classes", "lost-cells"].map(example);
    for text in [CROSSING.to_string(), ten_tcp()].iter().chain(&examples) {
        let [whole, batched] = batched(text, "31");
        let ratio_metrics = whole.scalars.iter();
        for scalar in ratio_metrics.filter(|scalar| scalar.metric.ratio.is_some()) {
            let found = batched
                .value(&scalar.scope.to_string(), scalar.metric.name)
                .expect("a ratio");
            assert!(
                (found - scalar.value).abs() <= 1e-12 * scalar.value.abs(),
                "{} of {}: {found} instead of {}",
                scalar.metric.name,
                scalar.scope,
                scalar.value
            );
            if scalar.value > 0.0 {
                ratios.insert(scalar.metric.name);
            }
        }
    }
    for metric in [
        "efficiency",
        "retransmission_ratio",
        "mean_delay",
        "cell_loss_ratio",
    ] {
        assert!(ratios.contains(metric), "no {metric} among {ratios:?}");
    }
}

#[test]
fn batches_change_no_event_of_a_run() {
    let [whole, batched] = batched(CROSSING, "1000");
    assert_eq!(whole.events.cell_hops, batched.events.cell_hops);
    let port = "port west->east";
    let longest = batched.batches.iter().map(|values| {
        let place = batched.scalars.iter().position(|scalar| {
            scalar.scope.to_string() == port && scalar.metric.name == "max_queue"
        });
        values[place.expect("a queue")]
    });
    assert_eq!(
        Some(longest.fold(0.0, f64::max)),
        whole.value(port, "max_queue")
    );
}

#[test]
fn batches_do_not_outlast_the_run() {
    // Three batches of a span, in picoseconds, that is not divisible by three.
    let settings = [("duration", "10000000001 ps"), ("batches", "3")];
    let report = run(CROSSING, &settings, 0);
    assert_eq!(report.batches.len(), 3);
}
