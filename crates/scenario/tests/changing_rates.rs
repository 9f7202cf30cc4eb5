//! Links whose rate changes: when packets leave, what of the capacity is used, and how queues that
//! manage themselves answer a step.

use crate::common::packets::traced;
use crate::common::{assert_close, by_every_runner, is_soak, plan, run, seed, value};
use kernel::{Duration, Time};
use scenario::report::Report;
use scenario::run::SteppedRun;
use scenario::steer::{self, Given};

/// Five datagrams of 1000 octets at once, over a link of 8 Mbit/s, on which an octet takes 1 us.
const BURST: &str = r#"
duration = "20 ms"
[host.a]
[host.b]
[router.r]
buffer.per_output = "1 MB"
[link.in]
between = ["a", "r"]
rate = "1 Gbit/s"
[link.out]
between = ["r", "b"]
rate = "8 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.trace.text = "0 5000"
transport.datagram = { packet = "1000 B", header = "0 B" }
over.packet = {}
"#;

/// Two connections through a router, with losses at its queue.
const CROWD: &str = r#"
duration = "400 ms"
[host.sender]
count = 2
[host.home]
[router.r]
buffer.per_output = "30 kB"
[link.access]
between = ["sender", "r"]
rate = "100 Mbit/s"
delay = "1 ms"
[link.line]
between = ["r", "home"]
rate = "10 Mbit/s"
delay = "2 ms"
[flow.bulk]
from = "sender"
to = "home"
transport.tcp = { packet = "1500 B", window = "256 KiB", congestion.sack = {} }
over.packet = {}
"#;

/// Discard policies, each with a scheduler that it may have.
const POLICIES: [[&str; 2]; 5] = [
    ["tail_drop", "fifo"],
    ["random_early", "fifo"],
    ["pie", "fifo"],
    ["codel", "fifo"],
    ["fq_codel", "flow_queue"],
];

/// Departures from an output, in microseconds, by every runner.
fn departures(text: &str, output: &str, settings: &[(&str, &str)]) -> Vec<u64> {
    let plan = plan(text, settings);
    by_every_runner(&plan);
    let (_, packets) = traced(&plan);
    let rows = packets.iter();
    let hops = rows.flat_map(|(_, hops)| hops.iter().copied());
    let here = hops.filter(|hop| packets.outputs[hop.output as usize].to_string() == output);
    here.map(|hop| {
        let sent = hop.departed.since(hop.arrived + hop.queued);
        assert!(sent > Duration::ZERO, "{hop:?}");
        hop.departed.ps() / 1_000_000
    })
    .collect()
}

#[test]
fn a_packet_on_the_wire_keeps_its_rate_and_the_next_has_the_other() {
    // The packets reach the router every 8 us. The step comes within the third packet, the outage
    // within the fourth, and the fifth waits for its end.
    let list = r#"[{ at = "2.5 ms", rate = "4 Mbit/s" }, { at = "5 ms", rate = "0 bit/s" },
        { at = "10 ms", rate = "8 Mbit/s" }]"#;
    let steps = ("link.out.rate_changes.steps.changes", list);
    let at_router = departures(BURST, "r->b", &[steps]);
    assert_eq!(at_router, [1_008, 2_008, 3_008, 5_008, 11_000]);
    let table = (
        "link.out.rate_changes.table.text",
        "0.0025 4e6\n0.005, 0\n0.01, 8e6",
    );
    assert_eq!(departures(BURST, "r->b", &[table]), at_router);
    // The same link behind the host: the packets are ready at once.
    let steps = ("link.in.rate_changes.steps.changes", list);
    let at_host = departures(BURST, "a->r", &[("link.in.rate", "8 Mbit/s"), steps]);
    assert_eq!(at_host, [1_000, 2_000, 3_000, 5_000, 11_000]);
}

#[test]
fn a_rate_changes_in_the_direction_that_is_given() {
    let list = (
        "link.out.rate_changes.steps.changes",
        r#"[{ at = "0 s", rate = "4 Mbit/s" }]"#,
    );
    let ends = |direction| {
        let way = ("link.out.rate_direction", direction);
        departures(BURST, "r->b", &[list, way])[4]
    };
    assert_eq!(
        ["both", "forward", "backward"].map(ends),
        [10_008, 10_008, 5_008]
    );
}

#[test]
fn changes_begin_again() {
    let steps = r#"{ changes = [{ at = "0 s", rate = "8 Mbit/s" }, { at = "1.5 ms", rate = "2 Mbit/s" }],
        repeat = "5 ms" }"#;
    let at_router = departures(BURST, "r->b", &[("link.out.rate_changes.steps", steps)]);
    assert_eq!(at_router, [1_008, 2_008, 6_008, 7_008, 11_008]);
}

#[test]
fn a_step_to_the_same_rate_changes_nothing_but_the_queue_that_waits() {
    for policy in POLICIES {
        let [discard, scheduler] = policy.map(|kind| format!("{{ {kind} = {{}} }}"));
        let discard = ("router.r.discard", discard.as_str());
        let scheduler = ("router.r.scheduler", scheduler.as_str());
        let same =
            r#"[{ at = "50 ms", rate = "10 Mbit/s" }, { at = "90 ms", rate = "10 Mbit/s" }]"#;
        let plain = by_every_runner(&plan(CROWD, &[discard, scheduler]));
        let steps = [
            discard,
            scheduler,
            ("link.line.rate_changes.steps.changes", same),
        ];
        let stepped = by_every_runner(&plan(CROWD, &steps));
        for (one, other) in plain.scalars.iter().zip(&stepped.scalars) {
            let what = format!("{} {}", one.scope, one.metric.name);
            assert_eq!(
                (&one.scope, one.metric.name),
                (&other.scope, other.metric.name)
            );
            let difference = (one.value - other.value).abs();
            assert!(
                difference <= 1e-9 * one.value.abs().max(1.0),
                "{discard:?} {what}"
            );
        }
    }
}

#[test]
fn every_runner_agrees_on_changing_rates_in_both_directions() {
    let steps = r#"{ changes = [{ at = "0 s", rate = "2 Mbit/s" }, { at = "17 ms", rate = "0 bit/s" },
        { at = "23 ms", rate = "40 Mbit/s" }], repeat = "41 ms" }"#;
    for policy in POLICIES {
        let [discard, scheduler] = policy.map(|kind| format!("{{ {kind} = {{}} }}"));
        let settings = [
            ("router.r.discard", discard.as_str()),
            ("router.r.scheduler", scheduler.as_str()),
            ("link.line.rate_changes.steps", steps),
            ("link.access.rate_changes.steps", steps),
            ("link.access.rate_direction", "backward"),
            ("link.line.loss.packet", "1 %"),
            ("warm_up", "20 ms"),
        ];
        let report = by_every_runner(&plan(CROWD, &settings));
        assert!(value(&report, "network", "goodput") > 0.0);
    }
}

/// The shares of a link that is always busy add up, however its rate changes.
#[test]
fn a_busy_link_uses_the_capacity_that_it_has() {
    let list = r#"[{ at = "100 ms", rate = "2.5 Mbit/s" }, { at = "200 ms", rate = "0 bit/s" },
        { at = "250 ms", rate = "20 Mbit/s" }]"#;
    let settings = [
        ("link.line.rate_changes.steps.changes", list),
        (
            "flow.bulk.source",
            r#"{ constant_rate = { rate = "19 Mbit/s" } }"#,
        ),
        (
            "flow.bulk.transport",
            r#"{ datagram = { packet = "1500 B" } }"#,
        ),
        ("router.r.buffer.per_output", "300 kB"),
    ];
    for warm_up in ["50 ms", "101 ms", "225 ms"] {
        let settings = [&settings[..], &[("warm_up", warm_up)]].concat();
        let report = run(CROWD, &settings, 0);
        let used = value(&report, "port r->home", "utilization");
        assert!((used - 1.0).abs() < 1e-9, "{warm_up}: {used}");
    }
}

#[test]
fn a_steered_link_has_the_rate_that_a_program_sets() {
    let settings = [("link.out.rate_changes.steered", "{}")];
    let mut steps = SteppedRun::new(plan(BURST, &settings), seed(0));
    let settings = steer::settings(&mut steps);
    let rate = settings
        .iter()
        .find(|one| one.scope.to_string() == "link r->b");
    let rate = rate.expect("the control of the link");
    assert_eq!(
        (rate.control.name, rate.value, rate.range),
        ("rate", 8e6, [1e3, 8e6])
    );
    steps.run_until(Time::ZERO + Duration::from_us(2_500));
    steer::set(&mut steps, "link r->b", "rate", Given::Text("4 Mbit/s")).expect("a rate");
    steps.run_until(Time::ZERO + Duration::from_us(6_000));
    steer::set(&mut steps, "link r->b", "rate", Given::Number(8e6)).expect("a rate");
    for wrong in [
        Given::Number(8e6 + 1.0),
        Given::Number(0.0),
        Given::Text("10 MB"),
    ] {
        steer::set(&mut steps, "link r->b", "rate", wrong).expect_err("a mistake");
    }
    let report = steps.finish();
    // The packets end after 1.008, 2.008, 3.008, 5.008 and 7.008 ms.
    let mean = (1.008 + 2.008 + 3.008 + 5.008 + 7.008) / 5.0 * 1e-3;
    assert_close(
        value(&report, "flow f", "mean_delay"),
        mean,
        1e-9,
        "the mean delay",
    );
}

/// The times by hand: a bucket of 3000 octets, in which 1000 octets of tokens take 8 ms. At 8 Mbit/s
/// the first three packets leave back to back, and 375 octets of tokens are there when the fourth is
/// due, at 3.008 ms.
#[test]
fn a_token_bucket_lets_a_burst_pass_and_the_rest_wait() {
    let bucket = r#"{ rate = "1 Mbit/s", burst = "3000 B" }"#;
    let shaper = ("link.out.shaper.token_bucket", bucket);
    let long = ("duration", "40 ms");
    let at_router = departures(BURST, "r->b", &[long, shaper]);
    assert_eq!(at_router, [1_008, 2_008, 3_008, 9_008, 17_008]);
    let shaper = ("link.in.shaper.token_bucket", bucket);
    let at_host = departures(BURST, "a->r", &[("link.in.rate", "8 Mbit/s"), long, shaper]);
    assert_eq!(at_host, [1_000, 2_000, 3_000, 9_000, 17_000]);
    let backward = [long, shaper, ("link.in.shaper_direction", "backward")];
    assert_eq!(departures(BURST, "a->r", &backward)[4], 40);
}

#[test]
fn every_runner_agrees_on_shapers_and_no_more_passes_than_tokens_come() {
    for policy in POLICIES {
        let [discard, scheduler] = policy.map(|kind| format!("{{ {kind} = {{}} }}"));
        let settings = [
            ("router.r.discard", discard.as_str()),
            ("router.r.scheduler", scheduler.as_str()),
            (
                "link.line.shaper.token_bucket",
                r#"{ rate = "4 Mbit/s", burst = "6 kB" }"#,
            ),
            ("link.line.loss.packet", "1 %"),
        ];
        let report = by_every_runner(&plan(CROWD, &settings));
        let used = value(&report, "port r->home", "utilization");
        let most = 0.4 + 6000.0 * 8.0 / (10e6 * 0.4) + 1500.0 * 8.0 / (10e6 * 0.4);
        assert!((0.2..most).contains(&used), "{discard}: {used}");
    }
}

/// Four connections of SACK over 40 ms, through a router with room for 1000 packets: the setting of the
/// steps in the reference of other simulators.
const STEP: &str = r#"
duration = "16 s"
warm_up = "10 s"
[host.sender]
count = 4
[host.home]
[router.r]
buffer.per_output = "1500000 B"
[link.access]
between = ["sender", "r"]
rate = "1 Gbit/s"
delay = "19 ms"
[link.line]
between = ["r", "home"]
rate = "20 Mbit/s"
delay = "1 ms"
[flow.bulk]
from = "sender"
to = "home"
source.greedy.start.uniform = ["0 s", "0.1 s"]
over.packet = {}
[flow.bulk.transport.tcp]
packet = "1500 B"
window = "8 MiB"
initial_window = 10
congestion.sack = {}
timers.rfc6298.min = "200 ms"
"#;

/// Waiting times at the line before and after a step of its rate in Mbit/s, in milliseconds: the mean
/// before it, and the longest after it.
fn step(discard: &str, [before, after]: [f64; 2], settings: &[(&str, &str)]) -> [f64; 2] {
    let list = format!(r#"[{{ at = "10 s", rate = "{after} Mbit/s" }}]"#);
    let rate = format!("{before} Mbit/s");
    let scheduler = if discard.starts_with("fq") {
        "flow_queue"
    } else {
        "fifo"
    };
    let scheduler = format!("{{ {scheduler} = {{}} }}");
    let discard = format!("{{ {discard} }}");
    let given = [
        ("link.line.rate", rate.as_str()),
        ("link.line.rate_changes.steps.changes", &list),
        ("router.r.discard", &discard),
        ("router.r.scheduler", &scheduler),
    ];
    let settings = [&given[..], settings].concat();
    let wait = |report: &Report, metric, rate: f64| {
        value(report, "port r->home", metric) * 8.0 / (rate * 1e6) * 1e3
    };
    let steady = [&settings[..], &[("duration", "10 s"), ("warm_up", "5 s")]].concat();
    [
        wait(&run(STEP, &steady, 0), "mean_queue_octets", before),
        wait(&run(STEP, &settings, 0), "max_queue_octets", after),
    ]
}

/// Where the rate falls from C1 to C2, as many packets as fill the path at C1 drain at C2: the longest
/// wait is (C1 / C2) (RTT + q) - RTT, where q is the mean wait before the step and the window has not
/// been cut yet. PIE cuts later than CoDel, and tail drop not before its buffer is full.
#[test]
fn the_longest_wait_after_a_step_is_what_was_in_flight() {
    let policies = [
        ("codel = {}", [0.75, 1.25]),
        ("fq_codel = {}", [0.75, 1.25]),
        (
            r#"pie = { target = "15 ms", burst = "150 ms" }"#,
            [0.9, 1.7],
        ),
    ];
    let steps: &[[f64; 2]] = if is_soak() {
        &[[20.0, 5.0], [50.0, 10.0], [20.0, 2.0]]
    } else {
        &[[20.0, 5.0]]
    };
    for (discard, [least, most]) in policies {
        for rates in steps {
            let [steady, longest] = step(discard, *rates, &[]);
            let law = rates[0] / rates[1] * (40.0 + steady) - 40.0;
            let share = longest / law;
            assert!(
                (least..=most).contains(&share),
                "{discard} {rates:?}: {longest} ms, and {law} by the law"
            );
        }
    }
    let [steady, longest] = step(
        "tail_drop = {}",
        [20.0, 5.0],
        &[("link.line.rate", "20 Mbit/s")],
    );
    let law: f64 = 20.0 / 5.0 * (40.0 + steady) - 40.0;
    let room = 1500.0 * 1000.0 * 8.0 / 5e6 * 1e3;
    assert!(longest >= 0.75 * law.min(room), "{longest} ms of {law}");
}
