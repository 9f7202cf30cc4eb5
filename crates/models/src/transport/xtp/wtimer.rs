//! WTIMER: the time a sender waits for an answer.
//!
//! There is one timer for an association: a new request restarts it, so it guards the latest
//! request only. WTIMER is the smoothed round-trip time plus twice the deviation, both estimated by
//! the filters of Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, for which Ajmone
//! Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the Performance of Transport Protocols over ATM
//! Networks", section 2.2, cite pages 27 and 28 of the specification; in a handshake WTIMER doubles
//! with each expiry. Our own bounds, after RFC 6298, section 2: `max`, and `granularity`, without
//! which WTIMER would expire at the very arrival of an answer once the round-trip time is constant.

use kernel::{Duration, Time};
use parameters::{Conflict, choices, parameters};

parameters! {
    /// WTIMER: the time a sender waits for the answer to a request.
    #[check(conflict)]
    pub struct WTimerSpec {
        /// Time before the first round-trip time is known.
        #[range("1 us", "1 h")]
        pub initial: Duration = "500 ms",
        /// Smallest time by which WTIMER exceeds the smoothed round-trip time.
        #[range("1 us", "1 h")]
        pub granularity: Duration = "100 us",
        /// Upper bound of WTIMER.
        #[range("1 us", "1 h")]
        pub max: Duration = "60 s",
        /// Answers that give a round-trip time.
        pub round_trips: RoundTrips = "data",
    }
}

choices! {
    /// Answers that give a round-trip time.
    pub enum RoundTrips {
        /// Answers to requests in data packets.
        data => Data,
        /// Answers to requests in data packets, and answers that end a handshake.
        all => All,
    }
}

impl WTimerSpec {
    fn conflict(&self) -> Option<Conflict> {
        let spans = [("initial", self.initial), ("granularity", self.granularity)];
        let (name, span) = spans.into_iter().find(|(_, span)| *span > self.max)?;
        Some(Conflict {
            name,
            problem: format!("`{span}` is more than the longest time, `{}`", self.max),
            hint: format!("write at most `\"{}\"`", self.max),
        })
    }
}

/// The timer of one sender.
#[derive(Clone, Debug)]
pub struct WTimer {
    spec: WTimerSpec,
    /// Smoothed round-trip time, and its deviation.
    estimate: Option<(Duration, Duration)>,
    /// Time of the latest request.
    asked: Time,
    /// Time of expiry; [`Time::NEVER`] if the timer is not running.
    deadline: Time,
    /// Number of doublings of WTIMER since the last answer.
    doublings: u32,
}

impl WTimer {
    /// A timer that is not running.
    pub fn new(spec: &WTimerSpec) -> WTimer {
        WTimer {
            spec: spec.clone(),
            estimate: None,
            asked: Time::ZERO,
            deadline: Time::NEVER,
            doublings: 0,
        }
    }

    /// A request is made: WTIMER starts or restarts.
    pub fn start(&mut self, now: Time) {
        self.asked = now;
        self.deadline = now + self.span();
    }

    /// WTIMER expired in a handshake: it runs twice as long from now on.
    pub fn double(&mut self) {
        self.doublings += 1;
    }

    /// Stops WTIMER, because the latest request is answered; returns the round-trip time
    /// if `round_trips` counts this answer as a round-trip sample.
    pub fn answered(&mut self, now: Time, in_handshake: bool) -> Option<Duration> {
        self.deadline = Time::NEVER;
        self.doublings = 0;
        let counts = !in_handshake || self.spec.round_trips == RoundTrips::All;
        counts.then(|| self.sample(now.since(self.asked)))
    }

    fn sample(&mut self, rtt: Duration) -> Duration {
        self.estimate = Some(match self.estimate {
            None => (rtt, rtt / 2),
            Some((srtt, rttvar)) => {
                let error = srtt.max(rtt) - srtt.min(rtt);
                ((srtt * 7 + rtt) / 8, (rttvar * 3 + error) / 4)
            }
        });
        rtt
    }

    /// Length of WTIMER if it starts now.
    pub fn span(&self) -> Duration {
        let usual = match self.estimate {
            None => self.spec.initial,
            Some((srtt, rttvar)) => srtt + (rttvar * 2).max(self.spec.granularity),
        };
        let mut span = usual.min(self.spec.max);
        for _ in 0..self.doublings {
            if span == self.spec.max {
                break;
            }
            span = (span * 2).min(self.spec.max);
        }
        span
    }

    /// Time of expiry of WTIMER.
    pub fn deadline(&self) -> Time {
        self.deadline
    }

    /// Smoothed round-trip time; zero before the first.
    pub fn srtt(&self) -> Duration {
        self.estimate.map_or(Duration::ZERO, |(srtt, _)| srtt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_ms;

    fn timer(round_trips: RoundTrips) -> WTimer {
        WTimer::new(&WTimerSpec {
            initial: MS(500),
            granularity: MS(1),
            max: MS(60_000),
            round_trips,
        })
    }

    /// Length of WTIMER after the given round-trip times.
    fn after(round_trips: &[u64]) -> Duration {
        let mut timer = timer(RoundTrips::Data);
        for ms in round_trips {
            timer.start(Time::ZERO);
            timer.answered(Time::ZERO + MS(*ms), false);
        }
        timer.span()
    }

    #[test]
    fn a_wtimer_is_the_mean_and_two_deviations() {
        assert_eq!(after(&[]), MS(500));
        assert_eq!(after(&[100]), MS(200));
        // Deviation 3/4 x 50 + 1/4 x 80 = 57.5, mean 7/8 x 100 + 1/8 x 180 = 110.
        assert_eq!(after(&[100, 180]), MS(225));
        assert_eq!(after(&[100; 100]), MS(101));
    }

    #[test]
    fn doubles_until_an_answer_comes() {
        let mut timer = timer(RoundTrips::Data);
        let spans: Vec<u64> = (0..9)
            .map(|_| {
                let span = timer.span();
                timer.double();
                span.ps() / 1_000_000_000
            })
            .collect();
        assert_eq!(
            spans,
            [
                500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000
            ]
        );
        timer.answered(Time::ZERO, true);
        assert_eq!(timer.span(), MS(500));
    }

    #[test]
    fn an_answer_to_a_handshake_is_a_sample_only_where_all_round_trips_count() {
        for (round_trips, expected) in [(RoundTrips::Data, None), (RoundTrips::All, Some(MS(100)))]
        {
            let mut timer = timer(round_trips);
            timer.start(Time::ZERO + MS(500));
            assert_eq!(timer.answered(Time::ZERO + MS(600), true), expected);
            assert_eq!(timer.srtt(), expected.unwrap_or_default());
        }
    }
}
