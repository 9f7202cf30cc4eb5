//! Weibull lengths: a tail between the exponential one and that of Pareto, for a shape below one.
//!
//! Weibull, "A Statistical Distribution Function of Wide Applicability", Journal of Applied
//! Mechanics 18, 1951. The mean is the scale times the gamma function of 1 + 1/shape; that it is
//! stated rather than the scale is ours, since a load follows from it. Lengths are drawn by
//! inversion, and rounded to whole octets, at least one.

use kernel::Stream;
use parameters::{Bytes, MessageLength, parameters};

use super::{Application, LengthKind, Lengths, ONE_OCTET, whole};

parameters! {
    /// Weibull distribution.
    pub struct Weibull {
        /// Mean length.
        #[range("1 B", "1 TiB")]
        pub mean: Bytes,
        /// Shape: 1 is the exponential distribution, and less a heavier tail.
        #[range(0.1, 100)]
        pub shape: f64 = 0.5,
    }
}

impl Weibull {
    /// The lengths of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Lengths> {
        Box::new(State {
            scale: self.mean() / libm::tgamma(1.0 + 1.0 / self.shape),
            exponent: 1.0 / self.shape,
            random: application.stream("length"),
        })
    }
}

impl LengthKind for Weibull {
    fn examples(&self) -> &[MessageLength] {
        ONE_OCTET
    }

    fn examples_are_all(&self) -> bool {
        false
    }

    fn mean(&self) -> f64 {
        self.mean.0 as f64
    }
}

struct State {
    scale: f64,
    exponent: f64,
    random: Stream,
}

impl Lengths for State {
    fn next(&mut self) -> u64 {
        whole(self.scale * libm::pow(self.random.exponential_unit(), self.exponent))
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use crate::traffic::length::tests::check;

    #[test]
    fn the_mean_and_the_median_are_those_of_the_distribution() {
        // The gamma function of 3 is 2.
        let median = 5e4 * 2.0_f64.ln().powi(2);
        check(&value!({ weibull = { mean = "100 kB" } }), 1e5, [median]);
    }
}
