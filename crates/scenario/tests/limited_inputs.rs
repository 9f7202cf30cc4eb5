//! Switches whose inputs have a limited memory: the cells that are dropped there, against exact
//! results and against inputs without a limit.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{is_soak, plan, run, ten_tcp, value};
use crate::matchings::{interval, switch, uniform};
use models::metrics::Cause;
use scenario::capture::packets::{PacketEnd, PacketRow};
use scenario::report::{Report, Scope};

/// The numbers of a report, without those of the queues at inputs.
fn numbers(report: &Report) -> Vec<(String, f64)> {
    let of_inputs = |name: &str| {
        name.contains("input_") || name == "cells_crossed" || name == "requested_matchings"
    };
    let scalars = report.scalars.iter();
    let others = scalars.filter(|scalar| !of_inputs(scalar.metric.name));
    let named = others.map(|scalar| {
        let name = format!("{} {}", scalar.scope, scalar.metric.name);
        (name, scalar.value)
    });
    named.collect()
}

#[test]
fn inputs_with_memory_enough_are_inputs_without_a_limit() {
    for (fabric, limit) in [
        ("slotted = { speedup = 1LIMIT }", "per_input"),
        (
            "slotted = { speedup = 2, order = \"input\"LIMIT }",
            "per_queue",
        ),
        (
            "slotted = { order = \"random\", clock = \"300 Mbit/s\"LIMIT }",
            "per_input",
        ),
        ("virtual_output_queues = { speedup = 1LIMIT }", "per_input"),
        (
            "virtual_output_queues = { matching.pim = {}LIMIT }",
            "per_queue",
        ),
    ] {
        let limit = format!(", input.buffer.{limit} = \"100000 cells\"");
        let [unlimited, limited] = ["", &*limit].map(|limit| {
            let fabric = fabric.replace("LIMIT", limit);
            let text = switch(&fabric, &uniform(4, 0.9), 200, 3_000);
            numbers(&run(&text, &[], 1))
        });
        assert_eq!(unlimited, limited, "{fabric}");
    }
}

/// The share of cells that are dropped at the inputs of a switch of two inputs, each of which holds
/// one cell, if a cell arrives with the probability `load` in a slot for an output drawn at random.
///
/// If one input holds a cell, the next cell there is dropped. Otherwise both inputs are empty; if two
/// cells arrive for one output, one of them stays. Let b be the probability that an input holds a
/// cell. Then b = (1 - b) load^2/2 + b load/2, and b load of the 2 load cells of a slot are dropped.
fn dropped_by_one_cell_inputs(load: f64) -> f64 {
    load * load / 2.0 / (1.0 - load / 2.0 + load * load / 2.0) / 2.0
}

#[test]
fn inputs_of_one_cell_drop_what_their_markov_chain_says() {
    let input = "input.buffer.per_input = \"1 cell\"";
    for (fabric, load) in [
        (
            format!("slotted = {{ speedup = 1, order = \"random\", {input} }}"),
            1.0,
        ),
        (format!("slotted = {{ speedup = 1, {input} }}"), 0.6),
        (
            format!("virtual_output_queues = {{ matching.maximum_size = {{}}, {input} }}"),
            0.8,
        ),
        (
            format!("virtual_output_queues = {{ matching.islip = {{}}, {input} }}"),
            0.6,
        ),
    ] {
        let exact = dropped_by_one_cell_inputs(load);
        let slots = if is_soak() { 5_000_000 } else { 60_000 };
        let text = switch(&fabric, &uniform(2, load), 100, slots);
        let (mean, half_width) = interval(|replication| {
            let report = run(&text, &[], replication);
            let sum = |metric| -> f64 {
                let ports = ["port s->output[0]", "port s->output[1]"];
                ports.iter().map(|port| value(&report, port, metric)).sum()
            };
            // Of single cells, each is a packet.
            let ratios = ["port s->output[0]", "port s->output[1]"];
            let dropped = ratios.map(|port| {
                value(&report, port, "packet_loss_ratio") * value(&report, port, "packets_offered")
            });
            dropped.iter().sum::<f64>() / sum("packets_offered")
        });
        println!("{fabric}: {mean:.5} +- {half_width:.5} for {exact:.5}");
        assert!(
            (mean - exact).abs() <= half_width,
            "{fabric}: {mean} +- {half_width}, not {exact}"
        );
        assert!(!is_soak() || half_width <= 0.002 * exact, "{half_width}");
    }
}

/// Ten connections whose cells wait at the inputs of a switch with this discard policy there.
fn limited(discard: &str) -> Vec<(&'static str, String)> {
    let input = format!("{{ buffer.per_input = \"400 cells\", discard.{discard} }}");
    vec![
        ("duration", "4 s".to_string()),
        (
            "flow.bulk.source",
            "{ files = { length.constant = \"500 kB\", count = 2 } }".to_string(),
        ),
        ("warm_up", "0 s".to_string()),
        (
            "switch.s1.fabric",
            format!("{{ slotted = {{ speedup = 1, input = {input} }} }}"),
        ),
    ]
}

#[test]
fn packets_damaged_at_an_input_are_counted_once() {
    for discard in ["tail_drop = {}", "partial_packet = {}", "early_packet = {}"] {
        let settings = limited(discard);
        let settings: Vec<_> = settings
            .iter()
            .map(|(name, text)| (*name, &**text))
            .collect();
        let plan = plan(&ten_tcp(), &settings);
        let (report, packets) = traced(&plan);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &report, &packets);
        let by_cause = |cause: Cause| {
            let is_meant = |row: &&PacketRow| {
                matches!(&row.end, PacketEnd::Dropped { cause: of, .. }
                    if *of == cause)
            };
            packets.rows.iter().filter(is_meant).count() as f64
        };
        assert!(
            by_cause(Cause::Input) > 10.0,
            "{discard}: {}",
            by_cause(Cause::Input)
        );
        let ports = report.scalars.iter().filter(|scalar| {
            matches!(*scalar.scope, Scope::Port(_)) && scalar.metric.name == "packet_loss_ratio"
        });
        let damaged = ports.map(|scalar| {
            scalar.value * value(&report, &scalar.scope.to_string(), "packets_offered")
        });
        let damaged: f64 = damaged.sum();
        let traced = by_cause(Cause::Input) + by_cause(Cause::Overflow);
        assert!(
            (damaged - traced).abs() < 1e-6,
            "{discard}: {damaged}, {traced}"
        );
    }
}
