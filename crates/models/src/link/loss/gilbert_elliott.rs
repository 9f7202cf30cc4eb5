//! Loss in bursts: a link that is in a good or a bad state, which changes between units.
//!
//! Gilbert, "Capacity of a Burst-Noise Channel", Bell System Technical Journal 39(5), 1960, has a
//! good state without loss; Elliott, "Estimates of Error Rates for Codes on Burst-Noise Channels",
//! BSTJ 42(5), 1963, allows loss in both states; the chain is the subject of both. The present
//! state decides the loss of a unit, and then may change. The first state is drawn from the
//! stationary distribution.

use kernel::Stream;
use parameters::{Conflict, Fraction, parameters};

use super::{LinkLoss, LossKind, LossUnit, SentUnit, Way};

parameters! {
    /// Bursts of loss: the link is in a good state or in a bad one.
    #[check(conflict)]
    pub struct GilbertElliott {
        /// Unit of loss: the state may change once per packet, or once per cell.
        pub unit: LossUnit = "packet",
        /// Probability of a change from good to bad after a unit.
        pub good_to_bad: Fraction,
        /// Probability of a change from bad to good after a unit; its inverse is the mean number of
        /// units for which the bad state lasts.
        pub bad_to_good: Fraction,
        /// Probability of loss in the good state.
        pub loss_in_good: Fraction = "0 %",
        /// Probability of loss in the bad state.
        pub loss_in_bad: Fraction = "100 %",
    }
}

impl GilbertElliott {
    /// The loss in one direction.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        let mut random = way.stream();
        let share_of_bad = self.good_to_bad.0 / (self.good_to_bad.0 + self.bad_to_good.0);
        Some(Box::new(State {
            bad: random.unit() < share_of_bad,
            leave: [self.good_to_bad.0, self.bad_to_good.0],
            loss: [self.loss_in_good.0, self.loss_in_bad.0],
            random,
        }))
    }

    fn conflict(&self) -> Option<Conflict> {
        let never = self.good_to_bad.0 + self.bad_to_good.0 == 0.0;
        never.then(|| Conflict {
            name: "good_to_bad",
            problem: "the state would never change".to_string(),
            hint: "write for example `\"1 %\"`, or choose `loss.packet` for loss without bursts"
                .to_string(),
        })
    }
}

impl LossKind for GilbertElliott {
    fn unit(&self) -> LossUnit {
        self.unit
    }

    fn needs_instants(&self) -> bool {
        false
    }

    fn listed(&self) -> Option<&[u64]> {
        None
    }
}

struct State {
    bad: bool,
    /// Probability of leaving the good and the bad state.
    leave: [f64; 2],
    /// Probability of loss in the good and the bad state.
    loss: [f64; 2],
    random: Stream,
}

impl LinkLoss for State {
    fn next(&mut self, _sent: SentUnit) -> bool {
        let state = usize::from(self.bad);
        let lost = self.random.unit() < self.loss[state];
        self.bad ^= self.random.unit() < self.leave[state];
        lost
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use super::super::script::fates;

    #[test]
    fn bursts_are_as_frequent_and_as_long_as_asked() {
        let bursts = value!({ gilbert_elliott = { good_to_bad = "1 %", bad_to_good = "25 %" } });
        let units = 200_000;
        let fates = fates(&bursts, units);
        let lost = fates.matches('-').count() as f64;
        let spells = fates.split('+').filter(|burst| !burst.is_empty()).count() as f64;
        // In the long run 1 / 26 of all units are lost. The length of a burst has mean 4 and
        // deviation 3.5, in units, and a cycle of both states mean 104 and deviation 99.6; there
        // are about 1,900 bursts and cycles.
        assert!((lost / units as f64 - 1.0 / 26.0).abs() < 0.005, "{lost}");
        assert!((lost / spells - 4.0).abs() < 0.32, "{lost} in {spells}");
    }

    #[test]
    fn a_state_that_is_left_at_once_alternates() {
        let loss = value!({ gilbert_elliott = { good_to_bad = "100 %", bad_to_good = "100 %" } });
        let fates = fates(&loss, 6);
        assert!(fates == "+-+-+-" || fates == "-+-+-+", "{fates}");
    }
}
