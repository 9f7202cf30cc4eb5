//! Networks whose links lose nothing, by pauses, credits or retry.

/// Two hosts send more than the link between two routers carries, and that link more than the last;
/// the links before the last have the flow control `$control`.
macro_rules! chain {
    ($control:literal) => {
        concat!(
            r#"duration = "3 ms"
[host.left]
[host.right]
[host.other]
[host.sink]
[router.r1]
buffer.per_output = "200 kB"
[router.r2]
buffer.per_output = "200 kB"
[link.left]
between = ["left", "r1"]
rate = "10 Gbit/s"
delay = "100 m"
"#,
            $control,
            r#"
[link.right]
between = ["right", "r1"]
rate = "10 Gbit/s"
delay = "20 m"
"#,
            $control,
            r#"
[link.trunk]
between = ["r1", "r2"]
rate = "10 Gbit/s"
delay = "300 m"
"#,
            $control,
            r#"
[link.other]
between = ["r1", "other"]
rate = "10 Gbit/s"
[link.exit]
between = ["r2", "sink"]
rate = "5 Gbit/s"
[flow.left]
from = "left"
to = "sink"
source.constant_rate = { rate = "6 Gbit/s" }
transport.datagram = { packet = "1500 B" }
over.packet = {}
[flow.right]
from = "right"
to = "sink"
source.constant_rate = { rate = "6 Gbit/s" }
transport.datagram = { packet = "700 B" }
over.packet = {}
[flow.beside]
from = "right"
to = "other"
source.constant_rate = { rate = "2 Gbit/s" }
transport.datagram = { packet = "700 B" }
over.packet = {}
"#,
        )
    };
}

/// Two hosts and two routers in a row, whose packets go both ways.
macro_rules! both_ways {
    ($duration:literal, $buffer:literal) => {
        concat!(
            "duration = \"",
            $duration,
            "\"\n",
            "[host.a]\n[host.b]\n",
            "[router.r]\nbuffer.per_output = \"",
            $buffer,
            "\"\n",
            "[router.s]\nbuffer.per_output = \"",
            $buffer,
            "\"\n",
            r#"[link.in]
between = ["a", "r"]
rate = "10 Gbit/s"
delay = "200 ns"
[link.trunk]
between = ["r", "s"]
rate = "5 Gbit/s"
delay = "2 us"
[link.out]
between = ["s", "b"]
rate = "10 Gbit/s"
delay = "1 us"
"#
        )
    };
}

pub(crate) use {both_ways, chain};

/// A flow whose writes, of so many octets, follow one another by gaps in nanoseconds; `more` has
/// other parameters of it.
pub fn datagrams(name: &str, ends: [&str; 2], more: &str, writes: &[(u64, u64)]) -> String {
    let mut at = 0;
    let lines = writes.iter().map(|(gap, octets)| {
        at += gap;
        format!("{:.9} {octets}", at as f64 * 1e-9)
    });
    let lines: Vec<String> = lines.collect();
    let [from, to] = ends;
    format!(
        "[flow.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\nover.packet = {{}}\n{more}\n\
         transport.datagram = {{ packet = \"4000 B\", header = \"40 B\" }}\n\
         source.trace.text = \"{}\"\n",
        lines.join("\\n")
    )
}
