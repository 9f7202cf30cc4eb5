//! HyStart (hybrid slow start): it ends slow start when acknowledgments show that the path is full.
//!
//! Ha and Rhee, "Taming the Elephants: New TCP Slow Start", Computer Networks 55(9), 2011, whose
//! subject is this rule, with the numbers of Linux (`tcp_cubic.c`). Either of two signs is enough:
//! the acknowledgments of a round that follow one another closely span half of the shortest round
//! trip, so the data in flight fills the path; or the shortest round trip of a round has grown.

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
    /// True if close acknowledgments span half of the shortest round trip: the packets in flight
    /// then fill the path.
    fn train_is_long(&mut self, now: Time) -> bool {
        let close = now.since(self.last) <= self.spec.spacing;
        if close {
            self.last = now;
        }
        let half = self.shortest.map(|shortest| shortest / 2);
        close && half.is_some_and(|half| now.since(self.began) > half)
    }

    /// True if the shortest round trip of this round exceeds that of the connection by the delay of
    /// a queue.
    fn is_late(&self) -> bool {
        let pair = self.round.known().zip(self.shortest);
        pair.is_some_and(|(now, ever)| now > ever + rtt_threshold(ever))
    }
}

impl SlowStart for State {
    fn on_ack(&mut self, ack: &Ack, cwnd: u64) -> GrowthStep {
        if self.round.turn(ack).is_some() {
            (self.began, self.last) = (ack.now, ack.now);
        }
        if let Some(rtt) = ack.rtt {
            self.shortest = Some(self.shortest.map_or(rtt, |shortest| shortest.min(rtt)));
        }
        self.round.sample(ack.rtt);
        let large = cwnd >= u64::from(self.spec.low_window) * self.mss;
        GrowthStep {
            growth: ack.octets.min(self.mss),
            ends: large && (self.train_is_long(ack.now) || self.is_late()),
        }
    }
}
