//! Small crowded networks, one for each way in which flows are carried.

/// A network whose flows are carried in one way.
pub struct Carrier {
    pub name: &'static str,
    pub text: String,
    /// The family of its forwarding nodes.
    pub node: &'static str,
}

/// Two hosts on each side of two nodes, and two links between these. `nodes`, `links` and `over` are
/// lines for the tables.
fn network(node: &str, nodes: &str, links: &str, over: &str) -> String {
    format!(
        r#"
duration = "4 ms"
[host.left]
count = 2
[host.right]
count = 2
[{node}.n1]
{nodes}
[{node}.n2]
{nodes}
[link.access]
between = ["left", "n1"]
rate = "100 Mbit/s"
delay = "2 us"
{links}
[link.trunk]
between = ["n1", "n2"]
rate = "60 Mbit/s"
delay = "20 us"
{links}
[link.second]
between = ["n1", "n2"]
rate = "60 Mbit/s"
delay = "30 us"
{links}
[link.exit]
between = ["n2", "right"]
rate = "100 Mbit/s"
delay = "2 us"
[flow.bulk]
from = "left"
to = "right"
{over}
source.poisson = {{ length.constant = "400 B", rate = "40 Mbit/s" }}
transport.datagram = {{ packet = "500 B" }}
[flow.beside]
from = "left"
to = "right"
{over}
source.poisson = {{ length.constant = "100 B", rate = "10 Mbit/s" }}
transport.datagram = {{ packet = "200 B" }}
[flow.back]
from = "right"
to = "left"
{over}
transport.tcp = {{ packet = "600 B", window = "20 kB" }}
"#
    )
}

/// Edges at both ends of a switch.
fn edges() -> String {
    let switched = network("switch", "buffer.per_output = \"60 cells\"", "", "");
    let with_edges = switched
        .replace("rate = \"60 Mbit/s\"", "rate = \"40 Mbit/s\"")
        .replace("[\"left\", \"n1\"]", "[\"left\", \"e1\"]")
        .replace("[\"n2\", \"right\"]", "[\"e2\", \"right\"]");
    with_edges
        + r#"
[edge.e1]
queue = "40 cells"
[edge.e2]
queue = "40 cells"
[link.up]
between = ["e1", "n1"]
rate = "100 Mbit/s"
[link.down]
between = ["n2", "e2"]
rate = "100 Mbit/s"
"#
}

/// The network with another priority for the second flow, which is neither paused nor needs credits.
fn beside(mut carrier: Carrier) -> Carrier {
    let flow = "[flow.beside]\n";
    carrier.text = carrier.text.replace(flow, &format!("{flow}priority = 1\n"));
    carrier
}

/// Every carrier.
pub fn carriers() -> Vec<Carrier> {
    let small = "buffer.per_output = \"60 cells\"";
    let large = "buffer.per_output = \"30 kB\"";
    let credit = "credit.cbfc = { priorities = [0], limit = 12 }";
    let pause = "pause.pfc = { priorities = [0], xoff = \"2 kB\" }";
    let of = |name, node, nodes, links, over| Carrier {
        name,
        text: network(node, nodes, links, over),
        node,
    };
    vec![
        of("cells", "switch", small, "", ""),
        of("abr", "switch", small, "", "over.abr = {}"),
        of(
            "shaped",
            "switch",
            small,
            "",
            "over.cbr = { rate = \"45 Mbit/s\" }",
        ),
        of("packets", "router", small, "", "over.packet = {}"),
        of(
            "a switch of packets",
            "switch",
            small,
            "",
            "over.packet = {}",
        ),
        of("ptm", "router", small, "", "over.ptm = {}"),
        beside(of("pauses", "router", large, pause, "over.packet = {}")),
        beside(of("credits", "router", large, credit, "over.packet = {}")),
        of(
            "credits for cells",
            "switch",
            "buffer.per_output = \"300 cells\"\nscheduler.round_robin = {}",
            "credit.n23 = {}",
            "",
        ),
        Carrier {
            name: "edges",
            text: edges(),
            node: "switch",
        },
    ]
}
