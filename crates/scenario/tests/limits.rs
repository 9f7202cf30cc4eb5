//! The limits that the report names for a flow (`limited_by_*`), in runs whose limit is known.

use crate::common::{assert_close, by_every_runner, plan, run, ten_tcp, value};
use scenario::report::Scope;

/// One flow over a fast network without other traffic.
const ALONE: &str = r#"
duration = "2 s"
warm_up = "0.5 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "1000 cells"
[link.a]
between = ["a", "s"]
rate = "622.08 Mbit/s"
delay = "5 ms"
[link.b]
between = ["s", "b"]
rate = "622.08 Mbit/s"
delay = "5 ms"
[flow.f]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", window = "64 KiB" }
"#;

type Settings<'a> = &'a [(&'a str, &'a str)];

/// Share of the measured time for which the limit `by` was in force.
fn limited(settings: Settings, by: &str) -> f64 {
    let report = by_every_runner(&plan(ALONE, settings));
    value(&report, "flow f", &format!("limited_by_{by}"))
}

#[test]
fn a_small_window_on_a_fast_link_limits_its_flow() {
    // The window of 43 packets of 32 cells takes 0.94 ms of each 20 ms round trip to send.
    let report = run(ALONE, &[], 0);
    let of_flow = |metric| value(&report, "flow f", metric);
    let cells = 43.0 * 32.0 * 424.0 / 622.08e6;
    let sending = of_flow("limited_by_link");
    assert_close(sending, cells / 0.020_06, 5e-3, "time to send");
    assert_close(
        of_flow("limited_by_receiver_window"),
        1.0 - sending,
        1e-9,
        "the rest",
    );
}

#[test]
fn a_window_that_opens_is_in_slow_start_until_its_threshold() {
    let settings = [
        ("warm_up", "0 s"),
        ("duration", "0.5 s"),
        ("flow.f.transport.tcp.window", "1 MiB"),
        ("flow.f.transport.tcp.initial_ssthresh", "11680 B"),
    ];
    // The window grows from one segment to eight in three round trips, then by one in each of 22.
    assert_close(
        limited(&settings, "slow_start"),
        3.0 * 0.02 / 0.5,
        0.1,
        "start",
    );
    assert!(limited(&settings, "congestion_window") > 0.8);
}

#[test]
fn a_flow_of_keystrokes_is_application_limited() {
    let source = "{ gap = \"100 ms\", message = \"64 B\" }";
    let settings = [("flow.f.source.telnet", source)];
    assert!(limited(&settings, "application") > 0.99);
}

#[test]
fn a_lost_packet_limits_its_flow_until_the_timer_expires() {
    // With a window of one packet, the flow is silent from the loss until the timer expires.
    let settings: [(&str, &str); 6] = [
        ("warm_up", "0 s"),
        ("duration", "4 s"),
        ("flow.f.transport.tcp.window", "1500 B"),
        ("flow.f.transport.tcp.congestion.tahoe_bsd", "{}"),
        ("flow.f.transport.tcp.timers.bsd", "{ tick = \"500 ms\" }"),
        ("link.b.loss.nth", "[20]"),
    ];
    let report = by_every_runner(&plan(ALONE, &settings));
    let of_flow = |metric| value(&report, "flow f", metric);
    assert!((of_flow("timeouts") - 1.0).abs() < 1e-9);
    // A pause begins with the transmission of the last packet, `limited_by_timeout` at its end.
    let sending = 32.0 * 424.0 / 622.08e6;
    let waited = of_flow("mean_pause") - sending;
    assert_close(of_flow("limited_by_timeout") * 4.0, waited, 1e-9, "timeout");
    assert!((0.5..1.5).contains(&waited), "{waited} s");
    assert_close(
        value(&report, "drop f at s->b", "lost"),
        32.0,
        1e-9,
        "cells",
    );
}

#[test]
fn data_written_during_a_timeout_does_not_hide_the_timeout() {
    let settings = [
        ("warm_up", "0 s"),
        (
            "flow.f.source.telnet",
            "{ gap = \"3 ms\", message = \"64 B\" }",
        ),
        ("flow.f.transport.tcp.window", "1500 B"),
        ("flow.f.transport.tcp.nagle", "true"),
        ("flow.f.transport.tcp.timers.bsd", "{ tick = \"500 ms\" }"),
        ("link.b.loss.nth", "[20]"),
    ];
    let report = run(ALONE, &settings, 0);
    let [pause, timeout] =
        ["paused_share", "limited_by_timeout"].map(|metric| value(&report, "flow f", metric));
    assert!(pause > 0.2, "{pause}");
    // A pause begins with the last packet sent, the timeout limit only after later acknowledgments.
    assert_close(timeout, pause, 0.06, "timeout");
}

#[test]
fn a_low_cell_rate_limits_its_flow() {
    let settings = [("flow.f.over.abr", "{ pcr = \"1 Mbit/s\" }")];
    let report = by_every_runner(&plan(ALONE, &settings));
    let of_flow = |metric| value(&report, "flow f", metric);
    assert!(
        of_flow("limited_by_acr") > 0.95,
        "{}",
        of_flow("limited_by_acr")
    );
}

#[test]
fn a_contract_limits_its_flow() {
    let settings = [("flow.f.over.cbr", "{ rate = \"1 Mbit/s\" }")];
    assert!(limited(&settings, "contract") > 0.95);
}

#[test]
fn a_link_with_too_little_credit_limits_its_flow() {
    let scheduler = ("switch.s.scheduler", "{ round_robin = {} }");
    let buffer = ("switch.s.buffer.per_output", "100000 cells");
    let settings = [
        scheduler,
        buffer,
        ("link.a.credit.n23", "{ n2 = 1, n3 = 10 }"),
    ];
    assert!(limited(&settings, "credit") > 0.95);
    let enough = [scheduler, buffer, ("link.a.credit.n23", "{ n2 = 10 }")];
    assert!(limited(&enough, "credit") < 1e-9);
    assert!(limited(&enough, "receiver_window") > 0.8);
}

#[test]
fn the_rate_of_xtp_limits_its_flow() {
    let xtp = "{ xtp = { packet = \"1500 B\", rate = \"10 Mbit/s\", buffer = 200 } }";
    let settings = [("flow.f.transport", xtp)];
    // Each packet is sent at the link's 622.08 Mbit/s, so the link limits 10/622.08 of the time.
    assert_close(
        limited(&settings, "rate"),
        1.0 - 10.0 / 622.08,
        1e-3,
        "rate",
    );
}

#[test]
fn a_flow_that_is_paced_is_limited_by_pacing_and_not_by_its_window() {
    let settings = [
        ("link.b.rate", "50 Mbit/s"),
        ("switch.s.buffer.per_output", "20000 cells"),
        ("flow.f.transport.tcp.window", "8 MiB"),
        ("flow.f.transport.tcp.congestion.bbr", "{}"),
    ];
    let report = by_every_runner(&plan(ALONE, &settings));
    let of_flow = |metric| value(&report, "flow f", metric);
    let paced = of_flow("limited_by_pacing");
    assert!(paced > 0.7, "{paced}");
    let window = of_flow("limited_by_congestion_window") + of_flow("limited_by_slow_start");
    assert!(window < 0.1, "{window}");
}

#[test]
fn drops_are_counted_by_cause() {
    let count = |settings: Settings| {
        let report = run(
            &ten_tcp(),
            &[&[("duration", "0.5 s")], settings].concat(),
            0,
        );
        let drops = report.scalars.iter();
        let drops = drops.filter(
            |scalar| matches!(&*scalar.scope, Scope::Drop(flow, _) if flow.group == "bulk"),
        );
        ["overflow", "threshold", "remainder"].map(|cause| {
            let of_cause = drops.clone().filter(|scalar| scalar.metric.name == cause);
            of_cause.map(|scalar| scalar.value).sum::<f64>() > 0.0
        })
    };
    let discard = |policy: &'static str| ("switch.s1.discard", policy);
    assert_eq!(
        count(&[discard("{ tail_drop = {} }")]),
        [true, false, false]
    );
    assert_eq!(
        count(&[discard("{ partial_packet = {} }")]),
        [true, false, true]
    );
    assert_eq!(
        count(&[discard("{ early_packet = { threshold = \"50 %\" } }")]),
        [false, true, false]
    );
}

#[test]
fn drops_by_cause_add_up_to_the_losses_of_the_port() {
    let settings = [("duration", "0.5 s"), ("warm_up", "0.1 s")];
    let report = run(&ten_tcp(), &settings, 0);
    let port = "s1->receiver";
    let of_port = report.scalars.iter().filter(
        |scalar| matches!(&*scalar.scope, Scope::Drop(_, place) if place.to_string() == port),
    );
    let dropped: f64 = of_port.map(|scalar| scalar.value).sum();
    let [ratio, utilization] = ["cell_loss_ratio", "utilization"]
        .map(|metric| value(&report, &format!("port {port}"), metric));
    // The loss ratio is dropped / offered, and offered - dropped cells were sent, except the queue.
    let sent = utilization * 0.4 * 141.333e6 / 424.0;
    assert_close(dropped, sent * ratio / (1.0 - ratio), 0.02, "cells");
}
