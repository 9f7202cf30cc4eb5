//! Buffers that count packets, as those of `pfifo` in Linux do.

use crate::common::{by_every_runner, plan, run, value};
use scenario::report::Report;

/// Two TCP flows and a datagram every 3 ms through one router; packets of 1500 octets at most.
const NETWORK: &str = r#"
duration = "400 ms"
[host.h]
count = 2
[host.u]
[host.receiver]
[router.r]
buffer.per_output = "20 packets"
[link.in]
between = ["h", "r"]
rate = "50 Mbit/s"
delay = "1 ms"
[link.side]
between = ["u", "r"]
rate = "50 Mbit/s"
[link.out]
between = ["r", "receiver"]
rate = "10 Mbit/s"
delay = "2 ms"
[flow.tcp]
from = "h"
to = "receiver"
transport.tcp = { packet = "1500 B", window = "256 KiB" }
over.packet = {}
[flow.udp]
from = "u"
to = "receiver"
source.constant_rate = { rate = "3 Mbit/s" }
transport.datagram = { packet = "1500 B" }
over.packet = {}
"#;

/// All numbers of a report, by scope and name.
fn numbers(report: &Report) -> Vec<(String, String, u64)> {
    let each = report.scalars.iter().map(|scalar| {
        let name = scalar.metric.name.to_string();
        (scalar.scope.to_string(), name, scalar.value.to_bits())
    });
    each.collect()
}

#[test]
fn packets_of_one_length_fill_a_buffer_of_packets_as_they_fill_one_of_octets() {
    let back = ("link.out.rate", "10 Mbit/s");
    for (policy, settings) in [
        ("tail_drop", "{}"),
        ("random_early", r#"{ minimum = "20 %", maximum = "80 %" }"#),
        ("codel", "{}"),
        ("pie", "{}"),
        ("fq_codel", "{}"),
    ] {
        let policy = format!("router.r.discard.{policy}");
        let settings = [back, (policy.as_str(), settings)];
        let of_packets = run(NETWORK, &settings, 0);
        let octets = ("router.r.buffer.per_output", "30000 B");
        let of_octets = run(NETWORK, &[settings[0], settings[1], octets], 0);
        assert_eq!(numbers(&of_packets), numbers(&of_octets), "{policy}");
        assert!(value(&of_packets, "port r->receiver", "packet_loss_ratio") > 0.0);
    }
}

/// The longest queue of datagrams of one length that overload the link.
fn longest_queue(packet: &str, buffer: &str) -> u64 {
    let settings = [
        ("flow.udp.transport.datagram.packet", packet),
        ("flow.udp.source.constant_rate.rate", "20 Mbit/s"),
        ("flow.tcp.source.greedy.start", "10 s"),
        ("router.r.buffer.per_output", buffer),
    ];
    let report = run(NETWORK, &settings, 0);
    value(&report, "port r->receiver", "max_queue_octets") as u64
}

#[test]
fn packets_of_any_length_count_as_one() {
    for packet in [100, 700, 1500] {
        let longest = longest_queue(&format!("{packet} B"), "20 packets");
        assert_eq!(longest, 20 * packet);
    }
    assert_eq!(longest_queue("1500 B", "1 packet"), 1500);
}

#[test]
fn a_queue_of_short_and_long_packets_holds_as_many_as_are_counted() {
    let settings = [
        ("flow.udp.transport.datagram.packet", "40 B"),
        ("flow.udp.source.constant_rate.rate", "3 Mbit/s"),
        ("router.r.scheduler.deficit_round_robin", "{}"),
    ];
    let of_packets = by_every_runner(&plan(NETWORK, &settings));
    let octets = ("router.r.buffer.per_output", "30000 B");
    let of_octets = run(NETWORK, &[&settings[..], &[octets]].concat(), 0);
    let [few, many] = [&of_packets, &of_octets].map(|report| {
        assert!(value(report, "port r->receiver", "packet_loss_ratio") > 0.0);
        value(report, "port r->receiver", "max_queue_octets")
    });
    assert!(few < 0.5 * many, "{few} and {many}");
}

fn refused(settings: &[(&str, &str)]) -> String {
    let owned: Vec<(String, String)> = settings
        .iter()
        .map(|(path, value)| ((*path).to_string(), (*value).to_string()))
        .collect();
    let problems = scenario::Scenario::read(NETWORK, "x", &owned).expect_err("a mistake");
    problems.to_string()
}

#[test]
fn only_nodes_that_count_packets_have_room_for_a_number_of_them() {
    for (settings, problem) in [
        (
            ("router.r.discard.trim", "{}"),
            "trimmed packets are shorter, and `r` would count them like whole ones",
        ),
        (
            ("link.in.pause.pfc", "{ priorities = [0] }"),
            "`r` counts the octets of its inputs, for pauses or credits, so it cannot count packets",
        ),
        (
            ("router.r.buffer.per_output", "0 packets"),
            "`0 packets` must be greater than zero",
        ),
    ] {
        let said = refused(&[settings]);
        assert!(said.contains(problem), "{said}");
    }
}
