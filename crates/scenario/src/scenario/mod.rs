//! A scenario: its text, read and lowered at every point of its sweep.

mod cell_rates;
mod repeated_values;
mod skeleton;
mod unlikely_values;

use std::sync::{Arc, OnceLock};

use parameters::{Parameter, Path, Problem, Problems, Shape, Value, Written};

use crate::document::created::Declared;
use crate::document::included::{self, FileReader, Included};
use crate::document::settings::{self, Setting};
use crate::document::{self, Fault, ScenarioError, Sources, assign, render, source};
use crate::goal::{Goal, ProblemAndHint};
use crate::lower::{Expanded, Plan, Points, checks::goals};
use crate::spec::ScenarioSpec;
use crate::spec::topology::beside;
use crate::sweep::problems::PointProblems;
use crate::sweep::{AxisPoint, Sweep};
use repeated_values::RepeatedValues;

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
        let first = goals::missing(self.plan(), &goal)?;
        // If the sweep varies the topology, another point may have the missing part.
        let mut others = 1..self.points.len();
        let is_missing = |index| goals::missing(self.point(index).plan(), &goal).is_some();
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

/// A scenario that is being read.
struct Reading<'a> {
    open: FileReader<'a>,
    declared: Declared,
    sources: &'a mut Sources,
    included: Included,
    points: Points,
    doubts: &'a mut Problems,
}

impl Reading<'_> {
    /// The scenario of `root` with `settings` applied.
    fn understand(
        mut self,
        mut root: Written,
        settings: &[Setting],
        problems: &mut Problems,
    ) -> Option<Scenario> {
        let shape = ScenarioSpec::known_shape();
        settings::apply(&mut root, shape, settings, problems);
        let mut sweep = take_sweep(&mut root, problems)?;
        for setting in settings {
            sweep.pin(&setting.path, shape);
        }
        blame_overruled(&root, shape, settings, &sweep, problems);
        blame_overwritten(&root, problems);
        let mut first = None;
        let mut points = Vec::with_capacity(sweep.len());
        let mut repeated = RepeatedValues::of(&sweep);
        let mut of_points = PointProblems::of(&sweep);
        for index in 0..sweep.len() {
            let settings = sweep.at(index);
            let mut root = at_point(&root, shape, &settings, problems);
            let (read, found) = self.point(&mut root);
            of_points.note(&settings, found);
            if let Some((spec, _)) = &read {
                repeated.note(&settings, spec, problems);
            }
            points.push(sweep.labels(&settings));
            first = first.or(read);
            // So many problems end the search over the points.
            if problems.len() + of_points.len() > 1000 {
                break;
            }
        }
        of_points.add_to(problems);
        let (spec, plan) = first?;
        Some(Scenario {
            spec: ScenarioSpec { sweep, ..spec },
            points,
            doubts: Vec::new(),
            root,
            included: self.included,
            plan: plan
                .map(Arc::new)
                .map_or_else(OnceLock::new, OnceLock::from),
        })
    }

    /// The scenario at a point, its plan if it has no problem, and the problems.
    fn point(&mut self, root: &mut Written) -> (Option<(ScenarioSpec, Option<Plan>)>, Problems) {
        let mut found = Problems::default();
        self.included
            .read(root, self.open, self.sources, &mut found);
        beside::take_out(root, &mut found);
        let spec = cell_rates::read(root, &mut found);
        let has_all_names = found.is_empty() || skeleton::has_all_names(root, &found);
        if spec.is_none()
            && has_all_names
            && let Some(skeleton) = skeleton::of(root, &found)
        {
            self.points.check_names(&skeleton, &mut found);
        }
        let read = spec.map(|spec| {
            // A name that is not understood would make others seem unknown.
            let expanded = Expanded::new(&spec);
            let plan = has_all_names.then(|| self.points.lower(&expanded, &mut found));
            let plan = plan.flatten();
            let mut doubtful = unlikely_values::of(&expanded);
            doubtful.locate(root);
            self.doubts.extend_by_new(doubtful);
            (spec, plan)
        });
        self.declared.blame(root, &mut found);
        found.locate(root);
        (read, found)
    }
}

/// Reports settings that some point of an axis replaces, because the axis sets a table around them,
/// a value within them or another kind.
fn blame_overruled(
    root: &Written,
    shape: &Shape,
    settings: &[Setting],
    sweep: &Sweep,
    problems: &mut Problems,
) {
    for setting in settings {
        let set = |root: &Written| setting.path.find_in(root).map(|set| set.value.to_string());
        let set_before = set(root);
        let overrules = |point: &AxisPoint| {
            set(&at_point(root, shape, &[point], &mut Problems::default())) != set_before
        };
        let axes = sweep.axes.iter();
        for axis in axes.filter(|axis| axis.points.iter().any(overrules)) {
            let at = Path::root().key("sweep").key(&axis.name);
            let problem = format!("`{at}` sets this as well");
            let hint = match axis.path_below(&setting.path) {
                Some(path) => format!("set only `{path}`, or vary nothing: `--set 'sweep={{}}'`"),
                // The axis would replace the value of the setting again.
                None => format!(
                    "leave it out and write the value into `{at}`, or vary nothing: \
                     `--set 'sweep={{}}'`"
                ),
            };
            problems.add(Problem::new(&setting.path, Some(setting.place), problem).hint(hint));
        }
    }
}

/// Reports problems of values that the sweep replaces.
fn blame_overwritten(root: &Written, problems: &mut Problems) {
    let mut found = Problems::default();
    ScenarioSpec::read(root, &Path::root(), &mut found);
    // A value that is missing here may be given by the points of the sweep.
    let is_written =
        |problem: &Problem| !problem.path.is_root() && problem.path.find_in(root).is_some();
    problems.extend(found.into_iter().filter(is_written));
}

/// Takes the sweep out of `root`.
fn take_sweep(root: &mut Written, problems: &mut Problems) -> Option<Sweep> {
    let Value::Table(table) = &mut root.value else {
        return Some(Sweep::default());
    };
    match table.remove("sweep") {
        Some(entry) => Sweep::read(&entry.written, &Path::root().key("sweep"), problems),
        None => Some(Sweep::default()),
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
