//! Lines: the factor falls by a constant for each Q0 of queue.
//!
//! Lines control the queue nearly as well as hyperbolas, and need no division if their slopes are
//! powers of two.
//!
//! Vandalore, Jain, Goyal and Fahmy, "Design and Analysis of Queue Control Functions for
//! Explicit Rate Switch Schemes", IC3N 1998, section "Design of Queue Control Function".

use parameters::parameters;

use super::{Excess, QueueCurve};

parameters! {
    /// Lines: the capacity factor falls linearly with the queue.
    pub struct Linear {
        /// Fall per Q0 beyond Q1.
        #[range(0, 1)]
        pub a: f64 = 0.0625,
        /// Fall per Q0 below Q0.
        #[range(0, 1)]
        pub b: f64 = 0.0625,
    }
}

impl Linear {
    /// The curve of this shape: one branch of the factor below Q0, the other beyond Q1.
    pub fn build(&self, (): &()) -> Box<dyn QueueCurve> {
        Box::new(self.clone())
    }
}

impl QueueCurve for Linear {
    fn below(&self, excess: Excess) -> f64 {
        1.0 + self.b * (1.0 - excess.queue)
    }

    fn above(&self, excess: Excess) -> f64 {
        1.0 - self.a * (excess.queue - excess.steady_until)
    }
}
