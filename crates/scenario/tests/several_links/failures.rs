//! Links that fail, and the shares of what is lost.

use kernel::{Duration, Time};
use scenario::capture::packets::{DropCause, PacketEnd};

use super::{DUAL, OUTAGE, both, goodput};
use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{SHARES, by_every_runner, plan, run, value};
use crate::paths::RULES;

#[test]
fn a_host_that_loses_a_link_goes_on_over_the_other() {
    for rule in RULES {
        let mut settings = both(rule).to_vec();
        settings.push(("link.first.outages", OUTAGE));
        let plan = plan(DUAL, &settings);
        let report = by_every_runner(&plan);
        let (traced, packets) = traced(&plan);
        assert_eq!(traced.scalars, report.scalars);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &traced, &packets);
        let at = |ms: u64| Time::ZERO + Duration::from_ms(ms);
        for (row, hops) in packets.iter() {
            for hop in hops {
                let place = packets.outputs[hop.output as usize].to_string();
                let is_up = hop.departed < at(20) || hop.departed > at(35);
                assert!(
                    !["server->left", "left->server"].contains(&&*place) || is_up,
                    "{row:?}"
                );
                // A packet that was handed to the link before the change may still wait there.
                let is_avoided = hop.arrived > at(24) && hop.arrived < at(39);
                assert!(place != "server->left" || !is_avoided, "{row:?} {hops:?}");
            }
            if let PacketEnd::Dropped {
                at: Some(time),
                cause: DropCause::Lost,
                ..
            } = row.end
            {
                let delay = Duration::from_ms(12);
                assert!(at(19) < time && time < at(24) + delay, "{row:?}");
            }
        }
        let lost = value(&report, "link server->left", "packets_lost");
        assert!(lost > 0.0 || rule.contains("ecmp"), "{rule}");
        assert!(goodput(&report, "down") > 5e6, "{rule}");
    }
}

#[test]
fn without_any_link_packets_are_lost_on_the_usual_one() {
    let outage = "[{ at = \"10 ms\", lasts = \"20 ms\" }]";
    let settings = [
        ("link.first.outages", outage),
        ("link.second.outages", outage),
        (
            "flow.down.source",
            "{ constant_rate = { rate = \"12 Mbit/s\" } }",
        ),
        (
            "flow.down.transport",
            "{ datagram = { packet = \"1528 B\" } }",
        ),
    ];
    let plan = plan(DUAL, &settings);
    let report = by_every_runner(&plan);
    // One packet a millisecond, for twenty of them without a path.
    let lost = value(&report, "link server->left", "packets_lost");
    assert!((lost - 20.0).abs() <= 1.0, "{lost} packets");
    assert!(value(&report, "link server->right", "packets_lost") <= 0.0);
    // Towards the server, the switches beside it have no way to go on.
    let dropped = value(&report, "drop up at left->server", "no_route");
    assert!(dropped > 0.0);
    let (traced, packets) = traced(&plan);
    assert_in_order(&plan, &packets);
    assert_counted(&plan, &traced, &packets);
}

#[test]
fn the_uses_of_capacity_add_up_where_a_host_has_several_links() {
    for rule in RULES {
        let mut settings = both(rule).to_vec();
        settings.push(("link.first.outages", OUTAGE));
        let report = run(DUAL, &settings, 0);
        for port in [
            "left->core",
            "right->core",
            "left->server",
            "right->server",
            "core->left",
        ] {
            let port = format!("port {port}");
            let of = |metric| value(&report, &port, metric);
            let used = SHARES.iter().filter(|share| **share != "idle_share");
            let sum: f64 = used.map(|share| of(share)).sum();
            assert!((sum - of("utilization")).abs() < 1e-9, "{rule} {port}");
            let underway = of("underway_share");
            assert!(underway.abs() < 0.03, "{rule} {port}: {underway}");
        }
    }
}
