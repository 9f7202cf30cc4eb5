//! Outputs that send packets back to their senders, in whole networks: what goes back, when it goes
//! again, and what is counted.

use scenario::capture::packets::PacketEnd;
use scenario::report::Report;

use models::metrics::Cause;

use crate::common::packets::traced;
use crate::common::{assert_close, by_every_runner, plan, run, value};

/// Four hosts each send a packet of 12 us at once; behind the one that is being sent, one packet has
/// room, and one header.
pub const FOUR: &str = r#"
duration = "2 ms"
[host.source]
count = 4
[host.sink]
[router.r]
buffer.per_output = "1500 B"
discard.trim = { size = "64 B", headers = "64 B", no_room = "returned" }
scheduler.headers_first = { in_a_row = 10 }
[link.in]
between = ["source", "r"]
rate = "1 Gbit/s"
delay = "1 us"
[link.out]
between = ["r", "sink"]
rate = "1 Gbit/s"
delay = "1 us"
[flow.file]
from = "source"
to = "sink"
source.files = { length.constant = "1436 B", count = 1 }
over.packet = {}
transport.pull = { packet = "1500 B" }
"#;

/// The completion time of each of four files, in nanoseconds.
fn times(report: &Report) -> [u64; 4] {
    [0, 1, 2, 3].map(|flow| {
        let scope = format!("flow file[{flow}]");
        (value(report, &scope, "max_completion_time") * 1e9).round() as u64
    })
}

/// The header of the fourth packet finds no room, so only the timer of its sender will send it again.
#[test]
fn headers_that_were_dropped_are_told_with_the_key_that_mends_it() {
    let told = |settings: &[(&str, &str)]| {
        let warnings = run(FOUR, settings, 0).warnings;
        let of_ports = warnings
            .into_iter()
            .filter(|warning| warning.code == "headers_dropped");
        of_ports
            .map(|warning| warning.to_string())
            .collect::<Vec<_>>()
    };
    let dropped = ("router.r.discard.trim.no_room", "dropped");
    let [warning] = &told(&[dropped, ("duration", "0.8 ms")])[..] else {
        panic!("one warning");
    };
    assert!(
        warning.starts_with("port r->sink: it dropped trimmed packets"),
        "{warning}"
    );
    assert!(
        warning.ends_with("; set `router.r.discard.trim.no_room = \"returned\"`"),
        "{warning}"
    );
    assert!(told(&[("duration", "0.8 ms")]).is_empty());
    // The timer has expired, and all files have arrived.
    assert!(told(&[dropped]).is_empty());
}

/// At 13 us the first packet starts, the second waits, the header of the third waits, and the fourth goes
/// back. It is at its sender at 14.512 us, is sent again at once, and comes at 27.512 us. The third is
/// asked for at 26.512 us; the pull follows the negative acknowledgment, which takes 0.512 us on each
/// link, and the packet comes at 43.048 us. The link is busy with a header at 25 us and with packets from
/// 25.512 us on.
#[test]
fn a_packet_that_comes_back_goes_again_at_once() {
    let report = run(FOUR, &[], 0);
    assert_eq!(times(&report), [26_000, 38_512, 62_512, 50_512]);
    let dropped = run(FOUR, &[("router.r.discard.trim.no_room", "dropped")], 0);
    // The third finds an idle link. The fourth waits for its timer, which runs from its first packet on.
    assert_eq!(times(&dropped), [26_000, 38_512, 56_048, 1_026_000]);
    let counts = |report: &Report, scope: &str| {
        ["packets_trimmed", "trimmed_sent", "trimmed_dropped"]
            .map(|metric| value(report, scope, metric) as u64)
    };
    for scope in ["port r->sink", "network"] {
        assert_eq!(counts(&report, scope), [2, 1, 0]);
        assert_eq!(counts(&dropped, scope), [2, 1, 1]);
        let returned = value(&report, scope, "packets_returned");
        assert_close(returned, 1.0, 1e-12, "returned");
        assert_eq!(dropped.value(scope, "packets_returned"), None);
    }
    let drop = "drop file[3] at r->sink";
    assert_close(
        value(&report, drop, "returned"),
        64.0 / 53.0,
        1e-12,
        "octets",
    );
    assert_close(
        value(&report, drop, "trimmed"),
        1436.0 / 53.0,
        1e-12,
        "octets",
    );
    assert_eq!(report.value(drop, "overflow"), None);
    // The header goes out over the link of its sender, beside the two answers and the pull there.
    let back = |flow| {
        value(
            &report,
            &format!("port r->source[{flow}]"),
            "packets_offered",
        )
    };
    assert_close(back(3), 2.0, 1e-12, "a header and an acknowledgment");
    assert_close(back(0), 1.0, 1e-12, "an acknowledgment");
}

/// A packet that is too short to be trimmed goes back whole.
#[test]
fn a_short_packet_comes_back_too() {
    let short = [
        ("router.r.discard.trim.size", "1500 B"),
        ("router.r.discard.trim.headers", "1500 B"),
    ];
    let report = run(FOUR, &short, 0);
    assert_close(
        value(&report, "network", "packets_returned"),
        2.0,
        1e-12,
        "returned",
    );
    let timeouts = |flow| value(&report, &format!("flow file[{flow}]"), "timeouts");
    assert!([0, 1, 2, 3].map(timeouts).iter().sum::<f64>() <= 0.0);
}

#[test]
fn a_trace_tells_that_a_packet_went_back() {
    let short = [
        ("router.r.discard.trim.size", "1500 B"),
        ("router.r.discard.trim.headers", "1500 B"),
    ];
    let (_, packets) = traced(&plan(FOUR, &short));
    let ends = packets.rows.iter().map(|row| row.end);
    let returned = ends.filter(|end| {
        let expected = Cause::Returned;
        matches!(end, PacketEnd::Dropped { cause, .. } if *cause == expected)
    });
    assert_eq!(returned.count(), 2);
    // Packets that go back are no packets of the receiver.
    let back = packets.rows.iter().filter(|row| row.back);
    assert!(back.clone().count() >= 4 && back.clone().all(|row| row.data == 0));
}

/// Files of thirty packets from many hosts to one, over two switches.
const INCAST: &str = r#"
duration = "50 ms"
[host.source]
count = 24
[host.sink]
[switch.a]
buffer.per_output = "12 kB"
discard.trim = { size = "64 B", headers = "4 kB", no_room = "returned" }
scheduler.headers_first = { in_a_row = 10 }
paths.spray = {}
[switch.b]
buffer.per_output = "12 kB"
discard.trim = { size = "64 B", headers = "2 kB", no_room = "returned" }
scheduler.headers_first = { in_a_row = 10 }
paths.spray = {}
[link.in]
between = ["source", "a"]
rate = "1 Gbit/s"
delay = "1 us"
[link.middle]
between = ["a", "b"]
rate = "4 Gbit/s"
delay = "1 us"
[link.other]
between = ["a", "b"]
rate = "4 Gbit/s"
delay = "2 us"
[link.out]
between = ["b", "sink"]
rate = "1 Gbit/s"
delay = "1 us"
[flow.file]
from = "source"
to = "sink"
source.files = { length.constant = "43080 B", count = 1 }
over.packet = {}
transport.pull = { packet = "1500 B", timeout = "1 s", pull_timeout = "1 s" }
"#;

/// The whole window of 24 senders comes at once, and most headers find no room; no packet waits for a
/// timer all the same, over any path.
#[test]
fn no_packet_waits_for_a_timer() {
    let report = run(INCAST, &[], 0);
    let returned = value(&report, "network", "packets_returned");
    assert!(returned > 100.0, "{returned}");
    assert!(value(&report, "network", "trimmed_dropped") <= 0.0);
    for flow in 0..24 {
        let scope = format!("flow file[{flow}]");
        assert!(value(&report, &scope, "timeouts") <= 0.0, "{scope}");
        assert_close(
            value(&report, &scope, "packets_delivered"),
            30.0,
            1e-12,
            &scope,
        );
    }
    let dropped: Vec<_> = ["switch.a", "switch.b"]
        .map(|node| (format!("{node}.discard.trim.no_room"), "dropped"))
        .into();
    let dropped: Vec<(&str, &str)> = dropped
        .iter()
        .map(|(path, value)| (path.as_str(), *value))
        .collect();
    let report = run(INCAST, &dropped, 0);
    let waits =
        (0..24).map(|flow| value(&report, &format!("flow file[{flow}]"), "packets_delivered"));
    assert!(waits.sum::<f64>() < 24.0 * 30.0, "they wait for a timer");
}

#[test]
fn all_runners_agree_on_packets_that_come_back() {
    for more in [
        ("switch.b.ties", "random"),
        ("switch.b.memory.cell", "96 B"),
        ("switch.b.scheduler.fifo", "{}"),
        ("switch.b.buffer", "{ shared = { size = \"16 kB\" } }"),
        ("link.in.loss.packet", "1 %"),
        ("link.middle.retry.llr", "{}"),
        ("flow.file.transport.pull.timeout", "100 us"),
    ] {
        let mut settings = vec![more];
        if ["switch.b.scheduler.fifo", "switch.b.buffer"].contains(&more.0) {
            settings.push((
                "switch.b.discard.trim",
                "{ size = \"64 B\", no_room = \"returned\" }",
            ));
        }
        let report = by_every_runner(&plan(INCAST, &settings));
        let returned = value(&report, "network", "packets_returned");
        assert!(returned > 10.0, "{more:?}: {returned}");
    }
}

#[test]
fn packets_go_back_only_to_senders_that_take_them() {
    for (transport, said) in [
        ("tcp = {}", "`tcp` does not take packets back"),
        (
            "xtp = { rate = \"1 Mbit/s\" }",
            "`xtp` does not take packets back",
        ),
        ("datagram = {}", "`datagram` does not take packets back"),
    ] {
        let text = FOUR.replace("pull = { packet = \"1500 B\" }", transport);
        let problems = scenario::Scenario::read(&text, "x", &[]).expect_err("a mistake");
        let told = problems.to_string();
        let expected = format!("router.r.discard.trim.no_room: flow `file` passes `r`, and {said}");
        assert!(told.contains(&expected), "{told}");
        let hint = "choose the transport `pull`, or leave `no_room` out";
        assert!(told.contains(hint), "{told}");
    }
}
