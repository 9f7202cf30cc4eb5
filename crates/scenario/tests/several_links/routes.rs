//! Routes that name links, and hosts that are joined by several.

use super::{DUAL, RAILS, passed};
use crate::common::{by_every_runner, plan, value};
use crate::outages::OUTAGE;

#[test]
fn a_route_names_the_links_of_hosts() {
    let route = |route: &str| {
        let settings = [
            ("flow.to.route", route),
            ("flow.from.route", "[\"leaf\", \"server/c\"]"),
        ];
        let plan = plan(RAILS, &settings);
        let path = |flow: usize| -> Vec<String> {
            let hops = plan.paths.flows[flow].path.iter();
            hops.map(|hop| plan.link_name(hop.link())).collect()
        };
        [path(3), path(19)]
    };
    let back = ["client", "c[3]"];
    assert_eq!(route("[\"leaf/d\"]"), [["d[3]", "client"], back]);
    assert_eq!(route("[\"leaf\"]"), [["a[3]", "client"], back]);
    assert_eq!(
        route("[\"leaf/b\", \"client/client\"]"),
        [["b[3]", "client"], back]
    );
}

#[test]
fn a_route_with_links_keeps_to_them_whatever_the_rules_say() {
    let settings = [
        ("host.server.paths", "{ spray = {} }"),
        ("flow.down.route", "[\"right\", \"core\"]"),
        ("link.second.outages", OUTAGE),
    ];
    let plan = plan(DUAL, &settings);
    let report = by_every_runner(&plan);
    assert_eq!(passed(&plan, &["server->left"]), [0]);
    assert!(value(&report, "link server->right", "packets_lost") > 0.0);
}

#[test]
fn hosts_may_be_joined_by_several_links() {
    let text = r#"
duration = "20 ms"
[host.a]
paths.spray.choice = "in_turn"
[host.b]
[link.one]
between = ["a", "b"]
rate = "10 Mbit/s"
[link.two]
between = ["a", "b"]
rate = "10 Mbit/s"
delay = "1 ms"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "15 Mbit/s" }
transport.datagram = { packet = "1000 B" }
over.packet = {}
"#;
    let sprayed = plan(text, &[]);
    by_every_runner(&sprayed);
    let [one, two] = passed(&sprayed, &["a->b/one", "a->b/two"])[..] else {
        unreachable!("as many as places")
    };
    assert!(one.abs_diff(two) <= 2 && one > 15, "{one} {two}");
    let slow = ("flow.f.source.constant_rate.rate", "5 Mbit/s");
    let named = plan(text, &[slow, ("flow.f.route", "[\"b/two\"]")]);
    assert_eq!(passed(&named, &["a->b/one"]), [0]);
    // In cells, the one link of the VC is the first.
    let cells = plan(
        text,
        &[
            slow,
            ("flow.f.over", "{ ubr = {} }"),
            ("host.a.paths", "{ single = {} }"),
        ],
    );
    by_every_runner(&cells);
}
