//! Links controlled by credits: no cell is dropped, no cell is delayed without need, and a single
//! VC gets the rate that its buffer and the round-trip time allow.

use crate::common::{by_every_runner, plan, run, value};
use proptest::prelude::*;

/// Three flows over two controlled links and a slow last link without credits.
const CHAIN: &str = r#"
duration = "50 ms"
[host.sender]
count = 3
[host.receiver]
count = 3
[switch.first]
scheduler.round_robin = {}
buffer.per_output = "100000 cells"
[switch.middle]
scheduler.round_robin = {}
buffer.per_output = "100000 cells"
[switch.last]
scheduler.round_robin = {}
buffer.per_output = "100000 cells"
[link.access]
between = ["sender", "first"]
rate = "155.52 Mbit/s"
delay = "5 us"
[link.one]
between = ["first", "middle"]
rate = "155.52 Mbit/s"
delay = "50 us"
credit.n23 = {}
[link.two]
between = ["middle", "last"]
rate = "155.52 Mbit/s"
delay = "50 us"
credit.n23 = {}
[link.exit]
between = ["last", "receiver"]
rate = "155.52 Mbit/s"
delay = "5 us"
[flow.bulk]
from = "sender"
to = "receiver"
transport.tcp = { packet = "9180 B", window = "1 MiB", window_scaling = true, initial_window = 100, initial_ssthresh = "100 %" }
"#;

/// Settings of [`CHAIN`] for one flow and one controlled link, the first.
const ALONE: &[(&str, &str)] = &[
    ("host.sender.count", "1"),
    ("host.receiver.count", "1"),
    ("warm_up", "10 ms"),
];

#[test]
fn controlled_switches_lose_nothing_and_hold_no_more_than_was_promised() {
    // A queue beyond N2 + N3 cells per VC would also fail an assertion of the model.
    let settings = [
        ("link.exit.rate", "30 Mbit/s"),
        ("link.access.credit.n23", "{}"),
    ];
    let report = run(CHAIN, &settings, 0);
    for (port, room) in [
        ("first->middle", 3 * (7 + 10)),
        ("middle->last", 3 * (40 + 10)),
    ] {
        let port = format!("port {port}");
        assert!(value(&report, &port, "cell_loss_ratio") < 1e-12, "{port}");
        let longest = value(&report, &port, "max_queue");
        assert!(longest <= f64::from(room), "{port}: {longest} cells");
        assert!(value(&report, &port, "stalled_share") > 0.1, "{port}");
    }
    for flow in 0..3 {
        let flow = format!("flow bulk[{flow}]");
        assert!(value(&report, &flow, "retransmission_ratio") < 1e-12);
        assert!(value(&report, &flow, "goodput") > 0.85 * 30e6);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_vc_alone_gets_what_its_room_and_the_round_trip_allow(
        mbit in prop::sample::select(vec![25.0, 155.52, 622.08]),
        delay_us in prop_oneof![Just(0), 1u32..200, Just(1000)],
        n2 in 1u32..40,
        // N3 in per cent of the round trip; N3 = 0 is not allowed.
        n3 in 5u32..150,
    ) {
        let cell_time = 424.0 / (mbit * 1e6);
        // Transmission and propagation of a cell and of a credit, in cell times.
        let round_trip = 2.0 + 2.0 * f64::from(delay_us) * 1e-6 / cell_time;
        let n3 = (round_trip * f64::from(n3) / 100.0).ceil();
        // N2 + N3 cells pass in the time from the first of them to the credit for the last of N2
        // cells. The part of N3 beyond a multiple of N2 only lets the cell that waits for that
        // credit leave earlier.
        let spare = n3 % f64::from(n2);
        let period = round_trip + f64::from(n2 - 1) - spare;
        let law = (f64::from(n2) + n3 - spare) / period;
        // Cells leave in bursts, so the rate is measured over a whole number of periods.
        let period = period * cell_time;
        let duration = 0.02 + (0.04 / period).ceil() * period;
        let settings = [
            ("duration", format!("{:.0} ns", duration * 1e9)),
            ("warm_up", "20 ms".into()),
            ("link.access.rate", "2.4 Gbit/s".into()),
            ("link.two.rate", "2.4 Gbit/s".into()),
            ("link.exit.rate", "2.4 Gbit/s".into()),
            ("link.one.rate", format!("{mbit} Mbit/s")),
            ("link.one.delay", format!("{delay_us} us")),
            ("link.one.credit.n23.n2", n2.to_string()),
            ("link.one.credit.n23.n3", n3.to_string()),
            // With N2 = 1 credits alone fill the other direction, so the source must not depend on
            // acknowledgments.
            ("flow.bulk.source.constant_rate.rate", format!("{} Mbit/s", 1.2 * mbit)),
            ("flow.bulk.transport", r#"{ datagram = { packet = "9180 B" } }"#.into()),
        ];
        let settings = settings.iter().map(|(path, value)| (*path, value.as_str()));
        let settings: Vec<_> = ALONE[..2].iter().copied().chain(settings).collect();
        let report = run(CHAIN, &settings, 0);
        let used = value(&report, "port first->middle", "utilization");
        let expected = law.min(1.0);
        prop_assert!((used / expected - 1.0).abs() < 0.01, "{used}, not {expected}");
        let stalled = value(&report, "port first->middle", "stalled_share");
        prop_assert!((used + stalled - 1.0).abs() < 2e-3, "{used} and {stalled}");
    }
}

#[test]
fn the_room_that_is_not_given_is_enough_and_a_tenth_less_is_not() {
    let used = |n3: &str| {
        let mut settings = ALONE.to_vec();
        settings.push(("link.one.credit.n23.n3", n3));
        let report = run(
            CHAIN,
            &settings[..settings.len() - usize::from(n3.is_empty())],
            0,
        );
        value(&report, "port first->middle", "utilization")
    };
    assert!(used("") > 0.999);
    assert!(used("33") < 0.95);
}

#[test]
fn a_vc_that_cannot_go_on_holds_back_nobody_else() {
    let text = CHAIN.replace(
        "[link.exit]\nbetween = [\"last\", \"receiver\"]",
        "[link.slow]\nbetween = [\"last\", \"receiver[0]\"]\nrate = \"1 Mbit/s\"\n\
         [link.exit1]\nbetween = [\"last\", \"receiver[1]\"]\nrate = \"155.52 Mbit/s\"\n\
         [link.exit]\nbetween = [\"last\", \"receiver[2]\"]",
    );
    let report = run(&text, &[("warm_up", "10 ms")], 0);
    // The two fast flows share the rest of the trunk: 154.52 Mbit/s of cells.
    let user = 9140.0 / (192.0 * 53.0);
    for flow in [1, 2] {
        let goodput = value(&report, &format!("flow bulk[{flow}]"), "goodput");
        let share = goodput / (154.52e6 / 2.0 * user);
        assert!((share - 1.0).abs() < 0.02, "{share}");
    }
    assert!(value(&report, "port first->middle", "utilization") > 0.999);
}

#[test]
fn every_runner_counts_the_same_credits() {
    for delay in ["0 s", "50 us"] {
        let settings = [
            ("duration", "4 ms"),
            ("link.one.delay", delay),
            ("link.access.credit.n23", "{ n2 = 3, n3 = 4 }"),
            ("link.exit.rate", "25 Mbit/s"),
            ("switch.middle.fabric.slotted", "{}"),
            ("record.every", "0.1 ms"),
        ];
        let plan = plan(CHAIN, &settings);
        by_every_runner(&plan);
    }
}

/// Adds to [`CHAIN`] senders over ABR, whose cells their hosts commit ahead and recall.
const ABR: &str = r#"
[host.rated]
count = 2
[host.near]
[link.rated]
between = ["rated", "first"]
rate = "155.52 Mbit/s"
delay = "5 us"
[link.near]
between = ["first", "near"]
rate = "25.6 Mbit/s"
delay = "5 us"
[flow.rated]
from = "rated"
to = "near"
over.abr = { nrm = 8, icr = "10 Mbit/s", rif = "100 %" }
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "0.1 ms" } }
"#;

#[test]
fn a_link_is_not_stalled_where_nothing_waits() {
    let settings = [
        (
            "flow.bulk.source",
            "{ telnet = { gap = \"2 ms\", message = \"400 B\" } }",
        ),
        (
            "flow.bulk.transport",
            "{ datagram = { packet = \"500 B\" } }",
        ),
    ];
    let settings: Vec<_> = ALONE.iter().chain(&settings).copied().collect();
    let report = run(CHAIN, &settings, 0);
    let port = "port first->middle";
    assert!(value(&report, port, "idle_share") > 0.9);
    assert_eq!(value(&report, port, "stalled_share").to_bits(), 0);
}

#[test]
fn cells_are_recalled_at_a_switch_that_is_stalled() {
    let text = format!("{CHAIN}{ABR}");
    for fabric in ["immediate", "slotted"] {
        let fabric = format!("switch.first.fabric.{fabric}");
        let settings = [
            (&*fabric, "{}"),
            ("duration", "12 ms"),
            ("switch.first.rate.erica", "{ interval = \"0.2 ms\" }"),
            ("link.one.credit.n23", "{ n2 = 3, n3 = 4 }"),
            ("link.access.credit.n23", "{ n2 = 2, n3 = 9 }"),
        ];
        let plan = plan(&text, &settings);
        let report = by_every_runner(&plan);
        let stalled = value(&report, "port first->middle", "stalled_share");
        assert!(stalled > 0.1, "{stalled}");
        // Asserts that cells are conserved.
        let report = run(&text, &settings, 0);
        assert!(value(&report, "port first->near", "mean_load_factor") > 0.0);
        assert!(value(&report, "flow rated[0]", "goodput") > 5e6);
    }
}

/// [`CHAIN`] with pools; switches behind controlled links have little more than their pools.
fn pooled() -> String {
    let text = CHAIN.replace("credit.n23 = {}", "credit.adaptive = {}");
    let (first, rest) = text.split_once("[switch.middle]").expect("a switch");
    let rest = rest.replace("100000 cells", "700 cells");
    format!("{first}[switch.middle]{rest}")
}

#[test]
fn one_vc_among_many_has_the_link_with_a_pool_that_is_small() {
    // Fifty flows of occasional small messages. With N23 each would need a buffer of 47 cells.
    let idle = "[flow.idle]\nfrom = \"sender\"\nto = \"receiver\"\nsource.telnet = {}\n\
                transport.tcp = { packet = \"552 B\" }\n[flow.bulk]";
    let text = pooled()
        .replace("[flow.bulk]", idle)
        .replace(
            "from = \"sender\"\nto = \"receiver\"\ntransport",
            "from = \"sender[0]\"\nto = \"receiver[0]\"\ntransport",
        )
        .replace("count = 3", "count = 50");
    let report = run(&text, &[("warm_up", "10 ms")], 0);
    for port in ["port first->middle", "port middle->last"] {
        assert!(value(&report, port, "utilization") > 0.99, "{port}");
        assert!(value(&report, port, "max_queue") <= 51.0 * 10.0 + 2.0 * 40.0);
    }
    // A pool smaller than a round trip of cells does not fill the link.
    let settings = [
        ("warm_up", "10 ms"),
        ("link.one.credit.adaptive.pool", "525"),
    ];
    let report = run(&text, &settings, 0);
    assert!(value(&report, "port first->middle", "utilization") < 0.7);
}

#[test]
fn a_late_flow_gets_an_equal_part_of_the_credit_pool() {
    let text = pooled().replace(
        "[flow.bulk]\nfrom = \"sender\"\nto = \"receiver\"",
        "[flow.late]\nfrom = \"sender[2]\"\nto = \"receiver[2]\"\nsource.greedy.start = \"10 ms\"\n\
         transport.tcp = { packet = \"9180 B\", window = \"1 MiB\", window_scaling = true, initial_window = 100, initial_ssthresh = \"100 %\" }\n\
         [flow.other]\nfrom = \"sender[1]\"\nto = \"receiver[1]\"\n\
         transport.tcp = { packet = \"9180 B\", window = \"1 MiB\", window_scaling = true, initial_window = 100, initial_ssthresh = \"100 %\" }\n\
         [flow.bulk]\nfrom = \"sender[0]\"\nto = \"receiver[0]\"",
    );
    let report = run(&text, &[("warm_up", "15 ms")], 0);
    let user = 9140.0 / (192.0 * 53.0);
    for flow in ["late", "other", "bulk"] {
        let goodput = value(&report, &format!("flow {flow}"), "goodput");
        let share = goodput / (155.52e6 / 3.0 * user);
        assert!((share - 1.0).abs() < 0.03, "{flow}: {share}");
    }
    assert!(value(&report, "port middle->last", "cell_loss_ratio") < 1e-12);
}

#[test]
fn the_vcs_of_one_host_share_the_pool_of_its_link() {
    let text = pooled()
        .replace("[host.sender]\ncount = 3", "[host.sender]")
        .replace(
            "[link.access]",
            "[link.access]\ncredit.adaptive = { n2 = 4, check = \"0.5 ms\" }",
        );
    let plan = plan(
        &text,
        &[("duration", "12 ms"), ("link.access.loss.cell", "0.01 %")],
    );
    let report = by_every_runner(&plan);
    for flow in 0..3 {
        let flow = format!("flow bulk[{flow}]");
        assert!(value(&report, &flow, "goodput") > 20e6, "{flow}");
    }
}

/// Settings of [`CHAIN`] for lossy links: with small packets a lost cell damages little data.
const LOSSY: &[(&str, &str)] = &[
    ("duration", "400 ms"),
    ("flow.bulk.transport.tcp.packet", "552 B"),
    ("flow.bulk.transport.tcp.timers.bsd.tick", "1 ms"),
    ("link.access.credit.n23.n2", "2"),
    ("link.access.credit.n23.n3", "9"),
];

#[test]
fn room_that_losses_have_taken_is_found_again_where_the_ends_compare_their_counts() {
    for (link, port) in [("access", "sender[0]->first"), ("one", "first->middle")] {
        let loses = format!("link.{link}.loss.cell");
        let check = format!("link.{link}.credit.n23.check");
        let mut settings = LOSSY.to_vec();
        settings.push((&loses, "0.3 %"));
        let goodput = |settings: &[(&str, &str)]| {
            let report = run(CHAIN, settings, 0);
            let lost = value(&report, &format!("link {port}"), "cells_lost");
            (value(&report, "flow bulk[0]", "goodput"), lost)
        };
        // Each lost cell or credit reduces the credits for good, until none is left to send with.
        let (stuck, lost) = goodput(&settings);
        settings.push((&check, "1 ms"));
        let (kept, more) = goodput(&settings);
        assert!(stuck < kept / 4.0, "{link}: {stuck} and {kept}");
        // Credits: 11 cells for a VC on the first link, 150 cells for three VCs on the second.
        let room = if link == "access" { 11.0 } else { 150.0 };
        assert!(
            more > 1.5 * room && more > 2.0 * lost,
            "{link}: {lost} and {more}"
        );
    }
}

#[test]
fn every_runner_compares_the_same_counts() {
    for credit in ["n23", "adaptive"] {
        let check = |link| format!("link.{link}.credit.{credit}");
        let settings = [
            ("duration", "12 ms"),
            ("link.access.loss.cell", "0.5 %"),
            ("link.one.loss.cell", "0.5 %"),
            ("link.two.loss.packet", "0.5 %"),
        ];
        let tables = ["access", "one", "two"].map(|link| {
            let way = if link == "two" {
                "{ n2 = 4 }"
            } else {
                "{ n2 = 3, check = \"0.3 ms\" }"
            };
            (check(link), way)
        });
        let text = CHAIN.replace("credit.n23 = {}", "");
        let tables = tables.iter().map(|(key, value)| (key.as_str(), *value));
        let settings: Vec<_> = settings.into_iter().chain(tables).collect();
        let plan = plan(&text, &settings);
        let report = by_every_runner(&plan);
        assert!(value(&report, "link first->middle", "cells_lost") > 10.0);
    }
}
