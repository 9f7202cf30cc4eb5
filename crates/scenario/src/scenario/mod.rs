//! A scenario: its text, read and lowered at every point of its sweep.

mod cell_rates;
mod overruled;
mod reading;
mod repeated_values;
mod skeleton;
mod unlikely_values;

use std::sync::{Arc, OnceLock};

use parameters::{Parameter, Path, Problem, Problems, Shape, Value, Written};

use crate::document::created::Declared;
use crate::document::included::{self, FileReader, Included};
use crate::document::settings;
use crate::document::{self, Fault, ScenarioError, Sources, assign, render, source};
use crate::goal::{Goal, ProblemAndHint};
use crate::lower::{Plan, Points, checks::goals};
use crate::spec::ScenarioSpec;
use crate::sweep::AxisPoint;
use reading::Reading;

/// A scenario without mistakes.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The scenario at its first point, with its sweep.
    pub spec: ScenarioSpec,
    /// The points, in order; one if nothing varies.
    pub points: Vec<Point>,
    /// Valid values that are probably not intended.
    pub doubts: Vec<Fault>,
    /// The tree of the text, without the sweep.
    root: Written,
    /// Contents of the files that the scenario names.
    included: Included,
    /// The plan of the first point, once it has been lowered. The plans of other points are not
    /// kept, because thousands would fill the memory.
    plan: OnceLock<Arc<Plan>>,
}

/// A point of the sweep: each axis with its value.
pub type Point = Vec<(String, String)>;

/// The inputs of a scenario beside its text.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Settings that replace values of the text, as `--set` gives them.
    pub settings: &'a [(String, String)],
    /// Reads the files that the scenario names.
    pub open: FileReader<'a>,
    /// Largest number of nodes of a point, if there is a limit.
    pub most_nodes: Option<u64>,
}

impl Default for Surroundings<'_> {
    /// No settings, no files, and networks of any size.
    fn default() -> Self {
        Surroundings {
            settings: &[],
            open: &included::nowhere,
            most_nodes: None,
        }
    }
}

impl Scenario {
    /// Reads `text`, which messages call `name`.
    ///
    /// # Errors
    /// All problems, at any point.
    pub fn read(
        text: &str,
        name: &str,
        settings: &[(String, String)],
    ) -> Result<Scenario, ScenarioError> {
        let surroundings = Surroundings {
            settings,
            ..Surroundings::default()
        };
        Scenario::read_bytes(text.as_bytes(), name, &surroundings)
    }

    /// Reads a file as it is on disk, which messages call `name`.
    ///
    /// # Errors
    /// All problems, at any point.
    pub fn read_bytes(
        bytes: &[u8],
        name: &str,
        surroundings: &Surroundings<'_>,
    ) -> Result<Scenario, ScenarioError> {
        let mut sources = Sources::default();
        let file = sources.add(name, source::readable(bytes));
        let parsed = source::decode(bytes).map_err(Problems::from);
        let root = parsed.and_then(|text| document::parse(file, text));
        Scenario::read_root(root, sources, surroundings)
    }

    /// Reads a scenario that is plain data; its problems have paths, and no other places.
    ///
    /// # Errors
    /// All problems, at any point.
    pub fn read_value(
        value: Value,
        surroundings: &Surroundings<'_>,
    ) -> Result<Scenario, ScenarioError> {
        Scenario::read_root(Ok(value.into()), Sources::default(), surroundings)
    }

    fn read_root(
        root: Result<Written, Problems>,
        mut sources: Sources,
        surroundings: &Surroundings<'_>,
    ) -> Result<Scenario, ScenarioError> {
        let mut problems = Problems::default();
        let settings = settings::read(surroundings.settings, &mut sources, &mut problems);
        let mut doubts = Problems::default();
        let read = match root {
            Ok(root) => {
                let reading = Reading {
                    open: surroundings.open,
                    declared: Declared::new(&root, ScenarioSpec::known_shape(), &settings),
                    sources: &mut sources,
                    included: Included::new(ScenarioSpec::known_shape()),
                    points: Points::new(surroundings.most_nodes),
                    doubts: &mut doubts,
                };
                reading.understand(root, &settings, &mut problems)
            }
            Err(faults) => {
                problems.extend(faults);
                None
            }
        };
        match problems.or(read) {
            Ok(scenario) => {
                doubts.extend(scenario.doubts_of_plan());
                Ok(Scenario {
                    doubts: ScenarioError::new(doubts, &sources).faults,
                    ..scenario
                })
            }
            Err(problems) => Err(ScenarioError::new(problems, &sources)),
        }
    }

    /// The plan of the first point.
    pub fn plan(&self) -> &Arc<Plan> {
        let lowered = || {
            let plan = Plan::new(&self.spec, &mut Problems::default());
            Arc::new(plan.expect("every point has been lowered"))
        };
        self.plan.get_or_init(lowered)
    }

    /// The warnings of the plan of the first point.
    fn doubts_of_plan(&self) -> Problems {
        let settings = self.spec.sweep.at(0);
        let shape = ScenarioSpec::known_shape();
        let root = || at_point(&self.root, shape, &settings, &mut Problems::default());
        unlikely_values::of_plan(self.plan(), root)
    }

    /// The axes, in order.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.spec.sweep.axes.iter().map(|axis| axis.name.as_str())
    }

    /// The problem with a metric such as `flow bulk goodput`, and a hint, if no point has it.
    pub fn fault_of_metric(&self, text: &str) -> Option<ProblemAndHint> {
        let goal = match Goal::parse(text) {
            Ok(goal) => goal,
            Err(refusal) => return Some(refusal),
        };
        let missing = |plan: &Plan| {
            goals::missing(&plan.spec, &plan.topology, &plan.paths, &plan.links, &goal)
        };
        let first = missing(self.plan())?;
        // If the sweep varies the topology, another point may have the missing part.
        let mut others = 1..self.points.len();
        let is_missing = |index| missing(self.point(index).plan()).is_some();
        others.all(is_missing).then_some(first)
    }

    /// The scenario at one of its points, without a sweep.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn point(&self, index: usize) -> Scenario {
        let settings = self.spec.sweep.at(index);
        let mut root = at_point(
            &self.root,
            ScenarioSpec::known_shape(),
            &settings,
            &mut Problems::default(),
        );
        self.included.put(&mut root);
        let mut problems = Problems::default();
        let spec = ScenarioSpec::read(&root, &Path::root(), &mut problems);
        Scenario {
            spec: spec.expect("every point has been understood"),
            points: vec![Point::new()],
            doubts: Vec::new(),
            root,
            included: Included::new(ScenarioSpec::known_shape()),
            plan: match index {
                0 => self.plan.clone(),
                _ => OnceLock::new(),
            },
        }
    }

    /// The scenario with only the points of an axis that have one of these labels.
    ///
    /// # Panics
    /// If no point is left.
    #[must_use]
    pub fn narrowed(&self, axis: &str, labels: &[String]) -> Scenario {
        let mut sweep = self.spec.sweep.clone();
        sweep.narrow(axis, labels);
        let is_kept = |(name, label): &(String, String)| name != axis || labels.contains(label);
        let kept = self.points.iter().enumerate();
        let kept = kept.filter(|(_, point)| point.iter().all(is_kept));
        let (numbers, points): (Vec<usize>, Vec<Point>) =
            kept.map(|(number, point)| (number, point.clone())).unzip();
        let spec = self.point(numbers[0]).spec;
        Scenario {
            spec: ScenarioSpec { sweep, ..spec },
            points,
            doubts: self.doubts.clone(),
            root: self.root.clone(),
            included: self.included.clone(),
            plan: OnceLock::new(),
        }
    }

    /// The scenario as TOML: every default filled in, every unit normalised.
    pub fn resolved(&self) -> String {
        match self.spec.write() {
            Value::Table(table) => render::render(&table),
            _ => unreachable!("a record is written as a table"),
        }
    }
}

/// `root` with the settings of a point applied.
fn at_point(
    root: &Written,
    shape: &Shape,
    settings: &[&AxisPoint],
    problems: &mut Problems,
) -> Written {
    let mut root = root.clone();
    for (path, value) in settings.iter().flat_map(|point| &point.settings) {
        if let Err(problem) = assign(&mut root, shape, path, value) {
            let problem = Problem::new(path, value.place, problem);
            problems.add(problem.hint("vary the whole list instead"));
        }
    }
    root
}
