//! One connection on a path without losses except at its buffer: every congestion control uses as
//! much of the path as theory says, with any receiver's window, and its timer does not expire once
//! slow start has ended.

use crate::common::{is_soak, run, value};

/// Round trip without a queue, and rate of the path.
const ROUND_TRIP: f64 = 0.04;
const RATE: f64 = 20e6;

/// Octets of a packet, and of the user data in it.
const PACKET: f64 = 1500.0;
const DATA: f64 = 1460.0;

/// A congestion control, and its properties in theory.
#[derive(Clone, Copy)]
struct Algorithm {
    /// The kind and its parameters as a scenario writes them, and further parameters of TCP.
    says: &'static str,
    beside: &'static str,
    /// Factor by which a loss multiplies the congestion window.
    leaves: f64,
    /// True if slow start follows each loss.
    starts_again: bool,
    /// True if the sender, after a recovery in which it sent nothing, sends the unsent data in one
    /// burst, most of which is lost. The Reno of ns-2 does so too, and its timer expires as often;
    /// proportional rate reduction does so because it ends at ssthresh: RFC 9937, section 6.4.
    bursts: bool,
    /// Largest number of timeouts in the measured time of `AFTER_SLOW_START`.
    expires: f64,
}

const fn halves(says: &'static str) -> Algorithm {
    Algorithm {
        says,
        beside: "",
        leaves: 0.5,
        starts_again: false,
        bursts: false,
        expires: 0.0,
    }
}

const fn cubic(says: &'static str) -> Algorithm {
    Algorithm {
        leaves: 0.7,
        ..halves(says)
    }
}

const fn tahoe(says: &'static str) -> Algorithm {
    Algorithm {
        // Unguarded go-back-N keeps retransmitting the data it has retransmitted: see decision 9.
        beside: "repeated_fast_retransmit = \"guarded\"",
        starts_again: true,
        ..halves(says)
    }
}

const fn bursting(of: Algorithm) -> Algorithm {
    Algorithm { bursts: true, ..of }
}

/// Without SACK, each round trip recovers one loss, and only the first partial acknowledgment
/// restarts the timer. It expires before the many losses of a slow start are recovered: RFC 3782,
/// section 4. The last such timeout may come between 3 s and 4 s.
const IMPATIENT_CUBIC: Algorithm = Algorithm {
    expires: 1.0,
    ..cubic("cubic = { recovery = \"new_reno\" }")
};

const ALGORITHMS: [Algorithm; 20] = [
    tahoe("tahoe_gbn = {}"),
    tahoe("tahoe_bsd = {}"),
    bursting(halves("reno = {}")),
    halves("new_reno = {}"),
    halves("new_reno = { timer = \"every\" }"),
    halves("new_reno = { exit = \"ssthresh\" }"),
    halves("new_reno = { flavour = \"ns\", timer = \"every\", exit = \"ssthresh\" }"),
    halves("sack = {}"),
    halves("sack = { pipe = \"fall_floyd\" }"),
    bursting(halves("sack = { pipe = \"proportional\" }")),
    halves("sack = { pipe = \"rack\" }"),
    cubic("cubic = {}"),
    cubic("cubic = { slow_start.standard = {} }"),
    cubic("cubic = { slow_start.hystart = {} }"),
    IMPATIENT_CUBIC,
    bursting(cubic("cubic = { recovery = \"sack_proportional\" }")),
    bursting(cubic("cubic = { recovery = \"rack_proportional\" }")),
    halves("dctcp = {}"),
    halves("dctcp = { recovery = \"new_reno\" }"),
    bursting(halves("dctcp = { recovery = \"sack_proportional\" }")),
];

/// Receiver's windows in KiB, from less than the bandwidth-delay product to 100 times as much, and
/// buffers, as multiples of that product.
const WINDOWS: [u32; 9] = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];
const BUFFERS: [f64; 8] = [0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5, 2.0];
const FEW_WINDOWS: [u32; 4] = [64, 256, 2048, 16384];
const FEW_BUFFERS: [f64; 4] = [0.1, 0.35, 1.0, 2.0];

/// The buffers and windows that the algorithm of an index meets: all of them in `make soak`; otherwise
/// each of a few once, so that four algorithms in a row meet every pair of these.
fn pairs(index: usize) -> Vec<(f64, u32)> {
    if is_soak() {
        let each = BUFFERS.iter();
        each.flat_map(|&buffer| WINDOWS.map(|window| (buffer, window)))
            .collect()
    } else {
        let each = FEW_BUFFERS.iter().enumerate();
        each.map(|(nth, &buffer)| (buffer, FEW_WINDOWS[(nth + index) % FEW_WINDOWS.len()]))
            .collect()
    }
}

fn scenario(algorithm: &Algorithm, room: f64, window: u32) -> String {
    let Algorithm { says, beside, .. } = algorithm;
    format!(
        r#"
duration = "50 s"
warm_up = "30 s"
[host.a]
[host.b]
[router.r]
buffer.per_output = "{} B"
[link.access]
between = ["a", "r"]
rate = "1 Gbit/s"
[link.path]
between = ["r", "b"]
rate = "{RATE} bit/s"
delay = "{} us"
[flow.f]
from = "a"
to = "b"
source.greedy = {{}}
over.packet = {{}}
[flow.f.transport.tcp]
packet = "{PACKET} B"
window = "{window} KiB"
{beside}
congestion.{says}
"#,
        room * PACKET,
        ROUND_TRIP / 2.0 * 1e6,
    )
}

/// The utilization of the path by a window that grows by a constant amount in each round trip, up
/// to the bandwidth-delay product plus the buffer, and that each loss multiplies by `leaves`.
///
/// Windows are in units of the bandwidth-delay product, times in units of the round trip without a
/// queue. While the window is below 1, a round trip lasts 1 and carries one window. Above 1 the
/// queue makes the round trip as long as the window is large, and the path is full.
fn share(algorithm: &Algorithm, room: f64, holds: f64) -> f64 {
    let high = 1.0 + room / holds;
    let low = algorithm.leaves * high;
    if low >= 1.0 && !algorithm.starts_again {
        return 1.0;
    }
    let below = (1.0 - low).max(0.0);
    let squares = |from: f64| (high * high - from * from) / 2.0;
    let (carried, lasts) = (squares(low), below + squares(low.max(1.0)));
    // Slow start takes the round trip of the loss, and one for each doubling of the window.
    let slow = if algorithm.starts_again {
        (1.0 + (low * holds).log2()) / holds * high
    } else {
        0.0
    };
    carried / (lasts + slow)
}

/// With a buffer below a third of the bandwidth-delay product, each slow start overflows it
/// again: Lakshman and Madhow, "The Performance of TCP/IP for Networks with High Bandwidth-Delay
/// Products and Random Loss", IEEE/ACM Transactions on Networking 5(3), 1997, section III.
const ENOUGH_FOR_SLOW_START: f64 = 1.0 / 3.0;

/// True if the receiver's window, in packets, stops the sender during a fast recovery.
///
/// Until the lost packet is acknowledged, the sender may send `leaves` times the window of new
/// packets, if the receiver's window has space for them beside the outstanding ones. Without that
/// space nothing is in flight when recovery ends; then slow start follows (RFC 6582, section 3.2,
/// step 3), or a burst.
fn silences(algorithm: &Algorithm, window: f64, holds: f64, room: f64) -> bool {
    let high = holds + room;
    (high..(1.0 + algorithm.leaves) * high).contains(&window)
}

/// Settings of a run measured from the end of slow start to the time that goodput is measured.
const AFTER_SLOW_START: [(&str, &str); 2] = [("warm_up", "3 s"), ("duration", "30 s")];

#[test]
fn one_connection_fills_a_clean_path_as_far_as_theory_says() {
    let holds = RATE * ROUND_TRIP / 8.0 / PACKET;
    let mut wrong = Vec::new();
    for (index, algorithm) in ALGORITHMS.iter().enumerate() {
        for (buffer, window) in pairs(index) {
            if algorithm.starts_again && buffer < ENOUGH_FOR_SLOW_START {
                continue;
            }
            let room = (buffer * holds).round();
            let text = scenario(algorithm, room, window);
            let packets = (f64::from(window) * 1024.0 / PACKET).floor();
            let silenced =
                buffer < ENOUGH_FOR_SLOW_START && silences(algorithm, packets, holds, room);
            if silenced && algorithm.bursts {
                continue;
            }
            let report = run(&text, &[], 0);
            let [goodput, timeouts, resent] = ["goodput", "timeouts", "retransmission_ratio"]
                .map(|metric| value(&report, "flow f", metric));
            let early = value(&run(&text, &AFTER_SLOW_START, 0), "flow f", "timeouts");
            let expired = timeouts > 0.0 || early > algorithm.expires;
            let found = goodput / (RATE * DATA / PACKET);
            // A window of `holds` + 1 packets fills the path: one more is in transmission.
            let by_window = packets / (holds + 1.0);
            let expected = share(algorithm, room, holds).min(by_window);
            let short = found < 0.98 * expected && !silenced;
            if short || expired || resent > 0.01 {
                wrong.push(format!(
                    "{}, {window} KiB, {room} packets of room: {found:.3} of the path instead of \
                     {expected:.3}, {early} timeouts and then {timeouts}, {resent:.4} sent again",
                    algorithm.says
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// With a receiver's window several times the bandwidth-delay product, each partial acknowledgment
/// of a fast recovery releases new data. At a timeout, far more data are outstanding than are in
/// the network.
#[test]
fn what_waits_behind_lost_repetitions_does_not_count_as_the_window() {
    let controls = [
        "new_reno = {}",
        "cubic = {}",
        "cubic = { slow_start.standard = {} }",
    ];
    for says in controls {
        for window in [2048, 4096, 8192] {
            let text = scenario(&halves(says), 333.0, window);
            let faster = [("link.path.rate", "100 Mbit/s"), ("duration", "40 s")];
            let report = run(&text, &faster, 0);
            let [goodput, timeouts] =
                ["goodput", "timeouts"].map(|metric| value(&report, "flow f", metric));
            let found = goodput / (100e6 * DATA / PACKET);
            assert!(
                found > 0.98 && timeouts == 0.0,
                "{says}, {window} KiB: {found:.3} of the path, {timeouts} timeouts"
            );
        }
    }
}
