//! The lines of the tables in which each number of a run has one.
//!
//! There may be millions of them, and the interpreter takes ten times as long for each.

use std::collections::HashMap;
use std::fmt::Write;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The lines of these numbers, each with its texts before and after the number from `lists`.
///
/// # Errors
/// If there are more or fewer numbers than metrics.
pub fn text(
    values: &[f64],
    start: &str,
    scopes: &[(String, usize)],
    lists: &[Vec<(String, String)>],
) -> PyResult<String> {
    let count: usize = scopes.iter().map(|(_, list)| lists[*list].len()).sum();
    if count != values.len() {
        return Err(PyValueError::new_err(
            "as many values as metrics are needed",
        ));
    }
    let mut text = String::with_capacity(count * 96);
    let all = scopes
        .iter()
        .flat_map(|(scope, list)| lists[*list].iter().map(move |one| (scope, one)));
    for ((scope, (head, tail)), value) in all.zip(values) {
        for part in [start, scope, head] {
            text.push_str(part);
        }
        write_number(&mut text, *value);
        text.push_str(tail);
    }
    Ok(text)
}

/// The form of lines with intervals: true if a mean that is not finite is written, the texts before the
/// mean and the number of samples, and those before the ends of the interval, each with the text in
/// place of an end that does not exist.
pub type IntervalForm = (bool, String, String, (String, String), (String, String));

/// The columns of estimates: means, numbers of samples, and the ends of the intervals. A point with a
/// single sample has means alone.
pub struct Columns {
    means: Vec<f64>,
    counts: Vec<i64>,
    ends: [Vec<f64>; 2],
}

impl Columns {
    /// Reads the columns.
    ///
    /// # Errors
    /// If the columns have different lengths.
    pub fn read(
        py: Python<'_>,
        means: &PyBuffer<f64>,
        intervals: Option<&(PyBuffer<i64>, PyBuffer<f64>, PyBuffer<f64>)>,
    ) -> PyResult<Self> {
        let means = means.to_vec(py)?;
        let (counts, ends) = if let Some((counts, lows, highs)) = intervals {
            (counts.to_vec(py)?, [lows.to_vec(py)?, highs.to_vec(py)?])
        } else {
            let without = vec![f64::NAN; means.len()];
            let counts = means.iter().map(|mean| i64::from(!mean.is_nan()));
            (counts.collect(), [without.clone(), without])
        };
        let lengths = [counts.len(), ends[0].len(), ends[1].len()];
        if lengths.iter().any(|length| *length != means.len()) {
            return Err(PyValueError::new_err("columns of one length are needed"));
        }
        Ok(Self {
            means,
            counts,
            ends,
        })
    }
}

/// The lines of these estimates, with the texts before, within and after the line from `lists`; a text
/// from `apart` is in place of the line of its number.
///
/// # Errors
/// If there are more or fewer numbers than metrics.
pub fn with_intervals(
    columns: &Columns,
    start: &str,
    scopes: &[(String, usize)],
    lists: &[Vec<(String, String, String)>],
    (writes_all, before_mean, before_count, low, high): &IntervalForm,
    apart: &HashMap<usize, String>,
) -> PyResult<String> {
    let count: usize = scopes.iter().map(|(_, list)| lists[*list].len()).sum();
    if count != columns.means.len() {
        return Err(PyValueError::new_err(
            "as many values as metrics are needed",
        ));
    }
    let mut text = String::with_capacity(count * 128);
    let all = scopes
        .iter()
        .flat_map(|(scope, list)| lists[*list].iter().map(move |one| (scope, one)));
    for (place, (scope, (head, middle, tail))) in all.enumerate() {
        if let Some(known) = apart.get(&place) {
            text.push_str(known);
            continue;
        }
        for part in [start, scope, head] {
            text.push_str(part);
        }
        let mean = columns.means[place];
        if *writes_all || mean.is_finite() {
            text.push_str(before_mean);
            write_number(&mut text, mean + 0.0);
        }
        text.push_str(middle);
        write!(text, "{before_count}{}", columns.counts[place]).expect(WRITABLE);
        for (end, (before, without)) in columns.ends.iter().zip([low, high]) {
            if end[place].is_finite() {
                text.push_str(before);
                write_number(&mut text, end[place]);
            } else {
                text.push_str(without);
            }
        }
        text.push_str(tail);
    }
    Ok(text)
}

const WRITABLE: &str = "a string can be written to";

/// Writes a number as Python does: the fewest digits that read back as the same number.
fn write_number(text: &mut String, value: f64) {
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
