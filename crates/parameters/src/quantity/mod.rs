//! Quantities: texts with a number and a unit.
//!
//! Decimal numbers are multiplied by whole factors, so `"0.1 s"` is exactly 10^11 ps. Times and
//! rates finer than their resolution (1 ps, 1 bit/s) are rounded to the nearest step; counts have
//! to be whole. The resolutions are our own: see decision 1 in `docs/decisions`.

mod amount;
mod decimal;
mod duration;
mod form;
mod fraction;
mod measure;
mod rate;
mod size;

pub use amount::Amount;
pub use duration::Propagation;
pub use form::Form;
pub use fraction::Fraction;
pub use measure::{LargestSteps, Measure};
pub use rate::RateOrZero;
pub use size::{BufferLimit, BufferSize, Bytes, CellCount, MessageLength};

use crate::hint::Hint;
use crate::value::Value;

/// Octets of an ATM cell on the wire, ITU-T Recommendation I.361, which the unit `cells/s` counts.
const CELL_OCTETS: u64 = 53;

/// A type whose values are written as a number with a unit.
pub trait Quantity: Sized {
    /// Form in which values are written.
    const FORM: Form;

    /// The value of a number with a unit.
    ///
    /// # Errors
    /// The reason why the text is not such a quantity.
    fn from_measure(measure: Measure<'_>) -> Result<Self, BadQuantity>;

    /// The number with a suitable unit, which reads back as an equal value.
    fn render(&self) -> String;

    /// The quantity as a level in a buffer; none for quantities that are not buffer levels.
    fn level(&self) -> Option<Amount> {
        None
    }
}

/// A unit of measure.
#[derive(Debug, PartialEq)]
pub struct QuantityUnit {
    /// Symbol of the unit.
    pub symbol: &'static str,
    /// Dimension of the unit.
    pub dimension: Dimension,
    /// Size of the unit in steps, such as picoseconds for units of time.
    pub steps: u64,
    /// True if the symbol is an alternative spelling of another unit, such as `cell` for `cells`.
    pub is_alias: bool,
}

/// Dimension of a unit, with its smallest step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Picoseconds.
    Time,
    /// Bits per second.
    Rate,
    /// Cells.
    Cells,
    /// Packets.
    Packets,
    /// Bytes.
    Bytes,
    /// Percent of a whole.
    Share,
}

/// Reason why a text is not a quantity, and what to write instead.
#[derive(Clone, Debug, PartialEq)]
pub struct BadQuantity {
    /// Description of the problem.
    pub problem: String,
    /// Hints, the best first; at least one.
    pub hints: Vec<Hint>,
}

impl BadQuantity {
    /// The best hint.
    pub fn hint(&self) -> String {
        self.hints.first().map_or_else(String::new, Hint::to_string)
    }
}

/// All units, dimension by dimension.
pub fn units() -> impl Iterator<Item = &'static QuantityUnit> {
    let forms = [
        Propagation::FORM.units,
        kernel::Rate::FORM.units,
        CellCount::FORM.units,
        Bytes::FORM.units,
        Fraction::FORM.units,
        &[size::PACKETS],
    ];
    forms.into_iter().flatten().copied().flatten()
}

impl Dimension {
    /// Unit of the dimension in results (SI, cells, or none for a share), and its size in steps.
    pub fn base(self) -> (&'static str, u64) {
        match self {
            Dimension::Time => ("s", 1_000_000_000_000),
            Dimension::Rate => ("bit/s", 1),
            Dimension::Cells => ("cells", 1),
            Dimension::Packets => ("packets", 1),
            Dimension::Bytes => ("B", 1),
            Dimension::Share => ("", 100),
        }
    }

    /// A number of smallest steps of the dimension, with their unit.
    fn render(self, steps: u64) -> String {
        match self {
            Dimension::Time => format!("{steps} ps"),
            Dimension::Rate => format!("{steps} bit/s"),
            Dimension::Cells => size::render_count(steps, size::CELLS),
            Dimension::Packets => size::render_count(steps, size::PACKETS),
            Dimension::Bytes => format!("{steps} B"),
            Dimension::Share => format!("{steps} %"),
        }
    }

    /// Name of the smallest step of the dimension, for messages.
    fn steps(self) -> &'static str {
        match self {
            Dimension::Time => "picoseconds",
            Dimension::Rate => "bits per second",
            Dimension::Cells => "cells",
            Dimension::Packets => "packets",
            Dimension::Bytes => "bytes",
            Dimension::Share => "percent",
        }
    }
}

/// The quantity in `text`.
///
/// # Errors
/// The reason why the text is not such a quantity.
pub fn parse<Q: Quantity>(text: &str) -> Result<Q, BadQuantity> {
    Q::from_measure(Q::FORM.measure(text)?)
}

/// The rate in `text` if it is in `cells/s`; none for any other text.
pub fn in_cells(text: &str) -> Option<kernel::Rate> {
    let measure = kernel::Rate::FORM.measure(text).ok()?;
    let is_in_cells = measure.unit == rate::CELLS_PER_SECOND;
    is_in_cells.then(|| kernel::Rate::from_measure(measure).ok())?
}

/// The fault to report for a zero if the quantity must be positive.
fn zero(measure: Measure<'_>, example: &str) -> BadQuantity {
    BadQuantity {
        problem: format!("{measure} must be greater than zero"),
        hints: vec![Hint::example(example)],
    }
}

/// `text` as quoted in messages.
fn quoted(text: &str) -> String {
    Value::from(text).quoted()
}

#[cfg(test)]
mod tests;
