//! HyStart++: slow start slows down when the round trip grows, and ends if the round trip stays
//! longer.
//!
//! RFC 9406, "HyStart++: Modified Slow Start for TCP", 2023, section 4. Between slow start and
//! congestion avoidance there are five rounds of conservative slow start, in which the window grows
//! at a quarter of the speed; if a round trip is as short as before, slow start resumes.

use kernel::Duration;
use parameters::parameters;

use super::{GrowthStep, Round, SlowStart, rtt_threshold};
use crate::transport::tcp::congestion::{Ack, Limits};

parameters! {
    /// HyStart++, the slow start that RFC 9438 recommends: slower once the round trip grows.
    pub struct HystartPlusPlus {
        /// Rounds of conservative slow start: `CSS_ROUNDS`.
        #[range(1, 100)]
        pub rounds: u32 = 5,
        /// Divisor of the growth in conservative slow start: `CSS_GROWTH_DIVISOR`.
        #[range(2, 100)]
        pub divisor: u32 = 4,
        /// Largest number of segments by which one acknowledgment opens the window: `L`.
        #[range(1, 1000)]
        pub limit: u32 = 8,
    }
}

/// Number of samples that determine the shortest round trip of a round: RFC 9406, section 4.3.
const N_RTT_SAMPLE: u32 = 8;

impl HystartPlusPlus {
    /// The slow start of one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn SlowStart> {
        Box::new(State {
            spec: self.clone(),
            mss: limits.mss,
            round: Round::default(),
            before: None,
            conservative: None,
        })
    }
}

struct State {
    spec: HystartPlusPlus,
    mss: u64,
    round: Round,
    /// `lastRoundMinRTT`: the shortest round-trip time of the round before.
    before: Option<Duration>,
    conservative: Option<Conservative>,
}

/// State of conservative slow start (RFC 9406, section 4.2).
#[derive(Clone, Copy, Debug)]
struct Conservative {
    /// `cssBaselineMinRtt`: slow start resumes when a round-trip time is below this value.
    baseline: Duration,
    /// Rounds of conservative slow start that have ended, the first one included.
    rounds: u32,
}

impl State {
    /// Compares the shortest round trip of the round with that of the round before, once both are
    /// known.
    fn judge(&mut self) {
        let Some(now) = self.round.known(N_RTT_SAMPLE) else {
            return;
        };
        match self.conservative {
            None => {
                let later = self
                    .before
                    .is_some_and(|before| now >= before + rtt_threshold(before));
                self.conservative = later.then_some(Conservative {
                    baseline: now,
                    rounds: 0,
                });
            }
            Some(conservative) if now < conservative.baseline => self.conservative = None,
            Some(_) => {}
        }
    }

    /// A round ends; returns true if it was the last one of conservative slow start.
    fn turn(&mut self, ended: &Round) -> bool {
        self.before = ended.shortest;
        self.conservative.as_mut().is_some_and(|conservative| {
            conservative.rounds += 1;
            conservative.rounds >= self.spec.rounds
        })
    }
}

impl SlowStart for State {
    fn on_ack(&mut self, ack: &Ack, _cwnd: u64) -> GrowthStep {
        let ended = self.round.turn(ack);
        let ends = ended.is_some_and(|ended| self.turn(&ended));
        self.round.sample(ack.rtt);
        self.judge();
        let growth = ack
            .opens(self.mss)
            .min(u64::from(self.spec.limit) * self.mss);
        GrowthStep {
            ends,
            ..GrowthStep::grows(match self.conservative {
                None => growth,
                Some(_) => growth / u64::from(self.spec.divisor),
            })
        }
    }
}
