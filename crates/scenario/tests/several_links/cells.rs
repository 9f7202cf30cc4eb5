//! VCs and packets at hosts with several links.

use std::fmt::Write as _;

use scenario::Scenario;
use scenario::run::Simulation;

use super::{DUAL, both, goodput, in_cells};
use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{by_every_runner, plan, run, seed, value};

#[test]
fn a_vc_keeps_to_one_link_of_its_host_in_both_directions() {
    for over in [
        "over.ubr = {}",
        "over.abr = {}",
        "over.cbr.rate = \"20 Mbit/s\"",
    ] {
        let mut text = in_cells(over);
        for number in 0..8 {
            let _ = write!(
                text,
                "[flow.more{number}]\nfrom = \"server\"\nto = \"client\"\n\
                 transport.tcp = {{ packet = \"1500 B\", window = \"20 kB\" }}\n{over}\n"
            );
        }
        let plan = plan(&text, &both("{ ecmp = {} }"));
        let report = by_every_runner(&plan);
        let (_, packets) = traced(&plan);
        assert_in_order(&plan, &packets);
        let mut links = std::collections::BTreeSet::new();
        let mut by_flow = std::collections::BTreeMap::new();
        for (row, hops) in packets.iter() {
            for hop in hops {
                let place = &packets.outputs[hop.output as usize];
                let ends = [place.node.group.as_str(), place.to.group.as_str()];
                if ends.contains(&"server") {
                    let link = if ends.contains(&"left") {
                        "left"
                    } else {
                        "right"
                    };
                    links.insert(link);
                    assert_eq!(by_flow.entry(row.flow).or_insert(link), &link, "{row:?}");
                }
            }
        }
        assert_eq!(links.len(), 2, "ten VCs use both links: {over}");
        assert!(goodput(&report, "down") > 1e6, "{over}");
    }
}

#[test]
fn a_vc_is_policed_at_the_first_switch_of_its_link() {
    let text = in_cells("over.cbr.rate = \"10 Mbit/s\"")
        .replace("[flow.up]", "police.peak = \"1 Mbit/s\"\n[flow.up]");
    let mut links = std::collections::BTreeSet::new();
    for replication in 0..8 {
        let report = run(
            &text,
            &[("host.server.paths", "{ ecmp = {} }")],
            replication,
        );
        let policed = value(&report, "flow down", "cells_policed");
        let dropped = value(&report, "flow down", "cells_dropped");
        assert!(
            policed > 20.0 && dropped > 0.8 * policed,
            "{dropped} of {policed}"
        );
        for link in ["left", "right"] {
            if report
                .value(&format!("drop down at {link}->core"), "policed")
                .is_some()
            {
                links.insert(link);
            }
        }
    }
    assert_eq!(links.len(), 2);
}

#[test]
fn a_host_may_send_cells_on_one_link_and_packets_on_another() {
    let text = DUAL
        .replace("[switch.right]", "[router.right]")
        .replace("[switch.core]", "[router.core]")
        .replace(
            "[link.client]",
            "[host.far]\n[link.far]\nbetween = [\"left\", \"far\"]\nrate = \"50 Mbit/s\"\n\
             [flow.cells]\nfrom = \"server\"\nto = \"far\"\nover.abr = {}\n\
             transport.tcp = { packet = \"1500 B\", window = \"30 kB\" }\n[link.client]",
        )
        .replace(
            "[link.left]\nbetween = [\"left\", \"core\"]\nrate = \"100 Mbit/s\"\n",
            "",
        )
        .replace("[switch.left]\n", "[switch.left]\nrate.erica = {}\n")
        .replace("\"60 kB\"\n[router", "\"1000 cells\"\n[router");
    let plan = plan(&text, &[]);
    let report = by_every_runner(&plan);
    Simulation::new(&plan, seed(0))
        .run(|_| true)
        .expect("nobody cancels");
    let (traced, packets) = traced(&plan);
    assert_in_order(&plan, &packets);
    assert_counted(&plan, &traced, &packets);
    assert!(goodput(&report, "cells") > 1e6 && goodput(&report, "down") > 10e6);
}

#[test]
fn a_link_between_hosts_carries_cells_or_packets() {
    let direct = |more: &str| {
        format!(
            r#"
duration = "20 ms"
[host.a]
[host.b]
[link.one]
between = ["a", "b"]
rate = "10 Mbit/s"
[link.two]
between = ["a", "b"]
rate = "10 Mbit/s"
[flow.cells]
from = "a"
to = "b"
transport.tcp = {{ packet = "1500 B", window = "20 kB" }}
over.ubr = {{}}
[flow.packets]
from = "b"
to = "a"
transport.tcp = {{ packet = "1500 B", window = "20 kB" }}
over.packet = {{}}
{more}"#
        )
    };
    let refused = Scenario::read(&direct(""), "test.toml", &[]).err();
    let told = refused.expect("a mixture").to_string();
    let problem = "flow.packets.over: link `one` would carry both cells and packets";
    assert!(told.contains(problem), "{told}");
    // As the hint says, the flow may take the other link.
    let apart = plan(&direct("route = [\"a/two\"]\n"), &[]);
    let report = by_every_runner(&apart);
    assert!(goodput(&report, "cells") > 1e6 && goodput(&report, "packets") > 1e6);
}
