//! Windows of receivers that grow: they make room for the rate of a flow before it needs the room.

use proptest::prelude::*;

use crate::common::{run, value};

/// Largest window of the preset, in octets.
const MOST: f64 = 5.4e6;

/// A greedy flow of `preset.linux` alone on a path of `rate` bit/s with a round trip of `ms` and a
/// `buffer` in octets.
fn scenario(rate: f64, ms: f64, buffer: f64, round_trips: f64) -> String {
    let (rate, delay) = (rate as u64, (ms * 500.0) as u64);
    let (buffer, duration) = (buffer as u64, (ms * round_trips) as u64);
    format!(
        r#"
duration = "{duration} ms"
[host.a]
[host.b]
[router.r]
buffer.per_output = "{buffer} B"
[link.access]
between = ["a", "r"]
rate = "100 Gbit/s"
[link.path]
between = ["r", "b"]
rate = "{rate} bit/s"
delay = "{delay} us"
[flow.f]
from = "a"
to = "b"
source.greedy = {{}}
over.packet = {{}}
transport.tcp = {{ preset = "linux", packet = "1500 B" }}
"#
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A path that holds up to half of the largest window, with its buffer, since a recovery needs twice
    /// as much as is outstanding: the data that waits for a retransmission, and what is sent meanwhile.
    /// The start counts too.
    #[test]
    fn a_window_that_grows_holds_a_greedy_flow_back_for_two_round_trips_at_most(
        ms in prop_oneof![1.0..10.0f64, 10.0..200.0f64],
        holds in 0.05..0.5f64,
        buffered in 0.05..0.5f64,
    ) {
        let (holds, round_trips) = (holds * MOST, 60.0);
        let rate = holds * (1.0 - buffered) * 8e3 / ms;
        let text = scenario(rate, ms, (holds * buffered).max(15_000.0), round_trips);
        let report = run(&text, &[], 0);
        let held = value(&report, "flow f", "limited_by_receiver_window") * round_trips;
        prop_assert!(held <= 2.0, "{held} round trips at {rate} bit/s and {ms} ms");
    }
}
