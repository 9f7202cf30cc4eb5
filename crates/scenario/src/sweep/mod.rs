//! `[sweep]`: the same scenario at several points.
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
//! fastest. Those that `without` lists are left out:
//!
//! ```toml
//! without = [{ "switch.s1.buffer.per_output" = "256 cells", packet = "1500" }]
//! ```

mod axis;
mod spellings;
mod without;

pub use spellings::Spellings;
pub use without::Combination;

use parameters::{Parameter, Path, Place, Problem, Problems, Shape, Table, Value, Written};

/// More points than these are a mistake.
const MOST: usize = 20_000;

/// The axes of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// In the order of the file.
    pub axes: Vec<Axis>,
    /// Combinations that are left out.
    pub without: Vec<Combination>,
    /// Numbers of those that are not, where some are.
    kept: Option<Vec<usize>>,
}

/// What varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// A path, or a name for several paths.
    pub name: String,
    /// Whether the name is that of the one path that varies.
    pub is_path: bool,
    /// Its points, at least one.
    pub points: Vec<AxisPoint>,
}

/// One point of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisPoint {
    /// What the point is called.
    pub label: String,
    /// What holds there.
    pub settings: Vec<(Path, Written)>,
}

impl Axis {
    /// The axis with its first point alone, as a setting.
    pub fn example(&self) -> String {
        let name = Path::root().key("sweep").key(&self.name);
        format!("{name}={}", self.write(&self.points[..1]))
    }

    /// Some of its points, as they are written.
    fn write(&self, points: &[AxisPoint]) -> Value {
        if self.is_path {
            let values = points.iter().map(|point| point.settings[0].1.value.clone());
            return Value::from(values.collect::<Vec<Value>>());
        }
        let points = points.iter().map(|point| {
            let settings = point.settings.iter();
            let settings = settings.map(|(path, value)| (path.to_string(), value.value.clone()));
            (point.label.clone(), Table::of(settings).into())
        });
        Table::of(points).into()
    }

    /// Takes the settings of `path`, and of what is below it, out of every point; of points between
    /// which there is no difference any more, the first stays.
    fn pin(&mut self, path: &Path) {
        let is_pinned = |(set, _): &(Path, Written)| set.steps().starts_with(path.steps());
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
    /// Whether nothing but the label tells two points apart.
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
    /// All combinations of `axes` but those of `without`.
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

    /// The number of points; one where nothing varies.
    pub fn len(&self) -> usize {
        let kept = self.kept.as_ref();
        kept.map_or_else(|| self.combinations(), Vec::len)
    }

    /// Whether nothing varies.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// The point of each axis at the point `index` of all.
    pub fn at(&self, index: usize) -> Vec<&AxisPoint> {
        self.combination(self.kept.as_ref().map_or(index, |kept| kept[index]))
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

    /// Leaves only these points, by label, of an axis.
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

    /// Lets `path`, and what is below it, no longer vary.
    pub fn pin(&mut self, path: &Path) {
        for axis in &mut self.axes {
            axis.pin(path);
        }
        let sets_something = |point: &AxisPoint| !point.settings.is_empty();
        self.axes
            .retain(|axis| axis.points.iter().any(sets_something));
        // What is left out for the sake of values that are no more is left out no longer.
        self.without
            .retain_mut(|combination| combination.keep_known(&self.axes));
        *self = Sweep::new(
            std::mem::take(&mut self.axes),
            std::mem::take(&mut self.without),
        );
    }

    /// Reports paths that two axes set, and points without number.
    fn check(&self, at: &Path, place: Option<Place>, problems: &mut Problems) -> bool {
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
                    let hint = "each path may vary along one axis";
                    let at = at.key(&axis.name);
                    problems.add(Problem::new(&at, written.place, problem).hint(hint));
                } else {
                    set.push((path, &axis.name));
                }
            }
        }
        if self.kept.as_ref().is_some_and(Vec::is_empty) {
            let problem = "every point is left out";
            let hint = "`without` lists combinations that make no sense together";
            problems.add(Problem::new(&at.key(without::NAME), place, problem).hint(hint));
        }
        if self.len() > MOST {
            let problem = format!("more than {MOST} points");
            let hint = "divide the sweep into several";
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
        // Every axis is read before any is missed, so that all their problems are told.
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
        Table::of(self.axes.iter().map(axis).chain(without)).into()
    }

    fn absent() -> Option<Sweep> {
        Some(Sweep::default())
    }

    fn is_given(&self) -> bool {
        !self.is_empty()
    }
}

/// What a point with this value is called.
pub fn label(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::document;
    use parameters::SourceId;

    pub(crate) fn read(text: &str) -> Result<Sweep, String> {
        let mut problems = Problems::default();
        let root = document::parse(SourceId(0), text).unwrap();
        let sweep = Sweep::read(&root, &Path::root().key("sweep"), &mut problems);
        sweep.ok_or_else(|| problems.to_string())
    }

    pub(crate) const SWEEP: &str = r#"
        "switch.s1.buffer.per_output" = ["256 cells", "1000 cells"]
        [packet]
        512 = { "flow.bulk.transport.tcp.packet" = "512 B", "link.exit.rate" = "141 Mbit/s" }
        1500 = { "flow.bulk.transport.tcp.packet" = "1500 B", "link.exit.rate" = "142 Mbit/s" }
        9180 = { "flow.bulk.transport.tcp.packet" = "9180 B" }
    "#;

    #[test]
    fn points_are_all_combinations_and_the_last_axis_varies_fastest() {
        let sweep = read(SWEEP).unwrap();
        let labels = |index| {
            let labels: Vec<&str> = sweep
                .at(index)
                .iter()
                .map(|point| point.label.as_str())
                .collect();
            labels.join(", ")
        };
        assert_eq!(sweep.len(), 6);
        assert_eq!(labels(0), "256 cells, 512");
        assert_eq!(labels(1), "256 cells, 1500");
        assert_eq!(labels(5), "1000 cells, 9180");
        assert_eq!(sweep.at(1)[1].settings.len(), 2);
    }

    #[test]
    fn what_is_written_reads_back() {
        let sweep = read(SWEEP).unwrap();
        let again = read(&crate::render::render(sweep.write().table().unwrap())).unwrap();
        assert_eq!(again.write(), sweep.write());
    }

    #[test]
    fn a_pinned_path_no_longer_varies() {
        let mut sweep = read(SWEEP).unwrap();
        sweep.pin(&Path::parse("switch.s1.buffer.per_output").unwrap());
        assert_eq!(sweep.len(), 3);
        sweep.pin(&Path::parse("link.exit").unwrap());
        assert_eq!(sweep.len(), 3);
        sweep.pin(&Path::parse("flow.bulk.transport.tcp.packet").unwrap());
        assert!(sweep.is_empty());
    }

    #[test]
    fn an_axis_may_be_narrowed_to_some_of_its_points() {
        let without =
            "without = [{ packet = ['512', '9180'], 'switch.s1.buffer.per_output' = '256 cells' }]";
        let mut sweep = read(&format!("{without}\n{SWEEP}")).unwrap();
        sweep.narrow("packet", &["9180".to_string(), "1500".to_string()]);
        assert_eq!(sweep.len(), 3);
        let again = read(&crate::render::render(sweep.write().table().unwrap())).unwrap();
        assert_eq!(again.len(), 3);
        sweep.narrow("packet", &["1500".to_string()]);
        assert_eq!((sweep.len(), sweep.without.len()), (2, 0));
    }

    #[test]
    fn points_that_a_pinned_path_told_apart_become_one() {
        let mut sweep = read(SWEEP).unwrap();
        sweep.pin(&Path::parse("link.exit.rate").unwrap());
        sweep.pin(&Path::parse("switch").unwrap());
        assert_eq!(sweep.len(), 3);
        let mut sweep = read(SWEEP).unwrap();
        sweep.pin(&Path::parse("flow.bulk.transport.tcp").unwrap());
        assert_eq!(sweep.len(), 2 * 3);
    }

    #[test]
    fn mistakes_are_told() {
        for (text, problem) in [
            (
                "seed = 1",
                "sweep.seed: `1` is not a list of values\n  hint: write `[1]`",
            ),
            ("seed = []", "sweep.seed: an axis has no values"),
            ("seed = [1, 1]", "sweep.seed[1]: `1` is listed twice"),
            (
                "title = ['a']",
                "sweep.title: `title` is not the path of a value that may vary",
            ),
            (
                "'flow.bulk' = [1]",
                "sweep.\"flow.bulk\": `flow.bulk` is not the path",
            ),
            (
                "'fow.bulk.to' = ['a']",
                "sweep.\"fow.bulk.to\": `fow.bulk.to` is not the path of a value that may vary\n  hint: did you mean a path that begins with `flow`?",
            ),
            (
                "'flow..to' = ['a']",
                "sweep.\"flow..to\": a name is missing",
            ),
            (
                "switch.s1.buffer = [1]",
                "sweep.switch: `switch` cannot name an axis\n  hint: a path is written in quotes",
            ),
            ("packet = {}", "sweep.packet: an axis has no points"),
            (
                "packet.a = 1",
                "sweep.packet.a: `1` is not a table of paths",
            ),
            (
                "packet.a = { b = 1 }",
                "sweep.packet.a.b: `b` is not the path",
            ),
            (
                "seed = [1]\nx.a = { seed = 2 }",
                "sweep.x: `seed` is set by the axis `seed` as well",
            ),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.starts_with(problem), "{text}: {told}");
            assert!(told.contains("hint: "), "{told}");
        }
        let thousand: Vec<String> = (0..1000).map(|value| value.to_string()).collect();
        let axis = |path: &str| format!("'{path}' = [{}]\n", thousand.join(","));
        let text = axis("flow.a.b") + &axis("flow.a.c") + &axis("flow.a.d");
        assert!(read(&text).unwrap_err().contains("more than 20000 points"));
    }
}
