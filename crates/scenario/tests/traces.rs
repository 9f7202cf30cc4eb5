//! The variants of TCP, packet by packet, against traces of ns-2.
//!
//! `docs/reference/tcp-traces.md` holds what ns-2 sends in the scenario of Fall and Floyd (1996)
//! for patterns of loss that tell the variants apart; `tests/test_ns.py` compares that page with
//! ns-2 itself, this file with what we send. `UPDATE_GOLDEN=1` writes the table again.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::common::{plan, seed};
use kernel::{OnDemand, Runner, Time};
use models::link::tap::{Tap, TappedPacket};
use models::node::AnyNode;

/// User data of a packet, in octets.
const MSS: u64 = 1000;
/// Transmission time of a packet on the sender's link, in seconds.
const PACKET_TIME: f64 = 1040.0 * 8.0 / 8e6;

const GROWTH: &str = "growth = { at_ssthresh = \"linear\", increment = \"exact\" }";

const VARIANTS: [(&str, &str); 4] = [
    ("Tahoe", "{ tahoe_gbn = { GROWTH } }"),
    ("Reno", "{ reno = { GROWTH } }"),
    (
        "NewReno",
        "{ new_reno = { flavour = \"ns\", timer = \"every\", exit = \"ssthresh\", GROWTH } }",
    ),
    ("SACK", "{ sack = { pipe = \"fall_floyd\", GROWTH } }"),
];

/// Numbers of the lost packets. In the last row the timer expires twice, so its minimum matters.
const LOSSES: [&[u64]; 7] = [
    &[14],
    &[14, 28],
    &[14, 26, 28],
    &[14, 24, 26, 28],
    &[11, 12, 13, 14, 16],
    &[11, 12, 13, 14, 15, 16, 17, 18],
    &[4, 5, 6, 11, 14, 16, 17, 19],
];

/// Use of the timer's minimum: "before" or "after" backoff; "after" if the two do not differ.
const FLOORS: [&str; 2] = ["after", "before"];

/// Packets that passed the interfaces of both hosts.
struct TraceRecorder {
    sender: Vec<TappedPacket>,
    sink: Vec<TappedPacket>,
}

fn trace(losses: &[u64], congestion: &str, floor: &str) -> TraceRecorder {
    let text = include_str!("../../../examples/fall-floyd.toml");
    let settings = [
        ("link.bottleneck.loss.nth", format!("{losses:?}")),
        (
            "flow.ftp.transport.tcp.congestion",
            congestion.replace("GROWTH", GROWTH),
        ),
        (
            "flow.ftp.transport.tcp.timers.ns.floor",
            format!("{floor}_backoff"),
        ),
    ];
    let settings: Vec<(&str, &str)> = settings.iter().map(|(k, v)| (*k, v.as_str())).collect();
    let plan = plan(text, &settings);
    let mut network = plan.network(seed(0));
    for node in &mut network.nodes {
        if let AnyNode::Host(host) = node {
            let nic = host.nics.link_mut(0);
            nic.transmitter.install(Tap::new(1));
        }
    }
    let end = Time::ZERO + plan.spec.duration;
    OnDemand::default().run(&mut network, end);
    let mut taken = network.nodes.iter_mut().filter_map(|node| match node {
        AnyNode::Host(host) => {
            let nic = host.nics.link_mut(0);
            let tap = nic.transmitter.tap_mut();
            tap.map(|tap| tap.take_before(end))
        }
        _ => None,
    });
    TraceRecorder {
        sender: taken.next().expect("a sender"),
        sink: taken.next().expect("a sink"),
    }
}

/// The number of a packet, as ns counts them: the SYN is 0.
fn number(passing: &TappedPacket) -> u64 {
    let segment = &passing.contents.segment;
    if segment.flags.syn {
        0
    } else {
        segment.seq / MSS + 1
    }
}

impl TraceRecorder {
    /// A line of the table.
    fn row(&self, losses: &[u64], variant: &str, floor: &str) -> String {
        let sent: Vec<&TappedPacket> = self.sender.iter().filter(|one| !one.inward).collect();
        let answers = || self.sender.iter().filter(|one| one.inward);
        let answered = answers().map(|one| one.contents.segment.ack / MSS).max();
        let instants: BTreeSet<Time> = answers().map(|one| one.at).collect();
        let mut seen = BTreeSet::new();
        let (mut resent, mut timeouts) = (String::new(), String::new());
        let mut busy_until = 0.0;
        for (index, one) in (0..).zip(&sent) {
            let at = one.at.seconds();
            if !seen.insert(number(one)) {
                // A lost retransmission is not listed: it never enters the queue of the link.
                if !losses.contains(&index) {
                    write!(resent, " {}@{:.4}", number(one), at + PACKET_TIME).expect("a string");
                }
                // A retransmission that answers no acknowledgment is due to the timer.
                if at > busy_until && !instants.contains(&one.at) {
                    write!(timeouts, " {at:.4}").expect("a string");
                }
            }
            busy_until = at + PACKET_TIME;
        }
        let highest = sent
            .iter()
            .filter(|one| one.at.seconds() + PACKET_TIME <= 6.0);
        format!(
            "| {} | {variant} | {floor} | {} | {} |{resent} | {} |{} |",
            losses
                .iter()
                .map(u64::to_string)
                .collect::<Vec<_>>()
                .join(" "),
            highest.map(|one| number(one)).max().expect("a packet"),
            answered.expect("an answer"),
            self.redundant(),
            if timeouts.is_empty() { " -" } else { &timeouts },
        )
    }

    /// Packets that arrived twice.
    fn redundant(&self) -> usize {
        let arrived = self.sink.iter().filter(|one| one.inward);
        let mut seen = BTreeSet::new();
        arrived.filter(|one| !seen.insert(number(one))).count()
    }
}

#[test]
fn every_packet_of_every_variant_goes_when_it_goes_in_ns() {
    let mut table = String::from(
        "| lost | variant | minimum | highest sent | highest acknowledged | resent, packet@second | redundant | timeout at |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (index, losses) in LOSSES.into_iter().enumerate() {
        let floors = if index + 1 < LOSSES.len() { 1 } else { 2 };
        for floor in &FLOORS[..floors] {
            for (variant, congestion) in VARIANTS {
                table += &trace(losses, congestion, floor).row(losses, variant, floor);
                table.push('\n');
            }
        }
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/reference/tcp-traces.md"
    );
    let page = std::fs::read_to_string(path).expect("the page is part of the repository");
    let (head, rest) = page.split_once("| lost |").expect("a table");
    let tail = rest.split_once("\n\n").map_or("", |(_, tail)| tail);
    let updated = format!("{head}{table}\n{tail}");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &updated).expect("the page can be written");
        return;
    }
    assert!(
        page == updated,
        "docs/reference/tcp-traces.md is not what is sent:\n{table}"
    );
}
