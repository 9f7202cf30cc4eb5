//! The time after which a packet is taken for lost of which nothing was heard.
//!
//! The mean round-trip time and four deviations, with the gains of Jacobson, "Congestion Avoidance and
//! Control", SIGCOMM 1988, and at least the timeout of the parameters, as in the simulator of NDP. Our
//! own choice, after Karn: the time doubles with each expiry, up to [`LONGEST`], until a packet that was
//! sent once is answered.

use kernel::Duration;

/// The time up to which it doubles: our own choice, as for TCP (`tcp::timers`).
const LONGEST: Duration = Duration::from_ms(64_000);
/// Largest number of doublings: enough for [`LONGEST`] from the shortest timeout, 1 us.
const MOST_DOUBLINGS: u32 = 26;

/// The patience of one sender.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    least: Duration,
    /// Mean and deviation of the round-trip time; none before the first sample.
    round_trip: Option<(Duration, Duration)>,
    /// Expiries since the last sample.
    expiries: u32,
}

impl Patience {
    /// A patience of at least `least`.
    pub fn new(least: Duration) -> Patience {
        Patience {
            least,
            round_trip: None,
            expiries: 0,
        }
    }

    /// A packet that was sent once is answered after `sample`.
    pub fn sample(&mut self, sample: Duration) {
        self.expiries = 0;
        self.round_trip = Some(match self.round_trip {
            None => (sample, sample / 2),
            Some((mean, deviation)) => {
                let error = sample.max(mean) - sample.min(mean);
                let moved = mean * 7 / 8 + sample / 8;
                (moved, deviation * 3 / 4 + error / 4)
            }
        });
    }

    /// A packet has expired.
    pub fn expire(&mut self) {
        self.expiries = (self.expiries + 1).min(MOST_DOUBLINGS);
    }

    /// The mean round-trip time; zero before the first sample.
    pub fn round_trip(&self) -> Duration {
        self.round_trip.map_or(Duration::ZERO, |(mean, _)| mean)
    }

    /// The present time.
    pub fn time(&self) -> Duration {
        let measured = self
            .round_trip
            .map(|(mean, deviation)| mean + deviation * 4);
        let time = self.least.max(measured.unwrap_or(Duration::ZERO));
        // A time that is longer at first stays as it is.
        time.max(LONGEST.min(time * (1 << self.expiries)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_the_mean_and_four_deviations_but_at_least_the_timeout() {
        let us = Duration::from_us;
        let mut patience = Patience::new(us(100));
        assert_eq!(patience.time(), us(100));
        patience.sample(us(80));
        assert_eq!(patience.time(), us(80 + 4 * 40));
        patience.sample(us(80));
        assert_eq!(patience.time(), us(80 + 4 * 30));
        patience.expire();
        patience.expire();
        assert_eq!(patience.time(), us(4 * 200));
        for _ in 0..50 {
            patience.sample(us(80));
        }
        assert_eq!(patience.time(), us(100));
        for _ in 0..50 {
            patience.expire();
        }
        assert_eq!(patience.time(), LONGEST);
        assert_eq!(Patience::new(LONGEST * 2).time(), LONGEST * 2);
    }
}
