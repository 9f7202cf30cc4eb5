//! A number with a unit, converted to steps of its dimension.

use std::fmt;

use super::decimal::Decimal;
use super::{BadQuantity, Dimension, QuantityUnit, quoted};
use crate::hint::Hint;

/// A number with a unit, with the text that the user wrote.
#[derive(Clone, Copy, Debug)]
pub struct Measure<'a> {
    pub(super) text: &'a str,
    pub(super) number: Decimal,
    pub(super) unit: &'static QuantityUnit,
}

impl Measure<'_> {
    /// Dimension of the unit.
    pub fn dimension(&self) -> Dimension {
        self.unit.dimension
    }

    /// The nearest number of steps, at most `most`.
    ///
    /// # Errors
    /// If the number is larger, or rounds to zero.
    pub fn nearest(&self, most: LargestSteps) -> Result<u64, BadQuantity> {
        match self.steps(most)? {
            (0, _) if !self.number.is_zero() => Err(BadQuantity {
                problem: format!("{self} is too small and rounds to zero"),
                hints: vec![Hint::value("write at least", self.unit.dimension.render(1))],
            }),
            (steps, _) => Ok(steps),
        }
    }

    /// The exact number of steps, at most `most`.
    ///
    /// # Errors
    /// If the number is larger, or not whole.
    pub fn whole(&self, most: LargestSteps) -> Result<u64, BadQuantity> {
        let steps = self.unit.dimension.steps();
        match self.steps(most)? {
            (whole, true) => Ok(whole),
            (rounded, false) => Err(BadQuantity {
                problem: format!("{self} is not a whole number of {steps}"),
                hints: vec![Hint::value(
                    &format!("write a whole number of {steps}, for example"),
                    self.unit.dimension.render(rounded),
                )],
            }),
        }
    }

    /// The number as a share of one, for percentages.
    pub fn share(&self) -> f64 {
        self.number.hundredth()
    }

    /// The nearest number of steps, and true if it is exact.
    fn steps(&self, most: LargestSteps) -> Result<(u64, bool), BadQuantity> {
        self.number
            .times(self.unit.steps)
            .and_then(|(steps, exact)| Some((u64::try_from(steps).ok()?, exact)))
            .filter(|(steps, _)| *steps <= most.steps)
            .ok_or_else(|| BadQuantity {
                problem: format!("{self} is too large"),
                hints: vec![Hint::naming(
                    &format!("the maximum is `{}`", most.text),
                    [most.text.into()],
                )],
            })
    }
}

/// Displays the measure as it was written.
impl fmt::Display for Measure<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&quoted(self.text))
    }
}

/// The largest possible value of a quantity.
#[derive(Clone, Copy, Debug)]
pub struct LargestSteps {
    /// The value in steps of its dimension.
    pub steps: u64,
    /// The value as users write it.
    pub text: &'static str,
}
