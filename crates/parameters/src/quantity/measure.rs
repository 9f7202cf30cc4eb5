//! A number of some unit, turned into steps of its dimension.

use std::fmt;

use super::decimal::Decimal;
use super::{Dimension, Fault, Unit};

/// A number of some unit, as written.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    pub(super) number: Decimal,
    pub(super) unit: &'static Unit,
}

impl Measure {
    /// What was measured.
    pub fn dimension(&self) -> Dimension {
        self.unit.dimension
    }

    /// The number of steps nearest to what was measured, at most `most`.
    ///
    /// # Errors
    /// If it is more, or is so little that nothing would be left of it.
    pub fn nearest(&self, most: Limit) -> Result<u64, Fault> {
        let Some((steps, _)) = self.steps(most)? else {
            return Err(self.too_large(most));
        };
        if steps == 0 && !self.number.is_zero() {
            return Err(Fault {
                problem: format!("`{self}` is less than half the smallest step"),
                hint: "write 0 or a larger value".to_string(),
            });
        }
        Ok(steps)
    }

    /// The number of steps that was measured, which has to be whole and at most `most`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn whole(&self, most: Limit) -> Result<u64, Fault> {
        match self.steps(most)? {
            Some((steps, true)) => Ok(steps),
            Some((_, false)) => Err(Fault {
                problem: format!(
                    "`{self}` is not a whole number of {}",
                    self.unit.dimension.steps()
                ),
                hint: format!("there are only whole {}", self.unit.dimension.steps()),
            }),
            None => Err(self.too_large(most)),
        }
    }

    /// The number as a share of one, for percentages.
    pub fn share(&self) -> f64 {
        self.number.hundredth()
    }

    fn steps(&self, most: Limit) -> Result<Option<(u64, bool)>, Fault> {
        let Some((steps, exact)) = self.number.times(self.unit.steps) else {
            return Err(self.too_large(most));
        };
        Ok(u64::try_from(steps)
            .ok()
            .filter(|steps| *steps <= most.steps)
            .map(|steps| (steps, exact)))
    }

    fn too_large(&self, most: Limit) -> Fault {
        Fault {
            problem: format!("`{self}` is too large"),
            hint: format!("at most `{}` is possible", most.text),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.number, self.unit.symbol)
    }
}

/// The most of a quantity that is possible.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// In steps of its dimension.
    pub steps: u64,
    /// As users write it.
    pub text: &'static str,
}
