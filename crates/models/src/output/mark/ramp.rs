//! Marking with a probability that grows with the queue.
//!
//! The rule of random early detection, Floyd and Jacobson, "Random Early Detection Gateways for
//! Congestion Avoidance", IEEE/ACM Transactions on Networking 1(4), 1993, section 4, with the two
//! departures of switches in data centres: the present queue counts instead of an average, and
//! marks are independent of each other. These are the congestion points of Zhu et al., "Congestion
//! Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.1. The gentle variant is that
//! of Floyd, "Recommendation on using the gentle variant of RED", 2000.

use kernel::Stream;
use parameters::{Amount, Conflict, Fraction, choices, parameters};

use super::Mark;
use crate::output::decision::{Buffer, Occupancy};

parameters! {
    /// Marks cells or packets at random, with a probability that grows with the queue.
    #[alias("red")]
    #[check(conflict)]
    pub struct Ramp {
        /// Queue length beyond which arriving cells or packets are marked at random.
        #[example("20 %")]
        pub minimum: Amount,
        /// Queue length at which the probability is `probability`.
        pub maximum: Amount,
        /// Probability of a mark at `maximum`.
        #[range("0.01 %", "100 %")]
        pub probability: Fraction = "10 %",
        /// Probability beyond `maximum`.
        pub beyond: Beyond = "one",
    }
}

choices! {
    /// Probability of a mark beyond the end of a ramp.
    pub enum Beyond {
        /// One: all are marked.
        one => One,
        /// The probability grows to one at twice `maximum`, the gentle variant of RED.
        gentle => Gentle,
    }
}

impl Ramp {
    /// The rule for one output.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Mark> {
        Box::new(State {
            minimum: buffer.units(self.minimum) as f64,
            maximum: buffer.units(self.maximum) as f64,
            probability: self.probability.0,
            beyond: self.beyond,
            random: buffer.random.clone(),
        })
    }

    fn conflict(&self) -> Option<Conflict> {
        // Thresholds in different units are compared for each buffer, where their order is known.
        (self.minimum >= self.maximum).then(|| Conflict {
            name: "maximum",
            problem: "`maximum` must be above `minimum`".to_string(),
            hint: "for a step at one length write `mark.threshold`".to_string(),
        })
    }
}

struct State {
    minimum: f64,
    maximum: f64,
    probability: f64,
    beyond: Beyond,
    random: Stream,
}

impl State {
    fn chance(&self, queued: f64) -> f64 {
        if queued < self.maximum {
            let along = (queued - self.minimum) / (self.maximum - self.minimum);
            return self.probability * along.max(0.0);
        }
        match self.beyond {
            Beyond::One => 1.0,
            Beyond::Gentle => {
                let along = (queued - self.maximum) / self.maximum;
                self.probability + (1.0 - self.probability) * along.min(1.0)
            }
        }
    }
}

impl Mark for State {
    fn marks(&mut self, queue: Occupancy) -> bool {
        let chance = self.chance(queue.queued as f64);
        // Probabilities of zero and one draw no random number, so the next unit draws it.
        chance > 0.0 && (chance >= 1.0 || self.random.unit() < chance)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;
    use parameters::{understand, value};

    use super::*;

    /// Number of marked units out of 10,000 for each queue length that they find.
    fn marked(ramp: &parameters::Value, lengths: [u64; 5]) -> [u32; 5] {
        let ramp: Ramp = understand(ramp).expect("a rule");
        let mut rule = ramp.build(&Buffer::of_cells(1000, 53, 1));
        lengths.map(|queued| {
            let queue = Occupancy {
                at: Time::ZERO,
                queued,
                capacity: 1000,
                size: 1,
            };
            (0..10_000).map(|_| u32::from(rule.marks(queue))).sum()
        })
    }

    /// Five standard deviations of a count of marks with the probability of a tenth or a half.
    const NEAR: [u32; 2] = [150, 250];

    #[test]
    fn marks_more_often_the_longer_the_queue_is() {
        let ramp = value!({ minimum = "20 cells", maximum = "60 cells", probability = "20 %" });
        let [below, at, middle, maximum, beyond] = marked(&ramp, [0, 20, 40, 60, 100]);
        assert_eq!((below, at, maximum, beyond), (0, 0, 10_000, 10_000));
        assert!(middle.abs_diff(1000) < NEAR[0], "{middle}");
    }

    #[test]
    fn the_gentle_variant_reaches_one_at_twice_the_maximum() {
        let ramp = value!({
            minimum = "20 cells", maximum = "60 cells", probability = "10 %", beyond = "gentle"
        });
        let [below, maximum, middle, end, beyond] = marked(&ramp, [20, 60, 90, 120, 500]);
        assert_eq!((below, end, beyond), (0, 10_000, 10_000));
        assert!(maximum.abs_diff(1000) < NEAR[0], "{maximum}");
        assert!(middle.abs_diff(5500) < NEAR[1], "{middle}");
    }
}
