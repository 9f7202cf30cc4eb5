//! The timers of BSD: a global clock that ticks, and integer arithmetic in ticks.
//!
//! One counter measures whole ticks; `srtt` is kept times eight, `rttvar` times four. The integer
//! recursion has fixed points of its own: with a round trip far below a tick, srtt becomes 7/8,
//! rttvar 3/4 and the timeout three ticks, which is the pause of 1.5 s that Kung and Morris saw. A
//! timer of k ticks expires at the k-th tick from now, thus after k - 1 to k ticks.
//!
//! Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix A; `tcp_input.c` and
//! `tcp_timer.c` of 4.3BSD-Tahoe (two mean deviations) and 4.3BSD-Reno (four). Departs from BSD in
//! one point: each sender has a clock of its own phase, because a transport does not know its host.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Clock, TimeoutBounds, Timers};

parameters! {
    /// BSD's integer estimator on a global clock of coarse ticks.
    pub struct BsdTimers {
        /// Time between ticks of the clock, whose phase is drawn for each sender.
        #[range("1 us", "10 s")]
        pub tick: Duration = "500 ms",
        /// Number of mean deviations in the timeout: two in 4.3BSD-Tahoe, four in 4.3BSD-Reno.
        #[range(1, 16)]
        pub deviations: u32 = 4,
        /// Shortest timeout, in ticks.
        #[range(1, 1_000_000)]
        pub min_ticks: u32 = 2,
        #[as_in(TimeoutBounds)]
        pub max: Duration,
        #[as_in(TimeoutBounds)]
        pub initial: Duration,
    }
}

impl BsdTimers {
    /// The estimator of one sender.
    pub fn build(&self, clock: &Clock) -> Box<dyn Timers> {
        let last_phase = Duration::from_ps(self.tick.ps() - 1);
        let phase = clock.random.clone().uniform(Duration::ZERO, last_phase);
        Box::new(State {
            spec: self.clone(),
            phase,
            srtt: 0,
            rttvar: 0,
        })
    }
}

struct State {
    spec: BsdTimers,
    phase: Duration,
    /// Smoothed round-trip time, in eighths of a tick; zero without a sample, as in BSD.
    srtt: i64,
    /// Smoothed mean deviation, in quarters of a tick.
    rttvar: i64,
}

impl State {
    /// Number of ticks up to and including `now`.
    fn ticks(&self, now: Time) -> u64 {
        (now + self.phase).since(Time::ZERO).whole(self.spec.tick)
    }

    fn span(&self, ticks: u64) -> Duration {
        self.spec.tick * ticks
    }

    fn rto_ticks(&self, backoff: u64) -> u64 {
        let estimate = if self.srtt == 0 && self.rttvar == 0 {
            self.spec.initial.ps().div_ceil(self.spec.tick.ps())
        } else {
            // Reno adds four deviations to the mean. Tahoe adds two: it halves the sum of twice the
            // mean and `rttvar`, which is four deviations. The sum is doubled here and halved at
            // the end, which rounds as both do.
            let doubled = (self.srtt >> 2) + self.rttvar * i64::from(self.spec.deviations) / 2;
            (doubled / 2) as u64
        };
        let longest = self.spec.max.whole(self.spec.tick).max(1);
        (estimate * backoff)
            .max(u64::from(self.spec.min_ticks))
            .min(longest)
    }
}

impl Timers for State {
    fn on_sample(&mut self, sent: Time, now: Time) {
        // The counter of BSD starts at one: it shows one tick more than the number of ticks passed.
        let counter = (self.ticks(now) - self.ticks(sent)) as i64 + 1;
        if self.srtt > 0 {
            let error = (counter - 1) - (self.srtt >> 3);
            self.srtt = (self.srtt + error).max(1);
            let error = error.abs() - (self.rttvar >> 2);
            self.rttvar = (self.rttvar + error).max(1);
        } else {
            self.srtt = counter * 8;
            self.rttvar = counter * 2;
        }
    }

    /// After more than three timeouts in a row the path may have changed. The mean is added to the
    /// deviation, which keeps the timeout, and is then reset.
    fn on_timeout(&mut self, count: u32) {
        if count > 3 && self.srtt > 0 {
            self.rttvar += self.srtt >> 3;
            self.srtt = 0;
        }
    }

    fn rto(&self, backoff: u64) -> Duration {
        self.span(self.rto_ticks(backoff))
    }

    fn deadline(&self, now: Time, backoff: u64) -> Time {
        let tick = self.ticks(now) + self.rto_ticks(backoff);
        Time::ZERO + self.span(tick).saturating_sub(self.phase)
    }

    fn srtt(&self) -> Duration {
        self.span(self.srtt as u64) / 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimator(deviations: u32) -> State {
        let spec = BsdTimers {
            tick: Duration::from_ms(500),
            deviations,
            min_ticks: 2,
            max: Duration::from_ms(64_000),
            initial: Duration::from_ms(6_000),
        };
        State {
            spec,
            phase: Duration::ZERO,
            srtt: 0,
            rttvar: 0,
        }
    }

    /// Passes round-trip times in milliseconds to the timer, each from the middle of a tick on;
    /// returns the timeout in ticks after each.
    fn check(deviations: u32, samples: &[u64]) -> Vec<u64> {
        let mut timers = estimator(deviations);
        let sent = Time::ZERO + Duration::from_ms(1_250);
        samples
            .iter()
            .map(|ms| {
                timers.on_sample(sent, sent + Duration::from_ms(*ms));
                timers.rto_ticks(1)
            })
            .collect()
    }

    #[test]
    fn waits_twelve_ticks_before_the_first_sample() {
        assert_eq!(estimator(4).rto_ticks(1), 12);
    }

    #[test]
    fn settles_at_three_ticks_when_the_round_trip_is_far_below_one() {
        let timeouts = check(4, &[1; 40]);
        assert_eq!(timeouts.last(), Some(&3));
    }

    #[test]
    fn one_sample_across_a_tick_raises_the_timeout_for_two_samples() {
        let mut samples = vec![1; 40];
        samples.extend([300, 1, 1, 1]);
        assert_eq!(check(4, &samples)[39..], [3, 5, 4, 3, 3]);
    }

    #[test]
    fn two_deviations_give_the_rule_of_tahoe() {
        let mut timers = estimator(2);
        timers.srtt = 8 * 9 + 5;
        timers.rttvar = 4 * 3 + 1;
        // floor((floor(77 / 4) + 13) / 2) = floor((19 + 13) / 2).
        assert_eq!(timers.rto_ticks(1), 16);
    }

    #[test]
    fn expires_at_a_tick_of_the_global_clock() {
        let mut timers = estimator(4);
        timers.phase = Duration::from_ms(100);
        timers.on_sample(Time::ZERO, Time::ZERO);
        let expiry = timers.deadline(Time::ZERO + Duration::from_ms(1_000), 1);
        // Ticks are at 400, 900, 1400, ... ms; the timeout is 3 ticks.
        assert_eq!(timers.rto_ticks(1), 3);
        assert_eq!(expiry, Time::ZERO + Duration::from_ms(2_400));
    }

    #[test]
    fn forgets_the_mean_but_not_the_timeout_after_more_than_three_expiries() {
        let mut timers = estimator(4);
        timers.srtt = 80;
        timers.rttvar = 4;
        let before = timers.rto_ticks(1);
        timers.on_timeout(4);
        assert_eq!(timers.rto_ticks(1), before);
        assert_eq!(timers.srtt, 0);
    }
}
