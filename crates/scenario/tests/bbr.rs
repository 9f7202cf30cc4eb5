//! BBR on a path of its own: no loss but for a probe of the round-trip time, and random losses.

use crate::common::{is_soak, run, value};

/// Octets of a packet, and of the user data in it.
const PACKET: f64 = 1500.0;
const DATA: f64 = 1460.0;

/// One flow over a path of `rate` bit/s with a round trip of `ms`, two bandwidth-delay products of
/// buffer, and packets lost with probability `loss`.
fn scenario(rate: f64, ms: f64, loss: f64, seconds: u32) -> String {
    let buffer = (rate * ms / 1e3 / 8.0 / PACKET * 2.0).ceil().max(4.0) * PACKET;
    let loss = if loss > 0.0 {
        format!("loss.packet = \"{} %\"", loss * 100.0)
    } else {
        String::new()
    };
    format!(
        r#"
duration = "{seconds} s"
warm_up = "10 s"
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
delay = "{} us"
{loss}
[flow.f]
from = "a"
to = "b"
source.greedy = {{}}
over.packet = {{}}
[flow.f.transport.tcp]
packet = "{PACKET} B"
window = "64 MiB"
window_scaling = true
initial_window = 10
acknowledge.every = {{}}
timers.rfc6298 = {{ min = "200 ms" }}
congestion.bbr = {{}}
"#,
        ms * 500.0,
    )
}

/// The share of the path that user data uses after the first ten seconds.
fn used(rate: f64, ms: f64, loss: f64, seconds: u32, replication: u64) -> f64 {
    let report = run(&scenario(rate, ms, loss, seconds), &[], replication);
    value(&report, "flow f", "goodput") / (rate * DATA / PACKET)
}

/// A probe of the round-trip time takes 200 ms and two round trips of ten seconds: all else of the
/// path is used, however short the path is. draft-cardwell-iccrg-bbr-congestion-control-00, section
/// 4.3.5.
#[test]
fn a_flow_without_losses_uses_its_path_but_for_the_probes() {
    let rates: &[f64] = if is_soak() {
        &[20e6, 100e6, 1e9]
    } else {
        &[20e6]
    };
    let mut wrong = Vec::new();
    for &rate in rates {
        for ms in [1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 40.0] {
            let least = 1.0 - (0.2 + 2.0 * ms / 1e3) / 10.0 - 0.01;
            let used = used(rate, ms, 0.0, 31, 0);
            if used < least {
                wrong.push(format!("{rate} bit/s, {ms} ms: {used:.4} of {least:.4}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What random losses leave is used, in each replication: a probe of the round-trip time and a
/// recovery that overlap do not cut the window for good, and recoveries that follow one another
/// conserve packets once. Section 4.2.3.4 of the draft.
///
/// Between its probes for bandwidth a flow sends as fast as was delivered, so that what arrives is
/// (1 - p)^2 of the path at least, and more where luck raises the largest of ten rounds. The link
/// loses as many acknowledgments.
#[test]
fn a_flow_uses_what_random_losses_leave() {
    let (losses, replications): (&[f64], u64) = if is_soak() {
        (&[0.001, 0.01, 0.03, 0.05], 5)
    } else {
        (&[0.01, 0.05], 1)
    };
    let mut wrong = Vec::new();
    for &loss in losses {
        for replication in 0..replications {
            let least = if loss < 0.05 {
                (1.0 - loss) * (1.0 - 0.022) - 0.03
            } else {
                (1.0 - loss) * (1.0 - loss) * (1.0 - (0.2 + 2.0 * 0.06) / 10.0)
            };
            let used = used(50e6, 60.0, loss, 40, replication);
            if used < least {
                wrong.push(format!("{loss}: {used:.4} of {least:.4} ({replication})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Goodput in bit/s, and packets sent again.
fn carried(path: &str, settings: &[(&str, &str)]) -> (f64, f64) {
    let report = run(path, settings, 0);
    let of_flow = |metric| value(&report, "flow f", metric);
    (of_flow("goodput"), of_flow("packets_retransmitted"))
}

/// The option of Linux, `bbr_lt_bw_sampling`.
const LONG_TERM: &str = "flow.f.transport.tcp.congestion.bbr.long_term";

/// A policer drops what exceeds 10 Mbit/s after a burst at 100 Mbit/s, with no memory to speak of. The
/// start takes the rate of the burst for that of the path; two intervals later the flow knows the one of
/// the policer, and sends for 48 round trips of 40 ms without a probe, which would lose a fifth.
#[test]
fn a_flow_keeps_to_the_rate_of_a_policer() {
    let path = scenario(100e6, 40.0, 0.0, 30);
    let of = |is_on| {
        let settings = [
            ("router.r.buffer.per_output", "6000 B"),
            (
                "link.path.shaper.token_bucket",
                "{ rate = \"10 Mbit/s\", burst = \"500 kB\" }",
            ),
            ("warm_up", "1 s"),
            ("duration", "2.4 s"),
            (LONG_TERM, is_on),
        ];
        carried(&path, &settings)
    };
    let (on, off) = (of("true"), of("false"));
    assert!(on.1 < 0.2 * off.1, "{on:?} and {off:?}");
    assert!(on.0 > 0.95 * 10e6 * DATA / PACKET, "{on:?}");
}

/// Fewer losses than 50 octets for 256 that arrive are none of a policer: no number changes.
#[test]
fn losses_of_a_tenth_show_no_policer() {
    let path = scenario(20e6, 40.0, 0.1, 30);
    let of = |is_on| carried(&path, &[(LONG_TERM, is_on)]);
    assert_eq!(of("true"), of("false"));
}
