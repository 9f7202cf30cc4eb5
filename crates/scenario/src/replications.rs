//! How often each point is run with fresh random numbers.

use models::metrics::{METRICS, Scope};
use parameters::record::Conflict;
use parameters::{Fraction, parameters, suggest};

parameters! {
    /// How often each point is run, each time with fresh random numbers.
    #[check(check)]
    pub struct Replications {
        /// Runs of each point before anything is concluded.
        #[range(1, 1_000_000)]
        pub at_least: u32 = 5,
        /// Runs of each point after which it is left at that; ten times `at_least`, if not given.
        #[range(1, 1_000_000)]
        pub at_most: Option<u32>,
        /// When enough is known to stop before `at_most`; `at_least` runs are made, if not given.
        pub until: Option<Until>,
    }

    /// When enough is known: the confidence interval of a metric is narrow enough.
    #[check(check)]
    pub struct Until {
        /// The metric.
        pub metric: String,
        /// Half the width of the interval, relative to the mean.
        #[range("0.001 %", "100 %")]
        pub half_width: Fraction = "5 %",
        /// Probability with which such intervals hold the true mean.
        #[range("50 %", "99.99 %")]
        pub confidence: Fraction = "95 %",
    }
}

impl Replications {
    /// The most runs of a point.
    pub fn most(&self) -> u32 {
        match (&self.until, self.at_most) {
            (None, _) => self.at_least,
            (Some(_), Some(most)) => most,
            (Some(_), None) => self.at_least.saturating_mul(10),
        }
    }

    fn check(&self) -> Option<Conflict> {
        let most = self.at_most.filter(|most| *most < self.at_least)?;
        Some(Conflict {
            name: "at_most",
            problem: format!(
                "`{most}` is less than `at_least`, which is `{}`",
                self.at_least
            ),
            hint: format!(
                "write for example `at_most = {}`",
                self.at_least.saturating_mul(10)
            ),
        })
    }
}

impl Until {
    /// Only what is measured of the network as a whole is one number a run.
    fn check(&self) -> Option<Conflict> {
        let of_network = METRICS
            .iter()
            .filter(|metric| matches!(metric.scope, Scope::Network));
        let mut names = of_network.map(|metric| metric.name);
        if names.clone().any(|name| name == self.metric) {
            return None;
        }
        let known = suggest::listed(names.clone());
        Some(Conflict {
            name: "metric",
            problem: format!("`{}` is not a metric of the network", self.metric),
            hint: match suggest::nearest(&self.metric, &mut names) {
                Some(meant) => format!("did you mean `{meant}`? it may be {known}"),
                None => format!("it may be {known}"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parameters::{Record, understand, value};

    #[test]
    fn without_a_goal_the_number_of_runs_is_fixed() {
        assert_eq!(Replications::defaults().most(), 5);
        let goal = value!({ at_least = 3, until = { metric = "goodput" } });
        assert_eq!(understand::<Replications>(&goal).unwrap().most(), 30);
    }

    #[test]
    fn the_most_is_not_less_than_the_least() {
        let problems = understand::<Replications>(&value!({ at_most = 4 })).unwrap_err();
        assert_eq!(
            problems.to_string(),
            "at_most: `4` is less than `at_least`, which is `5`\n  hint: write for example `at_most = 50`"
        );
    }
}
