//! Steps: one factor below Q0, another beyond Q1.
//!
//! Steps are the simplest curve to build, but only with them does the queue keep oscillating.
//!
//! Vandalore, Jain, Goyal and Fahmy, "Design and Analysis of Queue Control Functions for
//! Explicit Rate Switch Schemes", IC3N 1998, section "Design of Queue Control Function".

use parameters::parameters;

use super::{Excess, QueueCurve};

parameters! {
    /// Steps: one capacity factor below the queue length Q0, another beyond Q1.
    pub struct Step {
        /// Factor beyond Q1.
        #[range(0, 1)]
        pub a: f64 = 0.95,
        /// Factor below Q0.
        #[range(1, 2)]
        pub b: f64 = 1.01,
    }
}

impl Step {
    /// The curve of this shape: one branch of the factor below Q0, the other beyond Q1.
    pub fn build(&self, (): &()) -> Box<dyn QueueCurve> {
        Box::new(self.clone())
    }
}

impl QueueCurve for Step {
    fn below(&self, _excess: Excess) -> f64 {
        self.b
    }

    fn above(&self, _excess: Excess) -> f64 {
        self.a
    }
}
