//! Arrivals of a Poisson process: many users, each of whom rarely opens a connection, and none of
//! whom waits for another.
//!
//! Kleinrock, "Queueing Systems", volume 1, 1975, section 2.4. Sessions of users arrive so: Paxson
//! and Floyd, "Wide Area Traffic: The Failure of Poisson Modeling", IEEE/ACM Transactions on
//! Networking 3(3), 1995, section 3. Our own rule: `load` counts the slowest link of the path, with
//! the headers of full packets and without acknowledgments, handshakes and retransmissions, because
//! these depend on the transport.

use kernel::{Duration, Rate, Stream, Time};
use parameters::{Conflict, Fraction, parameters};

use super::{Arrivals, ArrivalsKind, Opening};
use crate::traffic::one_rate;

parameters! {
    /// Connections with exponential gaps, independent of each other. With `pairs = "all"` the rate
    /// is that of all flows from one host together.
    #[check(conflict)]
    pub struct PoissonArrivals {
        /// Mean load of the data of all connections on the slowest link of the path, headers, padding
        /// and cell headers of full packets included, as a share of the rate of the link.
        pub load: Option<Fraction>,
        /// Mean user data per second of all connections, if `load` is not given.
        pub rate: Option<Rate>,
        /// Mean time from one arrival to the next, if neither `load` nor `rate` is given.
        pub gap: Option<Duration>,
    }
}

impl PoissonArrivals {
    /// The arrivals of one flow.
    pub fn build(&self, opening: &Opening) -> Box<dyn Arrivals> {
        let of_load = self
            .load
            .map(|load| opening.mean / (opening.carried * load.0));
        let gap = of_load.or_else(|| self.gap(opening.mean));
        // A Poisson process that is divided at random is several independent ones.
        let gap = gap.expect("one of three is given") * f64::from(opening.siblings);
        if gap.is_infinite() {
            return Box::new(Nobody);
        }
        let mut arrivals = State {
            gap,
            next: opening.start,
            random: opening.stream("arrivals"),
        };
        arrivals.take();
        Box::new(arrivals)
    }

    fn conflict(&self) -> Option<Conflict> {
        let given = [self.load.is_some(), self.rate.is_some(), self.gap.is_some()];
        one_rate(given, "arrivals", "60 %")
    }
}

impl ArrivalsKind for PoissonArrivals {
    fn gap(&self, mean: f64) -> Option<f64> {
        let of_rate = |rate: Rate| mean * 8.0 / rate.bits_per_second() as f64;
        self.rate
            .map(of_rate)
            .or_else(|| self.gap.map(Duration::seconds))
    }
}

struct State {
    /// Mean gap, in seconds.
    gap: f64,
    next: Time,
    random: Stream,
}

impl Arrivals for State {
    fn next(&self) -> Time {
        self.next
    }

    fn take(&mut self) -> Option<u64> {
        let gap = Duration::from_seconds_f64(self.gap * self.random.exponential_unit());
        // Time must advance, or endlessly many connections could arrive at one instant.
        self.next += gap.max(Duration::from_ps(1));
        None
    }
}

/// No arrivals.
struct Nobody;

impl Arrivals for Nobody {
    fn next(&self) -> Time {
        Time::NEVER
    }

    fn take(&mut self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::arrivals::tests::opening;

    #[test]
    fn the_three_ways_to_state_the_rate_give_the_mean_gap() {
        // 1 kB on a path of 1 MB/s: 100 connections per second are a load of 10 %.
        for arrivals in [
            value!({ load = "10 %" }),
            value!({ rate = "800 kbit/s" }),
            value!({ gap = "10 ms" }),
        ] {
            let spec: PoissonArrivals = understand(&arrivals).expect("arrivals");
            let mut arrivals = spec.build(&opening());
            let count = 100_000;
            for _ in 1..count {
                assert_eq!(arrivals.take(), None);
            }
            // Five standard errors of the mean of exponential gaps.
            let mean = arrivals.next().seconds() / f64::from(count);
            assert!((mean / 0.01 - 1.0).abs() < 5.0 / f64::from(count).sqrt());
        }
        let none: PoissonArrivals = understand(&value!({ load = "0 %" })).expect("arrivals");
        assert_eq!(none.build(&opening()).next(), Time::NEVER);
    }
}
