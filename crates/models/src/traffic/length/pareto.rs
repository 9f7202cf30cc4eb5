//! Pareto lengths: many short and a few very long, as of files.
//!
//! Crovella and Bestavros, "Self-Similarity in World Wide Web Traffic: Evidence and Possible
//! Causes", IEEE/ACM Transactions on Networking 5(6), 1997. With a maximum, the distribution is the
//! bounded Pareto distribution B(k, p, a) of Harchol-Balter, Crovella and Murta, "On Choosing a Task
//! Assignment Policy for a Distributed Server System", Journal of Parallel and Distributed Computing
//! 59(2), 1999: P(L > x) = (k^a x^-a - (k/p)^a) / (1 - (k/p)^a) for x from k to p. That the mean is
//! stated rather than k is ours, since a load follows from it. Lengths are rounded to whole octets.

use kernel::Stream;
use parameters::{Bytes, Conflict, MessageLength, Parameter, parameters};

use super::{Application, LengthKind, Lengths, ONE_OCTET, whole};

parameters! {
    /// Pareto distribution, which may be bounded.
    #[check(conflict)]
    pub struct Pareto {
        /// Mean length, of the bounded distribution where `max` is given.
        #[range("1 B", "1 TiB")]
        pub mean: Bytes,
        /// Exponent of the tail: the smaller, the longer are the longest. The variance is infinite
        /// up to 2 without `max`.
        #[range(1.01, 100)]
        pub shape: f64 = 1.5,
        /// Largest length, at which the distribution is bounded; if not given, there is none.
        pub max: Option<Bytes>,
    }
}

impl Pareto {
    /// The lengths of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Lengths> {
        let shape = self.shape;
        let most = self.max.map_or(f64::INFINITY, |max| max.0 as f64);
        let least = least(self.mean(), shape, most);
        Box::new(State {
            shape,
            least,
            kept: 1.0 - libm::pow(least / most, shape),
            random: application.stream("length"),
        })
    }

    fn conflict(&self) -> Option<Conflict> {
        let max = self.max.filter(|max| *max <= self.mean)?;
        Some(Conflict {
            name: "max",
            problem: format!(
                "a mean of {} is not less than `max`, {}",
                self.mean.write().quoted(),
                max.write().quoted()
            ),
            hint: format!(
                "write a `max` of several times the mean, for example `{}`",
                Bytes(self.mean.0.saturating_mul(10)).write()
            ),
        })
    }
}

impl LengthKind for Pareto {
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

/// The shortest length, for which the distribution up to `most` has this mean.
fn least(mean: f64, shape: f64, most: f64) -> f64 {
    // The mean of the bounded distribution grows with its shortest length.
    let (mut low, mut high) = (0.0, mean);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if bounded_mean(middle, shape, most) < mean {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Mean of the distribution from `least` to `most`.
fn bounded_mean(least: f64, shape: f64, most: f64) -> f64 {
    let range = least / most;
    let free = least * shape / (shape - 1.0);
    free * (1.0 - libm::pow(range, shape - 1.0)) / (1.0 - libm::pow(range, shape))
}

struct State {
    shape: f64,
    least: f64,
    /// Probability of a length up to the maximum, before the distribution is bounded.
    kept: f64,
    random: Stream,
}

impl Lengths for State {
    fn next(&mut self) -> u64 {
        let beyond = 1.0 - self.random.unit() * self.kept;
        whole(self.least / libm::pow(beyond, 1.0 / self.shape))
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::length::tests::check;
    use crate::traffic::tests::application;

    #[test]
    fn the_mean_and_the_median_are_those_of_the_distribution() {
        // Without a maximum k = mean (a - 1) / a, and the median is k 2^(1/a).
        let median = 1e5 * 2.0 / 3.0 * 2.0_f64.powf(1.0 / 3.0);
        let free = value!({ pareto = { mean = "100 kB", shape = 3 } });
        check(&free, 1e5, [median]);
        // B(k, 1 MB, 1.1) with a mean of 100 kB has k = 28,577.
        let bounded = value!({ pareto = { mean = "100 kB", shape = 1.1, max = "1 MB" } });
        let of_median = |least: f64| {
            let kept = 1.0 - (least / 1e6).powf(1.1);
            least / (1.0 - kept / 2.0).powf(1.0 / 1.1)
        };
        let shortest = least(1e5, 1.1, 1e6);
        check(&bounded, 1e5, [of_median(shortest)]);
        let spec: Pareto =
            understand(&value!({ mean = "100 kB", shape = 1.1, max = "1 MB" })).expect("lengths");
        let mut lengths = spec.build(&application(1000));
        let bounds = shortest.floor() as u64..=1_000_000;
        assert!((0..100_000).all(|_| bounds.contains(&lengths.next())));
    }
}
