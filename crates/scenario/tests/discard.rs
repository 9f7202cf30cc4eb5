//! Discard policies in whole networks: the flows that lose packets, and those that gain.

use crate::common::{run, ten_tcp};
use scenario::report::Report;

/// The example: ten connections with short packets and ten with long ones through one output.
fn mixed() -> String {
    without_sweep(include_str!("../../../examples/mixed-packets.toml"))
}

fn without_sweep(text: &str) -> String {
    let end = text.find("[sweep").expect("a sweep comes last");
    text[..end].to_string()
}

/// The mean of a metric over the ten flows of a group.
fn mean(report: &Report, group: &str, metric: &str) -> f64 {
    let values = (0..10).map(|number| {
        let flow = format!("flow {group}[{number}]");
        report.value(&flow, metric).expect(metric)
    });
    values.sum::<f64>() / 10.0
}

/// Unfairness among ten equal connections: one minus Jain's index, mean of three runs.
fn unfairness(policy: &str, packet: &str, buffer: &str) -> f64 {
    let discard = format!("switch.s1.discard.{policy}");
    let settings = [
        (&*discard, "{}"),
        ("flow.bulk.transport.tcp.packet", packet),
        ("switch.s1.buffer.per_output", buffer),
        ("duration", "2 s"),
        ("warm_up", "0.5 s"),
    ];
    let index = |replication| {
        let report = run(&ten_tcp(), &settings, replication);
        report.value("network", "fairness_index").expect("an index")
    };
    1.0 - (0..3).map(index).sum::<f64>() / 3.0
}

#[test]
fn policies_that_compare_vcs_are_fairer_than_one_that_refuses_whoever_comes() {
    for (packet, buffer) in [("1500 B", "1000 cells"), ("9180 B", "2000 cells")] {
        let early = unfairness("early_packet", packet, buffer);
        for policy in ["selective_drop", "fair_buffer_allocation"] {
            let fairer = unfairness(policy, packet, buffer);
            assert!(fairer < early / 2.0, "{policy}: {fairer}, not {early}");
        }
    }
}

#[test]
fn tcp_with_short_packets_starves_by_early_packet_discard_and_not_by_selective_drop() {
    let ratio = |policy: &str| {
        let discard = format!("switch.s1.discard.{policy}");
        let report = run(&mixed(), &[(&*discard, "{}")], 0);
        mean(&report, "short", "goodput") / mean(&report, "long", "goodput")
    };
    // Each packet is equally likely to be dropped, so the flow with more packets loses more of
    // them. TCP's window also counts packets.
    let early = ratio("early_packet");
    assert!(early < 0.2, "{early}");
    let selective = ratio("selective_drop");
    assert!((0.7..1.4).contains(&selective), "{selective}");
}

#[test]
fn of_datagrams_early_packet_discard_refuses_hardly_more_short_ones_than_long_ones() {
    let bursts = r#"{ rate = "30 Mbit/s", on = { exponential = { mean = "5 ms" } },
        off = { exponential = { mean = "15 ms" } } }"#;
    let lost = |policy: &str| {
        let discard = format!("switch.s1.discard.{policy}");
        let settings = [
            (&*discard, "{}"),
            ("flow.short.source.on_off", bursts),
            ("flow.long.source.on_off", bursts),
            ("flow.short.transport.datagram", "{ packet = \"512 B\" }"),
            ("flow.long.transport.datagram", "{ packet = \"9180 B\" }"),
        ];
        let report = run(&mixed(), &settings, 0);
        ["short", "long"].map(|group| 1.0 - mean(&report, group, "efficiency"))
    };
    // An accepted long packet lengthens the queue that packets arriving meanwhile find.
    let [short, long] = lost("early_packet");
    assert!((1.0..1.5).contains(&(short / long)), "{short} and {long}");
    // Cells that do not fit damage a long packet far sooner than a short one.
    let [short, long] = lost("tail_drop");
    assert!(long > 2.0 * short, "{short} and {long}");
}

/// Nine TCP connections beside a flow of datagrams without congestion control.
fn beside() -> String {
    without_sweep(include_str!("../../../examples/udp-beside-tcp.toml"))
}

#[test]
fn datagrams_beside_tcp_keep_what_they_take_unless_vcs_are_compared() {
    let arrived = |policy: &str| {
        let discard = format!("switch.s1.discard.{policy}");
        let report = run(&beside(), &[(&*discard, "{}")], 0);
        let speech = report.value("flow speech", "goodput").expect("a goodput");
        let used = report.value("port s1->receiver", "utilization");
        assert!(used.expect("a utilization") > 0.95);
        speech / 60e6
    };
    // TCP reduces its rate after losses; the datagrams take the capacity that it leaves.
    assert!(arrived("early_packet") > 0.97);
    assert!(arrived("selective_drop") < 0.9);
    assert!(arrived("fair_buffer_allocation") < 0.75);
}
