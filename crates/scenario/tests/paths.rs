//! Flows over several paths: parallel links, the choice among them, and the order of packets.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{SHARES, assert_close, by_every_runner, plan, run, seed, value};
use models::node::AnyNode;
use scenario::report::Report;

/// Equal flows from hosts on one switch to a host on another, over four parallel links.
const PARALLEL: &str = r#"
duration = "100 ms"
[host.a]
count = 64
[host.b]
count = 64
[switch.s]
buffer.per_output = "100 kB"
paths.ecmp = {}
[switch.t]
buffer.per_output = "100 kB"
[link.a]
between = ["a", "s"]
rate = "100 Mbit/s"
[link.b]
between = ["t", "b"]
rate = "100 Mbit/s"
[link.one]
between = ["s", "t"]
rate = "1 Gbit/s"
[link.two]
between = ["s", "t"]
rate = "1 Gbit/s"
[link.three]
between = ["s", "t"]
rate = "1 Gbit/s"
[link.four]
between = ["s", "t"]
rate = "1 Gbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "1 Mbit/s" }
transport.datagram = { packet = "1000 B" }
over.packet = {}
"#;

const LINKS: [&str; 4] = ["one", "two", "three", "four"];

/// Two paths over routers between two hosts, and cross traffic on one of them.
pub const DIAMOND: &str = r#"
duration = "60 ms"
[host.a]
[host.b]
[host.x]
[host.y]
[switch.s]
buffer.per_output = "30 kB"
[router.up]
buffer.per_output = "30 kB"
[router.down]
buffer.per_output = "30 kB"
[switch.t]
buffer.per_output = "30 kB"
[link.a]
between = ["a", "s"]
rate = "100 Mbit/s"
[link.x]
between = ["x", "up"]
rate = "100 Mbit/s"
[link.s_up]
between = ["s", "up"]
rate = "50 Mbit/s"
delay = "20 us"
[link.s_down]
between = ["s", "down"]
rate = "50 Mbit/s"
delay = "20 us"
[link.up_t]
between = ["up", "t"]
rate = "50 Mbit/s"
delay = "120 us"
[link.down_t]
between = ["down", "t"]
rate = "50 Mbit/s"
delay = "20 us"
[link.b]
between = ["t", "b"]
rate = "100 Mbit/s"
[link.y]
between = ["t", "y"]
rate = "100 Mbit/s"
[flow.data]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", window = "60 kB", congestion.sack = {} }
over.packet = {}
[flow.back]
from = "b"
to = "a"
source.poisson = { rate = "5 Mbit/s", length.constant = "800 B" }
transport.datagram = { packet = "1500 B" }
over.packet = {}
[flow.cross]
from = "x"
to = "y"
source.poisson = { rate = "20 Mbit/s", length.constant = "800 B" }
transport.datagram = { packet = "1500 B" }
over.packet = {}
"#;

pub const RULES: [&str; 5] = [
    "{ single = {} }",
    "{ ecmp = {} }",
    "{ spray = {} }",
    "{ spray = { choice = \"in_turn\" } }",
    "{ flowlet = { gap = \"100 us\" } }",
];

/// Settings that give both ends of the diamond a rule.
pub fn both(rule: &str) -> [(&'static str, &str); 2] {
    [("switch.s.paths", rule), ("switch.t.paths", rule)]
}

/// Packets offered to each of the parallel links.
fn offered(report: &Report) -> [f64; 4] {
    LINKS.map(|link| value(report, &format!("port s->t/{link}"), "packets_offered"))
}

#[test]
fn a_hash_gives_each_link_a_binomial_number_of_flows() {
    let mut flows = [0.0; 4];
    for replication in 0..8 {
        let report = run(PARALLEL, &[], replication);
        let offered = offered(&report);
        let each = offered.iter().sum::<f64>() / 64.0;
        for (flows, packets) in flows.iter_mut().zip(offered) {
            let here = packets / each;
            assert!(
                (here - here.round()).abs() < 0.2,
                "a flow is divided: {here}"
            );
            *flows += here.round();
        }
    }
    // 512 flows, each on a link with probability 1/4; five standard deviations.
    let deviation = (512.0_f64 * 0.25 * 0.75).sqrt();
    for flows in flows {
        assert!((flows - 128.0).abs() < 5.0 * deviation, "{flows} flows");
    }
}

#[test]
fn a_single_path_is_the_link_that_is_written_first() {
    let single = [("switch.s.paths", "{ single = {} }")];
    let report = run(PARALLEL, &single, 0);
    assert_eq!(offered(&report)[1..], [0.0; 3]);
    let plan = plan(PARALLEL, &single);
    assert!(
        plan.paths
            .flows
            .iter()
            .all(|flow| !flow.has_several_paths())
    );
}

#[test]
fn connections_of_one_flow_are_spread_and_stay_in_order() {
    let text = PARALLEL.replace("count = 64", "");
    let text = text.replace(
        "source.constant_rate = { rate = \"1 Mbit/s\" }\ntransport.datagram = { packet = \"1000 B\" }",
        "source.connections = { arrivals.poisson.rate = \"40 Mbit/s\", size.constant = \"4000 B\" }\n\
         transport.tcp = { packet = \"1500 B\" }",
    );
    let report = run(&text, &[("duration", "1 s")], 0);
    let offered = offered(&report);
    let sum: f64 = offered.iter().sum();
    for packets in offered {
        // The packets of a connection come together; about four of them.
        let deviation = (sum * 4.0 * 0.25 * 0.75).sqrt();
        assert!((packets - sum / 4.0).abs() < 5.0 * deviation, "{offered:?}");
    }
    assert!(value(&report, "flow f", "packets_arrived") > 3000.0);
    assert!(value(&report, "flow f", "reordered_packets") <= 0.0);
}

#[test]
fn sprayed_poisson_packets_wait_as_in_two_queues_of_half_the_load() {
    let text = PARALLEL
        .replace("count = 64", "")
        .replace(
            "[link.three]\nbetween = [\"s\", \"t\"]\nrate = \"1 Gbit/s\"\n",
            "",
        )
        .replace(
            "[link.four]\nbetween = [\"s\", \"t\"]\nrate = \"1 Gbit/s\"\n",
            "",
        )
        .replace("1 Gbit/s", "10 Mbit/s")
        .replace("100 Mbit/s", "10 Gbit/s")
        .replace("100 kB", "10 MB")
        .replace(
            "source.constant_rate = { rate = \"1 Mbit/s\" }",
            "source.poisson = { rate = \"13.608 Mbit/s\", length.constant = \"972 B\" }",
        );
    let queue = |rule: &str| {
        let rule = [("switch.s.paths", rule), ("duration", "100 s")];
        let report = run(&text, &rule, 0);
        ["one", "two"].map(|link| value(&report, &format!("port s->t/{link}"), "mean_queue_octets"))
    };
    // 1750 packets of 1000 octets a second over two links that take 0.8 ms for each: a load of 0.7 in
    // each of two M/D/1 queues, which hold load^2 / 2 (1 - load) packets on average.
    let expected = 0.7_f64.powi(2) / (2.0 * 0.3) * 1000.0;
    for found in queue("{ spray = {} }") {
        assert_close(found, expected, 0.06, "mean queue");
    }
    // In turn, every second packet arrives: Erlang intervals, which vary less.
    for found in queue("{ spray = { choice = \"in_turn\" } }") {
        assert!(found < 0.8 * expected, "{found}");
    }
}

#[test]
fn packets_overtake_each_other_only_if_a_rule_divides_connections() {
    for rule in RULES {
        let plan = plan(DIAMOND, &both(rule));
        let report = by_every_runner(&plan);
        let (traced, packets) = traced(&plan);
        assert_eq!(traced.scalars, report.scalars);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &traced, &packets);
        let reordered = report.value("flow data", "reordered_packets");
        match rule {
            "{ single = {} }" => assert_eq!(reordered, None),
            "{ ecmp = {} }" => assert_eq!(reordered, Some(0.0)),
            _ => assert!(reordered > Some(0.0), "{rule}: {reordered:?}"),
        }
        let up = value(&report, "port s->up", "packets_offered");
        let down = value(&report, "port s->down", "packets_offered");
        assert_eq!(
            up > 0.0 && down > 0.0,
            rule.contains("spray") || rule.contains("let")
        );
    }
}

#[test]
fn the_uses_of_capacity_on_several_paths_add_up() {
    for rule in RULES {
        let report = run(DIAMOND, &both(rule), 0);
        for port in ["s->up", "s->down", "t->b", "down->t"] {
            let port = format!("port {port}");
            let of = |metric| value(&report, &port, metric);
            let used = SHARES.iter().filter(|share| **share != "idle_share");
            let sum: f64 = used.map(|share| of(share)).sum();
            assert!((sum - of("utilization")).abs() < 1e-9, "{rule} {port}");
            // Little is under way, since the parts are divided as they were counted.
            assert!(
                of("underway_share").abs() < 0.03,
                "{rule} {port}: {}",
                of("underway_share")
            );
        }
    }
}

/// A link whose queue drops packets after it accepted them carries what is left, as one that drops them
/// before does.
#[test]
fn what_is_dropped_from_a_queue_is_subtracted_once() {
    let text = r#"
duration = "400 ms"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "1 MB"
discard.codel = { target = "1 ms", interval = "10 ms" }
paths.spray = {}
[link.in]
between = ["a", "s"]
rate = "100 Mbit/s"
[link.one]
between = ["b", "s"]
rate = "10 Mbit/s"
[link.two]
between = ["b", "s"]
rate = "40 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate.rate = "40 Mbit/s"
transport.datagram = { packet = "1000 B" }
over.packet = {}
"#;
    let report = run(text, &[], 0);
    let of_port = |link: &str, metric| value(&report, &format!("port s->b/{link}"), metric);
    assert!(of_port("one", "packet_loss_ratio") > 0.05);
    for link in ["one", "two"] {
        let [useful, utilization] = ["useful_share", "utilization"].map(|name| of_port(link, name));
        assert_close(
            useful + of_port(link, "padding_share"),
            utilization,
            0.1,
            link,
        );
    }
}

/// Half of the packets wait for a link that has become slow, and have not passed it.
#[test]
fn what_waits_for_a_slow_link_is_no_use_of_it() {
    let text = r#"
duration = "15 ms"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "64 KiB"
paths.spray = {}
[link.in]
between = ["a", "s"]
rate = "73 Mbit/s"
[link.fast]
between = ["b", "s"]
rate = "88 Mbit/s"
[link.slow]
between = ["b", "s"]
rate = "73 Mbit/s"
rate_changes.table.text = "0.000000003, 1376876\n"
[flow.f]
from = "a"
to = "b"
transport.pull = {}
over.packet = {}
"#;
    let report = run(text, &[], 0);
    let of_port = |metric| value(&report, "port s->b/slow", metric);
    let (useful, utilization) = (of_port("useful_share"), of_port("utilization"));
    assert!(utilization > 0.5, "the link is used: {utilization}");
    assert!(useful <= utilization, "{useful} of {utilization}");
}

#[test]
fn a_vc_keeps_to_one_path_in_both_directions() {
    let text = PARALLEL.replace("over.packet", "over.abr").replace(
        "[switch.t]\nbuffer.per_output = \"100 kB\"",
        "rate.erica = {}\n[switch.t]\nbuffer.per_output = \"100 kB\"\nrate.erica = {}",
    );
    let text = text.replace("count = 64", "count = 12");
    let plan = plan(&text, &[("duration", "20 ms")]);
    by_every_runner(&plan);
    let mut links = std::collections::BTreeSet::new();
    for replication in 0..4 {
        let network = plan.network(seed(replication));
        let node = |name: &str| {
            let mut nodes = 0..plan.topology.nodes.len();
            nodes
                .find(|node| plan.node_name(*node) == name)
                .expect("a node")
        };
        for flow in 0..plan.paths.flows.len() {
            let used = |from: &str, to: &str| {
                let outputs = plan.topology.outputs(node(from)).iter().enumerate();
                let used: Vec<usize> = outputs
                    .filter(|(_, hop)| plan.topology.head(**hop) == node(to))
                    .filter(|(output, hop)| {
                        let vcs = plan.paths.vcs(**hop);
                        let vc = vcs.into_iter().position(|planned| planned.flow == flow);
                        let vc = models::wire::vc::Vc(vc.expect("a VC") as u32);
                        let found: &AnyNode = &network.nodes[node(from)];
                        found.forwarded(*output, vc) > 0
                    })
                    .map(|(_, hop)| hop.link())
                    .collect();
                assert_eq!(used.len(), 1);
                used[0]
            };
            assert_eq!(used("s", "t"), used("t", "s"));
            links.insert(used("s", "t"));
        }
    }
    assert_eq!(links.len(), 4, "48 VCs use all four links");
}
