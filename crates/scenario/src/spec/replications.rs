//! Replications: the number of runs of each point.
//!
//! Stopping at a precision is the sequential procedure of Law and Kelton, "Confidence Intervals for
//! Steady-State Simulations", Operations Research 32(6), 1984. One rule is our own: the precision
//! must hold at every test over ten samples, because at a single test an interval may be narrow by
//! chance.

use std::iter;

use parameters::record::Conflict;
use parameters::{Fraction, Path, parameters};

use crate::goal::Goal;

parameters! {
    /// Number of runs of each point, each with fresh random numbers.
    #[check(check)]
    pub struct Replications {
        /// Smallest number of runs of each point.
        #[range(1, 1_000_000)]
        pub at_least: u32 = 5,
        /// Largest number of runs of each point; if not given, ten times `at_least`.
        #[range(1, 1_000_000)]
        pub at_most: Option<u32>,
        /// Precision at which to stop before `at_most`; if not given, `at_least` runs are made.
        pub until: Option<Until>,
    }

    /// Stops a point when the confidence interval of each metric is narrow enough, and was at every
    /// test over the last ten samples.
    #[check(check)]
    pub struct Until {
        /// Metric: one of the network, or one such as `flow bulk goodput` or `port s1->b
        /// mean_queue`; for a group of flows, all members together.
        #[example("goodput")]
        pub metric: Goal,
        /// Further metrics that must be known as precisely.
        #[example(["fairness_index"])]
        pub also: Vec<Goal> = [],
        /// Largest half-width of the confidence interval, relative to the mean.
        #[range("0.001 %", "100 %")]
        pub half_width: Fraction = "5 %",
        /// Confidence level of the interval; with several metrics, the level at which all intervals
        /// hold at once.
        #[range("50 %", "99.99 %")]
        pub confidence: Fraction = "95 %",
    }
}

impl Replications {
    /// The largest number of runs of a point.
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
    /// The metrics whose precision decides when to stop, each with the path of its parameter; `at`
    /// is the path of the table `until`.
    pub fn goals(&self, at: &Path) -> impl Iterator<Item = (Path, &Goal)> {
        let also = at.key("also");
        let others = self.also.iter().enumerate();
        let others = others.map(move |(index, goal)| (also.index(index), goal));
        iter::once((at.key("metric"), &self.metric)).chain(others)
    }

    fn check(&self) -> Option<Conflict> {
        let mut known = vec![&self.metric];
        for goal in &self.also {
            if known.contains(&goal) {
                return Some(Conflict {
                    name: "also",
                    problem: format!("`{goal}` is named twice"),
                    hint:
                        "leave one of them out: with more metrics each interval has to be narrower"
                            .into(),
                });
            }
            known.push(goal);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parameters::{ParameterTable, understand, value};

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
            "at_most: `4` is less than `at_least`, which is `5`\n  hint: write for example \
             `at_most = 50`"
        );
    }
}
