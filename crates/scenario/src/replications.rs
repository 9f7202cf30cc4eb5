//! Replications: the number of runs of each point.

use models::metrics::{METRICS, RENAMED, ScopeKind};
use parameters::record::Conflict;
use parameters::{Fraction, parameters, suggest};

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
        pub metric: String,
        /// Further metrics that must be known as precisely.
        pub also: Vec<String> = [],
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
    /// The metrics to be known, each with the name of its parameter.
    pub fn goals(&self) -> impl Iterator<Item = (&'static str, Goal<'_>)> {
        let also = self.also.iter().map(|text| ("also", text));
        let all = std::iter::once(("metric", &self.metric)).chain(also);
        all.map(|(name, text)| (name, Goal::of(text)))
    }

    fn check(&self) -> Option<Conflict> {
        let goals: Vec<(&str, Goal<'_>)> = self.goals().collect();
        goals.iter().enumerate().find_map(|(index, (name, goal))| {
            let is_known = goals[..index].iter().any(|(_, known)| known == goal);
            let twice = is_known.then(|| {
                let problem = format!("`{}` is named twice", goal.text());
                let hint = "write it once: with more metrics each interval has to be narrower";
                (problem, hint.to_string())
            });
            let (problem, hint) = goal.fault().or(twice)?;
            Some(Conflict {
                name,
                problem,
                hint,
            })
        })
    }
}

/// A metric and its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal<'a> {
    /// `network`, `flow`, `port`, `class`, `link` or `drop`.
    pub kind: &'a str,
    /// Name of the scope's object; empty for the network.
    pub name: &'a str,
    /// The metric.
    pub metric: &'a str,
}

impl Goal<'_> {
    /// The metric in a text such as `goodput` or `flow bulk goodput`.
    pub fn of(text: &str) -> Goal<'_> {
        let (scope, metric) = text.rsplit_once(' ').unwrap_or(("network", text));
        let (kind, name) = scope.split_once(' ').unwrap_or((scope, ""));
        Goal { kind, name, metric }
    }

    /// The shortest text of the goal.
    fn text(&self) -> String {
        match self.kind {
            "network" => self.metric.to_string(),
            kind => format!("{kind} {} {}", self.name, self.metric),
        }
    }

    /// Problem and hint, if the metric does not exist at this scope.
    pub fn fault(&self) -> Option<(String, String)> {
        let (scope, what) = match self.kind {
            "network" => (ScopeKind::Network, "of the network"),
            "flow" => (ScopeKind::Flow, "of a flow"),
            "port" => (ScopeKind::Port, "of an output"),
            "class" => (ScopeKind::Class, "of a class"),
            "link" => (ScopeKind::Link, "of a link"),
            "drop" => (ScopeKind::Drop, "of drops"),
            other => {
                let problem = format!("there are no metrics of a `{other}`");
                let hint = "write for example `goodput` or `flow NAME goodput`".to_string();
                return Some((problem, hint));
            }
        };
        let of_scope = METRICS.iter().filter(|metric| metric.scope == scope);
        let names = of_scope.map(|metric| metric.name);
        if names.clone().any(|name| name == self.metric) {
            return None;
        }
        let renamed = RENAMED.iter().find(|(before, _)| *before == self.metric);
        let now = renamed.filter(|(_, now)| names.clone().any(|name| name == *now));
        let hint = match (now, suggest::nearest(self.metric, names.clone())) {
            (Some((_, now)), _) => format!("it is called `{now}` now"),
            (None, Some(meant)) => format!("did you mean `{meant}`?"),
            (None, None) => format!("expected one of {}", suggest::listed(names)),
        };
        Some((format!("`{}` is not a metric {what}", self.metric), hint))
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
    fn a_goal_is_of_the_network_or_says_of_what() {
        let goals = [
            "goodput",
            "flow bulk[3] mean_delay",
            "class abr at s1->b max_wait",
        ];
        let read = goals.map(Goal::of);
        assert_eq!((read[0].kind, read[0].name), ("network", ""));
        assert_eq!((read[1].kind, read[1].name), ("flow", "bulk[3]"));
        assert_eq!((read[2].name, read[2].metric), ("abr at s1->b", "max_wait"));
        let faulty = value!({ metric = "goodput", also = ["host h goodput"] });
        let problems = understand::<Until>(&faulty).unwrap_err().to_string();
        assert!(
            problems.starts_with("also: there are no metrics of a `host`"),
            "{problems}"
        );
    }

    #[test]
    fn a_metric_is_found_under_its_old_name() {
        let fault = |text: &str| Goal::of(text).fault().map(|(_, hint)| hint);
        let hint = "it is called `limited_by_congestion_window` now";
        assert_eq!(fault("flow f held_by_cwnd").as_deref(), Some(hint));
        assert_eq!(fault("flow f limited_by_cwnd").as_deref(), Some(hint));
        assert_eq!(fault("flow f limited_by_rate"), None);
        // Every new name is that of a metric.
        for (_, now) in RENAMED {
            assert_eq!(fault(&format!("flow f {now}")), None);
        }
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
