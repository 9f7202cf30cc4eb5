//! Batches of one run: the same numbers over and over, and their means.

use std::collections::{BTreeMap, BTreeSet};

use super::{Measured, Scalar};

/// Batches put together.
#[derive(Debug, Default, PartialEq)]
pub struct Joined {
    /// The only batch, or the mean of each number over those that have it.
    pub scalars: Vec<Scalar>,
    /// Every batch, in the order of `scalars`, if there are several.
    pub batches: Vec<Vec<f64>>,
    /// What was said of every batch.
    pub warnings: Vec<String>,
}

impl Joined {
    /// Joins what was measured, in order.
    ///
    /// A batch may lack a number, such as a mean of nothing; the batch with the most comes first.
    pub fn of(mut measured: Vec<Measured>) -> Joined {
        if measured.len() == 1 {
            let Measured { scalars, warnings } = measured.remove(0);
            return Joined {
                scalars,
                batches: Vec::new(),
                warnings,
            };
        }
        let mut fullest_first: Vec<&Measured> = measured.iter().collect();
        fullest_first.sort_by_key(|batch| std::cmp::Reverse(batch.scalars.len()));
        let mut scalars: Vec<Scalar> = Vec::new();
        let mut places = BTreeMap::new();
        for scalar in fullest_first.iter().flat_map(|batch| &batch.scalars) {
            places
                .entry((scalar.scope.as_str(), scalar.metric))
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
                    values[places[&(scalar.scope.as_str(), scalar.metric)]] = scalar.value;
                }
                values
            })
            .collect();
        for (place, scalar) in scalars.iter_mut().enumerate() {
            scalar.value = mean(batches.iter().map(|values| values[place]));
        }
        Joined {
            scalars,
            batches,
            warnings: said_of_all(&measured),
        }
    }
}

/// Mean of the values that are numbers.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values
        .filter(|value| !value.is_nan())
        .fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

fn said_of_all(measured: &[Measured]) -> Vec<String> {
    let Some((first, others)) = measured.split_first() else {
        return Vec::new();
    };
    let others = others.iter().map(|batch| batch.warnings.iter().collect());
    let others: Vec<BTreeSet<&String>> = others.collect();
    let warnings = first.warnings.iter();
    warnings
        .filter(|warning| others.iter().all(|batch| batch.contains(warning)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(numbers: &[(&'static str, f64)], warnings: &[&str]) -> Measured {
        Measured {
            scalars: numbers
                .iter()
                .map(|(metric, value)| Scalar {
                    scope: "network".to_string(),
                    metric,
                    value: *value,
                    unit: "1",
                })
                .collect(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_single_batch_is_the_run() {
        let joined = Joined::of(vec![batch(&[("goodput", 3.0)], &["odd"])]);
        assert_eq!(joined.scalars[0].value.to_bits(), 3.0_f64.to_bits());
        assert!(joined.batches.is_empty());
        assert_eq!(joined.warnings, ["odd"]);
    }

    #[test]
    fn what_a_batch_did_not_measure_is_left_out_of_the_mean() {
        let joined = Joined::of(vec![
            batch(&[("goodput", 1.0)], &["odd", "slow"]),
            batch(&[("mean_delay", 8.0), ("goodput", 2.0)], &["slow"]),
            batch(&[("goodput", 6.0)], &["slow"]),
        ]);
        let means: Vec<(&str, f64)> = joined
            .scalars
            .iter()
            .map(|scalar| (scalar.metric, scalar.value))
            .collect();
        assert_eq!(means, [("mean_delay", 8.0), ("goodput", 3.0)]);
        assert!(joined.batches[0][0].is_nan());
        assert_eq!(joined.batches[1], [8.0, 2.0]);
        assert_eq!(joined.warnings, ["slow"]);
    }
}
