//! Lognormal lengths: the body of the sizes of files.
//!
//! Downey, "The Structural Cause of File Size Distributions", MASCOTS 2001. That the mean is stated
//! rather than that of the logarithm is ours, since a load follows from it. Normal numbers are drawn
//! by Box and Muller, "A Note on the Generation of Random Normal Deviates", Annals of Mathematical
//! Statistics 29(2), 1958. Lengths are rounded to whole octets, at least one.

use std::f64::consts::TAU;

use kernel::Stream;
use parameters::{Bytes, MessageLength, parameters};

use super::{Application, LengthKind, Lengths, ONE_OCTET, whole};

parameters! {
    /// Lognormal distribution.
    pub struct Lognormal {
        /// Mean length.
        #[range("1 B", "1 TiB")]
        pub mean: Bytes,
        /// Standard deviation of the natural logarithm of the length.
        #[range(0, 10)]
        pub sigma: f64 = 1.0,
    }
}

impl Lognormal {
    /// The lengths of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Lengths> {
        Box::new(State {
            median: self.mean() * libm::exp(-self.sigma * self.sigma / 2.0),
            sigma: self.sigma,
            random: application.stream("length"),
        })
    }
}

impl LengthKind for Lognormal {
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
    median: f64,
    sigma: f64,
    random: Stream,
}

impl Lengths for State {
    fn next(&mut self) -> u64 {
        let radius = libm::sqrt(2.0 * self.random.exponential_unit());
        let normal = radius * libm::cos(TAU * self.random.unit());
        whole(self.median * libm::exp(self.sigma * normal))
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use crate::traffic::length::tests::check;

    #[test]
    fn the_mean_and_the_median_are_those_of_the_distribution() {
        let lognormal = value!({ lognormal = { mean = "100 kB", sigma = 0.8 } });
        check(&lognormal, 1e5, [1e5 * (-0.32_f64).exp()]);
    }
}
