//! The timers of RFC 6298: "Computing TCP's Retransmission Timer", 2011, sections 2 and 5.
//!
//! The mean and the deviation are kept in whole picoseconds, so results are equal on every machine.
//! Departs from sections 2.4 and 2.5: `min` may be less than a second and `max` less than a minute,
//! because studies of fast networks have shorter timeouts.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Clock, RttEstimate, TimeoutBounds, Timers};

parameters! {
    /// The standard estimator: SRTT + max(G, 4 RTTVAR), at least one second.
    pub struct Rfc6298 {
        /// Granularity G of the clock, the lower bound of the deviation term.
        #[range("1 us", "1 h")]
        pub granularity: Duration = "1 ms",
        /// Shortest timeout, section 2.4.
        #[as_in(TimeoutBounds)]
        pub min: Duration,
        /// Longest timeout, section 2.5.
        #[as_in(TimeoutBounds)]
        pub max: Duration = "60 s",
        /// Timeout before the first round-trip time is known, section 2.1.
        #[as_in(TimeoutBounds)]
        pub initial: Duration = "1 s",
    }
}

/// Timeout of the first data after a lost SYN: section 5.7.
const AFTER_LATE_OPENING: Duration = Duration::from_ms(3_000);

impl Rfc6298 {
    /// The estimator of one sender.
    pub fn build(&self, _clock: &Clock) -> Box<dyn Timers> {
        Box::new(State {
            spec: self.clone(),
            estimate: None,
        })
    }
}

struct State {
    spec: Rfc6298,
    /// SRTT and RTTVAR.
    estimate: Option<(Duration, Duration)>,
}

impl Timers for State {
    fn on_sample(&mut self, sent: Time, now: Time) {
        self.on_one_of(1, sent, now);
    }

    /// RFC 7323, appendix G, divides alpha and beta by the number of samples.
    fn on_one_of(&mut self, expected: u64, sent: Time, now: Time) {
        let rtt = now.since(sent);
        self.estimate = Some(match self.estimate {
            // Section 2.2.
            None => (rtt, rtt / 2),
            // Section 2.3: alpha = 1/8, beta = 1/4, the deviation first.
            Some((srtt, rttvar)) => {
                let error = srtt.max(rtt) - srtt.min(rtt);
                let mean = moved(srtt, rtt, 8 * expected);
                (mean, moved(rttvar, error, 4 * expected))
            }
        });
    }

    /// Section 5.7: after a lost SYN a timeout of less than three seconds is raised to three
    /// seconds.
    fn on_late_opening(&mut self) -> bool {
        self.spec.initial = self.spec.initial.max(AFTER_LATE_OPENING);
        true
    }

    fn estimate(&self) -> Option<RttEstimate> {
        self.estimate.map(|(srtt, rttvar)| RttEstimate {
            srtt: srtt + self.spec.granularity * 2,
            rttvar,
        })
    }

    fn raise(&mut self, before: RttEstimate, rtt: Duration) {
        self.estimate = Some((before.srtt.max(rtt), before.rttvar.max(rtt / 2)));
    }

    fn rto(&self, backoff: u64) -> Duration {
        let estimate = match self.estimate {
            None => self.spec.initial,
            Some((srtt, rttvar)) => srtt + (rttvar * 4).max(self.spec.granularity),
        };
        (estimate.max(self.spec.min) * backoff).min(self.spec.max)
    }

    fn srtt(&self) -> Duration {
        self.estimate.map_or(Duration::ZERO, |(srtt, _)| srtt)
    }
}

/// The weighted mean of `old` with weight `parts - 1` and `new` with weight one, rounded down.
fn moved(old: Duration, new: Duration, parts: u64) -> Duration {
    let sum = u128::from(old.ps()) * u128::from(parts - 1) + u128::from(new.ps());
    Duration::from_ps((sum / u128::from(parts)) as u64)
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_ms;

    fn check(samples: &[u64], min: Duration) -> Duration {
        let spec = Rfc6298 {
            granularity: MS(1),
            min,
            max: MS(60_000),
            initial: MS(1_000),
        };
        let mut timers = State {
            spec,
            estimate: None,
        };
        for ms in samples {
            timers.on_sample(Time::ZERO, Time::ZERO + MS(*ms));
        }
        timers.rto(1)
    }

    #[test]
    fn the_timeout_follows_the_sections_of_the_rfc() {
        assert_eq!(check(&[], MS(0)), MS(1_000));
        // SRTT 100, RTTVAR 50.
        assert_eq!(check(&[100], MS(0)), MS(300));
        // RTTVAR 3/4 x 50 + 1/4 x 80 = 57.5, SRTT 7/8 x 100 + 1/8 x 180 = 110.
        assert_eq!(check(&[100, 180], MS(0)), MS(340));
        assert_eq!(check(&[100], MS(1_000)), MS(1_000));
    }

    /// RFC 7323, appendix G: the weights of many samples add up to about the weight of one.
    #[test]
    fn one_of_many_samples_moves_the_estimate_by_its_share() {
        let mut timers = State {
            spec: understand(&value!({})).expect("timers"),
            estimate: Some((MS(100), MS(50))),
        };
        timers.on_one_of(10, Time::ZERO, Time::ZERO + MS(180));
        // SRTT 79/80 x 100 + 1/80 x 180 = 101, RTTVAR 39/40 x 50 + 1/40 x 80 = 50.75.
        let rttvar = Duration::from_us(50_750);
        assert_eq!(timers.estimate, Some((MS(101), rttvar)));
    }

    #[test]
    fn the_deviation_term_is_at_least_the_granularity() {
        assert_eq!(check(&[100; 200], MS(0)), MS(101));
    }
}
