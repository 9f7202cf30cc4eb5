//! Durations, and propagation delays, which are also written as a distance that light travels in
//! glass.
//!
//! Units of time: the SI Brochure of the BIPM, 9th edition, 2019. Delays as distances are our own,
//! because studies of ATM state the lengths of links.

use kernel::Duration;

use super::decimal;
use super::{BadQuantity, Dimension, Form, LargestSteps, Measure, Quantity, QuantityUnit};

const fn unit(symbol: &'static str, steps: u64) -> QuantityUnit {
    QuantityUnit {
        symbol,
        dimension: Dimension::Time,
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

/// Units of time, in picoseconds. Unicode has two characters for the prefix micro.
const TIME: &[QuantityUnit] = &[
    unit("ps", 1),
    unit("ns", 1_000),
    unit("us", 1_000_000),
    alias("\u{b5}s", 1_000_000),
    alias("\u{3bc}s", 1_000_000),
    unit("ms", 1_000_000_000),
    unit("s", 1_000_000_000_000),
    unit("min", 60_000_000_000_000),
    unit("h", 3_600_000_000_000_000),
];

/// Units of distance, at 5 us per kilometre: light in glass has two thirds of its speed in vacuum.
const DISTANCE: &[QuantityUnit] = &[unit("m", 5_000), unit("km", 5_000_000)];

/// Longest duration: the sum of two times must not overflow.
const MOST: LargestSteps = LargestSteps {
    steps: 1000 * 3_600_000_000_000_000,
    text: "1000 h",
};

impl Quantity for Duration {
    const FORM: Form = Form {
        noun: "duration",
        example: "5 ms",
        units: &[TIME],
    };

    fn from_measure(measure: Measure<'_>) -> Result<Duration, BadQuantity> {
        measure.nearest(MOST).map(Duration::from_ps)
    }

    fn render(&self) -> String {
        let ps = self.ps();
        let (symbol, per_unit) = match ps {
            1..1_000 => ("ps", 1),
            1_000..1_000_000 => ("ns", 1_000),
            1_000_000..1_000_000_000 => ("us", 1_000_000),
            1_000_000_000..1_000_000_000_000 => ("ms", 1_000_000_000),
            _ => ("s", 1_000_000_000_000),
        };
        format!("{} {symbol}", decimal::render(ps, per_unit))
    }
}

/// A propagation delay: a duration, or a distance. A time that is no delay is never a distance, so
/// that `15 m` is not taken for a time of 15 minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Propagation(pub Duration);

impl Quantity for Propagation {
    const FORM: Form = Form {
        noun: "propagation delay",
        example: "5 ms",
        units: &[TIME, DISTANCE],
    };

    fn from_measure(measure: Measure<'_>) -> Result<Propagation, BadQuantity> {
        Duration::from_measure(measure).map(Propagation)
    }

    fn render(&self) -> String {
        self.0.render()
    }
}
