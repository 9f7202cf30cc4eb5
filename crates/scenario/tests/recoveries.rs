//! Recoveries of a sender in a network: what they send again, and when.

use crate::common::{run, value};

/// A file of 30 segments at once over 1 Gbit/s with a round trip of 20 ms; the 21st segment and the
/// last are lost. A datagram goes before them, after 2 s, so that the link loses no acknowledgment
/// that matters: in each direction it loses packets by their number.
const TAIL: &str = r#"
duration = "3.5 s"
[host.a]
[host.b]
[link.path]
between = ["a", "b"]
rate = "1 Gbit/s"
delay = "10 ms"
loss.nth = [22, 31]
[flow.before]
from = "a"
to = "b"
source.constant_rate = { rate = "688 bit/s" }
transport.datagram = { packet = "200 B" }
over.packet = {}
[flow.f]
from = "a"
to = "b"
source.files = { length.constant = "43800 B", count = 1, start = "2.1 s" }
over.packet = {}
[flow.f.transport.tcp]
packet = "1500 B"
window = "1 MiB"
initial_window = 30
acknowledge.every = {}
timers.rfc6298 = { min = "200 ms" }
"#;

/// The retransmission of the first hole arrives, and so shows that the last segment, behind which
/// nothing was sent, is lost too: RFC 8985, section 6.2, step 5.
#[test]
fn a_lost_end_behind_a_lost_middle_costs_a_round_trip_and_no_timeout() {
    for control in ["sack = { pipe = \"rack\" }", "sack = {}", "bbr = {}"] {
        let report = run(&format!("{TAIL}congestion.{control}"), &[], 0);
        let of = |metric| value(&report, "flow f", metric);
        assert!(of("timeouts") < 1.0, "{control}");
        assert!(
            (of("retransmission_ratio") - 2.0 / 30.0).abs() < 1e-9,
            "{control}"
        );
        let time = of("max_completion_time");
        // Two and a half round trips, and the acknowledgment.
        assert!((0.05..0.065).contains(&time), "{control}: {time} s");
    }
}
