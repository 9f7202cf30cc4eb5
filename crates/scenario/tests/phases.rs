//! Phase effects, and two remedies: jitter at hosts, and random ties at switches.

use crate::common::{run, value};

/// Ten connections in whole packets, on links of one rate.
const TEN: &str = r#"
duration = "4 s"
[host.sender]
count = 10
[host.receiver]
[switch.s1]
buffer.per_output = "256 cells"
[link.access]
between = ["sender", "s1"]
rate = "141.333 Mbit/s"
delay = "3 us"
[link.exit]
between = ["s1", "receiver"]
rate = "141.333 Mbit/s"
delay = "3 us"
[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = { start = { uniform = ["0 s", "0.1 s"] } }
over.packet = {}
[flow.bulk.transport.tcp]
packet = "512 B"
header = "0 B"
window = "64 KiB"
initial_ssthresh = "50 %"
congestion.tahoe_gbn = {}
repeated_fast_retransmit = "guarded"
timers.bsd = { tick = "0.1 ms", deviations = 2, initial = "0.2 s" }
backoff.karn = {}
"#;

/// One connection between two hosts, with a window larger than the path needs.
const ONE: &str = r#"
duration = "2 s"
[host.a]
[host.b]
[link.l]
between = ["a", "b"]
rate = "10 Mbit/s"
delay = "1 ms"
[flow.f]
from = "a"
to = "b"
over.packet = {}
transport.tcp = { packet = "1000 B", header = "0 B", window = "1 MiB" }
"#;

type Setting<'a> = (&'a str, &'a str);

/// Jain's index of the ten flows, with a packet size in octets, a buffer in cells, and a further
/// setting.
fn fairness(packet: u32, buffer: u32, setting: Setting, replication: u64) -> f64 {
    let packet = format!("{packet} B");
    let buffer = format!("{buffer} cells");
    let settings = [
        ("flow.bulk.transport.tcp.packet", &*packet),
        ("switch.s1.buffer.per_output", &*buffer),
        setting,
    ];
    value(
        &run(TEN, &settings, replication),
        "network",
        "fairness_index",
    )
}

#[test]
fn with_jitter_or_with_ties_left_to_chance_ten_connections_share() {
    for (packet, buffer) in [(512, 256), (512, 1000), (1500, 256), (1500, 1000)] {
        let most = f64::from(packet) * 8.0 / 141.333;
        let uniform = format!("{{ high = \"{most:.3} us\" }}");
        let cures = [
            ("flow.bulk.jitter.packet_time", "{}"),
            ("flow.bulk.jitter.packet_time.at_most", "0.1"),
            ("flow.bulk.jitter.uniform", &*uniform),
            ("switch.s1.ties", "random"),
        ];
        for setting in cures {
            for replication in 0..2 {
                let fairness = fairness(packet, buffer, setting, replication);
                // A buffer of nine packets is small for ten flows: without jitter one flow stays
                // ahead for seconds.
                let is_tight = (packet, buffer, setting.1) == (1500, 256, "random");
                let least = if is_tight { 0.8 } else { 0.95 };
                assert!(
                    fairness > least,
                    "{packet} B, {buffer}, {setting:?}: {fairness}"
                );
            }
        }
    }
}

/// Without a remedy, small queues give one connection all the capacity, and a warning explains it.
#[test]
fn without_either_one_of_ten_has_everything_and_is_reported() {
    let report = run(TEN, &[], 0);
    assert!(value(&report, "network", "fairness_index") < 0.2);
    let [warning] = &report.warnings[..] else {
        panic!("{:?}", report.warnings)
    };
    assert_eq!(warning.code, "phase_effect");
    let warning = warning.to_string();
    assert!(warning.starts_with("flow bulk: at port s1->receiver "));
    assert!(warning.contains("phase effect"));
    assert!(warning.ends_with("at_most = 0.1`, or set `switch.s1.ties = \"random\"`"));
    for cure in [
        ("flow.bulk.jitter.packet_time", "{}"),
        ("switch.s1.ties", "random"),
    ] {
        let warnings = run(TEN, &[cure], 0).warnings;
        let tells = warnings
            .iter()
            .any(|warning| warning.code == "phase_effect");
        assert!(!tells, "{cure:?}: {warnings:?}");
    }
}

/// Two hosts send the same at the same instants, and together more than the link carries.
const STEADY: &str = r#"
duration = "20 ms"
[host.sender]
count = 2
[host.receiver]
[router.r]
buffer.per_output = "30 kB"
[link.access]
between = ["sender", "r"]
rate = "1 Gbit/s"
delay = "1 us"
[link.exit]
between = ["r", "receiver"]
rate = "1 Gbit/s"
delay = "1 us"
[flow.steady]
from = "sender"
to = "receiver"
source.constant_rate = { rate = "0.6 Gbit/s" }
over.packet = {}
transport.datagram = { packet = "1500 B" }
"#;

/// Of two packets that come at one instant the first in the order of the links finds the room.
#[test]
fn equal_sources_of_which_ties_make_one_lose_are_reported() {
    let phases = |settings: &[Setting]| {
        let report = run(STEADY, settings, 0);
        let delivered =
            [0, 1].map(|flow| value(&report, &format!("flow steady[{flow}]"), "goodput"));
        let warnings = report.warnings.into_iter();
        let phases = warnings.filter(|warning| warning.code == "phase_effect");
        let told: Vec<String> = phases.map(|warning| warning.to_string()).collect();
        (
            delivered[0].max(delivered[1]) / delivered[0].min(delivered[1]),
            told,
        )
    };
    let (ratio, told) = phases(&[]);
    let [told] = &told[..] else {
        panic!("{ratio}: {told:?}");
    };
    assert!(ratio > 1.2, "{ratio}");
    assert!(
        told.starts_with("flow steady: at port r->receiver some members lose many times as much")
    );
    assert!(
        told.ends_with("at_most = 0.1`, or set `router.r.ties = \"random\"`"),
        "{told}"
    );
    for cure in [
        ("router.r.ties", "random"),
        ("flow.steady.jitter.packet_time.at_most", "0.1"),
    ] {
        let (ratio, told) = phases(&[cure]);
        assert!(
            ratio < 1.2 && told.is_empty(),
            "{cure:?}: {ratio}, {told:?}"
        );
    }
}

/// The windows of two connections lock to each other: the same one is ahead for minutes.
const LOCKED: &str = r#"
duration = "300 s"
[host.sender]
count = 2
[host.receiver]
[router.r]
buffer.per_output = "1 MB"
discard.codel = {}
[link.access]
between = ["sender", "r"]
rate = "10 Gbit/s"
[link.exit]
between = ["r", "receiver"]
rate = "5 Mbit/s"
delay = "50 ms"
[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = { start = { uniform = ["0 s", "0.1 s"] } }
over.packet = {}
transport.tcp = { packet = "1500 B", window = "1 MiB", congestion.sack = {} }
"#;

#[test]
fn windows_that_lock_to_each_other_are_reported() {
    let phases = |settings: &[Setting]| {
        let report = run(LOCKED, settings, 0);
        let fairness = value(&report, "network", "fairness_index");
        let mut warnings = report.warnings.into_iter();
        let told = warnings.find(|warning| warning.code == "phase_effect");
        (fairness, told.map(|warning| warning.to_string()))
    };
    let (fairness, told) = phases(&[]);
    assert!(fairness < 0.98, "{fairness}");
    let told = told.expect("a warning");
    assert!(
        told.contains("share the link unequally, by more than chance explains"),
        "{told}"
    );
    assert!(
        told.ends_with("set `flow.bulk.jitter.packet_time`"),
        "{told}"
    );
    let (fairness, told) = phases(&[("flow.bulk.jitter.packet_time", "{}")]);
    assert!(fairness > 0.98 && told.is_none(), "{fairness}: {told:?}");
}

#[test]
fn jitter_passes_between_packets_on_the_link() {
    let goodput = |settings: &[Setting]| value(&run(ONE, settings, 0), "flow f", "goodput");
    let full = goodput(&[]);
    assert!(full > 9.9e6, "{full}");
    for (most, share) in [("0.1", 1.0 / 1.05), ("1", 1.0 / 1.5), ("4", 1.0 / 3.0)] {
        let goodput = goodput(&[("flow.f.jitter.packet_time.at_most", most)]);
        // At least 1250 packets, each followed by a uniformly distributed gap.
        assert!(
            (goodput / full - share).abs() < 0.02,
            "{most}: {}",
            goodput / full
        );
    }
}

/// The packets of a single flow of a host are committed ahead of time; those of several flows wait
/// in the host.
#[test]
fn jitter_is_the_same_beside_a_flow_that_is_silent() {
    let silent = r#"
[flow.silent]
from = "a"
to = "b"
over.packet = {}
source.constant_rate = { rate = "1 bit/s", start = "1 h" }
transport.datagram = { packet = "1000 B" }
"#;
    let jitter = [("flow.f.jitter.packet_time", "{}")];
    let [alone, beside] = [ONE.to_string(), ONE.to_string() + silent].map(|text| {
        let report = run(&text, &jitter, 0);
        let of_flow = report
            .scalars
            .into_iter()
            .filter(|scalar| scalar.scope.to_string() == "flow f");
        of_flow
            .map(|scalar| (scalar.metric, scalar.value))
            .collect::<Vec<_>>()
    });
    assert_eq!(alone, beside);
}
