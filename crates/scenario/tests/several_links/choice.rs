//! The choice of the first link, and arrivals on any of them.

use scenario::Scenario;
use scenario::capture::CaptureOptions;

use super::{DUAL, LINKS, RAILS, both, goodput, in_cells, passed};
use crate::capture::capture;
use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{by_every_runner, plan, run, value};
use crate::paths::RULES;

#[test]
fn a_flow_takes_the_link_that_begins_the_path_of_fewest_links() {
    // The first link leads to the client over one switch more.
    let text = DUAL.replace(
        "between = [\"core\", \"client\"]",
        "between = [\"right\", \"client\"]",
    );
    let near = plan(&text, &[]);
    let name =
        |flow: usize, place: usize| near.link_name(near.paths.flows[flow].path[place].link());
    assert_eq!([name(0, 0), name(1, 1)], ["second", "second"]);
    // A rule chooses among equal paths only.
    let ruled = plan(&text, &[("host.server.paths", "{ spray = {} }")]);
    assert_eq!(passed(&ruled, &["server->left"]), [0]);
    // Of equal paths, the link that is written first.
    let equal = plan(DUAL, &[]);
    assert_eq!(
        equal.link_name(equal.paths.flows[0].path[0].link()),
        "first"
    );
    assert!(
        equal
            .paths
            .flows
            .iter()
            .all(|flow| !flow.has_several_paths())
    );
}

#[test]
fn a_rule_of_the_host_divides_its_packets_and_they_arrive_on_any_link() {
    for rule in RULES {
        let plan = plan(DUAL, &both(rule));
        let report = by_every_runner(&plan);
        let (traced, packets) = traced(&plan);
        assert_eq!(traced.scalars, report.scalars);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &traced, &packets);
        let places = [
            "server->left",
            "server->right",
            "left->server",
            "right->server",
        ];
        let [sent, too, came, also] = passed(&plan, &places)[..] else {
            unreachable!("as many as places")
        };
        let divides = rule.contains("spray") || rule.contains("let");
        assert_eq!(sent > 0 && too > 0, divides, "{rule}: {sent} {too}");
        assert_eq!(came > 0 && also > 0, divides, "{rule}: {came} {also}");
        match rule {
            "{ single = {} }" => {
                assert_eq!(report.value("flow down", "reordered_packets"), None);
            }
            "{ ecmp = {} }" => {
                assert_eq!(report.value("flow down", "reordered_packets"), Some(0.0));
            }
            _ => assert!(
                value(&report, "flow down", "reordered_packets") > 0.0,
                "{rule}"
            ),
        }
    }
}

#[test]
fn sprayed_packets_have_the_capacity_of_both_links() {
    let settings = |rule| {
        let constant = "{ constant_rate = { rate = \"92 Mbit/s\" } }";
        let datagram = "{ datagram = { packet = \"1500 B\" } }";
        let [host, switch] = both(rule);
        let source = ("flow.down.source", constant);
        [host, switch, source, ("flow.down.transport", datagram)]
    };
    let report = run(DUAL, &settings("{ spray = { choice = \"in_turn\" } }"), 0);
    assert!((goodput(&report, "down") / 92e6 - 1.0).abs() < 0.03);
    let settings = settings("{ ecmp = {} }").map(|(key, value)| (key.into(), value.into()));
    let refused = Scenario::read(DUAL, "test.toml", &settings).err();
    let told = refused.expect("too much for one link").to_string();
    assert!(told.contains("link `first` carries `50 Mbit/s`"), "{told}");
}

#[test]
fn a_hash_gives_each_rail_a_binomial_number_of_flows() {
    let mut flows = [0.0; 4];
    let rule = [
        ("host.server.paths", "{ ecmp = {} }"),
        ("switch.leaf.paths", "{ ecmp = {} }"),
    ];
    for replication in 0..8 {
        let report = run(RAILS, &rule, replication);
        for server in 0..16 {
            let of = |link| {
                let port = format!("port leaf->server/{link}[{server}]");
                value(&report, &port, "packets_offered")
            };
            let offered = LINKS.map(of);
            let used = offered.iter().filter(|packets| **packets > 0.0).count();
            assert_eq!(used, 1, "a flow is divided: {offered:?}");
            for (flows, packets) in flows.iter_mut().zip(offered) {
                *flows += f64::from(packets > 0.0);
            }
        }
    }
    // 128 flows, each on a rail with probability 1/4; five standard deviations.
    let deviation = (128.0_f64 * 0.25 * 0.75).sqrt();
    for flows in flows {
        assert!((flows - 32.0).abs() < 5.0 * deviation, "{flows} flows");
    }
}

#[test]
fn servers_choose_their_rails_independently() {
    let plan = plan(RAILS, &[("host.server.paths", "{ ecmp = {} }")]);
    let servers = 0..16;
    let used = servers.map(|server| {
        let outputs = LINKS.map(|link| format!("server[{server}]->leaf/{link}"));
        let passed = passed(&plan, &outputs.each_ref().map(String::as_str));
        let used = passed.iter().position(|packets| *packets > 0);
        assert_eq!(passed.iter().filter(|packets| **packets > 0).count(), 1);
        used.expect("a rail")
    });
    let used: std::collections::BTreeSet<usize> = used.collect();
    assert_eq!(used.len(), 4);
}

#[test]
fn connections_of_a_flow_are_spread_over_the_links_and_stay_in_order() {
    let text = RAILS.replace("count = 16", "").replacen(
        "source.constant_rate = { rate = \"1 Mbit/s\" }\ntransport.datagram = { packet = \"1000 B\" }",
        "source.connections = { arrivals.poisson.rate = \"40 Mbit/s\", size.constant = \"4000 B\" }\n\
         transport.tcp = { packet = \"1500 B\" }",
        1,
    );
    let rule = [
        ("host.server.paths", "{ ecmp = {} }"),
        ("duration", "0.5 s"),
    ];
    let plan = plan(&text, &rule);
    let outputs = LINKS.map(|link| format!("server->leaf/{link}"));
    let passed = passed(&plan, &outputs.each_ref().map(String::as_str));
    let sum: usize = passed.iter().sum();
    for packets in &passed {
        // The packets of a connection come together; about eight of them, ends included.
        let deviation = (sum as f64 * 8.0 * 0.25 * 0.75).sqrt();
        let expected = sum as f64 / 4.0;
        assert!(
            (*packets as f64 - expected).abs() < 5.0 * deviation,
            "{passed:?}"
        );
    }
    let report = run(&text, &rule, 0);
    assert!(value(&report, "flow to", "reordered_packets") <= 0.0);
    assert!(value(&report, "flow to", "packets_arrived") > 1500.0);
}

#[test]
fn each_link_of_a_host_has_a_capture() {
    let (_, files) = capture(DUAL, &both("{ spray = {} }"), &CaptureOptions::default());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names[..3],
        [
            "host-client.pcapng",
            "host-server-left.pcapng",
            "host-server-right.pcapng"
        ]
    );
    for name in &names[..3] {
        assert!(crate::capture::packets(&files[*name]).len() > 10, "{name}");
    }
}

#[test]
fn a_host_with_several_links_may_stand_between_two_threads() {
    let plan = plan(DUAL, &both("{ spray = {} }"));
    let division = plan.division(5).expect("parts");
    assert_eq!(division.parts(), 4, "only the client stays with its switch");
    let cells = crate::common::plan(&in_cells("over.ubr = {}"), &[]);
    let division = cells.division(5).expect("parts");
    assert_eq!(
        division.parts(),
        3,
        "the server stays with the switch to which it sends cells"
    );
}
