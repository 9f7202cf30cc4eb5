//! The timers of Linux: a timeout that is a round-trip time and at least 200 ms, and that follows the
//! largest deviation of the latest windows.
//!
//! `tcp_rtt_estimator` and `__tcp_set_rto` of Linux 6.6 (`tcp_input.c`); Sarolahti and Kuznetsov,
//! "Congestion Control in Linux TCP", USENIX 2002, section 4. The mean is that of RFC 6298. The
//! deviation rises at once, but falls by a quarter of the difference once in a window; it counts only
//! in part while the round-trip time falls, so that a shorter round trip does not raise the timeout.
//!
//! Departs from Linux, which counts in microseconds, and in which a window ends when data sent after
//! its start is acknowledged: here it ends with the round-trip time of such data, and times are exact.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Clock, TimeoutBounds, Timers};

parameters! {
    /// The estimator of Linux: the mean and the largest deviation of a window, at least `min`.
    pub struct LinuxTimers {
        /// Least deviation term, which is added to the mean (`TCP_RTO_MIN`).
        #[range("1 us", "1 h")]
        pub min: Duration = "200 ms",
        /// Longest timeout (`TCP_RTO_MAX`).
        #[as_in(TimeoutBounds)]
        pub max: Duration = "120 s",
        /// Timeout before the first round-trip time is known (`TCP_TIMEOUT_INIT`).
        #[as_in(TimeoutBounds)]
        pub initial: Duration = "1 s",
    }
}

/// Timeout of the first data after a lost SYN, if there is no round-trip time
/// (`TCP_TIMEOUT_FALLBACK`).
const AFTER_LATE_OPENING: Duration = Duration::from_ms(3_000);

impl LinuxTimers {
    /// The estimator of one sender.
    pub fn build(&self, _clock: &Clock) -> Box<dyn Timers> {
        Box::new(State {
            spec: self.clone(),
            estimate: None,
        })
    }
}

struct State {
    spec: LinuxTimers,
    estimate: Option<Estimate>,
}

/// The estimate, in picoseconds. The names are those of Linux, and so are the scales.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    /// Eight times the smoothed round-trip time.
    srtt: i64,
    /// Four times the mean deviation.
    mdev: i64,
    /// Largest `mdev` of the present window.
    mdev_max: i64,
    /// Deviation term of the timeout.
    rttvar: i64,
    /// Start of the present window.
    window: Time,
}

impl Estimate {
    fn first(now: Time, rtt: i64, min: i64) -> Estimate {
        let mdev = 2 * rtt;
        Estimate {
            srtt: 8 * rtt,
            mdev,
            mdev_max: mdev.max(min),
            rttvar: mdev.max(min),
            window: now,
        }
    }

    fn next(&mut self, sent: Time, now: Time, rtt: i64, min: i64) {
        let error = rtt - self.srtt / 8;
        self.srtt += error;
        let mut change = error.abs() - self.mdev / 4;
        if error < 0 && change > 0 {
            change /= 8;
        }
        self.mdev += change;
        if self.mdev > self.mdev_max {
            self.mdev_max = self.mdev;
            self.rttvar = self.rttvar.max(self.mdev_max);
        }
        if sent >= self.window {
            if self.mdev_max < self.rttvar {
                self.rttvar -= (self.rttvar - self.mdev_max) / 4;
            }
            self.window = now;
            self.mdev_max = min;
        }
    }
}

impl Timers for State {
    fn on_sample(&mut self, sent: Time, now: Time) {
        let rtt = now.since(sent).ps() as i64;
        let min = self.spec.min.ps() as i64;
        match &mut self.estimate {
            None => self.estimate = Some(Estimate::first(now, rtt, min)),
            Some(estimate) => estimate.next(sent, now, rtt, min),
        }
    }

    fn on_late_opening(&mut self) -> bool {
        self.spec.initial = self.spec.initial.max(AFTER_LATE_OPENING);
        true
    }

    fn rto(&self, backoff: u64) -> Duration {
        let estimate = self.estimate.map_or(self.spec.initial, |known| {
            Duration::from_ps((known.srtt / 8 + known.rttvar) as u64)
        });
        (estimate.min(self.spec.max) * backoff).min(self.spec.max)
    }

    fn srtt(&self) -> Duration {
        let srtt = self.estimate.map_or(0, |known| known.srtt / 8);
        Duration::from_ps(srtt as u64)
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    /// The timeouts in milliseconds after samples of these lengths, each of a window of its own.
    fn timeouts(samples: &[u64]) -> Vec<f64> {
        let mut timers = State {
            spec: LinuxTimers::defaults(),
            estimate: None,
        };
        let mut now = Time::ZERO;
        let after = samples.iter().map(|ms| {
            let sent = now;
            now += Duration::from_ms(*ms);
            timers.on_sample(sent, now);
            timers.rto(1).seconds() * 1e3
        });
        after.collect()
    }

    fn check(samples: &[u64], expected: f64) {
        let last = *timeouts(samples).last().expect("a sample");
        assert!((last - expected).abs() < 0.05, "{last} for {expected}");
    }

    #[test]
    fn a_constant_round_trip_leaves_the_least_deviation() {
        assert_eq!(timeouts(&[100; 50]), [300.0; 50]);
    }

    #[test]
    fn the_deviation_falls_by_a_quarter_a_window() {
        for (windows, expected) in [(1, 900.0), (2, 900.0), (3, 834.4), (4, 764.1), (5, 698.0)] {
            check(&vec![300; windows], expected);
        }
        check(&[300; 6], 648.5);
    }

    #[test]
    fn the_deviation_rises_at_once() {
        check(&[50, 50, 50, 400], 485.9);
    }

    #[test]
    fn a_shorter_round_trip_counts_for_an_eighth_of_its_deviation() {
        // The mean falls from 800 to 706.25, and an eighth of 750 is below the least deviation.
        let mut samples = vec![800; 100];
        samples.push(50);
        check(&samples, 906.25);
    }
}
