//! The lines of the tables in which each number of a run has one.
//!
//! There may be millions of them, and the interpreter takes ten times as long for each.

use std::fmt::Write;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The form of lines: true if a negative zero becomes zero, then what stands around the value if it is
/// finite, `NaN` or infinite.
pub type LineForm = (bool, Case, Case, Case);

/// The text before the value, true if the value itself is written, and the texts after it: before
/// and after what the metric adds, such as its unit.
type Case = (String, bool, String, String);

/// The lines of these numbers.
///
/// # Errors
/// If there are more or fewer numbers than metrics.
pub fn text(
    values: &PyBuffer<f64>,
    start: &str,
    scopes: &[(String, usize)],
    lists: &[Vec<(String, String)>],
    (has_no_negative_zero, finite, nan, infinite): &LineForm,
) -> PyResult<String> {
    let wrong = || PyValueError::new_err("as many values as metrics are needed");
    let values = Python::attach(|py| values.to_vec(py))?;
    let count: usize = scopes.iter().map(|(_, list)| lists[*list].len()).sum();
    if count != values.len() {
        return Err(wrong());
    }
    let mut text = String::with_capacity(count * 96);
    let mut values = values.into_iter();
    for (scope, list) in scopes {
        for ((head, tail), mut value) in lists[*list].iter().zip(&mut values) {
            let (before, is_written, after, end) = match value {
                _ if value.is_nan() => nan,
                _ if value.is_infinite() => infinite,
                _ => finite,
            };
            if *has_no_negative_zero {
                value += 0.0;
            }
            for part in [start, scope, head, before] {
                text.push_str(part);
            }
            if *is_written {
                write_number(&mut text, value);
            }
            for part in [after, tail, end] {
                text.push_str(part);
            }
        }
    }
    Ok(text)
}

/// Writes a number as Python does: the fewest digits that read back as the same number.
fn write_number(text: &mut String, value: f64) {
    const WRITABLE: &str = "a string can be written to";
    if !value.is_finite() {
        let word = if value.is_nan() { "nan" } else { "inf" };
        let sign = if value < 0.0 { "-" } else { "" };
        return write!(text, "{sign}{word}").expect(WRITABLE);
    }
    // Python writes powers of ten where the exponent is at least 16 or below -4.
    if value == 0.0 || (1e-4..1e16).contains(&value.abs()) {
        return write!(text, "{value:?}").expect(WRITABLE);
    }
    let known = text.len();
    write!(text, "{value:e}").expect(WRITABLE);
    let letter = known + text[known..].find('e').expect("an exponent");
    let exponent: i32 = text[letter + 1..].parse().expect("a whole number");
    text.truncate(letter);
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(text, "e{sign}{:02}", exponent.abs()).expect(WRITABLE);
}
