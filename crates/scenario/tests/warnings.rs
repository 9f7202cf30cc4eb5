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

/// A host sends to a router over a link of 400 Gbit/s and 300 m, which the router may pause.
const PAUSED: &str = r#"
duration = "20 us"
[host.a]
[host.b]
[router.r]
buffer.shared.size = "32 MB"
memory = { cell = "254 B", framing = "20 B" }
[link.in]
between = ["a", "r"]
rate = "400 Gbit/s"
delay = "300 m"
pause.pfc = { priorities = [0] }
[link.out]
between = ["r", "b"]
rate = "400 Gbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "300 Gbit/s" }
transport.datagram = { packet = "9082 B" }
over.packet.framing = "ethernet"
"#;

/// The headroom that `check` prints, in octets.
fn computed_headroom(settings: &[(&str, &str)]) -> u64 {
    let computed = plan(PAUSED, settings).computed();
    let mut found = computed.iter();
    let found = found.find(|(at, _)| at == "link.in.pause.pfc.headroom");
    let (_, told) = found.expect("a computed headroom");
    let (octets, _) = told.split_once(' ').expect("a number of octets");
    octets.parse().expect("a number")
}

/// A cell of 254 octets holds one frame of 64, which takes 84 octets of the link: 500 octets a metre, both
/// ways, are 1512 octets of memory. A maker's table of such a switch has 1486: `pg_profile_lookup.ini` of a
/// 7060X6 in sonic-buildimage, pull request 25862.
#[test]
fn headroom_grows_with_the_cable_by_the_smallest_frames() {
    let [near, far] =
        ["300 m", "1300 m"].map(|delay| computed_headroom(&[("link.in.delay", delay)]));
    let slope = (far - near) as f64 / 1000.0;
    assert!((slope - 1512.0).abs() < 1.0, "{slope}");
    // The least packet is that of the framing, however short the packets of the flow may be.
    let longer = computed_headroom(&[("flow.f.transport.datagram.header", "46 B")]);
    assert!(longer <= computed_headroom(&[]));
    let octets = computed_headroom(&[("flow.f.over.packet.framing", "38 B")]);
    assert!(octets > computed_headroom(&[]), "{octets}");
}

#[test]
fn headroom_below_the_computed_one_is_warned_of() {
    let told_of = |headroom: &str| {
        let settings = [("link.in.pause.pfc.headroom", headroom)];
        told(&of_scenario(&plan(PAUSED, &settings)).collect::<Vec<_>>())
    };
    let computed = computed_headroom(&[]);
    assert_eq!(told_of(&format!("{computed} B")), [""; 0]);
    let short = told_of(&format!("{} B", computed - 1));
    assert_eq!(
        short,
        [format!(
            "link a->r: up to {computed} octets may arrive after a packet has crossed the threshold, and \
             what the headroom does not hold is dropped; write at least `\"{computed} B\"`, or leave \
             `headroom` out"
        )]
    );
}

#[test]
fn what_has_no_effect_is_told() {
    let told_of = |text: &str, settings: &[(&str, &str)]| {
        told(&of_scenario(&plan(text, settings)).collect::<Vec<_>>())
    };
    let switched = ALONE.replace("[router.r]", "[switch.r]");
    for fabric in ["virtual_output_queues", "knockout", "slotted"] {
        let fabric = [("switch.r.fabric", &*format!("{{ {fabric} = {{}} }}"))];
        let told = told_of(&switched, &fabric);
        assert!(
            told.len() == 1 && told[0].contains("has no effect"),
            "{told:?}"
        );
        let cells = switched.replace("over.packet", "over.ubr");
        assert_eq!(told_of(&cells, &fabric), [""; 0]);
    }
    assert_eq!(told_of(&switched, &[]), [""; 0]);
    let priority = [("flow.f.priority", "7")];
    let said = told_of(ALONE, &priority);
    assert!(
        said.len() == 1 && said[0].contains("its priority has no effect"),
        "{said:?}"
    );
    let said = told_of(PAUSED, &priority);
    assert!(
        said.len() == 1 && said[0].contains("no flow over the link has one"),
        "{said:?}"
    );
    let both = [priority[0], ("link.in.pause.pfc.priorities", "[3, 7]")];
    assert_eq!(told_of(PAUSED, &both), [""; 0]);
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
