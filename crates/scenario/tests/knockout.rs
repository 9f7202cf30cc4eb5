//! Knockout switches: the cells that are lost there, against the formula of theory and against a
//! trace of all packets.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{is_soak, plan, run, ten_tcp, value};
use crate::matchings::{interval, switch, uniform};
use models::metrics::Cause;
use scenario::capture::packets::{PacketEnd, PacketRow};
use scenario::report::{Report, Scope};

/// Share of cells that are lost in a slot, where a cell comes to each of `ports` inputs with the
/// probability `load`, for a random one of as many outputs: equation 6.2 of Chao, Lam and Oki,
/// "Broadband Packet Switching Technologies", 2001. The number of cells for an output is binomial.
fn lost(ports: i32, load: f64, paths: i32) -> f64 {
    let of_input = load / f64::from(ports);
    let excess = (paths + 1..=ports).map(|k| {
        let choices = (1..=k).map(|i| f64::from(ports - k + i) / f64::from(i));
        let chance = of_input.powi(k) * (1.0 - of_input).powi(ports - k);
        f64::from(k - paths) * choices.product::<f64>() * chance
    });
    excess.sum::<f64>() / load
}

/// The values of a metric of each port, or of each flow at each output.
fn values(report: &Report, metric: &str) -> Vec<f64> {
    let is_meant = |scope: &Scope| matches!(scope, Scope::Port(_) | Scope::Drop(..));
    let scalars = report.scalars.iter();
    let meant = scalars.filter(|known| known.metric.name == metric && is_meant(&known.scope));
    meant.map(|scalar| scalar.value).collect()
}

/// Cells that the fabric lost over those that came to it.
fn lost_share(report: &Report) -> f64 {
    let sum = |metric| values(report, metric).iter().sum::<f64>();
    sum("knockout") / sum("cells_offered")
}

/// Asserts that the interval of the share of cells lost holds what the formula gives.
fn assert_loses(ports: i32, load: f64, paths: i32, slots: u64) {
    let exact = lost(ports, load, paths);
    let fabric = format!("knockout = {{ paths = {paths} }}");
    let text = switch(&fabric, &uniform(ports as usize, load), 10, slots);
    let (mean, half_width) = interval(|replication| lost_share(&run(&text, &[], replication)));
    println!(
        "{ports} inputs, load {load}, {paths} paths: {mean:.3e} +- {half_width:.1e} for {exact:.4e}"
    );
    assert!(
        (mean - exact).abs() <= half_width,
        "{ports} inputs, load {load}, {paths} paths: {mean} +- {half_width}, not {exact}"
    );
    assert!(!is_soak() || half_width <= 0.002 * exact, "{half_width}");
}

#[test]
fn cells_are_lost_in_a_slot_as_the_formula_says() {
    for (ports, load, paths, slots, soaked) in [
        (2, 1.0, 1, 20_000, 1_200_000),
        (4, 0.5, 1, 10_000, 1_200_000),
        (8, 0.9, 2, 6_000, 2_000_000),
        (16, 1.0, 3, 3_000, 2_400_000),
        (32, 0.8, 2, 2_000, 600_000),
    ] {
        assert_loses(ports, load, paths, if is_soak() { soaked } else { slots });
    }
}

#[test]
fn as_many_paths_as_inputs_lose_nothing() {
    let queues = |fabric: &str| {
        let report = run(&switch(fabric, &uniform(4, 0.9), 100, 5_000), &[], 0);
        assert_eq!(values(&report, "knockout"), [0.0; 0], "{fabric}");
        values(&report, "mean_queue")
    };
    let expected = queues("slotted = {}");
    let used = expected.iter().filter(|queue| **queue > 0.0);
    assert_eq!(used.count(), 4);
    for paths in [4, 1024] {
        assert_eq!(
            queues(&format!("knockout = {{ paths = {paths} }}")),
            expected
        );
    }
}

/// Ten connections at a switch, of which so many may have a cell enter the output in a slot.
fn ten_connections(paths: &str) -> Vec<(&'static str, &str)> {
    vec![
        ("duration", "4 s"),
        ("warm_up", "0 s"),
        (
            "flow.bulk.source",
            "{ files = { length.constant = \"100 kB\", count = 2 } }",
        ),
        ("switch.s1.fabric.knockout", paths),
    ]
}

#[test]
fn packets_damaged_in_the_fabric_are_counted_once() {
    for paths in ["{ paths = 1 }", "{ paths = 2 }"] {
        let plan = plan(&ten_tcp(), &ten_connections(paths));
        let (report, packets) = traced(&plan);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &report, &packets);
        let traced = |cause: Cause| {
            let is_meant = |row: &&PacketRow| {
                matches!(&row.end, PacketEnd::Dropped { cause: of, .. }
                    if *of == cause)
            };
            packets.rows.iter().filter(is_meant).count() as f64
        };
        let knocked_out = traced(Cause::Knockout);
        assert!(knocked_out > 10.0, "{paths}: {knocked_out}");
        let ports = report.scalars.iter().filter(|scalar| {
            matches!(*scalar.scope, Scope::Port(_)) && scalar.metric.name == "packet_loss_ratio"
        });
        let damaged = ports.map(|scalar| {
            scalar.value * value(&report, &scalar.scope.to_string(), "packets_offered")
        });
        let damaged: f64 = damaged.sum();
        let all = knocked_out + traced(Cause::Overflow);
        assert!((damaged - all).abs() < 1e-6, "{paths}: {damaged}, {all}");
    }
}
