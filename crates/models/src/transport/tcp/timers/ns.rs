//! The timers of ns-2: round-trip times rounded to ticks, exact deadlines.
//!
//! As in BSD the mean is kept times eight and the deviation times four, in integers; a timer
//! expires when it is due, not at a tick. `TcpAgent::rtt_update` and `rtt_timeout` of ns-2.35.

use kernel::{Duration, Time};
use parameters::{choices, parameters};

use super::{Clock, TimeoutBounds, Timers};

parameters! {
    /// The estimator of ns-2: integer in ticks, with exact deadlines.
    pub struct Ns {
        /// Granularity of measured round-trip times.
        #[range("1 us", "10 s")]
        pub tick: Duration = "10 ms",
        /// Shortest timeout; it is never less than two ticks, with or without backoff.
        #[as_in(TimeoutBounds)]
        pub min: Duration,
        /// Order of the lower bound and the backoff.
        pub floor: Floor = "before_backoff",
        #[as_in(TimeoutBounds)]
        pub max: Duration,
        #[as_in(TimeoutBounds)]
        pub initial: Duration,
    }
}

choices! {
    /// Order of the lower bound of the timeout and its backoff.
    pub enum Floor {
        /// The bound applies before the backoff, as in RFC 6298: ns-2 with `rfc2988_`, its default
        /// since 2002.
        before_backoff => BeforeBackoff,
        /// The bound applies after the backoff, so the first backoff of a short timeout changes
        /// nothing: ns-2 without `rfc2988_`.
        after_backoff => AfterBackoff,
    }
}

impl Ns {
    /// The estimator of one sender.
    pub fn build(&self, _clock: &Clock) -> Box<dyn Timers> {
        Box::new(State {
            spec: self.clone(),
            srtt: 0,
            rttvar: 0,
        })
    }
}

struct State {
    spec: Ns,
    /// Smoothed round-trip time, in eighths of a tick; zero before the first sample.
    srtt: i64,
    /// Smoothed mean deviation, in quarters of a tick.
    rttvar: i64,
}

impl Timers for State {
    fn on_sample(&mut self, sent: Time, now: Time) {
        // As in ns-2, the clock shows a multiple of the tick, so the sample is the difference of
        // two readings.
        let tick = self.spec.tick;
        let passed = now.since(Time::ZERO).whole(tick) - sent.since(Time::ZERO).whole(tick);
        let rtt = (passed as i64).max(1);
        if self.srtt == 0 {
            self.srtt = rtt * 8;
            self.rttvar = rtt * 2;
            return;
        }
        let error = rtt - (self.srtt >> 3);
        self.srtt = (self.srtt + error).max(1);
        let error = error.abs() - (self.rttvar >> 2);
        self.rttvar = (self.rttvar + error).max(1);
    }

    fn rto(&self, backoff: u64) -> Duration {
        let estimate = if self.srtt == 0 {
            self.spec.initial
        } else {
            self.spec.tick * (((self.rttvar << 3) + self.srtt) >> 3) as u64
        };
        let min = self.spec.min;
        let stretched = match self.spec.floor {
            Floor::BeforeBackoff => estimate.max(min) * backoff,
            Floor::AfterBackoff => (estimate * backoff).max(min),
        };
        stretched.min(self.spec.max).max(self.spec.tick * 2)
    }

    fn srtt(&self) -> Duration {
        self.spec.tick * self.srtt as u64 / 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimator(floor: Floor) -> State {
        let spec = Ns {
            floor,
            tick: Duration::from_ms(10),
            min: Duration::from_ms(100),
            max: Duration::from_ms(64_000),
            initial: Duration::from_ms(6_000),
        };
        State {
            spec,
            srtt: 0,
            rttvar: 0,
        }
    }

    #[test]
    fn the_first_sample_sets_mean_and_deviation() {
        let mut timers = estimator(Floor::BeforeBackoff);
        assert_eq!(timers.rto(1), Duration::from_ms(6_000));
        timers.on_sample(Time::ZERO, Time::ZERO + Duration::from_ms(200));
        // 20 ticks, and four deviations of 10.
        assert_eq!(timers.rto(1), Duration::from_ms(600));
        assert_eq!(timers.srtt(), Duration::from_ms(200));
    }

    #[test]
    fn the_floor_comes_before_the_backoff_or_after_it_and_the_ceiling_last() {
        // One tick, and four deviations of half a tick: 30 ms.
        let after = [Floor::BeforeBackoff, Floor::AfterBackoff].map(|floor| {
            let mut timers = estimator(floor);
            timers.on_sample(Time::ZERO, Time::ZERO + Duration::from_ms(10));
            [1, 2, 8, 10_000].map(|backoff| timers.rto(backoff))
        });
        let expected = [[100, 200, 800, 64_000], [100, 100, 240, 64_000]];
        assert_eq!(after, expected.map(|row| row.map(Duration::from_ms)));
    }
}
