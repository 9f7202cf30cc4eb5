//! Problems of the points of a sweep: each once, with the values of the axes at which it occurs.
//!
//! Ours: a message names an axis only where the problem depends on it, and not where the message
//! leads to the value of the axis itself.

use std::collections::{BTreeSet, HashMap};

use parameters::{Path, Problem, Problems, Value};

use crate::sweep::{AxisPoint, Sweep};

/// The problems of the points that have been read.
pub struct PointProblems<'a> {
    sweep: &'a Sweep,
    /// Labels of the points that have been read, by axis.
    read: Vec<BTreeSet<&'a str>>,
    found: Vec<Found<'a>>,
    /// Places in `found`, by path and description.
    places: HashMap<(Path, String), usize>,
}

/// A problem, and the points that have it.
struct Found<'a> {
    problem: Problem,
    /// The first of these points.
    first: Vec<&'a AxisPoint>,
    /// Labels of these points, by axis.
    labels: Vec<BTreeSet<&'a str>>,
}

impl<'a> PointProblems<'a> {
    /// The state before the first point.
    pub fn of(sweep: &'a Sweep) -> PointProblems<'a> {
        PointProblems {
            sweep,
            read: vec![BTreeSet::new(); sweep.axes.len()],
            found: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Notes a point that has been read, and its problems.
    pub fn note(&mut self, point: &[&'a AxisPoint], problems: Problems) {
        add_labels(&mut self.read, point);
        for problem in problems {
            let key = (problem.path.clone(), problem.problem.clone());
            let place = *self.places.entry(key).or_insert_with(|| {
                self.found.push(Found {
                    problem,
                    first: point.to_vec(),
                    labels: vec![BTreeSet::new(); point.len()],
                });
                self.found.len() - 1
            });
            add_labels(&mut self.found[place].labels, point);
        }
    }

    /// Number of different problems.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Adds the problems that are not in `problems` yet.
    pub fn add_to(self, problems: &mut Problems) {
        let known: BTreeSet<_> = problems
            .iter()
            .map(|one| (&one.path, &one.problem))
            .collect();
        let mut new = Vec::new();
        for found in self.found {
            if !known.contains(&(&found.problem.path, &found.problem.problem)) {
                new.push(found.located(self.sweep, &self.read));
            }
        }
        problems.extend(new);
    }
}

fn add_labels<'a>(labels: &mut [BTreeSet<&'a str>], point: &[&'a AxisPoint]) {
    for (labels, axis_point) in labels.iter_mut().zip(point) {
        labels.insert(&axis_point.label);
    }
}

impl Found<'_> {
    /// The problem, with the values of the axes on which it depends.
    fn located(self, sweep: &Sweep, read: &[BTreeSet<&str>]) -> Problem {
        let axes = sweep.axes.iter().zip(&self.first).zip(&self.labels);
        let dependent: Vec<_> = axes
            .zip(read)
            .filter(|(((_, point), labels), read)| labels != read && !sets(point, &self.problem))
            .map(|(((axis, point), labels), _)| (axis, point, labels.len()))
            .collect();
        if dependent.is_empty() {
            return self.problem;
        }
        let is_only = dependent.iter().all(|(_, _, labels)| *labels == 1);
        let values = dependent.iter().map(|(axis, point, _)| {
            let quoted = |text: &str| Value::from(text).quoted();
            format!("{} = {}", quoted(&axis.name), quoted(&point.label))
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let at = if is_only { "at" } else { "first at" };
        let mut problem = self.problem;
        problem.problem = format!("{}, {at} {values}", problem.problem);
        problem
    }
}

/// True if the point of an axis sets the value that has the problem.
fn sets(point: &AxisPoint, problem: &Problem) -> bool {
    let mut settings = point.settings.iter();
    settings.any(|(set, _)| problem.path.steps().starts_with(set.steps()))
}
