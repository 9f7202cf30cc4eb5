//! Random loss of cells, each by itself, as from errors in their headers.

use parameters::{Fraction, parameters};

use super::{Independent, Loss, Way};

parameters! {
    /// Probability with which each cell is lost, in both directions.
    pub struct Cell(pub Fraction);
}

impl Cell {
    /// The loss in one direction.
    pub fn build(&self, way: &Way) -> Option<Box<dyn Loss>> {
        Some(Independent::build(self.0.0, way))
    }
}
