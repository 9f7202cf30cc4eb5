//! Messages: when they are complete, whatever their senders know, and those that had not ended when
//! their run did.

use crate::common::{assert_close, by_every_runner, plan, run, value};

/// A server sends files of whole segments to a client over a router.
const FILES: &str = r#"
duration = "5 s"
[host.server]
[host.client]
[router.r]
buffer.per_output = "1 MB"
[link.near]
between = ["server", "r"]
rate = "1 Gbit/s"
delay = "1 ms"
[link.far]
between = ["r", "client"]
rate = "1 Gbit/s"
delay = "1 ms"
[flow.file]
from = "server"
to = "client"
source.files = { length.constant = "1460 B", gap = "10 s" }
over.packet = {}
transport.tcp = { packet = "1500 B", initial_window = 40 }
"#;

/// Asserts that a count is as expected.
fn assert_count(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() < 0.5,
        "{what}: {found} instead of {expected}"
    );
}

const LENGTH: &str = "flow.file.source.files.length.constant";
const ACKNOWLEDGE: &str = "flow.file.transport.tcp.acknowledge";

/// Seconds of a full packet on a link.
const PACKET: f64 = 12e-6;

#[test]
fn a_completion_is_an_arrival_however_it_is_acknowledged() {
    for segments in 1..=30_u32 {
        let length = format!("{} B", 1460 * segments);
        let arrival = f64::from(segments + 1) * PACKET + 2e-3;
        for (acknowledge, delay) in [
            ("{ every = {} }", 0.0),
            ("{ rfc5681.delay = \"40 ms\" }", 40e-3),
            ("{ rfc5681.delay = \"500 ms\" }", 500e-3),
        ] {
            let settings = [(LENGTH, length.as_str()), (ACKNOWLEDGE, acknowledge)];
            let report = run(FILES, &settings, 0);
            let of = |metric| value(&report, "flow file", metric);
            assert_close(of("max_completion_time"), arrival, 1e-9, "completion");
            // Every second segment is acknowledged at once.
            let waits = if segments % 2 == 1 { delay } else { 0.0 };
            let acknowledged = of("max_acknowledged_time") - arrival;
            let expected = waits + 2e-3 + 2.0 * 0.32e-6;
            assert_close(acknowledged, expected, 1e-6, "acknowledgment");
        }
    }
}

#[test]
fn data_that_arrived_is_complete_before_its_sender_knows() {
    // The file arrives after 2.024 ms, and its acknowledgment after 4.02464 ms.
    for (duration, ended, known) in [
        ("2.0239 ms", 0.0, 0.0),
        ("2.0241 ms", 1.0, 0.0),
        ("4.0246 ms", 1.0, 0.0),
        ("4.0247 ms", 1.0, 1.0),
    ] {
        let settings = [("duration", duration), (ACKNOWLEDGE, "{ every = {} }")];
        let report = by_every_runner(&plan(FILES, &settings));
        let of = |metric| value(&report, "flow file", metric);
        assert_count(of("messages"), ended, duration);
        assert_count(of("unfinished_messages"), 1.0 - ended, duration);
        assert_count(of("unacknowledged_messages"), 1.0 - known, duration);
        let of_all = value(&report, "network", "unfinished_messages");
        assert_count(of_all, 1.0 - ended, duration);
    }
}

#[test]
fn an_unfinished_message_counts_with_its_age() {
    let settings = [
        ("duration", "12 ms"),
        (LENGTH, "10 MB"),
        ("flow.file.source.files.start", "2 ms"),
    ];
    let report = run(FILES, &settings, 0);
    for metric in ["mean", "median", "p95", "p99", "p999", "max"] {
        let metric = format!("{metric}_completion_time");
        assert_close(value(&report, "flow file", &metric), 10e-3, 1e-9, &metric);
    }
}

#[test]
fn a_message_of_the_warm_up_is_not_counted() {
    // Files begin every 100 ms, and take 2.024 ms: the second begins before the warm-up is over.
    let settings = [
        ("duration", "1.05 s"),
        ("warm_up", "0.101 s"),
        ("flow.file.source.files.gap", "95.97536 ms"),
        (ACKNOWLEDGE, "{ every = {} }"),
    ];
    let report = run(FILES, &settings, 0);
    assert_count(value(&report, "flow file", "messages"), 9.0, "messages");
    let unfinished = value(&report, "flow file", "unfinished_messages");
    assert_count(unfinished, 0.0, "unfinished");
}

#[test]
fn messages_that_began_have_ended_or_are_unfinished() {
    let sources = [
        (
            "files",
            "{ length.geometric.mean = \"20 kB\", gap = \"1 ms\" }",
        ),
        (
            "request_response",
            "{ response.geometric.mean = \"20 kB\", think = \"1 ms\" }",
        ),
    ];
    for (source, parameters) in sources {
        for duration in ["100 ms", "101.3 ms", "103.1 ms", "104 ms"] {
            let text = FILES.replace(
                "source.files = { length.constant = \"1460 B\", gap = \"10 s\" }",
                &format!("source.{source} = {parameters}"),
            );
            let report = by_every_runner(&plan(&text, &[("duration", duration)]));
            let of = |metric| value(&report, "flow file", metric);
            assert!(of("messages") > 5.0);
            // A connection has one message under way at most.
            assert!(of("unfinished_messages") <= of("unacknowledged_messages"));
            assert!(of("unacknowledged_messages") <= 1.0);
        }
    }
    let connections = FILES.replace(
        "source.files = { length.constant = \"1460 B\", gap = \"10 s\" }",
        "source.connections = { arrivals.poisson.gap = \"1 ms\", size.geometric.mean = \"20 kB\" }",
    );
    for warm_up in ["0 s", "20 ms"] {
        let settings = [("duration", "100 ms"), ("warm_up", warm_up)];
        let report = by_every_runner(&plan(&connections, &settings));
        let of = |metric: &str| value(&report, "flow file", metric);
        let began = of("arrivals") - of("refused_arrivals");
        assert!(of("unfinished_messages") > 0.0);
        let known = of("messages") + of("unfinished_messages");
        assert_count(known, began, "connections");
        let of_classes = ["short", "medium", "long"].map(|class| {
            let ended = of(&format!("{class}_connections"));
            ended + of(&format!("unfinished_{class}_connections"))
        });
        assert_count(of_classes.iter().sum(), began, "classes");
    }
}
