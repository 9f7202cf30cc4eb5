//! Shares of a whole.

use crate::hint::Hint;

use super::{BadQuantity, Dimension, Form, Measure, Quantity, QuantityUnit};

/// A share of one, from 0 to 1, written in percent.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Fraction(pub f64);

/// The unit of shares.
pub(super) const PERCENT: &[QuantityUnit] = &[QuantityUnit {
    symbol: "%",
    dimension: Dimension::Share,
    steps: 1,
    is_alias: false,
}];

impl Quantity for Fraction {
    const FORM: Form = Form {
        noun: "percentage",
        example: "50 %",
        units: &[PERCENT],
    };

    fn from_measure(measure: Measure<'_>) -> Result<Fraction, BadQuantity> {
        share(measure).map(Fraction)
    }

    fn render(&self) -> String {
        render_share(self.0)
    }
}

/// The share of one in `measure`, at most one.
pub(super) fn share(measure: Measure<'_>) -> Result<f64, BadQuantity> {
    let share = measure.share();
    if share <= 1.0 {
        return Ok(share);
    }
    Err(BadQuantity {
        problem: format!("{measure} exceeds `100 %`"),
        hints: vec![Hint::naming(
            "a percentage is from `0 %` to `100 %`",
            ["0 %".into(), "100 %".into()],
        )],
    })
}

/// A share of one in percent: its shortest decimal form with the point moved by two digits, because
/// a multiplication by 100 may not give it.
pub(super) fn render_share(share: f64) -> String {
    let decimal = format!("{share}");
    let (whole, fraction) = decimal.split_once('.').unwrap_or((&decimal, ""));
    let fraction = format!("{fraction:0<2}");
    let (percent, rest) = fraction.split_at(2);
    let digits = format!("{whole}{percent}");
    let digits = match digits.trim_start_matches('0') {
        "" => "0",
        significant => significant,
    };
    let separator = if rest.is_empty() { "" } else { "." };
    format!("{digits}{separator}{rest} %")
}
