//! Hyperbolas: the factor falls fast at first, and then more slowly.
//!
//! Kalyanaraman, dissertation, Ohio State University, 1997, section 6.19.

use parameters::parameters;

use super::{Excess, QueueCurve};

parameters! {
    /// Hyperbolas: the capacity factor falls fast at first, and then more slowly.
    pub struct Hyperbolic {
        /// Steepness of the fall beyond Q1.
        #[range(1, 100)]
        pub a: f64 = 1.15,
        /// Factor of an empty queue.
        #[range(1, 2)]
        pub b: f64 = 1.05,
    }
}

impl Hyperbolic {
    /// The curve of this shape: one branch of the factor below Q0, the other beyond Q1.
    pub fn build(&self, (): &()) -> Box<dyn QueueCurve> {
        Box::new(self.clone())
    }
}

impl QueueCurve for Hyperbolic {
    fn below(&self, excess: Excess) -> f64 {
        self.b / ((self.b - 1.0) * excess.queue + 1.0)
    }

    fn above(&self, excess: Excess) -> f64 {
        self.a / ((self.a - 1.0) * excess.beyond() + 1.0)
    }
}
