//! Connections that come and go: how they open and close, how long they take, and that their state
//! is freed.

use crate::common::{assert_close, by_every_runner, plan, run, value};

/// Connections to a client over a router; the times and sizes of three are written.
pub const WEB: &str = r#"
duration = "10 s"
[host.server]
[host.client]
[router.r1]
buffer.per_output = "100 kB"
[link.near]
between = ["server", "r1"]
rate = "10 Mbit/s"
delay = "0.5 ms"
[link.far]
between = ["r1", "client"]
rate = "10 Mbit/s"
delay = "0.5 ms"
[flow.web]
from = "server"
to = "client"
source.connections.arrivals.trace = { text = "0 960\n1 960\n1.000001 96000\n" }
transport.tcp = { packet = "1000 B", acknowledgment = "40 B", handshake = true }
over.packet = {}
"#;

#[test]
fn a_connection_takes_a_handshake_and_its_data() {
    let report = run(WEB, &[("warm_up", "0.5 s")], 0);
    let of = |metric| value(&report, "flow web", metric);
    assert_eq!(of("arrivals") as u64, 2);
    let settings = [(
        "flow.web.source.connections.arrivals.trace.text",
        "\"0 960\\n\"",
    )];
    let report = by_every_runner(&plan(WEB, &settings));
    // The handshake: a SYN and its answer of 40 octets over two links, 0.032 ms and 0.5 ms on each;
    // then 1000 octets there, 0.8 ms and 0.5 ms on each link. The acknowledgment comes later.
    let handshake = 4.0 * 0.532e-3;
    let (data, back) = (2.0 * 1.3e-3, 2.0 * 0.532e-3);
    let of = |metric| value(&report, "flow web", metric);
    assert_close(of("max_completion_time"), handshake + data, 1e-9, "time");
    let acknowledged = of("max_acknowledged_time");
    assert_close(acknowledged, handshake + data + back, 1e-9, "time");
    assert_close(of("max_slowdown"), 1.0 + handshake / data, 1e-9, "slowdown");
    // A SYN, the data, and the acknowledgment of the other FIN.
    assert_eq!(of("packets_sent") as u64, 3);
    assert_eq!(of("octets_delivered") as u64, 960);
    assert_eq!(of("open_connections") as u64, 0);
    assert_close(
        of("mean_connections"),
        (handshake + data + back) / 10.0,
        1e-9,
        "mean",
    );
}

/// Connections of Poisson arrivals over a link that loses in both directions.
pub const LOSSY: &[(&str, &str)] = &[
    (
        "flow.web.source.connections",
        "{ arrivals.poisson.load = \"40 %\", size.geometric.mean = \"20 kB\" }",
    ),
    ("link.far.loss.packet", "2 %"),
    ("router.r1.buffer.per_output", "20 kB"),
    (
        "flow.web.transport.tcp.timers.rfc6298",
        "{ min = \"10 ms\", initial = \"50 ms\" }",
    ),
];

/// Three users of files of two sizes.
const USERS: (&str, &str) = (
    "flow.web.source.connections",
    "{ arrivals.closed = { users = 3, think = \"5 ms\" }, size.listed = [\"100 kB\", \"1 B\"], most = 3 }",
);

#[test]
fn every_runner_reports_the_same_whatever_is_lost() {
    for congestion in ["new_reno", "sack"] {
        let congestion = (
            "flow.web.transport.tcp.congestion",
            &*format!("{{ {congestion} = {{}} }}"),
        );
        let settings = [LOSSY, &[congestion, ("duration", "2 s")]].concat();
        let report = by_every_runner(&plan(WEB, &settings));
        let of = |metric| value(&report, "flow web", metric);
        assert!(of("messages") > 20.0 && of("timeouts") > 0.0);
        let rest = of("messages") + of("refused_arrivals") + of("open_connections");
        assert!((of("arrivals") - rest).abs() < 0.5);
    }
}

#[test]
fn users_of_a_closed_loop_wait_and_every_octet_arrives_once() {
    let settings = [&LOSSY[1..], &[USERS, ("duration", "20 s")]].concat();
    let report = run(WEB, &settings, 0);
    let of = |metric| value(&report, "flow web", metric);
    assert!((of("max_connections") - 3.0).abs() < 0.5);
    assert!(of("messages") > 100.0);
    // Sizes alternate, in the order of arrivals; connections under way have delivered a part.
    let (messages, delivered) = (of("messages"), of("octets_delivered"));
    let completed = (messages / 2.0).floor() * 100_001.0;
    assert!(
        (delivered - completed).abs() <= 4.0 * 100_000.0,
        "{delivered} of {completed}"
    );
}

#[test]
fn arrivals_beyond_the_most_are_refused() {
    let settings = [
        (
            "flow.web.source.connections",
            "{ arrivals.poisson.gap = \"10 ms\", size.constant = \"100 kB\", most = 4 }",
        ),
        ("duration", "5 s"),
    ];
    let report = run(WEB, &settings, 0);
    let of = |metric| value(&report, "flow web", metric);
    // The link carries 12 connections in a second, and 100 arrive.
    assert!((of("max_connections") - 4.0).abs() < 0.5);
    assert!(of("refused_arrivals") > 0.7 * of("arrivals"));
}

#[test]
fn the_load_is_that_of_the_slowest_link() {
    let settings = [
        (
            "flow.web.source.connections",
            "{ arrivals.poisson.load = \"60 %\", size.constant = \"9600 B\" }",
        ),
        ("link.far.rate", "5 Mbit/s"),
        ("router.r1.buffer.per_output", "1 MB"),
        ("duration", "400 s"),
    ];
    let report = run(WEB, &settings, 0);
    let of = |metric| value(&report, "flow web", metric);
    // Ten full packets each: 10,000 octets of 60 % of 5 Mbit/s, of which 96 % are user data.
    let expected = 0.6 * 5e6 * 400.0 / (10_000.0 * 8.0);
    assert_close(of("arrivals"), expected, 5.0 / expected.sqrt(), "arrivals");
    assert_close(of("goodput"), 0.96 * 3e6, 5.0 / expected.sqrt(), "goodput");
    // The load of the port counts the handshake and the last acknowledgment too: 80 octets each.
    let utilization = value(&report, "port r1->client", "utilization");
    assert_close(utilization, 0.6 * 1.008, 5.0 / expected.sqrt(), "load");
}

#[test]
fn a_flow_of_connections_may_start_late_and_pause_for_the_warm_up() {
    let settings = [LOSSY, &[("warm_up", "1 s"), ("duration", "3 s")]].concat();
    let report = run(WEB, &settings, 0);
    let of = |metric| value(&report, "flow web", metric);
    assert!(of("mean_connections") <= of("max_connections"));
    assert!(of("mean_slowdown") >= 1.0);
    assert!(of("median_slowdown") <= of("p99_slowdown"));
}

#[test]
fn every_host_talks_to_every_other_and_the_load_is_that_of_a_host() {
    let text = r#"
duration = "20 s"
[host.node]
count = 4
[router.r1]
buffer.per_output = "1 MB"
[link.in]
between = ["node", "r1"]
rate = "10 Mbit/s"
delay = "10 us"
[flow.web]
from = "node"
to = "node"
pairs = "all"
source.connections = { arrivals.poisson.load = "30 %", size.constant = "960 B" }
transport.tcp = { packet = "1000 B" }
over.packet = {}
"#;
    let report = run(text, &[], 0);
    let arrivals = |flow| value(&report, &format!("flow web[{flow}]"), "arrivals");
    assert!(report.value("flow web[12]", "arrivals").is_none());
    // 375 connections a second from each host, and a third of them to each other host.
    let expected = 0.3 * 10e6 / 8000.0 * 20.0;
    for host in 0..4 {
        let of_host: f64 = (3 * host..3 * host + 3).map(arrivals).sum();
        assert_close(
            of_host,
            expected,
            5.0 / expected.sqrt(),
            "arrivals at a host",
        );
        for flow in 3 * host..3 * host + 3 {
            assert_close(
                arrivals(flow),
                expected / 3.0,
                5.0 / (expected / 3.0).sqrt(),
                "a pair",
            );
        }
    }
    let ring = run(text, &[("flow.web.pairs", "next")], 0);
    assert!(ring.value("flow web[3]", "arrivals").is_some());
    assert!(ring.value("flow web[4]", "arrivals").is_none());
}
