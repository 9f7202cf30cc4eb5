//! Scenarios for the tests of several files.

/// One TCP connection from host `a` through switch `s` to host `b`.
pub const LINE: &str = r#"
duration = "1 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "100 cells"
[link.a]
between = ["a", "s"]
rate = "1 Mbit/s"
[link.b]
between = ["b", "s"]
rate = "1 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.greedy = {}
transport.tcp = {}
"#;
