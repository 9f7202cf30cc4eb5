//! Messages of a Bernoulli process: time is slotted, and each slot has a message or none,
//! independently of the others.
//!
//! A Bernoulli process is the arrival process of the theory of slotted switches, such as Karol,
//! Hluchyj and Morgan, "Input Versus Output Queueing on a Space-Division Packet Switch", IEEE
//! Transactions on Communications 35(12), 1987, section II. There each message of an input goes to
//! a random output. Here a flow has one destination, so the flows of a host may share one random
//! number for each slot, which decides whether a message comes and to which flow it belongs.

use kernel::{Duration, Stream, Time};
use parameters::{Conflict, Fraction, RandomTime, parameters};

use super::length::{LengthSpec, Messages};
use super::{
    Application, Demand, OnLink, PacketSizes, Source, SourceKind, Spacing, StatedLoad, Write,
};

/// Smallest probability. Every slot takes a draw, so with rarer messages empty slots would take
/// most of the computing time.
const RAREST: f64 = 1e-5;

parameters! {
    /// Messages in slots of time, each with the same probability.
    #[check(conflict)]
    pub struct Bernoulli {
        /// Length of messages.
        pub length: LengthSpec,
        /// Length of a slot; a message comes at its beginning.
        #[range("1 ns", "1 h")]
        pub slot: Duration,
        /// Probability of a message in a slot: zero, or at least `0.001 %`.
        pub probability: Fraction,
        /// Lower end of the flow's range of random numbers, where all flows of the host with `from`
        /// share one number for each slot: the flow sends if the number is at least `from` and less
        /// than `from` plus `probability`, so flows with disjoint ranges never send in the same
        /// slot. If not given, the flow draws a number of its own.
        pub from: Option<Fraction>,
        /// Start of the first slot; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl Bernoulli {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        if self.probability.0 == 0.0 {
            return Box::new(Silence);
        }
        let random = match self.from {
            None => application.stream("slot"),
            Some(_) => application
                .seed
                .stream(&application.host, "slots of the host"),
        };
        Box::new(State {
            range: self.range(),
            slot: self.slot,
            next: Time::ZERO + start,
            random,
            messages: self.length.messages(application),
        })
    }

    /// The range of random numbers with which the source sends; its upper end is excluded.
    fn range(&self) -> [f64; 2] {
        let from = self.from.map_or(0.0, |from| from.0);
        [from, from + self.probability.0]
    }

    fn mean_gap(&self) -> f64 {
        self.slot.seconds() / self.probability.0
    }

    fn conflict(&self) -> Option<Conflict> {
        if self.probability.0 > 0.0 && self.probability.0 < RAREST {
            return Some(Conflict {
                name: "probability",
                problem: "a probability below `0.001 %` is not simulated".to_string(),
                hint: "write at least `0.001 %` and longer slots, or `0 %`".to_string(),
            });
        }
        // The sum of shares such as 1/3 and 2/3, written in percent, may exceed one by rounding.
        (self.range()[1] > 1.0 + 1e-9).then(|| Conflict {
            name: "from",
            problem: "`from` and `probability` together are more than `100 %`".to_string(),
            hint: "lower `from` or `probability`: they share `100 %`".to_string(),
        })
    }
}

impl SourceKind for Bernoulli {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Messages(("length", &self.length))
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        Some(Spacing {
            parameter: "slot",
            seconds: Some(self.mean_gap()),
        })
    }

    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        Some(("slot", self.length.mean_bits_on(link) / self.mean_gap()))
    }

    fn stated_load(&self) -> Option<StatedLoad> {
        Some(StatedLoad::Time(RandomTime::Constant(self.slot)))
    }
}

struct State {
    /// The range of random numbers that bring a message; its upper end is excluded.
    range: [f64; 2],
    slot: Duration,
    /// Start of the next slot.
    next: Time,
    random: Stream,
    messages: Messages,
}

impl Source for State {
    fn next(&mut self) -> Option<Write> {
        let [from, to] = self.range;
        loop {
            let at = self.next;
            self.next += self.slot;
            if (from..to).contains(&self.random.unit()) {
                let octets = self.messages.draw();
                return Some(Write { at, octets });
            }
        }
    }
}

/// A source without messages.
struct Silence;

impl Source for Silence {
    fn next(&mut self) -> Option<Write> {
        None
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::tests::application;

    const SLOTS: u64 = 100_000;

    fn source(probability: f64, from: Option<f64>) -> Bernoulli {
        let source = understand(&value!({
            length = { constant = "40 B" }, slot = "1 us", probability = "100 %"
        }));
        Bernoulli {
            probability: Fraction(probability),
            from: from.map(Fraction),
            ..source.expect("a source")
        }
    }

    /// The slots in which a source writes.
    fn slots(source: &Bernoulli, host: &str) -> Vec<u64> {
        let mut source = source.build(&Application {
            host: host.into(),
            ..application(40)
        });
        let slots = std::iter::from_fn(|| source.next().map(|write| write.at.ps() / 1_000_000));
        slots.take_while(|slot| *slot < SLOTS).collect()
    }

    /// True if `count` slots with a message agree with the probability, within five standard
    /// deviations.
    fn are_as_probable(count: usize, probability: f64) -> bool {
        let deviation = (SLOTS as f64 * probability * (1.0 - probability)).sqrt();
        (count as f64 - SLOTS as f64 * probability).abs() < 5.0 * deviation
    }

    #[test]
    fn slots_have_messages_independently_of_each_other() {
        let slots = slots(&source(0.3, None), "h");
        assert!(are_as_probable(slots.len(), 0.3));
        let both = slots.windows(2).filter(|pair| pair[1] == pair[0] + 1);
        assert!(are_as_probable(both.count(), 0.09));
    }

    #[test]
    fn every_slot_has_a_message_if_the_probability_is_one() {
        let all: Vec<u64> = (0..SLOTS).collect();
        assert_eq!(slots(&source(1.0, None), "h"), all);
    }

    #[test]
    fn flows_of_a_host_with_disjoint_ranges_divide_the_slots() {
        let [low, high] = [0.0, 0.5].map(|from| source(0.5, Some(from)));
        let mut all = [slots(&low, "h"), slots(&high, "h")].concat();
        assert!(are_as_probable(slots(&low, "h").len(), 0.5));
        all.sort_unstable();
        assert_eq!(all, (0..SLOTS).collect::<Vec<_>>());
        assert_ne!(
            slots(&low, "h"),
            slots(&low, "other"),
            "each host draws for itself"
        );
    }

    #[test]
    fn a_probability_of_zero_gives_no_messages() {
        assert_eq!(slots(&source(0.0, None), "h"), []);
        assert!(source(0.0, None).conflict().is_none());
        assert!(source(1e-6, None).conflict().is_some());
    }

    #[test]
    fn a_range_beyond_one_is_refused() {
        assert!(source(0.5, Some(0.6)).conflict().is_some());
        assert!(source(0.5, Some(0.5)).conflict().is_none());
    }
}
