//! Outputs that trim packets, in whole networks: what is cut, sent on and dropped, and what receivers
//! make of it.

use std::cell::RefCell;

use scenario::capture::CaptureOptions;
use scenario::capture::packets::PacketEnd;
use scenario::report::Report;
use scenario::run::Simulation;

use models::metrics::Cause;

use crate::common::packets::traced;
use crate::common::{assert_close, by_every_runner, plan, run, seed, value};

/// Four hosts write two datagrams of 1500 octets each at once; the link to the sink is as fast as
/// theirs, and three packets may wait in front of it.
const BURST: &str = r#"
duration = "1 ms"
[host.source]
count = 4
[host.sink]
[router.r]
buffer.per_output = "4500 B"
discard.trim = {}
scheduler.headers_first = {}
[link.in]
between = ["source", "r"]
rate = "1 Gbit/s"
[link.out]
between = ["r", "sink"]
rate = "1 Gbit/s"
[flow.burst]
from = "source"
to = "sink"
source.trace.text = "0 2944"
transport.datagram = {}
over.packet = {}
"#;

/// The counts of trimmed packets at the output to the sink: all, sent and dropped.
fn trimmed(report: &Report) -> [u64; 3] {
    let of = |metric| value(report, "port r->sink", metric) as u64;
    ["packets_trimmed", "trimmed_sent", "trimmed_dropped"].map(of)
}

/// Cells of all flows that were dropped at the output to the sink for a cause.
fn cells(report: &Report, cause: &str) -> f64 {
    let flows = (0..4).map(|flow| format!("drop burst[{flow}] at r->sink"));
    flows.filter_map(|scope| report.value(&scope, cause)).sum()
}

/// The sum of a metric over the four flows.
fn of_flows(report: &Report, metric: &str) -> f64 {
    let flows = (0..4).map(|flow| format!("flow burst[{flow}]"));
    flows.map(|scope| value(report, &scope, metric)).sum()
}

/// Of the eight packets, four arrive at 12 us, of which one starts and three wait; four arrive at
/// 24 us, when a second has started, so that one has room.
#[test]
fn what_does_not_fit_goes_on_as_a_header() {
    let report = run(BURST, &[], 0);
    assert_eq!(trimmed(&report), [3, 3, 0]);
    assert_close(
        cells(&report, "trimmed"),
        3.0 * 1372.0 / 53.0,
        1e-12,
        "cells",
    );
    assert!(cells(&report, "overflow") <= 0.0);
    assert_close(
        value(&report, "port r->sink", "packet_loss_ratio"),
        3.0 / 8.0,
        1e-12,
        "loss",
    );
    assert_close(of_flows(&report, "trimmed_arrived"), 3.0, 1e-12, "headers");
    assert_close(
        of_flows(&report, "octets_damaged"),
        3.0 * 128.0,
        1e-12,
        "octets",
    );
    assert!(of_flows(&report, "packets_damaged") <= 0.0);
    assert_close(
        of_flows(&report, "packets_delivered"),
        5.0,
        1e-12,
        "whole packets",
    );
    let network = ["packets_trimmed", "trimmed_sent", "trimmed_dropped"];
    assert_eq!(
        network.map(|metric| value(&report, "network", metric) as u64),
        trimmed(&report)
    );
}

#[test]
fn a_header_without_room_is_dropped() {
    let one = run(BURST, &[("router.r.discard.trim.headers", "200 B")], 0);
    assert_eq!(trimmed(&one), [3, 1, 2]);
    assert_close(cells(&one, "trimmed"), 3.0 * 1372.0 / 53.0, 1e-12, "cells");
    assert_close(
        cells(&one, "overflow"),
        2.0 * 128.0 / 53.0,
        1e-12,
        "headers",
    );
    // With one queue for all packets, the room that is left is that of the buffer.
    for (buffer, sent) in [("4500 B", 0), ("4700 B", 1), ("4756 B", 2)] {
        let settings = [
            ("router.r.scheduler.fifo", "{}"),
            ("router.r.buffer.per_output", buffer),
        ];
        assert_eq!(
            trimmed(&run(BURST, &settings, 0)),
            [3, sent, 3 - sent],
            "{buffer}"
        );
    }
}

#[test]
fn headers_overtake_only_where_they_have_a_queue_of_their_own() {
    // The delay of the last datagram of each flow, by its end, shows who went first: 128 octets take
    // 1.024 us.
    let last = |scheduler| {
        let settings = [(scheduler, "{}"), ("router.r.buffer.per_output", "4884 B")];
        let report = run(BURST, &settings, 0);
        assert_eq!(trimmed(&report), [3, 3, 0], "{scheduler}");
        of_flows(&report, "max_delay") * 1e6
    };
    // The third, the fourth and the fifth packet each wait for the three headers.
    let behind = last("router.r.scheduler.headers_first");
    let before = last("router.r.scheduler.fifo");
    assert!(
        (behind - before - 3.0 * 3.0 * 1.024).abs() < 1e-6,
        "{behind} {before}"
    );
}

#[test]
fn small_packets_are_dropped_whole() {
    let small = [
        ("flow.burst.transport.datagram.packet", "120 B"),
        ("router.r.buffer.per_output", "360 B"),
    ];
    let report = run(BURST, &small, 0);
    assert_eq!(trimmed(&report)[0], 0);
    assert!(cells(&report, "overflow") > 0.0 && cells(&report, "trimmed") <= 0.0);
}

/// Eight hosts send by XTP, together at 1.6 times the rate of the link to the sink.
const INCAST: &str = r#"
duration = "1 s"
[host.source]
count = 8
[host.sink]
[switch.s]
buffer.per_output = "12 kB"
scheduler.headers_first = {}
[link.in]
between = ["source", "s"]
rate = "1 Gbit/s"
delay = "1 us"
[link.out]
between = ["s", "sink"]
rate = "1 Gbit/s"
delay = "1 us"
[flow.incast]
from = "source"
to = "sink"
source.files = { length.constant = "200 kB", gap = "10 s" }
over.packet = {}
[flow.incast.transport.xtp]
rate = "200 Mbit/s"
buffer = 16
"#;

/// Completion time of the slowest file, in milliseconds, and the timeouts of all flows.
fn incast(settings: &[(&str, &str)]) -> (f64, f64) {
    let report = run(INCAST, settings, 0);
    let flows = (0..8).map(|flow| format!("flow incast[{flow}]"));
    let of = |scope: &String, metric| report.value(scope, metric).expect(metric);
    let slowest = flows.clone().map(|scope| of(&scope, "max_completion_time"));
    let timeouts = flows.map(|scope| of(&scope, "timeouts"));
    (slowest.fold(0.0, f64::max) * 1e3, timeouts.sum())
}

#[test]
fn xtp_resends_at_once_what_was_trimmed() {
    let [dropped, trimmed] = ["tail_drop", "trim"].map(|policy| {
        let discard = format!("switch.s.discard.{policy}");
        incast(&[(&discard, "{}")])
    });
    // A file whose last packets are dropped waits for the first WTIMER, of half a second.
    assert!(dropped.0 > 500.0 && dropped.1 > 0.0, "{dropped:?}");
    // The link takes 13.1 ms for the packets of all files.
    assert!(
        (13.1..17.0).contains(&trimmed.0) && trimmed.1 <= 0.0,
        "{trimmed:?}"
    );
}

#[test]
fn each_trimmed_packet_is_sent_once_more() {
    let report = run(INCAST, &[("switch.s.discard.trim", "{}")], 0);
    let of_flows = |metric| -> f64 {
        let flows = (0..8).map(|flow| format!("flow incast[{flow}]"));
        flows.map(|scope| value(&report, &scope, metric)).sum()
    };
    let trimmed = value(&report, "network", "packets_trimmed");
    assert!(trimmed > 100.0, "{trimmed}");
    assert_close(of_flows("trimmed_arrived"), trimmed, 1e-12, "headers");
    assert_close(of_flows("packets_retransmitted"), trimmed, 1e-12, "packets");
}

#[test]
fn all_runners_agree_on_trimming() {
    let policy = ("switch.s.discard.trim", "{}");
    for more in [
        ("switch.s.ties", "random"),
        ("switch.s.memory.cell", "96 B"),
        ("switch.s.scheduler.headers_first.in_a_row", "3"),
        ("link.out.loss.packet", "1 %"),
        ("link.out.retry.llr", "{}"),
    ] {
        let report = by_every_runner(&plan(INCAST, &[policy, more]));
        assert!(
            value(&report, "network", "packets_trimmed") > 10.0,
            "{more:?}"
        );
    }
    by_every_runner(&plan(BURST, &[]));
}

#[test]
fn a_trace_tells_where_a_packet_was_trimmed() {
    let (_, packets) = traced(&plan(BURST, &[]));
    let ends = packets.rows.iter().map(|row| row.end);
    let trimmed = ends.filter(|end| match end {
        PacketEnd::Dropped { output, cause, .. } => {
            let place = &packets.outputs[output.expect("an output") as usize];
            assert_eq!(place.to_string(), "r->sink");
            *cause == Cause::Trimmed
        }
        _ => false,
    });
    assert_eq!(trimmed.count(), 3);
}

#[test]
fn captures_show_trimmed_packets_with_what_is_left_of_them() {
    let plan = plan(BURST, &[]);
    let files = RefCell::new(Vec::new());
    let mut simulation = Simulation::new(&plan, seed(0));
    let append = |name: &str, octets: &[u8]| {
        if name.contains("sink") {
            files.borrow_mut().extend_from_slice(octets);
        }
        Ok(())
    };
    simulation.capture(&CaptureOptions::default(), Box::new(append));
    simulation.run(|_| true).expect("nobody stops it");
    let files = files.into_inner();
    let comments = files
        .windows(21)
        .filter(|text| *text == b"trimmed to 128 octets");
    // At the output that trimmed them, and at the sink.
    assert_eq!(comments.count(), 6);
}

/// The messages about a scenario that is refused.
fn refused(text: &str, settings: &[(&str, &str)]) -> String {
    let owned = settings.iter();
    let owned: Vec<(String, String)> = owned
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    let problems = scenario::Scenario::read(text, "x", &owned).expect_err("a mistake");
    problems.to_string()
}

#[test]
fn packets_that_may_be_paused_or_have_credits_are_not_trimmed() {
    for (key, said) in [
        ("pause.pfc", "may be paused"),
        ("credit.cbfc", "has credits"),
    ] {
        let told = refused(BURST, &[(&format!("link.in.{key}"), "{}")]);
        let expected = format!("router.r.discard.trim: a link of `r` {said}");
        assert!(told.contains(&expected), "{told}");
    }
}
