//! `[sweep]`: one scenario at several points.
//!
//! A full factorial design: Law, "Simulation Modeling and Analysis", 5th edition, 2015, chapter 12.
//! The syntax is our own: an axis names the paths that it varies, so parameters need no code for
//! sweeps.
//!
//! An axis is a path with a list of values, or a name with points that each set several paths:
//!
//! ```toml
//! [sweep]
//! "switch.s1.buffer.per_output" = ["256 cells", "1000 cells"]
//!
//! [sweep.packet]
//! 512 = { "flow.bulk.transport.tcp.packet" = "512 B", "link.exit.rate" = "141.241 Mbit/s" }
//! 1500 = { "flow.bulk.transport.tcp.packet" = "1500 B", "link.exit.rate" = "141.176 Mbit/s" }
//! ```
//!
//! The points of a scenario are all combinations, in the order of the file; the last axis varies
//! fastest. `without` lists combinations to leave out:
//!
//! ```toml
//! without = [{ "switch.s1.buffer.per_output" = "256 cells", packet = "1500" }]
//! ```

mod axis;
pub(crate) mod problems;
mod without;

pub use without::Combination;

use parameters::{Parameter, Path, Problem, Problems, Shape, Span, Value, ValueTable, Written};

use crate::document::names_kind;

/// Largest number of points.
const MOST: usize = 20_000;

/// The axes of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// Axes, in the order of the file.
    pub axes: Vec<Axis>,
    /// Combinations to leave out.
    pub without: Vec<Combination>,
    /// Indexes of the points that are not left out; none if all are kept.
    kept: Option<Vec<usize>>,
}

/// One axis of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// A path, or a name for several paths.
    pub name: String,
    /// True if the name is the path that varies.
    pub is_path: bool,
    /// Points of the axis, at least one.
    pub points: Vec<AxisPoint>,
}

/// One point of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisPoint {
    /// Name of the point.
    pub label: String,
    /// Values at the point.
    pub settings: Vec<(Path, Written)>,
}

impl Axis {
    /// The first path at or below `path` that points of this axis set.
    pub fn path_below(&self, path: &Path) -> Option<&Path> {
        let mut paths = self.points.iter().flat_map(|point| &point.settings);
        let below = paths.find(|(set, _)| set != path && set.steps().starts_with(path.steps()));
        below.map(|(set, _)| set)
    }

    /// The given `points` of the axis, as a scenario writes them.
    fn write(&self, points: &[AxisPoint]) -> Value {
        if self.is_path {
            let values = points.iter().map(|point| point.settings[0].1.value.clone());
            return Value::from(values.collect::<Vec<Value>>());
        }
        let points = points.iter().map(|point| {
            let settings = point.settings.iter();
            let settings = settings.map(|(path, value)| (path.to_string(), value.value.clone()));
            (point.label.clone(), ValueTable::of(settings).into())
        });
        ValueTable::of(points).into()
    }

    /// Removes the settings of `path`, and of its kinds if it is a family, from every point. Of
    /// points that are then equal, only the first is kept.
    fn pin(&mut self, path: &Path, shape: &Shape) {
        let is_pinned = |(set, _): &(Path, Written)| {
            set == path
                || set
                    .steps()
                    .split_last()
                    .is_some_and(|(_, above)| above == path.steps())
                    && names_kind(shape, set)
        };
        let mut settings = self.points.iter().flat_map(|point| &point.settings);
        if !settings.any(is_pinned) {
            return;
        }
        let mut left: Vec<AxisPoint> = Vec::with_capacity(self.points.len());
        for mut point in std::mem::take(&mut self.points) {
            point.settings.retain(|setting| !is_pinned(setting));
            if !left.iter().any(|other| other.sets_the_same(&point)) {
                left.push(point);
            }
        }
        self.points = left;
    }
}

impl AxisPoint {
    /// True if two points differ only in their labels.
    fn sets_the_same(&self, other: &AxisPoint) -> bool {
        let shown = |point: &AxisPoint| -> Vec<(String, String)> {
            let settings = point.settings.iter();
            settings
                .map(|(path, set)| (path.to_string(), set.value.to_string()))
                .collect()
        };
        shown(self) == shown(other)
    }
}

impl Sweep {
    /// All combinations of `axes` except those of `without`.
    fn new(axes: Vec<Axis>, without: Vec<Combination>) -> Sweep {
        let mut sweep = Sweep {
            axes,
            without,
            kept: None,
        };
        if !sweep.without.is_empty() && sweep.combinations() <= MOST {
            let all = 0..sweep.combinations();
            sweep.kept = Some(all.filter(|number| !sweep.leaves_out(*number)).collect());
        }
        sweep
    }

    fn combinations(&self) -> usize {
        let counts = self.axes.iter().map(|axis| axis.points.len());
        counts.fold(1, usize::saturating_mul)
    }

    fn leaves_out(&self, number: usize) -> bool {
        let points = self.combination(number);
        let labels: Vec<&str> = points.iter().map(|point| point.label.as_str()).collect();
        let mut without = self.without.iter();
        without.any(|combination| combination.holds(&self.axes, &labels))
    }

    /// Number of points; one if the sweep has no axes.
    pub fn len(&self) -> usize {
        let kept = self.kept.as_ref();
        kept.map_or_else(|| self.combinations(), Vec::len)
    }

    /// True if there are no axes.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// The point of each axis at the point `index` of the sweep.
    pub fn at(&self, index: usize) -> Vec<&AxisPoint> {
        self.combination(self.kept.as_ref().map_or(index, |kept| kept[index]))
    }

    /// The name of each axis, and its value at these points, as written.
    pub fn labels(&self, points: &[&AxisPoint]) -> Vec<(String, String)> {
        let axes = self.axes.iter().zip(points);
        axes.map(|(axis, point)| (axis.name.clone(), point.label.clone()))
            .collect()
    }

    fn combination(&self, number: usize) -> Vec<&AxisPoint> {
        let mut rest = number;
        let mut points: Vec<&AxisPoint> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            points.push(&axis.points[rest % axis.points.len()]);
            rest /= axis.points.len();
        }
        points.reverse();
        points
    }

    /// Keeps only these points of an axis, by label.
    pub fn narrow(&mut self, name: &str, labels: &[String]) {
        for axis in self.axes.iter_mut().filter(|axis| axis.name == name) {
            axis.points.retain(|point| labels.contains(&point.label));
        }
        self.without
            .retain_mut(|combination| combination.keep_known(&self.axes));
        *self = Sweep::new(
            std::mem::take(&mut self.axes),
            std::mem::take(&mut self.without),
        );
    }

    /// Removes `path`, and its kinds if it is a family, from the axes of the sweep of a scenario of
    /// this shape.
    pub fn pin(&mut self, path: &Path, shape: &Shape) {
        for axis in &mut self.axes {
            axis.pin(path, shape);
        }
        let sets_something = |point: &AxisPoint| !point.settings.is_empty();
        self.axes
            .retain(|axis| axis.points.iter().any(sets_something));
        // A combination in `without` no longer applies if its values have been removed.
        self.without
            .retain_mut(|combination| combination.keep_known(&self.axes));
        *self = Sweep::new(
            std::mem::take(&mut self.axes),
            std::mem::take(&mut self.without),
        );
    }

    /// Reports paths that two axes set, and too many points.
    fn check(&self, at: &Path, place: Option<Span>, problems: &mut Problems) -> bool {
        let mut set: Vec<(&Path, &str)> = Vec::new();
        let known = problems.len();
        for axis in &self.axes {
            let mut paths: Vec<&(Path, Written)> = axis
                .points
                .iter()
                .flat_map(|point| &point.settings)
                .collect();
            paths.sort_by_key(|(path, _)| path.to_string());
            paths.dedup_by_key(|(path, _)| path.clone());
            for (path, written) in paths {
                if let Some((_, other)) = set.iter().find(|(other, _)| *other == path) {
                    let problem = format!("`{path}` is set by the axis `{other}` as well");
                    let hint = "a path may vary along one axis only";
                    let at = at.key(&axis.name);
                    problems.add(Problem::new(&at, written.place, problem).hint(hint));
                } else {
                    set.push((path, &axis.name));
                }
            }
        }
        if self.kept.as_ref().is_some_and(Vec::is_empty) {
            let problem = "`without` leaves out every point";
            let hint = "list only combinations of values that make no sense";
            problems.add(Problem::new(&at.key(without::NAME), place, problem).hint(hint));
        }
        if self.len() > MOST {
            let problem = format!("more than {MOST} points");
            let hint = "split the sweep into several";
            problems.add(Problem::new(at, place, problem).hint(hint));
        }
        problems.len() == known
    }
}

impl Parameter for Sweep {
    fn shape() -> Shape {
        let values = Shape::List(Box::new(Shape::Any));
        let points = Shape::Map(Box::new(Shape::Map(Box::new(Shape::Any))));
        Shape::Map(Box::new(Shape::Either(vec![values, points])))
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Sweep> {
        let Value::Table(table) = &written.value else {
            let problem = format!("{} is not a table of axes", written.value.quoted());
            let hint = "write `[sweep]` and under it `\"switch.s1.buffer.per_output\" = [...]`";
            problems.add(Problem::new(at, written.place, problem).hint(hint));
            return None;
        };
        // Every axis is read before a missing one ends the list, so all problems are reported.
        let axes: Vec<Option<Axis>> = table
            .iter()
            .filter(|entry| entry.name != without::NAME)
            .map(|entry| axis::read(entry, at, problems))
            .collect();
        let axes: Vec<Axis> = axes.into_iter().collect::<Option<_>>()?;
        let without = match table.get(without::NAME) {
            Some(written) => without::read(written, &axes, &at.key(without::NAME), problems)?,
            None => Vec::new(),
        };
        let sweep = Sweep::new(axes, without);
        sweep.check(at, written.place, problems).then_some(sweep)
    }

    fn write(&self) -> Value {
        let axis = |axis: &Axis| (axis.name.clone(), axis.write(&axis.points));
        let without = Value::from(
            self.without
                .iter()
                .map(Combination::write)
                .collect::<Vec<_>>(),
        );
        let without = (!self.without.is_empty()).then(|| (without::NAME.to_string(), without));
        ValueTable::of(self.axes.iter().map(axis).chain(without)).into()
    }

    fn absent() -> Option<Sweep> {
        Some(Sweep::default())
    }

    fn is_given(&self) -> bool {
        !self.is_empty()
    }
}

/// The label of a point with this value.
pub fn label(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
pub(super) mod tests;
