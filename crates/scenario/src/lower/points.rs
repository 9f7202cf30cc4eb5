//! The points of a sweep, lowered one after another, except those with too many nodes.

use parameters::{Path, Problem, Problems};

use crate::lower::{Expanded, Plan};
use crate::spec::ScenarioSpec;

/// Largest number of nodes of all points of a sweep together: checking them takes some ten seconds.
const MOST_IN_ALL: u64 = 20_000_000;
/// The same where a point is limited, in the largest points: a page is edited, and waits for the check.
const MOST_LARGEST: u64 = 50;

/// Lowers the points of one sweep.
#[derive(Debug)]
pub struct Points {
    /// Largest number of nodes of a point.
    most: u64,
    /// Largest number of nodes of all points together.
    most_in_all: u64,
    /// Nodes of the points so far.
    seen: u64,
    /// The last point that had no problem, as it is written.
    right: Option<ScenarioSpec>,
}

impl Points {
    /// A sweep whose points may have at most `most` nodes each, if there is a limit, and fifty times as
    /// many together.
    pub fn new(most: Option<u64>) -> Points {
        Points {
            most: most.unwrap_or(u64::MAX),
            most_in_all: most.map_or(MOST_IN_ALL, |most| most.saturating_mul(MOST_LARGEST)),
            seen: 0,
            right: None,
        }
    }

    /// Reports names of nodes and flows that do not exist, at a point of which no more is known.
    pub fn check_names(&self, spec: &ScenarioSpec, problems: &mut Problems) {
        let expanded = Expanded::new(spec);
        if nodes(&expanded.spec) <= self.most {
            Plan::check_names(&expanded, problems);
        }
    }

    /// The plan of a point that is written as `spec`, or its problems; a point that is too large is not
    /// lowered, and neither is one that differs from the point before in nothing that lowering looks at.
    pub fn lower(
        &mut self,
        spec: &ScenarioSpec,
        expanded: &Expanded,
        problems: &mut Problems,
    ) -> Option<Plan> {
        let nodes = nodes(&expanded.spec);
        if nodes > self.most {
            let problem = format!("the network has more than {} nodes", self.most);
            let hint = "run a network of this size by `cellrelay run`";
            problems.add(Problem::new(&Path::root(), None, problem).hint(hint));
            return None;
        }
        self.seen = self.seen.saturating_add(nodes);
        if self.seen > self.most_in_all {
            let most = self.most_in_all;
            let problem = format!("the points together have more than {most} nodes");
            let hint = "let fewer values vary, or split the sweep among several scenarios";
            let at = Path::root().key("sweep");
            problems.add(Problem::new(&at, None, problem).hint(hint));
            return None;
        }
        if self.is_like_the_last(spec) {
            return None;
        }
        let plan = Plan::of(expanded, problems);
        self.right = plan.is_some().then(|| spec.clone());
        plan
    }

    /// True if the last point had no problem and equals this one, but for the title and the seed.
    fn is_like_the_last(&mut self, spec: &ScenarioSpec) -> bool {
        let Some(right) = &mut self.right else {
            return false;
        };
        right.title.clone_from(&spec.title);
        right.seed = spec.seed;
        right == spec
    }
}

/// Number of nodes of a point, whether or not it exceeds the limit.
fn nodes(spec: &ScenarioSpec) -> u64 {
    let hosts = spec.host.iter().map(|(_, host)| host.count);
    let edges = spec.edge.iter().map(|(_, edge)| edge.count);
    let members = hosts
        .chain(edges)
        .map(|count| u64::from(count.unwrap_or(1)));
    let forwarding = spec.switch.names().count() + spec.router.names().count();
    members.sum::<u64>() + forwarding as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use crate::samples::LINE;

    /// Total number of nodes of the points within the limits, and the problems of the others.
    fn lowered(mut points: Points, counts: &str) -> (u64, String) {
        let text = format!("{LINE}[sweep]\n\"host.a.count\" = {counts}\n");
        let from_one = ("flow.f.from".to_string(), "a[0]".to_string());
        let scenario = Scenario::read(&text, "x", &[from_one]).expect("no mistakes");
        let mut problems = Problems::default();
        for index in 0..scenario.points.len() {
            let spec = scenario.point(index).spec;
            points.lower(&spec, &Expanded::new(&spec), &mut problems);
        }
        (points.seen, problems.to_string())
    }

    #[test]
    fn a_point_that_is_too_large_is_not_lowered() {
        let counts = "[1, 2000, 50000, 3]";
        let (seen, told) = lowered(Points::new(Some(1000)), counts);
        assert_eq!(seen, 3 + 5, "the first point and the last");
        assert!(
            told.contains("the network has more than 1000 nodes"),
            "{told}"
        );
        let all = 3 + 2002 + 50_002 + 5;
        assert_eq!(lowered(Points::new(None), counts), (all, String::new()));
    }

    #[test]
    fn a_point_that_differs_in_its_seed_alone_is_not_lowered_again() {
        let text =
            format!("{LINE}[sweep]\nseed = [1, 2]\n\"link.a.delay\" = [\"1 us\", \"2 us\"]\n");
        let scenario = Scenario::read(&text, "x", &[]).expect("no mistakes");
        let mut points = Points::new(None);
        let mut lower = |index: usize| {
            let spec = scenario.point(index).spec;
            let expanded = Expanded::new(&spec);
            let plan = points.lower(&spec, &expanded, &mut Problems::default());
            plan.is_some()
        };
        // By delay first, each delay of the first seed and then of the second.
        assert_eq!([0, 2, 1, 3].map(&mut lower), [true, false, true, false]);
        // Another point in between is another network.
        assert_eq!([0, 1, 0].map(&mut lower), [true, true, true]);
    }

    #[test]
    fn points_of_an_edited_page_are_at_most_fifty_of_the_largest() {
        // Two nodes beside one to eight: of all eight points 52 in all.
        let points = |most| lowered(Points::new(Some(most)), "[1, 2, 3, 4, 5, 6, 7, 8]");
        let (seen, told) = points(10);
        assert_eq!((seen, told.as_str()), (52, ""));
        assert_eq!(Points::new(Some(10)).most_in_all, 500);
    }

    #[test]
    fn points_that_are_too_large_together_are_refused() {
        let points = || Points {
            most_in_all: 1000,
            ..Points::new(None)
        };
        assert_eq!(lowered(points(), "[996]"), (998, String::new()));
        let (_, told) = lowered(points(), "[1, 996]");
        assert!(
            told.contains("sweep: the points together have more than 1000 nodes"),
            "{told}"
        );
    }
}
