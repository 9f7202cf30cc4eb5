//! An inverted hyperbola: beyond Q1 the factor falls slowly at first, and then fast.
//!
//! Vandalore, Jain, Goyal and Fahmy, "Design and Analysis of Queue Control Functions for Explicit
//! Rate Switch Schemes", IC3N 1998, section "Design of Queue Control Function", find this curve the
//! best, but the formula is illegible in every copy that we found.
//!
//! Our own formula: the hyperbola turned by 180 degrees. With each of the three published pairs of
//! `a` and Q1, it falls to one half exactly at the published Q2 of 26 Q0, since `a` is
//! `3 (Q2 / Q1 - 1)` in all three pairs. Below Q0 the curve is the hyperbola that is not turned.

use parameters::parameters;

use super::{Excess, QueueCurve};

parameters! {
    /// An inverted hyperbola: beyond the queue length Q1 the capacity factor falls slowly at first,
    /// and then fast.
    pub struct InverseHyperbolic {
        /// Length of the fall: the factor is one half at a queue of `(1 + a / 3)` times Q1.
        #[range(0.01, 1_000_000)]
        pub a: f64 = 16.5,
        /// Factor of an empty queue.
        #[range(1, 2)]
        pub b: f64 = 1.05,
    }
}

impl InverseHyperbolic {
    /// The curve of this shape: one branch of the factor below Q0, the other beyond Q1.
    pub fn build(&self, (): &()) -> Box<dyn QueueCurve> {
        Box::new(self.clone())
    }
}

impl QueueCurve for InverseHyperbolic {
    fn below(&self, excess: Excess) -> f64 {
        self.b / ((self.b - 1.0) * excess.queue + 1.0)
    }

    fn above(&self, excess: Excess) -> f64 {
        let left = 1.0 - (excess.beyond() - 1.0) / self.a;
        // At the pole of the hyperbola the factor would be infinite; it reaches the drain limit
        // long before.
        if left > 0.0 { 2.0 - 1.0 / left } else { 0.0 }
    }
}
