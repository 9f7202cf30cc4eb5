//! Geometric lengths: after each cell, or octet, a message ends with the same probability.
//!
//! If a length has a maximum M, the distribution is truncated at M and normalised: P(L = k) is p
//! q^(k-1) / (1 - q^M) for k from 1 to M, with q = 1 - p. Its mean is 1/p - M q^M / (1 - q^M), and
//! p is chosen so that this mean is the configured one. The background traffic of Ajmone Marsan et
//! al., "On the Performance of Transport Protocols over ATM Networks", section 3, has messages of
//! 20 cells in the mean and of 200 at most. Our own choice, because the paper leaves it open: the
//! mean is that of the truncated distribution, so the load of a source is as stated. Lengths are
//! drawn by inverting the distribution: Devroye, "Non-Uniform Random Variate Generation", 1986,
//! section X.2.

use kernel::Stream;
use parameters::{Conflict, MessageLength, Parameter, parameters};

use super::{Application, LengthKind, Lengths, count, is_in_cells};

parameters! {
    /// Geometric distribution: after each cell, or octet, a message ends with the same probability.
    #[check(conflict)]
    pub struct Geometric {
        /// Mean length, of the truncated distribution where `max` is given.
        pub mean: MessageLength,
        /// Largest length, at which the distribution is truncated; if not given, lengths are
        /// unbounded.
        pub max: Option<MessageLength>,
    }
}

impl Geometric {
    /// The lengths of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Lengths> {
        Box::new(State {
            law: Law::new(count(self.mean), self.max.map(count)),
            random: application.stream("length"),
        })
    }

    fn conflict(&self) -> Option<Conflict> {
        let max = self.max?;
        let (mean, limit) = (count(self.mean), count(max));
        let [quoted, end] = [self.mean, max].map(|length| length.write().quoted());
        let half = (limit / 2).max(1);
        let half = match max {
            MessageLength::Cells(_) => MessageLength::Cells(half),
            MessageLength::Bytes(_) => MessageLength::Bytes(half),
        };
        let problem = if is_in_cells(max) != is_in_cells(self.mean) {
            "`mean` and `max` are in different units".to_string()
        } else if mean > limit {
            format!("a mean of {quoted} is more than `max`, {end}")
        } else if mean > limit / 2 && mean > 1 {
            format!("no geometric distribution truncated at {end} has a mean of {quoted}")
        } else {
            return None;
        };
        Some(Conflict {
            name: "mean",
            problem,
            hint: format!(
                "write a `mean` of at most half of `max`, in the same unit: for example `mean = {}`",
                half.write()
            ),
        })
    }
}

impl LengthKind for Geometric {
    fn examples(&self) -> &[MessageLength] {
        if is_in_cells(self.mean) {
            &[MessageLength::Cells(1)]
        } else {
            &[MessageLength::Bytes(1)]
        }
    }

    fn examples_are_all(&self) -> bool {
        false
    }

    fn mean(&self) -> f64 {
        count(self.mean) as f64
    }
}

/// A geometric distribution, which may be truncated.
#[derive(Clone, Copy, Debug)]
struct Law {
    /// Logarithm of the probability that a message goes on.
    ln_q: f64,
    /// Probability that a length of the distribution without truncation is at most the maximum.
    kept: f64,
    most: u64,
}

impl Law {
    /// The distribution with this mean, which is at most half of the maximum.
    fn new(mean: u64, most: Option<u64>) -> Law {
        let mean = mean as f64;
        let free = -libm::log1p(-1.0 / mean);
        let Some(most) = most else {
            return Law {
                ln_q: -free,
                kept: 1.0,
                most: u64::MAX,
            };
        };
        let rate = if mean > 1.0 {
            solve(|rate| truncated_mean(rate, most as f64) > mean, free)
        } else {
            free
        };
        Law {
            ln_q: -rate,
            kept: -libm::expm1(-rate * most as f64),
            most,
        }
    }

    fn draw(&self, random: &mut Stream) -> u64 {
        let length = libm::ceil(libm::log1p(-random.unit() * self.kept) / self.ln_q);
        (length as u64).clamp(1, self.most)
    }
}

/// Mean of the distribution truncated at `most`, in which a message goes on with probability
/// exp(-`rate`).
fn truncated_mean(rate: f64, most: f64) -> f64 {
    if rate * most < 1e-3 {
        // Nearly uniform distribution: the two terms below would cancel, so the first term of the
        // series of the mean around `rate` 0 replaces them.
        return f64::midpoint(most, 1.0) - rate * (most * most - 1.0) / 12.0;
    }
    -1.0 / libm::expm1(-rate) - most / libm::expm1(rate * most)
}

/// The largest number up to `high` for which `is_below` is true; `is_below` is true for all smaller
/// numbers.
fn solve(is_below: impl Fn(f64) -> bool, mut high: f64) -> f64 {
    let mut low = 0.0;
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return low;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

struct State {
    law: Law,
    random: Stream,
}

impl Lengths for State {
    fn next(&mut self) -> u64 {
        self.law.draw(&mut self.random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::tests::application;

    fn lengths(mean: u64, most: Option<u64>, count: usize) -> Vec<f64> {
        let geometric = Geometric {
            mean: MessageLength::Cells(mean),
            max: most.map(MessageLength::Cells),
        };
        let mut lengths = geometric.build(&application(1));
        (0..count).map(|_| lengths.next() as f64).collect()
    }

    /// Mean and variance of samples.
    fn moments(samples: &[f64]) -> (f64, f64) {
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let squares = samples.iter().map(|sample| (sample - mean).powi(2));
        (mean, squares.sum::<f64>() / count)
    }

    #[test]
    fn the_truncated_distribution_has_the_given_mean() {
        // A mean of 20 cells needs p = 0.0499824142 with a maximum of 200 cells, and p = 0.05
        // without a maximum.
        let p = |mean, most| 1.0 - libm::exp(Law::new(mean, most).ln_q);
        assert!((p(20, Some(200)) - 0.049_982_414_2).abs() < 1e-10);
        assert!((p(20, None) - 0.05).abs() < 1e-12);
        assert!((p(1, Some(7)) - 1.0).abs() < 1e-12);
        // A geometric distribution on 1 and 2 with q = 1/2 has probabilities 2/3 and 1/3, and the
        // mean 1 + q / (1 + q) = 4/3; here the maximum is 4 and the mean 2, which is checked by the
        // sum over all four lengths.
        let q = 1.0 - p(2, Some(4));
        let mean = (1.0 + 2.0 * q + 3.0 * q * q + 4.0 * q.powi(3)) / (1.0 + q + q * q + q.powi(3));
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn nearly_uniform_distributions_are_solved_too() {
        for most in [1_000_u64, 1_000_000, 1_000_000_000_000] {
            let law = Law::new(most / 2, Some(most));
            let mean = truncated_mean(-law.ln_q, most as f64);
            assert!((mean / (most / 2) as f64 - 1.0).abs() < 1e-9, "{most}");
        }
    }

    #[test]
    fn lengths_have_the_given_mean_variance_and_bounds() {
        // Standard deviation 19.4645: sum over k of (k - 20)^2 P(k). The fourth central moment is
        // about nine times the variance squared, as for an exponential distribution.
        let samples = lengths(20, Some(200), 1_000_000);
        let (mean, variance) = moments(&samples);
        assert!((mean - 20.0).abs() < 5.0 * 19.4645 / 1000.0, "{mean}");
        let expected = 19.4645_f64.powi(2);
        assert!(
            (variance / expected - 1.0).abs() < 5.0 * 8.0_f64.sqrt() / 1000.0,
            "{variance}"
        );
        assert!(samples.iter().all(|length| (1.0..=200.0).contains(length)));
        // P(L = 1) = p / (1 - q^200) = 0.0499842.
        let ones = samples.iter().filter(|length| **length < 1.5).count() as f64;
        assert!((ones / 1e6 - 0.049_984_2).abs() < 5.0 * (0.0475_f64).sqrt() / 1000.0);
        // Without a maximum the variance is (1 - p) / p^2 = 380.
        let (mean, variance) = moments(&lengths(20, None, 1_000_000));
        assert!(
            (mean - 20.0).abs() < 5.0 * 380.0_f64.sqrt() / 1000.0,
            "{mean}"
        );
        assert!(
            (variance / 380.0 - 1.0).abs() < 5.0 * 8.0_f64.sqrt() / 1000.0,
            "{variance}"
        );
    }

    #[test]
    fn messages_of_one_cell_have_equal_lengths() {
        assert!(lengths(1, Some(5), 100).iter().all(|length| *length < 1.5));
        assert!(lengths(1, None, 100).iter().all(|length| *length < 1.5));
    }
}
