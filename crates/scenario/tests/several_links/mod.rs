//! Hosts with several links.

mod cells;
mod choice;
mod failures;
mod routes;

use scenario::lower::Plan;
use scenario::report::Report;

use crate::common::packets::traced;
use crate::common::value;

/// A server with a link to each of two switches, and a client that reaches it over both.
const DUAL: &str = r#"
duration = "60 ms"
[host.server]
[host.client]
[switch.left]
buffer.per_output = "60 kB"
[switch.right]
buffer.per_output = "60 kB"
[switch.core]
buffer.per_output = "60 kB"
[link.first]
between = ["server", "left"]
rate = "50 Mbit/s"
delay = "20 us"
[link.second]
between = ["server", "right"]
rate = "50 Mbit/s"
delay = "520 us"
[link.left]
between = ["left", "core"]
rate = "100 Mbit/s"
[link.right]
between = ["right", "core"]
rate = "100 Mbit/s"
[link.client]
between = ["core", "client"]
rate = "1 Gbit/s"
[flow.down]
from = "server"
to = "client"
transport.tcp = { packet = "1500 B", window = "60 kB", congestion.sack = {} }
over.packet = {}
[flow.up]
from = "client"
to = "server"
source.poisson = { rate = "5 Mbit/s", length.constant = "800 B" }
transport.datagram = { packet = "1500 B" }
over.packet = {}
"#;

/// Four rails from each of sixteen servers to one switch.
const RAILS: &str = r#"
duration = "100 ms"
[host.server]
count = 16
[host.client]
[switch.leaf]
buffer.per_output = "100 kB"
[link.a]
between = ["server", "leaf"]
rate = "100 Mbit/s"
[link.b]
between = ["server", "leaf"]
rate = "100 Mbit/s"
[link.c]
between = ["server", "leaf"]
rate = "100 Mbit/s"
[link.d]
between = ["server", "leaf"]
rate = "100 Mbit/s"
[link.client]
between = ["leaf", "client"]
rate = "10 Gbit/s"
[flow.to]
from = "server"
to = "client"
source.constant_rate = { rate = "1 Mbit/s" }
transport.datagram = { packet = "1000 B" }
over.packet = {}
[flow.from]
from = "client"
to = "server"
source.constant_rate = { rate = "1 Mbit/s" }
transport.datagram = { packet = "1000 B" }
over.packet = {}
"#;

const LINKS: [&str; 4] = ["a", "b", "c", "d"];

/// Settings that give the server and the client's switch a rule.
fn both(rule: &str) -> [(&'static str, &str); 2] {
    [("host.server.paths", rule), ("switch.core.paths", rule)]
}

/// Numbers of packets that each output sent whole, from a trace.
fn passed(plan: &Plan, outputs: &[&str]) -> Vec<usize> {
    let (_, packets) = traced(plan);
    let passed = |output: &&str| {
        let hops = packets.hops.iter();
        let here = hops.filter(|hop| packets.outputs[hop.output as usize].to_string() == **output);
        here.count()
    };
    outputs.iter().map(passed).collect()
}

/// Octets a second that a flow delivered.
fn goodput(report: &Report, flow: &str) -> f64 {
    value(report, &format!("flow {flow}"), "goodput")
}

/// The network with cells, and a bearer of its flows.
fn in_cells(over: &str) -> String {
    let text = DUAL.replace("over.packet = {}", over);
    text.replace(
        "buffer.per_output = \"60 kB\"",
        "buffer.per_output = \"1000 cells\"\nrate.erica = {}",
    )
}
