//! Forced loss of cells: those with certain numbers, for tests of what becomes of their PDUs.

use parameters::parameters;

use super::{LinkLoss, Listed, Way};

parameters! {
    /// Numbers of the cells that are lost from the first node of the link to the second, counted
    /// from zero in the order in which they are offered; lost cells count too.
    pub struct NthCell(pub Vec<u64>);
}

impl NthCell {
    /// The loss in one direction; back, nothing is lost.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        Listed::build(&self.0, way)
    }
}
