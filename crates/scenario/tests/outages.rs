//! Links that fail, and the routes that avoid them.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{by_every_runner, plan, run, value};
use crate::paths::{DIAMOND, RULES, both};
use kernel::{Duration, Time};
use models::metrics::Cause;
use scenario::capture::packets::PacketEnd;
use scenario::lower::Plan;
use scenario::report::Report;

/// An outage of one path, after which routes change late.
pub const OUTAGE: &str = "[{ at = \"20 ms\", lasts = \"15 ms\", repair_delay = \"4 ms\" }]";

/// Runs a plan whose link between two nodes has the [`OUTAGE`], by every runner. Asserts that no unit
/// passes the link while it is down, that routes from the first node avoid it, and that packets are
/// lost only before that: no later than the time that a packet may take through the network.
pub fn run_with_outage(plan: &Plan, [from, to]: [&str; 2], most: Duration) -> Report {
    let report = by_every_runner(plan);
    let (traced, packets) = traced(plan);
    assert_eq!(traced.scalars, report.scalars);
    assert_in_order(plan, &packets);
    assert_counted(plan, &traced, &packets);
    let at = |ms: u64| Time::ZERO + Duration::from_ms(ms);
    let [there, back] = [format!("{from}->{to}"), format!("{to}->{from}")];
    for (row, hops) in packets.iter() {
        for hop in hops {
            let place = packets.outputs[hop.output as usize].to_string();
            let is_up = hop.departed < at(20) || hop.departed > at(35);
            assert!(![&there, &back].contains(&&place) || is_up, "{row:?}");
            // A packet that came to a node, or was handed to the link, before the change may still
            // wait there.
            let is_avoided = hop.arrived > at(24) && hop.arrived < at(39);
            assert!(place != there || !is_avoided, "{row:?} {hops:?}");
        }
        if let PacketEnd::Dropped {
            at: Some(time),
            cause: Cause::Lost,
            ..
        } = row.end
        {
            assert!(at(19) < time && time < at(24) + most, "{row:?}");
        }
    }
    report
}

#[test]
fn packets_are_lost_until_the_routes_avoid_a_link_that_is_down() {
    for rule in RULES {
        let mut settings = both(rule).to_vec();
        settings.push(("link.s_up.outages", OUTAGE));
        let plan = plan(DIAMOND, &settings);
        let report = run_with_outage(&plan, ["s", "up"], Duration::from_ms(5));
        // A hash may have put both directions on the other path.
        let lost = value(&report, "link s->up", "packets_lost");
        assert!(lost > 0.0 || rule.contains("ecmp"), "{rule}");
        let goodput = value(&report, "flow data", "goodput");
        assert!(goodput > 5e6, "{rule}: {goodput}");
    }
}

#[test]
fn packets_without_a_path_are_dropped_and_counted() {
    let settings = [
        (
            "link.down_t.outages",
            "[{ at = \"0 s\", lasts = \"30 ms\" }]",
        ),
        (
            "link.s_up.outages",
            "[{ at = \"10 ms\", lasts = \"20 ms\" }]",
        ),
        (
            "flow.data.source",
            "{ constant_rate = { rate = \"12 Mbit/s\" } }",
        ),
        (
            "flow.data.transport",
            "{ datagram = { packet = \"1528 B\" } }",
        ),
    ];
    let plan = plan(DIAMOND, &settings);
    let report = by_every_runner(&plan);
    // One packet a millisecond, for twenty of them without a path; each counts for its octets.
    let dropped = value(&report, "drop data at s->up", "no_route") * 53.0;
    let packets = dropped / (1528.0 + 38.0);
    assert!((packets.round() - 20.0).abs() <= 1.0, "{packets} packets");
    // Nothing is sent over a link that is down, since routes change at once.
    assert!(value(&report, "link s->up", "packets_lost") <= 1.0);
    assert!(value(&report, "link down->t", "packets_lost") <= 0.0);
    let (traced, packets) = traced(&plan);
    assert_in_order(&plan, &packets);
    assert_counted(&plan, &traced, &packets);
}

#[test]
fn an_outage_finds_packets_on_a_detour_that_leads_back() {
    // On a ring the detour of a packet that has come to `up` leads back over `s`.
    let ring = DIAMOND.replace("[flow.cross]", "[flow.cross]\njitter.packet_time = {}");
    let settings = [
        ("link.up_t.outages", OUTAGE),
        ("switch.s.paths", "{ ecmp = {} }"),
    ];
    for replication in 0..3 {
        let report = run(&ring, &settings, replication);
        assert!(value(&report, "port up->s", "packets_offered") > 0.0);
        assert!(value(&report, "flow cross", "goodput") > 10e6);
    }
    let plan = plan(&ring, &settings);
    let report = by_every_runner(&plan);
    let (traced, packets) = traced(&plan);
    assert_eq!(traced.scalars, report.scalars);
    assert_in_order(&plan, &packets);
}

#[test]
fn a_vc_waits_for_its_path() {
    let text = DIAMOND
        .replace("over.packet", "over.ubr")
        .replace("[router.", "[switch.");
    let plan = plan(
        &text,
        &[("link.s_up.outages", OUTAGE), ("duration", "100 ms")],
    );
    let report = by_every_runner(&plan);
    assert!(value(&report, "port s->down", "cells_offered") <= 0.0);
    assert!(value(&report, "link s->up", "cells_lost") > 0.0);
    assert!(value(&report, "flow data", "goodput") > 1e6);
}
