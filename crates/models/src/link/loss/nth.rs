//! Forced loss of packets with certain numbers, to test how a transport reacts.
//!
//! Fall and Floyd, "Simulation-based Comparisons of Tahoe, Reno, and SACK TCP", ACM CCR 26(3),
//! 1996, pages 5 to 21, compare recoveries by dropping chosen packets of one connection.

use parameters::parameters;

use super::{LinkLoss, Listed, LossKind, LossUnit, Way};

parameters! {
    /// Numbers of the packets that are lost in a direction of the link, forward unless
    /// `loss_direction` says otherwise, counted from zero in the order in which they are offered; lost
    /// packets count too.
    pub struct Nth(pub Vec<u64>);
}

impl Nth {
    /// The loss in one direction.
    pub fn build(&self, _way: &Way) -> Option<Box<dyn LinkLoss>> {
        Some(Listed::build(&self.0))
    }
}

impl LossKind for Nth {
    fn unit(&self) -> LossUnit {
        LossUnit::Packet
    }

    fn needs_instants(&self) -> bool {
        false
    }

    fn listed(&self) -> Option<&[u64]> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use super::super::script::fates;

    #[test]
    fn loses_the_units_listed_and_counts_those_lost() {
        assert_eq!(fates(&value!({ nth = [0, 2, 3] }), 6), "-+--++");
    }
}
