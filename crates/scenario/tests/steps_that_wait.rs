//! Flows whose steps wait for other flows: reads of blocks from several servers, exchanges of all
//! with all, and rings.

use crate::common::{assert_close, by_every_runner, plan, run, value};

/// A client reads blocks of which each of four servers has a part.
const READS: &str = r#"
duration = "2 s"
[host.client]
[host.server]
count = 4
[router.r1]
buffer.per_output = "64 kB"
[link.client]
between = ["client", "r1"]
rate = "1 Gbit/s"
delay = "10 us"
[link.server]
between = ["server", "r1"]
rate = "1 Gbit/s"
delay = "10 us"
[flow.request]
from = "client"
to = "server"
source.steps = { awaits = ["part"], each = "256 kB", write = "100 B", count = 20 }
transport.tcp = {}
over.packet = {}
[flow.part]
from = "server"
to = "client"
source.steps = { awaits = ["request"], each = "100 B", write = "256 kB", first = false }
over.packet = {}
[flow.part.transport.tcp]
initial_window = 10
congestion.sack = {}
timers.rfc6298 = { min = "2 ms", initial = "10 ms" }
"#;

#[test]
fn a_block_ends_when_all_parts_have_arrived_and_the_next_follows() {
    let report = by_every_runner(&plan(READS, &[]));
    let of = |server: usize, metric| value(&report, &format!("flow request[{server}]"), metric);
    for server in 0..4 {
        assert!((of(server, "messages") - 20.0).abs() < 0.5);
        assert!((of(server, "octets_delivered") - 2000.0).abs() < 0.5);
        let part = value(&report, &format!("flow part[{server}]"), "octets_delivered");
        assert!((part - 20.0 * 256e3).abs() < 0.5, "{part}");
        // All requests of a block wait for the same parts.
        let times = [0, server].map(|one| of(one, "mean_completion_time"));
        assert_close(times[1], times[0], 1e-12, "time of a block");
    }
    // Four parts take 8.4 ms of the link of the client.
    assert!(of(0, "mean_completion_time") > 4.0 * 256e3 * 8.0 / 1e9);
}

#[test]
fn one_server_alone_takes_its_time_on_the_links_for_each_block() {
    // Nothing waits: a request of 140 octets, and 256 kB in 176 packets, over two links.
    let settings = [
        ("host.server.count", "1"),
        ("flow.part.transport.tcp.initial_window", "500"),
        ("flow.part.transport.tcp.window", "1 MiB"),
        ("router.r1.buffer.per_output", "1 MB"),
    ];
    let report = run(READS, &settings, 0);
    let octets = |count: f64| count * 8.0 / 1e9;
    let request = 2.0 * octets(140.0) + 20e-6;
    let (full, last) = (175.0, 256_000.0 - 175.0 * 1460.0 + 40.0);
    let part = octets(full * 1500.0 + last) + octets(1500.0) + 20e-6;
    let found = value(&report, "flow request[0]", "mean_completion_time");
    // The last, smaller packet waits for a full one before it on the second link.
    assert_close(found, request + part, 2e-3, "block");
}

#[test]
fn exchanges_of_all_with_all_advance_together() {
    let exchange = |number: usize, from: usize, to: usize| {
        format!(
            "[flow.f{number}]\nfrom = \"node[{from}]\"\nto = \"node[{to}]\"\n\
             source.steps = {{ awaits = [\"f0\", \"f1\", \"f2\", \"f3\", \"f4\", \"f5\"], \
             each = \"30 kB\", write = \"30 kB\", count = 5 }}\n\
             transport.tcp = {{}}\nover.packet = {{}}\n"
        )
    };
    let pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
    let flows: String = (0..)
        .zip(pairs)
        .map(|(number, (from, to))| exchange(number, from, to))
        .collect();
    let text = format!(
        "duration = \"1 s\"\n[host.node]\ncount = 3\n[router.r1]\n\
         buffer.per_output = \"100 kB\"\n[link.in]\nbetween = [\"node\", \"r1\"]\n\
         rate = \"100 Mbit/s\"\ndelay = \"10 us\"\n{flows}"
    );
    let report = by_every_runner(&plan(&text, &[]));
    for number in 0..6 {
        let of = |metric| value(&report, &format!("flow f{number}"), metric);
        assert!((of("messages") - 5.0).abs() < 0.5);
        assert!((of("octets_delivered") - 150e3).abs() < 0.5);
    }
}
