//! Rates of links and sources.
//!
//! Units: bit/s with SI prefixes, as in the recommendations of the ITU, and cells/s as in TM 4.0.

use kernel::Rate;

use super::decimal;
use super::{
    BadQuantity, CELL_OCTETS, Dimension, Form, LargestSteps, Measure, Quantity, QuantityUnit, zero,
};

const fn unit(symbol: &'static str, steps: u64) -> QuantityUnit {
    QuantityUnit {
        symbol,
        dimension: Dimension::Rate,
        steps,
        is_alias: false,
    }
}

/// Another spelling of a unit.
const fn alias(symbol: &'static str, steps: u64) -> QuantityUnit {
    QuantityUnit {
        is_alias: true,
        ..unit(symbol, steps)
    }
}

const BITS: &[QuantityUnit] = &[
    unit("bit/s", 1),
    unit("kbit/s", 1_000),
    unit("Mbit/s", 1_000_000),
    unit("Gbit/s", 1_000_000_000),
    unit("Tbit/s", 1_000_000_000_000),
    alias("bps", 1),
    alias("kbps", 1_000),
    alias("Mbps", 1_000_000),
    alias("Gbps", 1_000_000_000),
    alias("Tbps", 1_000_000_000_000),
    alias("b/s", 1),
    alias("kb/s", 1_000),
    alias("Mb/s", 1_000_000),
    alias("Gb/s", 1_000_000_000),
    alias("Tb/s", 1_000_000_000_000),
];

/// Cells of ATM in a second.
pub(super) const CELLS_PER_SECOND: &QuantityUnit = &unit("cells/s", CELL_OCTETS * 8);

const CELLS: &[QuantityUnit] = std::slice::from_ref(CELLS_PER_SECOND);

/// At the largest rate a cell takes 42 ps, still long enough for a resolution of 1 ps.
const MOST: LargestSteps = LargestSteps {
    steps: 10_000_000_000_000,
    text: "10 Tbit/s",
};

/// A rate in bits per second that may be zero, such as a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RateOrZero(pub u64);

impl Quantity for RateOrZero {
    const FORM: Form = Form {
        noun: "rate or zero",
        example: "20 Mbit/s",
        units: &[BITS, CELLS],
    };

    fn from_measure(measure: Measure<'_>) -> Result<RateOrZero, BadQuantity> {
        measure.nearest(MOST).map(RateOrZero)
    }

    fn render(&self) -> String {
        match self.0 {
            0 => "0 bit/s".to_string(),
            bits => Rate::from_bits_per_second(bits).render(),
        }
    }
}

impl Quantity for Rate {
    const FORM: Form = Form {
        noun: "rate",
        example: "155.52 Mbit/s",
        units: &[BITS, CELLS],
    };

    fn from_measure(measure: Measure<'_>) -> Result<Rate, BadQuantity> {
        match measure.nearest(MOST)? {
            0 => Err(zero(measure, Rate::FORM.example)),
            bits => Ok(Rate::from_bits_per_second(bits)),
        }
    }

    fn render(&self) -> String {
        let bits = self.bits_per_second();
        let (symbol, per_unit) = match bits {
            0..1_000 => ("bit/s", 1),
            1_000..1_000_000 => ("kbit/s", 1_000),
            1_000_000..1_000_000_000 => ("Mbit/s", 1_000_000),
            1_000_000_000..1_000_000_000_000 => ("Gbit/s", 1_000_000_000),
            _ => ("Tbit/s", 1_000_000_000_000),
        };
        format!("{} {symbol}", decimal::render(bits, per_unit))
    }
}
