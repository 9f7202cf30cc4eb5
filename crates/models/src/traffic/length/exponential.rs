//! Exponential lengths: the service times of M/M/1.
//!
//! Kleinrock, "Queueing Systems", volume 1, 1975, section 3.2. Lengths are rounded to whole octets,
//! at least one, which is ours; `geometric` is the distribution of whole numbers.

use kernel::Stream;
use parameters::{Bytes, MessageLength, parameters};

use super::{Application, LengthKind, Lengths, ONE_OCTET, whole};

parameters! {
    /// Exponential distribution.
    pub struct ExponentialLength {
        /// Mean length.
        #[range("1 B", "1 TiB")]
        pub mean: Bytes,
    }
}

impl ExponentialLength {
    /// The lengths of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Lengths> {
        Box::new(State {
            mean: self.mean(),
            random: application.stream("length"),
        })
    }
}

impl LengthKind for ExponentialLength {
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
    mean: f64,
    random: Stream,
}

impl Lengths for State {
    fn next(&mut self) -> u64 {
        whole(self.mean * self.random.exponential_unit())
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use crate::traffic::length::tests::check;

    #[test]
    fn the_mean_and_the_median_are_those_of_the_distribution() {
        let median = 1e5 * 2.0_f64.ln();
        check(
            &value!({ exponential = { mean = "100 kB" } }),
            1e5,
            [median],
        );
    }
}
