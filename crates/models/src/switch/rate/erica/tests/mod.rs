//! Tests of the whole ERICA algorithm.

mod loops;
mod scripts;
mod silences;

use kernel::Duration;
use parameters::{Fraction, ParameterTable};

use super::target::utilization::Utilization;
use super::*;

/// ERICA with the whole link as its target capacity, changed by `change`.
fn erica(change: impl FnOnce(&mut Erica)) -> Erica {
    let mut erica = Erica {
        target: TargetSpec::Utilization(Utilization(Fraction(1.0))),
        interval: Duration::from_ms(10),
        ..Erica::defaults()
    };
    change(&mut erica);
    erica
}
