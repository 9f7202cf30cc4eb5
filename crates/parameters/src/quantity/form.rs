//! Forms of quantities, and the messages about texts that do not have them.

use super::decimal::{Decimal, Unreadable};
use super::fraction::render_share;
use super::{BadQuantity, Dimension, Measure, QuantityUnit, quoted};
use crate::hint::Hint;
use crate::suggest;
use crate::value::Value;

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

    /// The units, as the end of a hint.
    fn the_units(&self) -> String {
        let mut units = self.units().filter(|unit| !unit.is_alias);
        match (units.next(), units.next()) {
            (Some(only), None) => format!("the unit is `{}`", only.symbol),
            _ => format!("the units are {}", self.symbols()),
        }
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
            let positive = Hint::value("write for example", text.trim_start_matches('-'));
            return Err(BadQuantity {
                problem: format!("{} is negative", quoted(text)),
                hints: vec![positive, Hint::example(self.example)],
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
        let hint = Hint::example_after(&format!("write {what}, for example"), self.example);
        BadQuantity {
            problem: format!("{} {problem}", quoted(text)),
            hints: vec![hint],
        }
    }

    /// The fault to report for a `number` without a unit.
    pub(crate) fn without_unit(&self, number: &str) -> BadQuantity {
        let units = format!("; {}", self.the_units());
        let mut hints = vec![Hint::example(self.example).and(&units)];
        // The user's number with the unit of the example.
        if let Some((_, unit)) = self.example.split_once(' ')
            && number.starts_with(|first: char| first.is_ascii_digit())
        {
            let with_unit = format!("{number} {unit}");
            hints.insert(
                0,
                Hint::value("write for example", with_unit.as_str())
                    .and(&units)
                    .completing(),
            );
            if let Some(share) = self.share_meant_by(number) {
                let text = format!(
                    "write `\"{share}\"` if it is a share of one, or `\"{with_unit}\"` if it is per \
                     cent"
                );
                let both = [share.into(), with_unit.into()];
                hints.insert(0, Hint::naming(&text, both).completing());
            }
        }
        BadQuantity {
            problem: format!("{} has no unit", quoted(number)),
            hints,
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

    /// The fault to report for a `symbol` in `text` that is not a unit of this quantity.
    fn unknown_unit(&self, text: &str, symbol: &str) -> BadQuantity {
        let units = self.the_units();
        let example = Hint::example(self.example).and(&format!("; {units}"));
        let meant = self.units_meant_by(symbol);
        let hint = if let Some(share) = self.share_meant_by(text) {
            Hint::value("write", share).and(", the fraction in percent")
        } else if let Some(sum) = self.sum(text) {
            Hint::value("write one number, for example", sum)
        } else if symbol.starts_with([',', '_', '\'']) {
            self.separated(text)
        } else if self.counts_bytes() && PACKETS.contains(&symbol) {
            let text = "nothing here counts packets: multiply by the packet size";
            Hint::words(&format!("{text}; {units}"))
        } else if meant.is_empty() {
            example.clone()
        } else {
            let number = text.strip_suffix(symbol).unwrap_or(text).trim_end();
            let proposed = meant
                .iter()
                .map(|unit| Value::from(format!("{number} {unit}")));
            let proposed: Vec<Value> = proposed.collect();
            let meant = suggest::either(meant);
            Hint::naming(&format!("did you mean {meant}? {units}"), proposed)
        };
        let (text, noun, symbol) = (quoted(text), self.noun, quoted(symbol));
        BadQuantity {
            problem: format!("{text} is not a {noun}: unknown unit {symbol}"),
            hints: vec![hint, example],
        }
    }

    /// The hint about a number with a comma, or with separators of thousands.
    fn separated(&self, text: &str) -> Hint {
        match text.matches(',').count() {
            0 => {
                let plain = text.replace(['_', '\''], "");
                Hint::value("write thousands without separators:", plain)
            }
            1 => {
                let point = text.replace(',', ".").replace(['_', '\''], "");
                Hint::value("write decimals with a point, for example", point)
                    .and(", and thousands without separators")
            }
            _ => {
                let plain = text.replace(['_', '\'', ','], "");
                Hint::value("write thousands without separators:", plain)
            }
        }
    }

    /// The sum of the quantities in a text such as `1 min 5 s`, in the smallest of their units; none
    /// if the text is no such row.
    fn sum(&self, text: &str) -> Option<String> {
        let (mut rest, mut total) = (text, 0u128);
        let mut smallest: Option<&QuantityUnit> = None;
        while !rest.is_empty() {
            let (number, after) = Decimal::split(rest).ok()?;
            let end = after.find(|one: char| one.is_whitespace() || one.is_ascii_digit());
            let (symbol, after) = after.split_at(end.unwrap_or(after.len()));
            let unit = self.units().find(|unit| unit.symbol == symbol)?;
            if smallest.is_some_and(|other| other.dimension != unit.dimension) {
                return None;
            }
            let (steps, _) = number.times(unit.steps).filter(|(_, is_exact)| *is_exact)?;
            total = total.checked_add(steps)?;
            smallest = smallest
                .filter(|other| other.steps <= unit.steps)
                .or(Some(unit));
            rest = after.trim_start();
        }
        let QuantityUnit { symbol, steps, .. } = smallest?;
        let steps = u128::from(*steps);
        (total % steps == 0).then(|| format!("{} {symbol}", total / steps))
    }

    fn counts_bytes(&self) -> bool {
        self.units().any(|unit| unit.dimension == Dimension::Bytes)
    }

    /// The units that `symbol` may stand for: the symbol in another case, a unit written out (`sec`)
    /// or abbreviated (`Mbit`), or a typing error.
    fn units_meant_by(&self, symbol: &str) -> Vec<&'static str> {
        let symbols = || self.units().map(|unit| unit.symbol);
        // `B` (bytes) must not be suggested for `b` (bits), although only the case differs.
        if symbol.contains('B') && !symbols().any(|known| known.contains('B')) {
            return Vec::new();
        }
        let in_other_case = symbols().find(|known| known.eq_ignore_ascii_case(symbol));
        let written_out = || {
            let begins = |known: &&str| symbol.starts_with(known) && symbol.is_ascii();
            symbols().filter(begins).max_by_key(|known| known.len())
        };
        let cut_short = || {
            let units = self.units().filter(|unit| !unit.is_alias);
            let begin = units.filter(|unit| unit.symbol.starts_with(symbol));
            begin.map(|unit| unit.symbol).collect::<Vec<_>>()
        };
        let slip = || suggest::nearest(symbol, symbols());
        let all = match in_other_case {
            Some(unit) => return vec![unit],
            None => cut_short(),
        };
        if all.is_empty() {
            return slip().or_else(written_out).into_iter().collect();
        }
        all
    }
}
