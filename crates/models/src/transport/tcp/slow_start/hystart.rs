//! HyStart (hybrid slow start): it ends slow start when acknowledgments show that the path is full.
//!
//! Ha and Rhee, "Taming the Elephants: New TCP Slow Start", Computer Networks 55(9), 2011, whose
//! subject is this rule, with the numbers of Linux (`tcp_cubic.c`). Either of two signs is enough:
//! the acknowledgments of a round that follow one another closely span half of the shortest round
//! trip, so the data in flight fills the path; or the shortest round trip of a round has grown.
//!
//! Left out: HyStart again in the slow start after a timeout, as in `bictcp_reset`.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{GrowthStep, Round, SlowStart, rtt_threshold};
use crate::transport::tcp::congestion::{Ack, Limits};

parameters! {
    /// HyStart, as in Linux: it ends slow start when acknowledgments come close together for half a
    /// round trip, or when the round trip grows.
    pub struct Hystart {
        /// Smallest window at which HyStart may end slow start, in segments.
        #[range(1, 1_000_000)]
        pub low_window: u32 = 16,
        /// Longest gap between two acknowledgments that count as close together.
        #[range("1 us", "1 s")]
        pub spacing: Duration = "2 ms",
    }
}

/// Samples of a round before its shortest round trip is compared: the ninth is the first that is
/// (`hystart_update`, `HYSTART_MIN_SAMPLES`).
const SAMPLES: u32 = 9;

/// Longest burst of acknowledgments that segments sent as one cause, and the octets of such a burst:
/// `hystart_ack_delay`.
const LONGEST_BURST: Duration = Duration::from_ms(1);
const BURST: u64 = 4 * 65_536;

impl Hystart {
    /// The slow start of one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn SlowStart> {
        Box::new(State {
            spec: self.clone(),
            mss: limits.mss,
            round: Round::default(),
            shortest: None,
            began: Time::ZERO,
            last: Time::ZERO,
        })
    }
}

struct State {
    spec: Hystart,
    mss: u64,
    round: Round,
    /// Shortest round trip so far.
    shortest: Option<Duration>,
    /// Start of the present round.
    began: Time,
    /// Time of the last acknowledgment of the round that closely followed another.
    last: Time,
}

impl State {
    /// True if close acknowledgments span half of the shortest round trip and of the time that a
    /// burst takes: the packets in flight then fill the path.
    fn train_is_long(&mut self, ack: &Ack, burst: Duration) -> bool {
        let now = ack.now;
        let close = now.since(self.last) <= self.spec.spacing;
        if close {
            self.last = now;
        }
        // Paced segments are spread over the round trip.
        let parts = if ack.is_paced { 1 } else { 2 };
        let half = self.shortest.map(|shortest| (shortest + burst) / parts);
        close && half.is_some_and(|half| now.since(self.began) > half)
    }

    /// True if the shortest round trip of this round exceeds that of the connection by the delay of
    /// a queue.
    fn is_late(&self) -> bool {
        let pair = self.round.known(SAMPLES).zip(self.shortest);
        pair.is_some_and(|(now, ever)| now > ever + rtt_threshold(ever))
    }
}

/// `hystart_ack_delay`: what the largest bursts of a sender add to the time between
/// acknowledgments, at the pacing rate of slow start, which is two windows in a round trip.
fn burst(ack: &Ack, cwnd: u64) -> Duration {
    let spread = u128::from(ack.srtt.ps()) * u128::from(BURST) / (2 * u128::from(cwnd.max(1)));
    u64::try_from(spread).map_or(LONGEST_BURST, |ps| LONGEST_BURST.min(Duration::from_ps(ps)))
}

impl SlowStart for State {
    fn on_ack(&mut self, ack: &Ack, cwnd: u64) -> GrowthStep {
        if let Some(rtt) = ack.rtt {
            self.shortest = Some(self.shortest.map_or(rtt, |shortest| shortest.min(rtt)));
        }
        if cwnd < u64::from(self.spec.low_window) * self.mss {
            return GrowthStep::grows(ack.opens(self.mss));
        }
        if self.round.is_passed(ack) {
            self.round.begin(ack);
            (self.began, self.last) = (ack.now, ack.now);
        }
        self.round.sample(ack.rtt);
        if self.train_is_long(ack, burst(ack, cwnd)) || self.is_late() {
            // The acknowledgment that ends slow start counts in congestion avoidance already.
            return GrowthStep {
                growth: 0,
                left: ack.octets,
                ends: true,
            };
        }
        GrowthStep::grows(ack.opens(self.mss))
    }
}
