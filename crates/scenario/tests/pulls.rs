//! The receiver-driven transport in whole networks: files from several hosts to one, whose receivers
//! pull each packet after the first ones.

use scenario::report::Report;

use crate::common::{assert_close, by_every_runner, plan, run, value};

/// Hosts each send a file of 200 packets, of 1436 user octets and 12 us, to one host at once.
const INCAST: &str = r#"
duration = "200 ms"
[host.source]
count = 8
[host.sink]
[switch.s]
buffer.per_output = "12 kB"
discard.trim = { size = "64 B", headers = "40 kB" }
scheduler.headers_first = { in_a_row = 10 }
[link.in]
between = ["source", "s"]
rate = "1 Gbit/s"
delay = "1 us"
[link.out]
between = ["s", "sink"]
rate = "1 Gbit/s"
delay = "1 us"
[flow.file]
from = "source"
to = "sink"
source.files = { length.constant = "287200 B", gap = "10 s" }
over.packet = {}
transport.pull = { packet = "1500 B", initial_window = 23 }
"#;

/// Time of a packet on a link, in seconds, and of a header or an answer.
const PACKET: f64 = 12e-6;
const HEADER: f64 = 0.512e-6;

/// A metric of each of `count` flows.
fn of_flows(report: &Report, count: usize, metric: &str) -> Vec<f64> {
    let flows = (0..count).map(|flow| format!("flow file[{flow}]"));
    flows.map(|scope| value(report, &scope, metric)).collect()
}

#[test]
fn a_fan_in_keeps_its_link_busy_and_needs_no_timer() {
    let report = run(INCAST, &[], 0);
    let sum = |metric| -> f64 { of_flows(&report, 8, metric).iter().sum() };
    let trimmed = value(&report, "network", "packets_trimmed");
    assert!(trimmed > 100.0, "{trimmed}");
    assert!(sum("timeouts") <= 0.0);
    assert_close(sum("packets_retransmitted"), trimmed, 1e-12, "once more");
    assert_close(sum("packets_delivered"), 1600.0, 1e-12, "packets");
    let slowest = of_flows(&report, 8, "max_completion_time").into_iter();
    let slowest = slowest.fold(0.0, f64::max);
    let least = 1600.0 * PACKET + trimmed * HEADER;
    // At the start and at the end the link waits for a packet for a round trip at most.
    let round_trip = 2.0 * PACKET + 4.0 * HEADER + 4e-6;
    assert!(
        (least..least + 2.0 * round_trip).contains(&slowest),
        "{slowest} {least}"
    );
}

/// A file of 100 packets passes a path of 2 ms ten packets a round trip, since each that arrives earns
/// one pull, which leaves behind the acknowledgment.
#[test]
fn without_a_queue_the_window_is_what_a_round_trip_carries() {
    let settings = [
        ("host.source.count", "1"),
        ("link.in.delay", "1 ms"),
        ("link.out.delay", "1 ms"),
        ("flow.file.transport.pull.timeout", "1 s"),
        ("flow.file.transport.pull.initial_window", "10"),
        ("flow.file.source.files.length.constant", "143600 B"),
    ];
    let report = run(INCAST, &settings, 0);
    let (way, back) = (2e-3 + 2.0 * PACKET, 2e-3 + 2.0 * HEADER);
    let round_trip = way + back + HEADER;
    assert_close(
        value(&report, "flow file[0]", "max_completion_time"),
        9.0 * round_trip + 9.0 * PACKET + way,
        1e-9,
        "completion time",
    );
    let waited = value(&report, "flow file[0]", "limited_by_receiver_window");
    let waited = waited * 0.2 / (9.0 * round_trip);
    assert!((0.9..1.0).contains(&waited), "{waited}");
}

/// A host that sends ten packets, one at a time, while the pulls of two files wait at the sink.
const LATE: &str = r#"
[host.late]
[link.late]
between = ["late", "s"]
rate = "1 Gbit/s"
delay = "1 us"
[flow.late]
from = "late"
to = "sink"
source.files = { length.constant = "14360 B", gap = "10 s", start = "1 ms" }
over.packet = {}
transport.pull = { packet = "1500 B", initial_window = 1 }
"#;

#[test]
fn flows_to_a_host_are_pulled_by_turns() {
    let text = format!("{INCAST}{LATE}");
    let report = run(&text, &[("host.source.count", "2")], 0);
    // A pull waits for one of each other flow, and its packet for the eight in the buffer; about forty
    // pulls wait in all.
    let time = value(&report, "flow late", "max_completion_time") / PACKET;
    assert!((30.0..140.0).contains(&time), "{time} packet times");
}

/// Packets are pulled at two thirds of the rate of the link, so a file takes half as long again.
#[test]
fn pulls_may_leave_a_part_of_the_link_free() {
    let time = |spacing| {
        let settings = [("flow.file.transport.pull.spacing", spacing)];
        let report = run(INCAST, &settings, 0);
        of_flows(&report, 8, "max_completion_time")
            .into_iter()
            .fold(0.0, f64::max)
    };
    // The windows fill the link at first, for some eighth of the time.
    let ratio = time("2250 B") / time("1500 B");
    assert!((1.35..1.5).contains(&ratio), "{ratio}");
}

/// The turns of two hundred flows take 2.4 ms, more than the timeout of a packet that is not answered.
#[test]
fn a_flow_waits_for_its_turn_without_a_timer() {
    let many = |pull_timeout| {
        let settings = [
            ("host.source.count", "200"),
            ("flow.file.source.files.length.constant", "14360 B"),
            ("flow.file.transport.pull.initial_window", "1"),
            ("flow.file.transport.pull.pull_timeout", pull_timeout),
        ];
        let report = run(INCAST, &settings, 0);
        let flows = of_flows(&report, 200, "timeouts").into_iter();
        flows.sum::<f64>()
    };
    assert!(many("100 ms") <= 0.0);
    assert!(many("1 ms") > 200.0);
}

#[test]
fn all_runners_agree_on_pulls() {
    for more in [
        ("switch.s.ties", "random"),
        ("flow.file.transport.pull.initial_window", "1"),
        ("switch.s.discard.tail_drop", "{}"),
        ("link.out.loss.packet", "2 %"),
        ("link.in.loss.packet", "2 %"),
        ("link.out.retry.llr", "{}"),
        ("flow.file.over.ubr", "{}"),
    ] {
        let report = by_every_runner(&plan(INCAST, &[more]));
        let delivered: f64 = of_flows(&report, 8, "packets_delivered").iter().sum();
        assert!(delivered > 1000.0, "{more:?} {delivered}");
    }
}
