//! Forced loss of packets: those with certain numbers, for tests of what a transport then does.
//!
//! Floyd and Fall ("Simulation-based Comparisons of Tahoe, Reno, and SACK TCP", ACM CCR 26(3), 1996)
//! compare recoveries by dropping chosen packets of one connection.

use parameters::parameters;

use super::{LinkLoss, Listed, Way};

parameters! {
    /// Numbers of the packets that are lost from the first node of the link to the second, counted
    /// from zero in the order in which they are offered; lost packets count too.
    pub struct Nth(pub Vec<u64>);
}

impl Nth {
    /// The loss in one direction; back, nothing is lost.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        Listed::build(&self.0, way)
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use super::super::script::{fates, way};
    use super::*;

    #[test]
    fn loses_the_units_listed_and_counts_those_lost() {
        assert_eq!(fates(&value!({ nth = [0, 2, 3] }), 6), "-+--++");
    }

    #[test]
    fn loses_nothing_on_the_way_back() {
        assert!(Nth(vec![0]).build(&way(true)).is_none());
    }
}
