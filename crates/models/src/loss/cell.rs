//! Random loss of cells, each by itself, as from errors in their headers.

use parameters::{Fraction, parameters};

use super::{Independent, LinkLoss, Way};

parameters! {
    /// Probability with which each cell is lost, in both directions.
    pub struct CellLoss(pub Fraction);
}

impl CellLoss {
    /// The loss in one direction.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        Some(Independent::build(self.0.0, way))
    }
}
