//! Forced loss of cells with certain numbers. Our own addition, to test the fate of their PDUs, as
//! `nth` tests transports.

use parameters::parameters;

use super::{LinkLoss, Listed, LossKind, LossUnit, Way};

parameters! {
    /// Numbers of the cells that are lost in a direction of the link, forward unless
    /// `loss_direction` says otherwise, counted from zero in the order in which they are offered; lost
    /// cells count too.
    pub struct NthCell(pub Vec<u64>);
}

impl NthCell {
    /// The loss in one direction.
    pub fn build(&self, _way: &Way) -> Option<Box<dyn LinkLoss>> {
        Some(Listed::build(&self.0))
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
