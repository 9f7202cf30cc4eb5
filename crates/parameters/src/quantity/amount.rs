//! Levels in a buffer.

use std::cmp::Ordering;

use super::fraction::{PERCENT, render_share, share};
use super::size::{BYTES, CELLS, MOST_BYTES, MOST_CELLS, render_bytes, render_count};
use super::{BadQuantity, Dimension, Form, Measure, Quantity};

/// A part of a buffer: a share, or a number of cells or bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A share of the whole, from 0 to 1.
    Share(f64),
    /// A number of cells.
    Cells(u64),
    /// A number of bytes.
    Bytes(u64),
}

impl Amount {
    /// Twice the amount; none if that is no level of a buffer.
    pub fn twice(self) -> Option<Amount> {
        match self {
            Amount::Share(share) => (share <= 0.5).then_some(Amount::Share(2.0 * share)),
            Amount::Cells(cells) => cells.checked_mul(2).map(Amount::Cells),
            Amount::Bytes(bytes) => bytes.checked_mul(2).map(Amount::Bytes),
        }
    }
}

/// Shares, cells and bytes cannot be compared without the size of the buffer.
impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Amount) -> Option<Ordering> {
        match (self, other) {
            (Amount::Share(one), Amount::Share(other)) => one.partial_cmp(other),
            (Amount::Cells(one), Amount::Cells(other))
            | (Amount::Bytes(one), Amount::Bytes(other)) => Some(one.cmp(other)),
            _ => None,
        }
    }
}

impl Quantity for Amount {
    const FORM: Form = Form {
        noun: "level in a buffer",
        example: "50 %",
        units: &[PERCENT, CELLS, BYTES],
    };

    fn from_measure(measure: Measure<'_>) -> Result<Amount, BadQuantity> {
        match measure.dimension() {
            Dimension::Share => share(measure).map(Amount::Share),
            Dimension::Cells => measure.whole(MOST_CELLS).map(Amount::Cells),
            _ => measure.whole(MOST_BYTES).map(Amount::Bytes),
        }
    }

    fn render(&self) -> String {
        match self {
            Amount::Share(share) => render_share(*share),
            Amount::Cells(cells) => render_count(*cells, CELLS),
            Amount::Bytes(bytes) => render_bytes(*bytes),
        }
    }

    fn level(&self) -> Option<Amount> {
        Some(*self)
    }
}
