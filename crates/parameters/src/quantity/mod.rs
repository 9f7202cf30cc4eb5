//! Quantities: texts that are a number with a unit.
//!
//! Numbers are read as decimals and multiplied by whole factors, so `"0.1 s"` is exactly 10^11 ps.
//! Times and rates finer than their resolution (1 ps, 1 bit/s) go to the nearest step; counts have to
//! be whole.

mod amount;
mod decimal;
mod duration;
mod form;
mod fraction;
mod measure;
mod random_time;
mod rate;
mod size;

pub use amount::Amount;
pub use form::Form;
pub use fraction::Fraction;
pub use measure::{Limit, Measure};
pub use random_time::RandomTime;
pub use rate::Load;
pub use size::{BufferSize, Bytes, Cells, Length};

use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::shape::Shape;
use crate::value::{Value, Written};

/// A type whose values are written as a number with a unit.
pub trait Quantity: Sized {
    /// What is written.
    const FORM: Form;

    /// The value that a number of some unit stands for.
    ///
    /// # Errors
    /// Why there is none.
    fn from_measure(measure: Measure<'_>) -> Result<Self, Fault>;

    /// The number with the unit that suits it, which reads back as the same value.
    fn render(&self) -> String;

    /// The level in a buffer that this is, if it is one.
    fn level(&self) -> Option<Amount> {
        None
    }
}

/// A unit of measure.
#[derive(Debug, PartialEq)]
pub struct Unit {
    /// How it is written.
    pub symbol: &'static str,
    /// What it measures.
    pub dimension: Dimension,
    /// How many of the smallest step of its dimension it is.
    pub steps: u64,
    /// Whether it is another spelling of a unit that has been listed.
    pub is_alias: bool,
}

/// What a unit measures, and in which steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Picoseconds.
    Time,
    /// Bits per second.
    Rate,
    /// Cells.
    Cells,
    /// Bytes.
    Bytes,
    /// Percent of something.
    Share,
}

/// Why a text is not a quantity, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub problem: String,
    /// How to mend it.
    pub hint: String,
}

/// All units there are, dimension by dimension.
pub fn units() -> impl Iterator<Item = &'static Unit> {
    let forms = [
        kernel::Duration::FORM.units,
        kernel::Rate::FORM.units,
        Cells::FORM.units,
        Bytes::FORM.units,
        Fraction::FORM.units,
    ];
    forms.into_iter().flatten().copied().flatten()
}

impl Dimension {
    /// What results are told in: an SI unit, cells, or nothing for a share; and how many steps it has.
    pub fn base(self) -> (&'static str, u64) {
        match self {
            Dimension::Time => ("s", 1_000_000_000_000),
            Dimension::Rate => ("bit/s", 1),
            Dimension::Cells => ("cells", 1),
            Dimension::Bytes => ("B", 1),
            Dimension::Share => ("", 100),
        }
    }

    /// What the steps are called.
    fn steps(self) -> &'static str {
        match self {
            Dimension::Time => "picoseconds",
            Dimension::Rate => "bits per second",
            Dimension::Cells => "cells",
            Dimension::Bytes => "bytes",
            Dimension::Share => "percent",
        }
    }
}

/// The quantity that `text` is.
///
/// # Errors
/// Why it is none.
pub fn parse<Q: Quantity>(text: &str) -> Result<Q, Fault> {
    Q::from_measure(Q::FORM.measure(text)?)
}

/// Zero of something of which there has to be some.
fn zero(measure: Measure<'_>, example: &str) -> Fault {
    Fault {
        problem: format!("{measure} must be greater than zero"),
        hint: format!("write for example `\"{example}\"`"),
    }
}

/// `text` as messages show it.
fn quoted(text: &str) -> String {
    Value::from(text).quoted()
}

impl<Q: Quantity + 'static> Parameter for Q {
    fn shape() -> Shape {
        Shape::Quantity(const { &Q::FORM })
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Q> {
        let understood = match &written.value {
            Value::Text(text) => parse(text),
            Value::Integer(_) | Value::Float(_) => {
                Err(Q::FORM.without_unit(&written.value.to_string()))
            }
            other => Err(Fault {
                problem: format!("{} is not a {}", other.quoted(), Q::FORM.noun),
                hint: format!("write for example `\"{}\"`", Q::FORM.example),
            }),
        };
        understood
            .map_err(|fault| {
                let problem = Problem::new(at, written.place, fault.problem);
                problems.add(problem.hint(fault.hint));
            })
            .ok()
    }

    fn write(&self) -> Value {
        Value::Text(self.render())
    }

    fn levels(&self, at: &Path, levels: &mut Vec<(Path, Amount)>) {
        levels.extend(self.level().map(|level| (at.clone(), level)));
    }
}

#[cfg(test)]
mod tests;
