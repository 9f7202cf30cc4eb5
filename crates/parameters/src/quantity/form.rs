//! Forms of quantities, and the messages about texts that do not have them.

use super::decimal::{Decimal, Unreadable};
use super::fraction::render_share;
use super::{BadQuantity, Dimension, Measure, QuantityUnit, quoted};
use crate::suggest;

/// Other simulators measure buffers and windows in these units; the message explains what to write.
const PACKETS: &[&str] = &["packet", "packets", "pkt", "pkts"];

/// Form of a quantity.
#[derive(Debug, PartialEq)]
pub struct Form {
    /// Name of the quantity, in the singular.
    pub noun: &'static str,
    /// A valid example.
    pub example: &'static str,
    /// Units of the quantity, by dimension.
    pub units: &'static [&'static [QuantityUnit]],
}

impl Form {
    /// Every unit.
    pub fn units(&self) -> impl Iterator<Item = &'static QuantityUnit> + Clone + use<> {
        self.units.iter().copied().flatten()
    }

    /// The symbols of the units, in backticks, each unit in one spelling.
    pub fn symbols(&self) -> String {
        let units = self.units().filter(|unit| !unit.is_alias);
        suggest::listed(units.map(|unit| unit.symbol))
    }

    /// Other spellings of the units, in backticks.
    pub fn aliases(&self) -> String {
        let units = self.units().filter(|unit| unit.is_alias);
        suggest::listed(units.map(|unit| unit.symbol))
    }

    /// A regular expression for valid texts, for the schema.
    pub fn pattern(&self) -> String {
        let symbols: Vec<&str> = self.units().map(|unit| unit.symbol).collect();
        format!(
            r"^\+?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)? *({})$",
            symbols.join("|")
        )
    }

    /// The number and the unit in `text`.
    pub(super) fn measure<'a>(&self, text: &'a str) -> Result<Measure<'a>, BadQuantity> {
        let text = text.trim();
        let (number, symbol) =
            Decimal::split(text).map_err(|fault| self.unreadable(text, fault))?;
        if symbol.is_empty() {
            return Err(self.without_unit(text));
        }
        let unit = self.units().find(|unit| unit.symbol == symbol);
        let unit = unit.ok_or_else(|| self.unknown_unit(text, symbol))?;
        if number.is_negative() {
            return Err(BadQuantity {
                problem: format!("{} is negative", quoted(text)),
                hint: format!("write for example `\"{}\"`", text.trim_start_matches('-')),
            });
        }
        Ok(Measure { text, number, unit })
    }

    /// The fault to report for a `text` that does not begin with a number.
    fn unreadable(&self, text: &str, fault: Unreadable) -> BadQuantity {
        let (problem, what) = match fault {
            Unreadable::NotANumber => (format!("is not a {}", self.noun), "a number with a unit"),
            Unreadable::TooPrecise => ("has more than 19 digits".to_string(), "fewer digits"),
        };
        BadQuantity {
            problem: format!("{} {problem}", quoted(text)),
            hint: format!("write {what}, for example `\"{}\"`", self.example),
        }
    }

    /// The fault to report for a `number` without a unit.
    pub(crate) fn without_unit(&self, number: &str) -> BadQuantity {
        // A suggestion: the user's number with the unit of the example, if the result is valid.
        let example = match self.example.split_once(' ') {
            Some((_, unit)) if number.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("{number} {unit}")
            }
            _ => self.example.to_string(),
        };
        let units = self.symbols();
        let hint = match self.share_meant_by(number) {
            Some(share) => format!(
                "write `\"{share}\"` if it is a share of one, or `\"{example}\"` if it is per cent"
            ),
            None => format!("write for example `\"{example}\"`; the units are {units}"),
        };
        BadQuantity {
            problem: format!("{} has no unit", quoted(number)),
            hint,
        }
    }

    /// The percentage to suggest for a number without a unit, or for a fraction such as `1/16`, if
    /// the value lies between 0 and 1.
    fn share_meant_by(&self, text: &str) -> Option<String> {
        let (part, whole) = text.split_once('/').unwrap_or((text, "1"));
        let [part, whole] = [part, whole].map(|number| number.trim().parse::<f64>());
        let share = part.ok()? / whole.ok()?;
        let is_share = self.units().all(|unit| unit.dimension == Dimension::Share);
        (is_share && share > 0.0 && share <= 1.0).then(|| render_share(share))
    }

    /// The fault to report for a `symbol` that is not a unit of this quantity.
    fn unknown_unit(&self, text: &str, symbol: &str) -> BadQuantity {
        let units = self.symbols();
        let share = self.share_meant_by(text);
        let hint = match self.unit_meant_by(symbol) {
            _ if let Some(share) = share => format!("write `\"{share}\"`, the fraction in percent"),
            _ if symbol.starts_with([',', '_', '\'']) => {
                "write decimals with a point, and thousands without separators".to_string()
            }
            _ if self.counts_bytes() && PACKETS.contains(&symbol) => {
                format!(
                    "no unit counts packets: multiply by the packet size; the units are {units}"
                )
            }
            Some(meant) => format!("did you mean `{meant}`? the units are {units}"),
            None => format!(
                "write for example `\"{}\"`; the units are {units}",
                self.example
            ),
        };
        let (text, noun, symbol) = (quoted(text), self.noun, quoted(symbol));
        BadQuantity {
            problem: format!("{text} is not a {noun}: unknown unit {symbol}"),
            hint,
        }
    }

    fn counts_bytes(&self) -> bool {
        self.units().any(|unit| unit.dimension == Dimension::Bytes)
    }

    /// The unit that `symbol` may stand for: the symbol in another case, a unit written out (`sec`)
    /// or abbreviated (`Mbit`), or a typing error.
    fn unit_meant_by(&self, symbol: &str) -> Option<&'static str> {
        let symbols = || self.units().map(|unit| unit.symbol);
        // `B` (bytes) must not be suggested for `b` (bits), although only the case differs.
        if symbol.contains('B') && !symbols().any(|known| known.contains('B')) {
            return None;
        }
        let in_other_case = symbols().find(|known| known.eq_ignore_ascii_case(symbol));
        let written_out = || {
            let begins = |known: &&str| symbol.starts_with(known) && symbol.is_ascii();
            symbols().filter(begins).max_by_key(|known| known.len())
        };
        let cut_short = || symbols().find(|known| known.starts_with(symbol));
        let slip = || suggest::nearest(symbol, symbols());
        in_other_case
            .or_else(cut_short)
            .or_else(slip)
            .or_else(written_out)
    }
}
