//! Buffers that count packets, as those of `pfifo` in Linux do.

use crate::common::packets::traced;
use crate::common::{by_every_runner, plan, run, value};
use kernel::{Duration, Time};
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

/// Packets of 500, 1000 and 1500 octets reach a router, and leave it, at multiples of 0.4 ms: an arrival
/// and a departure tie again and again, and the link is offered three times what it carries.
const TIES: &str = r#"
duration = "200 ms"
[host.short]
[host.middle]
[host.long]
[host.receiver]
[router.r]
buffer.per_output = "7 packets"
ties = "random"
[link.in]
between = ["short", "r"]
rate = "10 Mbit/s"
[link.beside]
between = ["middle", "r"]
rate = "10 Mbit/s"
[link.behind]
between = ["long", "r"]
rate = "10 Mbit/s"
[link.out]
between = ["r", "receiver"]
rate = "10 Mbit/s"
[flow.short]
from = "short"
to = "receiver"
source.constant_rate = { rate = "10 Mbit/s" }
transport.datagram = { packet = "500 B", header = "0 B" }
over.packet = {}
[flow.middle]
from = "middle"
to = "receiver"
source.constant_rate = { rate = "10 Mbit/s" }
transport.datagram = { packet = "1000 B", header = "0 B" }
over.packet = {}
[flow.long]
from = "long"
to = "receiver"
source.constant_rate = { rate = "10 Mbit/s" }
transport.datagram = { packet = "1500 B", header = "0 B" }
over.packet = {}
"#;

/// The most packets that wait at the router at once. With random ties a packet joins the queue a
/// picosecond after it arrives.
fn most_waiting(settings: &[(&str, &str)]) -> usize {
    let (report, packets) = traced(&plan(TIES, settings));
    assert!(value(&report, "port r->receiver", "packet_loss_ratio") > 0.5);
    let place = |output: u32| packets.outputs[output as usize].to_string();
    let hops = packets.hops.iter();
    let hops = hops.filter(|hop| place(hop.output) == "r->receiver");
    let waits = hops.map(|hop| {
        let joined = hop.arrived + Duration::from_ps(1);
        (joined, hop.arrived + hop.queued)
    });
    let waits: Vec<(Time, Time)> = waits.collect();
    let waits_at = |at: Time| {
        waits
            .iter()
            .filter(move |(from, to)| *from <= at && at < *to)
    };
    let most = waits.iter().map(|(joined, _)| waits_at(*joined).count());
    most.max().expect("packets pass the router")
}

#[test]
fn never_more_packets_of_any_length_wait_than_are_counted_whatever_a_coin_decides() {
    for scheduler in ["fifo", "deficit_round_robin", "self_clocked"] {
        let path = format!("router.r.scheduler.{scheduler}");
        for (limit, most) in [("7 packets", 7), ("2 packets", 2)] {
            let limit = ("router.r.buffer.per_output", limit);
            assert_eq!(most_waiting(&[limit, (&path, "{}")]), most, "{scheduler}");
        }
    }
}

/// A packet that starts at the instant of an arrival still waits if the arrival goes first. Packets of 500
/// octets alone come, and the octets of seven of the longest, which come later, would hold many more.
#[test]
fn a_packet_that_starts_as_another_arrives_counts_if_the_coin_lets_it_wait() {
    let settings = [
        ("flow.middle.transport.datagram.packet", "500 B"),
        ("flow.long.source.constant_rate.start", "1 s"),
    ];
    let report = run(TIES, &settings, 0);
    let longest = value(&report, "port r->receiver", "max_queue_octets");
    assert_eq!(longest as u64, 7 * 500);
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
