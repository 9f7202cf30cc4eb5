//! Random loss of packets, independently of each other. It is the random loss in the title of
//! Lakshman and Madhow, "The Performance of TCP/IP for Networks with High Bandwidth-Delay Products
//! and Random Loss", IEEE/ACM Transactions on Networking 5(3), 1997.

use parameters::{Fraction, parameters};

use super::{Independent, LinkLoss, LossKind, LossUnit, Way};

parameters! {
    /// Probability with which each packet is lost, with all its cells.
    #[alias("random")]
    #[alias("bernoulli")]
    pub struct PacketLoss(pub Fraction);
}

impl PacketLoss {
    /// The loss in one direction.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        Some(Independent::build(self.0.0, way))
    }
}

impl LossKind for PacketLoss {
    fn unit(&self) -> LossUnit {
        LossUnit::Packet
    }

    fn needs_instants(&self) -> bool {
        false
    }

    fn listed(&self) -> Option<&[u64]> {
        None
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use super::super::script::{CELL, fates, way};
    use super::*;

    #[test]
    fn nothing_is_lost_or_everything_at_the_ends_of_the_range() {
        assert_eq!(fates(&value!({ packet = "0 %" }), 5), "+++++");
        assert_eq!(fates(&value!({ packet = "100 %" }), 5), "-----");
    }

    #[test]
    fn as_many_are_lost_as_asked() {
        let units = 100_000;
        let lost = fates(&value!({ packet = "1 %" }), units)
            .matches('-')
            .count();
        // Four standard deviations of a binomial count: sqrt(n p (1 - p)) is 31.5.
        assert!(lost.abs_diff(1000) < 126, "{lost} of {units}");
    }

    #[test]
    fn the_two_directions_lose_different_packets() {
        let loss = PacketLoss(Fraction(0.5));
        let [there, back] = [false, true].map(|reverse| {
            let mut loss = loss.build(&way(reverse)).expect("a loss");
            (0..64).map(|_| loss.next(CELL)).collect::<Vec<bool>>()
        });
        assert_ne!(there, back);
    }
}
