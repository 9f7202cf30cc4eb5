//! Random loss of cells, as from errors in their headers, which a receiver detects and does not
//! correct (HEC): ITU-T Recommendation I.432. Our own rule: losses are independent of each other,
//! as the simplest case; `gilbert_elliott` has bursts.

use parameters::{Fraction, parameters};

use super::{Independent, LinkLoss, LossKind, LossUnit, Way};

parameters! {
    /// Probability with which each cell is lost.
    pub struct CellLoss(pub Fraction);
}

impl CellLoss {
    /// The loss in one direction.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        Some(Independent::build(self.0.0, way))
    }
}

impl LossKind for CellLoss {
    fn unit(&self) -> LossUnit {
        LossUnit::Cell
    }

    fn needs_instants(&self) -> bool {
        false
    }

    fn listed(&self) -> Option<&[u64]> {
        None
    }
}
