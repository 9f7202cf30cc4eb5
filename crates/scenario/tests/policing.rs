//! Shapers and policers, end to end: contracts that a shaper keeps and a policer enforces.

use crate::common::{assert_close, by_every_runner, plan, run, value};
use proptest::prelude::*;
use scenario::report::Report;

/// A host that sends at the rate of its link, a policer at the first switch, and a slow trunk.
const POLICED: &str = r#"
duration = "60 ms"
warm_up = "10 ms"
[host.sender]
[host.other]
[host.receiver]
count = 2
[switch.s1]
buffer.per_output = "3000 cells"
[switch.s2]
buffer.per_output = "100 cells"
[link.access]
between = ["sender", "s1"]
rate = "155.52 Mbit/s"
delay = "3 us"
[link.other]
between = ["other", "s1"]
rate = "155.52 Mbit/s"
[link.trunk]
between = ["s1", "s2"]
rate = "155.52 Mbit/s"
delay = "50 us"
[link.exit]
between = ["s2", "receiver"]
rate = "155.52 Mbit/s"
[flow.data]
from = "sender"
to = "receiver[0]"
source.constant_rate = { rate = "110 Mbit/s" }
transport.datagram = { packet = "40 B", header = "0 B" }
police.peak = "155.52 Mbit/s"
[flow.other]
from = "other"
to = "receiver[1]"
source.greedy = {}
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "0.1 ms" } }
"#;

/// Counts of the policer: cells, tagged cells, dropped cells.
fn policed(report: &Report) -> [u64; 3] {
    ["policed", "tagged", "dropped"]
        .map(|what| value(report, "flow data", &format!("cells_{what}")) as u64)
}

/// Cells of the flow `data` in a second; each packet is one cell.
const CELLS: f64 = 110e6 / 320.0;

#[test]
fn at_the_rate_of_its_link_nothing_is_too_early() {
    let report = run(POLICED, &[], 0);
    let [cells, tagged, dropped] = policed(&report);
    assert_eq!([tagged, dropped], [0, 0]);
    assert_close(cells as f64, 0.05 * CELLS, 1e-3, "cells");
}

#[test]
fn a_policer_drops_or_passes_each_cell_and_tags_only_what_passes() {
    let alone = without(POLICED, &["host.other", "link.other", "flow.other"]);
    for (beyond_peak, beyond_sustained) in [("drop", "drop"), ("drop", "tag"), ("tag", "tag")] {
        let (beyond_peak, beyond_sustained) = (
            format!("\"{beyond_peak}\""),
            format!("\"{beyond_sustained}\""),
        );
        let settings = [
            ("warm_up", "0 s"),
            ("flow.data.police.peak", "100 Mbit/s"),
            ("flow.data.police.sustained", "40 Mbit/s"),
            ("flow.data.police.burst", "50 cells"),
            ("flow.data.police.beyond_peak", &*beyond_peak),
            ("flow.data.police.beyond_sustained", &*beyond_sustained),
        ];
        let report = run(&alone, &settings, 0);
        let [cells, tagged, dropped] = policed(&report);
        let passed = value(&report, "port s1->s2", "cells_offered") as u64;
        assert_eq!(cells, passed + dropped);
        assert!(tagged <= passed);
        assert_eq!(tagged > 0, beyond_sustained == "\"tag\"");
        assert_eq!(dropped > 0, beyond_peak == "\"drop\"");
        let at_output = report.value("drop data at s1->s2", "policed");
        let at_output = at_output.unwrap_or(0.0) as u64;
        assert_eq!(at_output, dropped);
    }
}

#[test]
fn no_more_than_the_peak_rate_passes_the_policer() {
    for (peak, fabric) in [
        ("100 Mbit/s", "immediate"),
        ("100 Mbit/s", "slotted"),
        ("50 Mbit/s", "slotted"),
    ] {
        let fabric = format!("switch.s1.fabric.{fabric}");
        // The tolerance (CDVT) covers the jitter that the fabric adds to evenly spaced cells.
        let settings = [
            (&*fabric, "{}"),
            ("flow.data.police", "{}"),
            ("flow.data.police.peak", peak),
            ("flow.data.police.cdvt", "20 us"),
            // A small window keeps the queue short at the start and the end of the measured time.
            ("flow.other.transport.tcp.window", "4500 B"),
        ];
        let report = run(POLICED, &settings, 0);
        let [cells, tagged, dropped] = policed(&report);
        let peak: f64 = peak.trim_end_matches(" Mbit/s").parse().expect("a rate");
        let goes_on = peak * 1e6 / 424.0 / CELLS;
        assert_eq!(tagged, 0);
        assert_close(
            1.0 - dropped as f64 / cells as f64,
            goes_on,
            2e-3,
            "share that goes on",
        );
        let goodput = value(&report, "flow data", "goodput");
        assert_close(goodput, 110e6 * goes_on, 1e-2, "goodput");
    }
}

#[test]
fn beyond_what_is_sustained_cells_are_tagged_and_lost_first() {
    let settings = [
        ("flow.data.police.sustained", "40 Mbit/s"),
        ("flow.data.police.burst", "50 cells"),
        ("switch.s1.discard.partial_buffer_sharing", "{}"),
        ("switch.s2.discard.partial_buffer_sharing", "{}"),
        ("switch.s1.buffer.per_output", "200 cells"),
        ("link.trunk.rate", "60 Mbit/s"),
    ];
    let report = run(POLICED, &settings, 0);
    let [cells, tagged, dropped] = policed(&report);
    let untagged = 1.0 - tagged as f64 / cells as f64;
    assert_close(untagged, 40e6 / 424.0 / CELLS, 5e-3, "share not tagged");
    assert_eq!(dropped, 0);
    // No untagged cell is lost: at 40 Mbit/s they never fill a buffer.
    let goodput = value(&report, "flow data", "goodput");
    assert!(goodput >= 40e6 * 320.0 / 424.0 * 0.999, "{goodput}");
    // Without priorities all cells are dropped alike, and TCP gets almost no goodput.
    let alike = [&settings[..2], &settings[4..]].concat();
    let without = run(POLICED, &alike, 0);
    let other = |report: &Report| value(report, "flow other", "goodput");
    assert!(other(&report) > 3.0 * other(&without));
}

#[test]
fn tagged_cells_are_pushed_out_by_others_and_by_nobody_else() {
    let lost = |policy: &str, over: &str| {
        let discard = format!("switch.s1.discard.{policy}");
        let settings = [
            (&*discard, "{}"),
            ("flow.data.police.sustained", "40 Mbit/s"),
            ("flow.data.police.burst", "50 cells"),
            ("switch.s1.buffer.per_output", "20 cells"),
            ("link.trunk.rate", "60 Mbit/s"),
            ("flow.other.source", "{ constant_rate = {} }"),
            (
                "flow.other.transport.datagram",
                "{ packet = \"40 B\", header = \"0 B\" }",
            ),
            ("flow.other.over.cbr.rate", over),
        ];
        let report = run(POLICED, &settings, 0);
        1.0 - value(&report, "flow other", "efficiency")
    };
    // The trunk carries all conforming cells, so only tagged cells are pushed out.
    assert!(lost("push_out", "15 Mbit/s") < 1e-9);
    assert!(lost("tail_drop", "15 Mbit/s") > 0.1);
    // If the conforming cells exceed the trunk, no tagged cell is queued to be pushed out.
    assert!(lost("push_out", "30 Mbit/s") > 0.05);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every run asserts conservation at its end.
    #[test]
    fn cells_and_packets_are_conserved_where_some_are_pushed_out(
        buffer in 1u32..120,
        [packet, other] in [40u32..3000, 40u32..3000],
        sustained in 1u32..100,
        trunk in 20u32..155,
    ) {
        let [packet, other] = [packet, other]
            .map(|octets| format!("{{ packet = \"{octets} B\", header = \"0 B\" }}"));
        let buffer = format!("{buffer} cells");
        let [sustained, trunk] = [sustained, trunk].map(|rate| format!("{rate} Mbit/s"));
        let settings = [
            ("switch.s1.discard.push_out", "{}"),
            ("switch.s2.discard.push_out", "{}"),
            ("switch.s1.buffer.per_output", &*buffer),
            ("flow.data.police.sustained", &*sustained),
            ("flow.data.police.burst", "3 cells"),
            ("flow.data.transport.datagram", &*packet),
            ("flow.other.transport.datagram", &*other),
            ("flow.other.source", "{ constant_rate = { rate = \"50 Mbit/s\" } }"),
            ("flow.other.police", "{ peak = \"155.52 Mbit/s\", sustained = \"60 Mbit/s\", burst = \"9 cells\" }"),
            ("link.trunk.rate", &*trunk),
            ("flow.data.source", "{ constant_rate = { rate = \"50 Mbit/s\" } }"),
        ];
        by_every_runner(&plan(POLICED, &settings));
        let report = run(POLICED, &settings, 0);
        prop_assert!(report.scalars.iter().all(|scalar| scalar.value.is_finite()));
    }
}

#[test]
fn a_policer_defaults_to_the_contract_of_the_flow() {
    // Counts of a policer whose contract is that of the bearer, unless `police` sets other rates.
    let policed = |over: &str, source: &str, police: &[(&'static str, &str)]| {
        let settings = [
            ("flow.data.over", over),
            ("flow.data.source", source),
            ("flow.data.police", "{}"),
        ];
        let report = run(POLICED, &[&settings[..], police].concat(), 0);
        self::policed(&report)
    };
    let steady = "{ constant_rate = {} }";
    let cbr = "{ cbr = { rate = \"60 Mbit/s\" } }";
    assert_eq!(policed(cbr, steady, &[])[1..], [0, 0]);
    let sustained = [
        ("flow.data.police.sustained", "20 Mbit/s"),
        ("flow.data.police.burst", "50 cells"),
    ];
    let [cells, tagged, dropped] = policed(cbr, steady, &sustained);
    assert_eq!(dropped, 0);
    assert_close(
        tagged as f64 / cells as f64,
        2.0 / 3.0,
        0.02,
        "share tagged",
    );
    // Bursts of 50 cells at 60 Mbit/s, of which about half exceed a peak of 40 Mbit/s.
    let bursts = "{ on_off = { on = \"0.3 ms\", off = \"5 ms\" } }";
    let vbr = "{ vbr = { peak = \"60 Mbit/s\", sustained = \"20 Mbit/s\", burst = \"50 cells\" } }";
    assert_eq!(policed(vbr, bursts, &[])[1..], [0, 0]);
    let [cells, _, dropped] = policed(vbr, bursts, &[("flow.data.police.peak", "40 Mbit/s")]);
    let share = dropped as f64 / cells as f64;
    assert!((0.45..0.52).contains(&share), "{share}");
}

#[test]
fn a_policer_stands_where_it_is_put() {
    let at = |switch: &str| {
        let settings = [
            ("flow.data.police.at", switch),
            ("flow.data.police.peak", "60 Mbit/s"),
            ("link.trunk.rate", "60 Mbit/s"),
        ];
        run(POLICED, &settings, 0)
    };
    // Cells that have passed the trunk do not exceed its rate.
    assert_eq!(policed(&at("s2"))[1..], [0, 0]);
    let [cells, _, dropped] = policed(&at("s1"));
    assert!(2 * dropped > cells);
}

#[test]
fn what_a_policer_drops_is_in_the_account_of_the_ports_before_it() {
    let settings = [
        ("flow.data.source.greedy", "{}"),
        (
            "flow.data.transport",
            "{ tcp = { packet = \"1500 B\", timers.bsd = { tick = \"0.1 ms\" } } }",
        ),
        ("flow.data.police.at", "s2"),
        ("flow.data.police.peak", "60 Mbit/s"),
        ("flow.data.police.cdvt", "500 us"),
    ];
    let report = run(POLICED, &settings, 0);
    assert!(policed(&report)[2] > 0);
    let port = "port s1->s2";
    let shares = [
        "idle",
        "useful",
        "padding",
        "duplicate",
        "background",
        "control",
        "underway",
    ];
    let shares = shares
        .iter()
        .map(|name| value(&report, port, &format!("{name}_share")));
    let dead = value(&report, port, "dead_cell_share");
    assert!(dead > 0.0);
    // At most one packet of each connection is in transit: 2 x 32 cells of 2.7 us in 50 ms.
    assert!((shares.sum::<f64>() + dead - 1.0).abs() < 0.0036);
}

/// Random traffic contracts.
fn contracts() -> impl Strategy<Value = (&'static str, String)> {
    let cdvt = prop_oneof![Just(0u64), 0u64..200];
    (
        20u64..150,
        cdvt,
        prop::option::of((1u64..20, 1u64..200)),
        0..3,
    )
        .prop_map(|(peak, cdvt, sustained, kind)| {
            let cdvt = format!("cdvt = \"{cdvt} us\"");
            match (kind, sustained) {
                (0, _) => (
                    "flow.data.over.ubr",
                    format!("{{ peak = \"{peak} Mbit/s\", {cdvt} }}"),
                ),
                (1, _) => (
                    "flow.data.over.cbr",
                    format!("{{ rate = \"{peak} Mbit/s\", {cdvt} }}"),
                ),
                (_, None) => (
                    "flow.data.over.vbr",
                    format!("{{ peak = \"{peak} Mbit/s\", {cdvt} }}"),
                ),
                (_, Some((sustained, burst))) => (
                    "flow.data.over.vbr",
                    format!(
                        "{{ peak = \"{peak} Mbit/s\", {cdvt}, sustained = \"{sustained} Mbit/s\", \
                         burst = \"{burst} cells\" }}"
                    ),
                ),
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A shaped flow conforms at its policer, even if a second flow shares the link of the host and
    /// delays its cells.
    #[test]
    fn a_shaped_flow_never_exceeds_what_it_agreed_on(
        (over, contract) in contracts(),
        shares in any::<bool>(),
        fabric in prop_oneof![Just("switch.s1.fabric.immediate"), Just("switch.s1.fabric.slotted")],
    ) {
        let mut settings = vec![
            (over, &*contract),
            ("flow.data.police", "{}"),
            ("flow.data.source.greedy", "{}"),
            ("flow.data.transport", "{ tcp = { packet = \"1500 B\" } }"),
            (fabric, "{}"),
        ];
        if shares {
            settings.push(("flow.other.from", "sender"));
        }
        let unused = ["host.other", "link.other"];
        let text = if shares { without(POLICED, &unused) } else { POLICED.to_string() };
        let report = run(&text, &settings, 0);
        let [cells, tagged, dropped] = policed(&report);
        prop_assert!(cells > 0);
        prop_assert_eq!([tagged, dropped], [0, 0]);
    }
}

/// A scenario without some of its tables.
fn without(text: &str, tables: &[&str]) -> String {
    let mut kept = true;
    let lines = text.lines().filter(|line| {
        if line.starts_with('[') {
            kept = !tables.iter().any(|table| *line == format!("[{table}]"));
        }
        kept
    });
    lines.collect::<Vec<_>>().join("\n")
}
