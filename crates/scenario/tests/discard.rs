//! Discard policies in whole networks: who is refused, and who profits.

mod common;

use common::{run, ten_tcp};
use scenario::report::Report;

/// The example: ten connections with short packets and ten with long ones through one output, without
/// its sweep.
fn mixed() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/mixed-packets.toml"
    );
    let text = std::fs::read_to_string(path).expect("the example is part of the repository");
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

/// How far ten like connections are from equal goodputs: one less Jain's index, over three runs.
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
fn policies_that_compare_channels_are_fairer_than_one_that_refuses_whoever_comes() {
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
    // Any packet is as likely to be refused, so that who has more of them loses more of them; and a
    // window counts in packets.
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
    // A long packet that has begun makes the queue long for those that come meanwhile.
    let [short, long] = lost("early_packet");
    assert!((1.0..1.5).contains(&(short / long)), "{short} and {long}");
    // Cells that do not fit damage a long packet far sooner than a short one.
    let [short, long] = lost("tail_drop");
    assert!(long > 2.0 * short, "{short} and {long}");
}

/// Nine connections beside a flow of datagrams that takes no notice of losses.
const BESIDE: &str = r#"
duration = "2.5 s"
warm_up = "0.5 s"
[host.sender]
count = 9
[host.speaker]
[host.receiver]
[switch.s1]
buffer.per_output = "1000 cells"
[link.access]
between = ["sender", "s1"]
rate = "155.52 Mbit/s"
delay = "5 us"
[link.speaker]
between = ["speaker", "s1"]
rate = "155.52 Mbit/s"
delay = "5 us"
[link.exit]
between = ["s1", "receiver"]
rate = "155.52 Mbit/s"
delay = "1 ms"
[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = { start = { uniform = ["0 s", "0.1 s"] } }
transport.tcp = { packet = "1500 B", congestion.reno = {}, timers.bsd = { tick = "10 ms" } }
jitter.packet_time = {}
[flow.speech]
from = "speaker"
to = "receiver"
source.constant_rate = { rate = "60 Mbit/s" }
transport.datagram = { packet = "1500 B" }
"#;

#[test]
fn datagrams_beside_tcp_keep_what_they_take_unless_channels_are_compared() {
    let arrived = |policy: &str| {
        let discard = format!("switch.s1.discard.{policy}");
        let report = run(BESIDE, &[(&*discard, "{}")], 0);
        let speech = report.value("flow speech", "goodput").expect("a goodput");
        let used = report.value("port s1->receiver", "utilization");
        assert!(used.expect("a utilization") > 0.95);
        speech / 60e6
    };
    // All that TCP does upon losses is to make room for those who do nothing.
    assert!(arrived("early_packet") > 0.97);
    assert!(arrived("selective_drop") < 0.9);
    assert!(arrived("fair_buffer_allocation") < 0.75);
}
