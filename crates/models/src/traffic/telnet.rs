//! A user who types: small messages at random times, independent of congestion.
//!
//! Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995, appendix
//! A, add a telnet connection with short packets at random times, in order to avoid phase effects.
//! The paper states no distribution. Our own default: exponential gaps, because gaps that are
//! independent of each other suffice for this use. Measured gaps have heavier tails: Paxson and
//! Floyd, "Wide-Area Traffic: The Failure of Poisson Modeling", IEEE/ACM Transactions on Networking
//! 3(3), 1995.

use kernel::{Duration, Stream, Time};
use parameters::{Bytes, Conflict, RandomTime, parameters};

use super::{
    Application, Demand, OnLink, PacketSizes, SHORTEST_GAP, Source, SourceKind, Spacing,
    StatedLoad, Write,
};

parameters! {
    /// Short messages separated by random gaps.
    #[check(conflict)]
    pub struct Telnet {
        /// Start of the first gap, after which the first message comes.
        pub start: RandomTime = "0 s",
        /// Time from one message to the next.
        pub gap: RandomTime = { exponential = { mean = "100 ms" } },
        /// Length of a message in octets.
        #[range("1 B", "1 GiB")]
        pub message: Bytes = "1 B",
    }
}

impl Telnet {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(State {
            gap: self.gap,
            octets: self.message.0,
            last: Time::ZERO + start,
            random: application.stream("gap"),
        })
    }

    fn conflict(&self) -> Option<Conflict> {
        (self.gap.mean() < SHORTEST_GAP).then(|| Conflict {
            name: "gap",
            problem: format!("a mean gap of `{}` is too short", self.gap.mean()),
            hint: format!("write a mean gap of at least `\"{SHORTEST_GAP}\"`"),
        })
    }
}

impl SourceKind for Telnet {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Open
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        Some(("gap", link.bits(self.message.0) / self.gap.mean().seconds()))
    }

    fn stated_load(&self) -> Option<StatedLoad> {
        Some(StatedLoad::Time(self.gap))
    }
}

struct State {
    gap: RandomTime,
    octets: u64,
    last: Time,
    random: Stream,
}

impl Source for State {
    fn next(&mut self) -> Option<Write> {
        // Time must advance, or gaps of zero would make infinitely many messages due at one
        // instant.
        self.last += self.gap.draw(&mut self.random).max(Duration::from_ps(1));
        Some(Write {
            at: self.last,
            octets: self.octets,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::tests::application;

    #[test]
    fn the_mean_gap_determines_the_rate_of_messages() {
        let application = application(1);
        let telnet = Telnet {
            start: RandomTime::Constant(Duration::ZERO),
            gap: RandomTime::Exponential {
                mean: Duration::from_ms(10),
            },
            message: Bytes(3),
        };
        let mut source = telnet.build(&application);
        let writes = 100_000;
        let times: Vec<f64> = (0..=writes)
            .map(|_| source.next().expect("it never ends").at.seconds())
            .collect();
        let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mean = gaps.iter().sum::<f64>() / f64::from(writes);
        let squares = gaps.iter().map(|gap| (gap - mean).powi(2));
        let variance = squares.sum::<f64>() / f64::from(writes);
        // The bounds are five standard errors; the fourth central moment is nine times the variance
        // squared.
        assert!((mean / 0.01 - 1.0).abs() < 5.0 / f64::from(writes).sqrt());
        assert!((variance / 1e-4 - 1.0).abs() < 5.0 * (8.0 / f64::from(writes)).sqrt());
    }
}
