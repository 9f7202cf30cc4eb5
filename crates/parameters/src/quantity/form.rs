//! How quantities are written, and what is said about those that are not.

use super::decimal::{Decimal, Unreadable};
use super::{Fault, Measure, Unit, quoted};
use crate::suggest;

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

impl Form {
    /// Every unit.
    pub fn units(&self) -> impl Iterator<Item = &'static Unit> + Clone + use<> {
        self.units.iter().copied().flatten()
    }

    /// The symbols of the units, in backticks, each unit in one spelling.
    pub fn symbols(&self) -> String {
        let units = self.units().filter(|unit| !unit.is_alias);
        suggest::listed(units.map(|unit| unit.symbol))
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
    pub(super) fn measure(&self, text: &str) -> Result<Measure, Fault> {
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
    pub(super) fn without_unit(&self, number: &str) -> Fault {
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
