//! Warnings about runs and scenarios, and runs that must not cause them.

use crate::common::{plan, run};
use scenario::report::{Warning, of_scenario};

/// One connection on a path of 100 Mbit/s and 40 ms.
const ALONE: &str = r#"
duration = "12 s"
[host.a]
[host.b]
[router.r]
buffer.per_output = "500 kB"
[link.access]
between = ["a", "r"]
rate = "1 Gbit/s"
[link.path]
between = ["r", "b"]
rate = "100 Mbit/s"
delay = "20 ms"
[flow.f]
from = "a"
to = "b"
source.greedy = {}
over.packet = {}
transport.tcp = { packet = "1500 B", window = "2 MiB", congestion.sack = {} }
"#;

/// The texts of warnings.
fn told(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

const CONGESTION: &str = "flow.f.transport.tcp.congestion";
const WINDOW: &str = "flow.f.transport.tcp.window";

#[test]
fn a_transport_that_goes_round_in_circles_is_warned_of() {
    assert_eq!(told(&run(ALONE, &[], 0).warnings), [""; 0]);
    // Unguarded go-back-N keeps retransmitting the data it has retransmitted: see decision 9.
    let circling = [
        (CONGESTION, "{ tahoe_gbn = {} }"),
        ("router.r.buffer.per_output", "25 kB"),
        ("link.path.delay", "10 ms"),
    ];
    assert_eq!(
        told(&run(ALONE, &circling, 0).warnings),
        ["flow f: it sent almost as many retransmissions as new packets, or more"]
    );
    // A timer far shorter than the round trip.
    let hasty = [(
        "flow.f.transport.tcp.timers",
        "{ ns = { tick = \"1 ms\", min = \"1 ms\", max = \"5 ms\" } }",
    )];
    assert_eq!(run(ALONE, &hasty, 0).warnings.len(), 1);
}

/// Each of many connections gets less than a packet in a round-trip time.
#[test]
fn timeouts_of_whole_packets_beside_others_are_warned_of() {
    let crowded = [
        ("host.a.count", "40"),
        ("flow.f.jitter.packet_time", "{}"),
        ("link.path.rate", "5 Mbit/s"),
        ("duration", "40 s"),
    ];
    let said = "its timer expired repeatedly, and it retransmitted much of its data";
    let is_said = |text: &str| {
        let warnings = run(text, &crowded, 0).warnings;
        warnings.iter().any(|warning| warning.says == said)
    };
    let small = ALONE.replace("500 kB", "15 kB");
    assert!(is_said(&small));
    // In plain ATM a single lost cell damages a whole packet.
    let switched = small.replace("[router.r]", "[switch.r]");
    assert!(!is_said(&switched.replace("over.packet", "over.ubr")));
}

#[test]
fn what_a_lossy_link_makes_necessary_is_not() {
    let lossy = [("link.path.loss", "{ packet = \"10 %\" }")];
    assert_eq!(told(&run(ALONE, &lossy, 0).warnings), [""; 0]);
}

#[test]
fn marks_that_nothing_sets_are_warned_of() {
    let warnings =
        |settings: &[(&str, &str)]| told(&of_scenario(&plan(ALONE, settings)).collect::<Vec<_>>());
    let dctcp = (CONGESTION, "{ dctcp = {} }");
    let said = "reacts to congestion marks, and no switch or router on its path marks; set `mark` at one of them";
    assert_eq!(warnings(&[]), [""; 0]);
    assert_eq!(warnings(&[dctcp]), [format!("flow f: `dctcp` {said}")]);
    let classic = ("flow.f.transport.tcp.ecn", "classic");
    assert_eq!(warnings(&[classic]), [format!("flow f: `sack` {said}")]);
    let marks = ("router.r.mark", "{ threshold = { above = \"97500 B\" } }");
    assert_eq!(warnings(&[dctcp, marks]), [""; 0]);
    let short = ("duration", "1 s");
    let report = run(ALONE, &[dctcp, short], 0);
    assert_eq!(told(&report.warnings), warnings(&[dctcp]));
}

#[test]
fn a_window_that_holds_no_packet_is_warned_of() {
    let warnings =
        |window| told(&of_scenario(&plan(ALONE, &[(WINDOW, window)])).collect::<Vec<_>>());
    assert_eq!(
        warnings("1 B"),
        [
            "flow f: `transport.tcp.window` of `1 B` is smaller than a packet of `1500 B`, so packets \
             leave one at a time; make it at least `1500 B`"
        ]
    );
    assert_eq!(warnings("1500 B"), [""; 0]);
}

/// The acknowledgments of a window are lost, so the sender is silent until its timer expires.
#[test]
fn a_timer_that_the_end_of_the_run_cuts_off_is_told() {
    let said = "flow f: it was still waiting for its retransmission timer when the run ended";
    let timer = "flow.f.transport.tcp.timers";
    let losses = [
        ("link.path.loss", "{ packet = \"20 %\" }"),
        ("duration", "4 s"),
    ];
    let is_told = |settings: &[(&str, &str)]| {
        let settings = [&losses, settings].concat();
        told(&run(ALONE, &settings, 0).warnings).contains(&said.to_string())
    };
    assert!(is_told(&[(
        timer,
        "{ rfc6298 = { min = \"10 s\", initial = \"10 s\" } }"
    )]));
    // Short waits are over before the end, and count for the timer.
    assert!(!is_told(&[(
        timer,
        "{ rfc6298 = { min = \"10 ms\", initial = \"10 ms\" } }"
    )]));
    // No timer runs once everything has arrived.
    let silent = run(
        ALONE,
        &[(
            "flow.f.source",
            "{ files = { length = { constant = \"1 MB\" }, count = 1 } }",
        )],
        0,
    );
    assert_eq!(told(&silent.warnings), [""; 0]);
}

/// The silence counts for the timer, whether the timer expires within the run or after its end.
#[test]
fn a_timer_that_runs_at_the_end_limits_the_flow_until_then() {
    let timers = "{ rfc6298 = { min = \"10 s\", initial = \"10 s\" } }";
    let settings = [
        ("link.path.loss", "{ packet = \"20 %\" }"),
        ("duration", "4 s"),
        ("flow.f.transport.tcp.timers", timers),
    ];
    let report = run(ALONE, &settings, 0);
    let share = |limit: &str| {
        let name = format!("limited_by_{limit}");
        report.value("flow f", &name).expect("a share")
    };
    assert_eq!(report.value("flow f", "timeouts"), Some(0.0));
    assert!(share("timeout") > 0.8, "{}", share("timeout"));
    let windows = share("slow_start") + share("congestion_window");
    assert!(windows < 0.2, "{windows}");
}

/// The next connection is still to come; no timer runs meanwhile.
#[test]
fn a_flow_without_open_connections_waits_for_no_timer() {
    let trace = "{ arrivals.trace = { text = \"0 30000\\n1 30000\\n9 30000\\n\" } }";
    let settings = [("duration", "6 s")];
    let source = [("flow.f.source.connections", trace)];
    let report = run(
        &ALONE.replace("source.greedy = {}\n", ""),
        &[&settings[..], &source[..]].concat(),
        0,
    );
    assert_eq!(report.value("flow f", "open_connections"), Some(0.0));
    assert_eq!(report.value("flow f", "messages"), Some(2.0));
    assert_eq!(told(&report.warnings), [""; 0]);
    // All that it sends is lost: the second connection is open, and its timer runs.
    let lossy = [
        ("link.path.loss", "{ packet = \"100 %\" }"),
        (
            "flow.f.transport.tcp.timers",
            "{ rfc6298 = { min = \"10 s\", initial = \"10 s\" } }",
        ),
    ];
    let report = run(
        &ALONE.replace("source.greedy = {}\n", ""),
        &[&settings[..], &source[..], &lossy[..]].concat(),
        0,
    );
    assert_eq!(
        told(&report.warnings),
        ["flow f: it was still waiting for its retransmission timer when the run ended"]
    );
}
