//! Quantities: texts that are a number with a unit.
//!
//! Numbers are read as decimals and multiplied by whole factors, so `"0.1 s"` is exactly 10^11 ps.
//! Times and rates finer than their resolution (1 ps, 1 bit/s) go to the nearest step; counts have to
//! be whole.

mod amount;
mod decimal;
mod duration;
mod fraction;
mod random_time;
mod rate;
mod size;

pub use amount::Amount;
pub use fraction::Fraction;
pub use random_time::RandomTime;
pub use size::{BufferSize, Bytes, Cells};

use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::shape::Shape;
use crate::suggest;
use crate::value::{Value, Written};
use decimal::{Decimal, Unreadable};

/// A type whose values are written as a number with a unit.
pub trait Quantity: Sized {
    /// What is written.
    const FORM: Form;

    /// The value that a number of some unit stands for.
    ///
    /// # Errors
    /// Why there is none.
    fn from_measure(measure: Measure) -> Result<Self, Fault>;

    /// The number with the unit that suits it, which reads back as the same value.
    fn render(&self) -> String;
}

/// How a quantity is written.
#[derive(Debug, PartialEq)]
pub struct Form {
    /// What it is called, in the singular.
    pub noun: &'static str,
    /// Something that may be written.
    pub example: &'static str,
    /// Its units, by dimension.
    pub units: &'static [&'static [Unit]],
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

/// A number of some unit, as written.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    number: Decimal,
    unit: &'static Unit,
}

/// Why a text is not a quantity, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub problem: String,
    /// How to mend it.
    pub hint: String,
}

impl Form {
    /// Every unit.
    pub fn units(&self) -> impl Iterator<Item = &'static Unit> + Clone + use<> {
        self.units.iter().copied().flatten()
    }

    /// The symbols of the units, in backticks.
    pub fn symbols(&self) -> String {
        suggest::listed(self.units().map(|unit| unit.symbol))
    }

    /// A regular expression that what may be written matches, for the schema.
    pub fn pattern(&self) -> String {
        let symbols: Vec<&str> = self.units().map(|unit| unit.symbol).collect();
        format!(
            r"^\+?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)? *({})$",
            symbols.join("|")
        )
    }

    /// The number and unit that `text` is.
    fn measure(&self, text: &str) -> Result<Measure, Fault> {
        let (number, symbol) =
            Decimal::split(text.trim()).map_err(|fault| self.unreadable(text, fault))?;
        if symbol.is_empty() {
            return Err(self.without_unit(text));
        }
        match self.units().find(|unit| unit.symbol == symbol) {
            Some(unit) if number.is_negative() => Err(Fault {
                problem: format!("{} is negative", quoted(text)),
                hint: format!(
                    "a {} has no sign: write for example `\"0 {}\"`",
                    self.noun, unit.symbol
                ),
            }),
            Some(unit) => Ok(Measure { number, unit }),
            None => Err(self.unknown_unit(text, symbol)),
        }
    }

    /// `text` does not begin with a number that can be read.
    fn unreadable(&self, text: &str, fault: Unreadable) -> Fault {
        let problem = match fault {
            Unreadable::NotANumber => format!("{} is not a {}", quoted(text), self.noun),
            Unreadable::TooPrecise => format!("{} has more than 19 digits", quoted(text)),
        };
        Fault {
            problem,
            hint: format!(
                "write a number with a unit, for example `\"{}\"`",
                self.example
            ),
        }
    }

    /// `number` is all there is.
    fn without_unit(&self, number: &str) -> Fault {
        // The number the author had in mind, if the unit of the example is the one they meant.
        let unit = self.example.split_once(' ').map_or("", |(_, unit)| unit);
        Fault {
            problem: format!("{} has no unit", quoted(number)),
            hint: format!(
                "write for example `\"{} {unit}\"`; the units are {}",
                number.trim(),
                self.symbols()
            ),
        }
    }

    /// `symbol` is no unit of this quantity.
    fn unknown_unit(&self, text: &str, symbol: &str) -> Fault {
        let same_letters = |unit: &&'static Unit| unit.symbol.eq_ignore_ascii_case(symbol);
        let near = self.units().find(same_letters).map(|unit| unit.symbol);
        let near = near.or_else(|| suggest::nearest(symbol, self.units().map(|unit| unit.symbol)));
        let units = self.symbols();
        Fault {
            problem: format!(
                "{} is not a {}: unknown unit {}",
                quoted(text),
                self.noun,
                quoted(symbol)
            ),
            hint: match near {
                Some(meant) => format!("did you mean `{meant}`? the units are {units}"),
                None => format!(
                    "write for example `\"{}\"`; the units are {units}",
                    self.example
                ),
            },
        }
    }
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

impl std::fmt::Display for Measure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

impl Dimension {
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
fn zero(measure: Measure, example: &str) -> Fault {
    Fault {
        problem: format!("`{measure}` is nothing at all"),
        hint: format!("write something above zero, for example `\"{example}\"`"),
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
}

#[cfg(test)]
mod tests;
