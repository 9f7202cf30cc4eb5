//! A rate that a program changes at the pauses of a run. Our own rule: the rate never exceeds that of
//! the link in the scenario, by which nodes know how far they may run ahead of one another.

use kernel::Rate;
use parameters::parameters;

use super::Schedule;

parameters! {
    /// Changes by the program that steers the run, through the control `rate` of the link.
    pub struct Steered {}
}

impl Steered {
    /// No change of its own.
    pub fn build(&self, first: &Rate) -> Schedule {
        Schedule::steered(*first)
    }
}
