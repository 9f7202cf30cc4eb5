//! The batches of a run, and their joint values.
//!
//! A ratio over all batches is the sum of its numerators over the sum of its denominators: a mean
//! of the ratios would give a batch with few events the weight of one with many. Batches: Law,
//! "Simulation Modeling and Analysis", 5th edition, 2015, chapter 9; ratios: Cochran, "Sampling
//! Techniques", 3rd edition, 1977, chapter 6.

use std::collections::{BTreeMap, BTreeSet};

use models::metrics::Metric;

use super::{GroupTimes, Measurements, Scalar, Warning};

/// Several batches joined.
#[derive(Debug, Default, PartialEq)]
pub struct Joined {
    /// Values of the whole run: the ratio of sums for ratios, and for other metrics the mean over
    /// the batches that report the metric.
    pub scalars: Vec<Scalar>,
    /// The values of each batch, in the order of `scalars`, if there are several batches.
    pub batches: Vec<Vec<f64>>,
    /// Delays of packets and completion times of messages, by batch.
    pub distributions: Vec<Vec<GroupTimes>>,
    /// Warnings that all batches have.
    pub warnings: Vec<Warning>,
}

impl Joined {
    /// Joins batches, in their order.
    ///
    /// A batch may lack a metric, such as a mean over events when no event happened; the batch with
    /// the most metrics comes first.
    pub fn of(mut measured: Vec<Measurements>) -> Joined {
        if measured.len() == 1 {
            let only = measured.remove(0);
            return Joined {
                scalars: only.scalars,
                batches: Vec::new(),
                distributions: vec![only.distributions],
                warnings: only.warnings,
            };
        }
        let mut fullest_first: Vec<&Measurements> = measured.iter().collect();
        fullest_first.sort_by_key(|batch| std::cmp::Reverse(batch.scalars.len()));
        let mut scalars: Vec<Scalar> = Vec::new();
        let mut places = BTreeMap::new();
        for scalar in fullest_first.iter().flat_map(|batch| &batch.scalars) {
            places
                .entry((&scalar.scope, scalar.metric.name))
                .or_insert_with(|| {
                    scalars.push(scalar.clone());
                    scalars.len() - 1
                });
        }
        let batches: Vec<Vec<f64>> = measured
            .iter()
            .map(|batch| {
                let mut values = vec![f64::NAN; scalars.len()];
                for scalar in &batch.scalars {
                    values[places[&(&scalar.scope, scalar.metric.name)]] = scalar.value;
                }
                values
            })
            .collect();
        for (place, scalar) in scalars.iter_mut().enumerate() {
            let column = |metric: &Metric| places.get(&(&scalar.scope, metric.name)).copied();
            let whole = scalar.metric.ratio.map(|ratio| {
                let numerator = ratio.of.and_then(column);
                let denominator = column(ratio.over).expect("a ratio comes with its denominator");
                ratio_of_sums(&batches, place, numerator, denominator)
            });
            let parts = batches.iter().map(|values| values[place]);
            scalar.value = whole.flatten().unwrap_or_else(|| mean(parts));
        }
        Joined {
            scalars,
            batches,
            warnings: said_of_all(&measured),
            distributions: measured
                .into_iter()
                .map(|batch| batch.distributions)
                .collect(),
        }
    }
}

/// A ratio over all batches, from the columns of the ratio, its numerator and its denominator;
/// `None` if all denominators are zero.
fn ratio_of_sums(
    batches: &[Vec<f64>],
    ratio: usize,
    numerator: Option<usize>,
    denominator: usize,
) -> Option<f64> {
    let part = |values: &Vec<f64>| match numerator {
        Some(numerator) => values[numerator],
        None => values[ratio] * values[denominator],
    };
    // In a batch without observations the ratio is `NaN`, and the batch adds nothing to the sums.
    let sum = |part: &dyn Fn(&Vec<f64>) -> f64| -> f64 {
        let parts = batches.iter().map(part);
        parts.filter(|part| !part.is_nan()).sum()
    };
    let whole = sum(&|values| values[denominator]);
    (whole > 0.0).then(|| sum(&part) / whole)
}

/// Mean of the values without `NaN`.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values
        .filter(|value| !value.is_nan())
        .fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

fn said_of_all(measured: &[Measurements]) -> Vec<Warning> {
    let Some((first, others)) = measured.split_first() else {
        return Vec::new();
    };
    let others = others.iter().map(|batch| batch.warnings.iter().collect());
    let others: Vec<BTreeSet<&Warning>> = others.collect();
    let warnings = first.warnings.iter();
    warnings
        .filter(|warning| others.iter().all(|batch| batch.contains(warning)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Scope;
    use models::metrics::Measurement;
    use models::metrics::table::flow;

    fn batch(numbers: &[Measurement], warnings: &[&str]) -> Measurements {
        Measurements {
            scalars: numbers
                .iter()
                .map(|(metric, value)| Scalar {
                    scope: Scope::Network.into(),
                    metric,
                    value: *value,
                })
                .collect(),
            distributions: Vec::new(),
            warnings: warnings
                .iter()
                .map(|says| Warning {
                    code: "test",
                    scope: Scope::Network,
                    says: (*says).to_string(),
                })
                .collect(),
        }
    }

    #[test]
    fn a_single_batch_is_the_run() {
        let joined = Joined::of(vec![batch(&[(flow::goodput, 3.0)], &["odd"])]);
        assert_eq!(joined.scalars[0].value.to_bits(), 3.0_f64.to_bits());
        assert!(joined.batches.is_empty());
        assert_eq!(joined.warnings[0].to_string(), "network: odd");
    }

    #[test]
    fn a_ratio_of_the_whole_is_that_of_the_sums() {
        let sent = |sent, arrived| {
            let counts = [(flow::octets_sent, sent), (flow::octets_delivered, arrived)];
            let ratio = (sent > 0.0).then_some((flow::efficiency, arrived / sent));
            batch(&[&counts[..], ratio.as_slice()].concat(), &[])
        };
        // Some of the octets sent in the first batch arrive in the second.
        let joined = Joined::of(vec![
            sent(900.0, 800.0),
            sent(0.0, 100.0),
            sent(100.0, 50.0),
        ]);
        let scalars = joined.scalars.iter();
        let found: Vec<f64> = scalars
            .filter(|scalar| scalar.metric == flow::efficiency)
            .map(|scalar| scalar.value)
            .collect();
        assert_eq!(found, [0.95]);
    }

    #[test]
    fn what_a_batch_did_not_measure_is_left_out_of_the_mean() {
        let joined = Joined::of(vec![
            batch(&[(flow::goodput, 1.0)], &["odd", "slow"]),
            batch(
                &[(flow::delay::median, 8.0), (flow::goodput, 2.0)],
                &["slow"],
            ),
            batch(&[(flow::goodput, 6.0)], &["slow"]),
        ]);
        let means: Vec<Measurement> = joined
            .scalars
            .iter()
            .map(|scalar| (scalar.metric, scalar.value))
            .collect();
        assert_eq!(means, [(flow::delay::median, 8.0), (flow::goodput, 3.0)]);
        assert!(joined.batches[0][0].is_nan());
        assert_eq!(joined.batches[1], [8.0, 2.0]);
        assert_eq!(joined.warnings.len(), 1);
        assert_eq!(joined.warnings[0].says, "slow");
    }
}
