//! Exact decimal numbers.
//!
//! Ours: a binary float has no exact 0.1, and the results of a run must not depend on its rounding.

/// `digits` times ten to the power of `exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: u128,
    exponent: i32,
}

/// Reasons why a text does not begin with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// There are no digits where a number should begin.
    NotANumber,
    /// There are more than [`DIGITS`] digits.
    TooPrecise,
}

/// Largest number of significant digits: with any factor of a unit the product fits into 128 bits.
const DIGITS: usize = 19;

impl Decimal {
    /// The number at the start of `text`, and the text after it without leading spaces.
    pub fn split(text: &str) -> Result<(Decimal, &str), Unreadable> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, rest) = digits(rest);
        if whole.is_empty() {
            return Err(Unreadable::NotANumber);
        }
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", rest),
        };
        let (power, rest) = power(rest);
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0').trim_end_matches('0');
        if significant.len() > DIGITS {
            return Err(Unreadable::TooPrecise);
        }
        let dropped = all.len() - all.trim_end_matches('0').len();
        // Beyond these bounds every number is far too large or too small for any unit.
        let small = |count: usize| i32::try_from(count.min(10_000_000)).expect("ten million");
        let exponent = power - small(fraction.len()) + small(dropped);
        let decimal = Decimal {
            negative,
            digits: significant.parse().unwrap_or(0),
            exponent: exponent.clamp(-1000, 1000),
        };
        Ok((decimal, rest.trim_start()))
    }

    /// True if the number is zero.
    pub fn is_zero(&self) -> bool {
        self.digits == 0
    }

    /// True if the number is less than zero.
    pub fn is_negative(&self) -> bool {
        self.negative && !self.is_zero()
    }

    /// This number times `factor`, rounded to a whole number, and true if no rounding was needed.
    ///
    /// Returns none if the product does not fit into 128 bits.
    pub fn times(&self, factor: u64) -> Option<(u128, bool)> {
        let product = self.digits * u128::from(factor);
        let power = 10u128.checked_pow(self.exponent.unsigned_abs());
        match power {
            _ if product == 0 => Some((0, true)),
            Some(power) if self.exponent >= 0 => Some((product.checked_mul(power)?, true)),
            Some(power) => {
                let (whole, rest) = (product / power, product % power);
                let is_rounded_up = rest >= power - rest;
                Some((whole + u128::from(is_rounded_up), rest == 0))
            }
            None if self.exponent >= 0 => None,
            None => Some((0, false)),
        }
    }

    /// A hundredth of the number, as the nearest float.
    pub fn hundredth(&self) -> f64 {
        format!("{}e{}", self.digits, self.exponent - 2)
            .parse()
            .expect("digits and an exponent are a float")
    }
}

/// The decimal digits at the start of `text`, and the text after them.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// The power of ten at the start of `text` (`e-3`), zero if there is none, and the rest.
fn power(text: &str) -> (i32, &str) {
    let Some(after) = text.strip_prefix(['e', 'E']) else {
        return (0, text);
    };
    let (sign, unsigned) = match after.strip_prefix('-') {
        Some(unsigned) => (-1, unsigned),
        None => (1, after.strip_prefix('+').unwrap_or(after)),
    };
    match digits(unsigned) {
        // An `e` without digits after it begins a unit, not an exponent.
        ("", _) => (0, text),
        (digits, rest) => (
            sign * digits
                .parse::<i32>()
                .unwrap_or(100_000_000)
                .min(100_000_000),
            rest,
        ),
    }
}

/// `steps` as a decimal number of units of `per_unit` steps, a power of ten.
pub fn render(steps: u64, per_unit: u64) -> String {
    let (whole, rest) = (steps / per_unit, steps % per_unit);
    if rest == 0 {
        return whole.to_string();
    }
    let fraction = format!("{rest:0width$}", width = per_unit.ilog10() as usize);
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Decimal {
        Decimal::split(text).unwrap().0
    }

    #[test]
    fn numbers_end_where_their_unit_begins() {
        for (text, unit) in [
            ("5ms", "ms"),
            ("5 ms", "ms"),
            ("1.5e3 s", "s"),
            ("1e x", "e x"),
            ("7", ""),
        ] {
            assert_eq!(Decimal::split(text).unwrap().1, unit, "{text}");
        }
        for text in ["", "ms", "-", ".5 s", "nan s", "inf s", "٣ s"] {
            assert_eq!(
                Decimal::split(text).unwrap_err(),
                Unreadable::NotANumber,
                "{text}"
            );
        }
    }

    #[test]
    fn products_report_whether_they_are_exact() {
        assert_eq!(
            read("0.1").times(1_000_000_000_000),
            Some((100_000_000_000, true))
        );
        assert_eq!(read("141.333").times(1_000_000), Some((141_333_000, true)));
        assert_eq!(read("0.5").times(1), Some((1, false)));
        assert_eq!(read("0.49").times(1), Some((0, false)));
        assert_eq!(read("1e-999999999999999999999").times(1), Some((0, false)));
        assert_eq!(read("1e40").times(1), None);
        assert_eq!(read("0e9999").times(1), Some((0, true)));
        assert_eq!(
            read("9999999999999999999")
                .times(u64::MAX)
                .map(|(_, exact)| exact),
            Some(true)
        );
    }

    #[test]
    fn zeros_are_not_digits_to_keep() {
        let zeros = "0".repeat(50);
        assert_eq!(read(&format!("{zeros}1.5{zeros}")), read("1.5"));
        assert_eq!(
            Decimal::split("12345678901234567891").unwrap_err(),
            Unreadable::TooPrecise
        );
    }
}
