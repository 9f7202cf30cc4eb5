//! Forced loss of cells with certain numbers. Our own addition, to test the fate of their PDUs, as
//! `nth` tests transports.

use parameters::parameters;

use super::{LinkLoss, Listed, LossKind, LossUnit, Way};

parameters! {
    /// Numbers of the cells that are lost from the first node of the link to the second, counted
    /// from zero in the order in which they are offered; lost cells count too.
    pub struct NthCell(pub Vec<u64>);
}

impl NthCell {
    /// The loss in one direction; the reverse direction has none.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        Listed::build(&self.0, way)
    }
}

impl LossKind for NthCell {
    fn unit(&self) -> LossUnit {
        LossUnit::Cell
    }

    fn needs_instants(&self) -> bool {
        false
    }

    fn listed(&self) -> Option<&[u64]> {
        Some(&self.0)
    }
}
