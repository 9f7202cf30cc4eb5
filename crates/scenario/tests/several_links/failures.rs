//! Links that fail, and the shares of what is lost.

use kernel::Duration;

use super::{DUAL, both, goodput};
use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{SHARES, by_every_runner, plan, run, value};
use crate::outages::{OUTAGE, run_with_outage};
use crate::paths::RULES;

#[test]
fn a_host_that_loses_a_link_goes_on_over_the_other() {
    for rule in RULES {
        let mut settings = both(rule).to_vec();
        settings.push(("link.first.outages", OUTAGE));
        let plan = plan(DUAL, &settings);
        let report = run_with_outage(&plan, ["server", "left"], Duration::from_ms(12));
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
