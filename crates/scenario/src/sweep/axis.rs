//! Reading of an axis.

use parameters::named::is_name;
use parameters::table::Entry;
use parameters::{Path, Problem, Problems, Value, ValueTable, Written, suggest};

use super::{Axis, AxisPoint, label};

/// The axis of `entry` in the sweep at `at`.
pub fn read(entry: &Entry, at: &Path, problems: &mut Problems) -> Option<Axis> {
    match &entry.written.value {
        Value::List(values) => path_axis(entry, values, at, problems),
        Value::Table(points) => named_axis(entry, points, at, problems),
        other => {
            let problem = format!("{} is not a list of values", other.quoted());
            let hint = format!("write `[{other}]`, with every value of this axis");
            let at = at.key(&entry.name);
            problems.add(Problem::new(&at, entry.written.place, problem).hint(hint));
            None
        }
    }
}

/// A path and its values.
fn path_axis(
    entry: &Entry,
    values: &[Written],
    at: &Path,
    problems: &mut Problems,
) -> Option<Axis> {
    let path = read_path(entry, at, problems)?;
    let at = at.key(&entry.name);
    if values.is_empty() {
        let problem = Problem::new(&at, entry.written.place, "an axis has no values");
        problems.add(problem.hint("list values in the brackets, or leave the axis out"));
        return None;
    }
    let mut points: Vec<AxisPoint> = Vec::with_capacity(values.len());
    for (index, written) in values.iter().enumerate() {
        let label = label(&written.value);
        if points.iter().any(|point| point.label == label) {
            let problem = format!("`{label}` is listed twice");
            let problem = Problem::new(&at.index(index), written.place, problem);
            problems.add(problem.hint("list each value once; `[replications]` repeats runs"));
            return None;
        }
        points.push(AxisPoint {
            label,
            settings: vec![(path.clone(), written.clone())],
        });
    }
    Some(Axis {
        name: path.to_string(),
        is_path: true,
        points,
    })
}

/// An axis with a name, and points that each set several paths.
fn named_axis(
    entry: &Entry,
    points: &ValueTable,
    at: &Path,
    problems: &mut Problems,
) -> Option<Axis> {
    let axis_at = at.key(&entry.name);
    let place = entry.place.or(entry.written.place);
    if SECTIONS.contains(&entry.name.as_str()) || !is_name(&entry.name) {
        let problem = format!(
            "{} cannot name an axis",
            Value::from(entry.name.as_str()).quoted()
        );
        let hint = "a path is written in quotes with a list of its values: \
                    `\"switch.s1.buffer.per_output\" = [...]`";
        problems.add(Problem::new(&axis_at, place, problem).hint(hint));
        return None;
    }
    if points.is_empty() {
        let problem = Problem::new(&axis_at, place, "an axis has no points");
        problems.add(problem.hint("give each point a table, or leave the axis out"));
        return None;
    }
    let read: Vec<Option<AxisPoint>> = points
        .iter()
        .map(|point| axis_point(point, &axis_at, problems))
        .collect();
    Some(Axis {
        name: entry.name.clone(),
        is_path: false,
        points: read.into_iter().collect::<Option<_>>()?,
    })
}

/// One point of a named axis.
fn axis_point(entry: &Entry, axis: &Path, problems: &mut Problems) -> Option<AxisPoint> {
    let at = axis.key(&entry.name);
    let Some(table) = entry.written.value.table() else {
        let problem = format!("{} is not a table of paths", entry.written.value.quoted());
        let hint = "write the values of this point: `{ \"link.exit.rate\" = \"155.52 Mbit/s\" }`";
        problems.add(Problem::new(&at, entry.written.place, problem).hint(hint));
        return None;
    };
    let settings: Vec<Option<(Path, Written)>> = table
        .iter()
        .map(|setting| Some((read_path(setting, &at, problems)?, setting.written.clone())))
        .collect();
    Some(AxisPoint {
        label: entry.name.clone(),
        settings: settings.into_iter().collect::<Option<_>>()?,
    })
}

/// The tables of a scenario with values that may vary.
const SECTIONS: &[&str] = &[
    "host", "switch", "router", "edge", "link", "topology", "flow",
];

/// Values outside of tables that may vary.
const ALONE: &[&str] = &["duration", "warm_up", "seed"];

/// The path in the name of `entry`.
fn read_path(entry: &Entry, at: &Path, problems: &mut Problems) -> Option<Path> {
    let at = at.key(&entry.name);
    let place = entry.place.or(entry.written.place);
    let path = Path::parse(&entry.name)
        .map_err(|problem| {
            let hint = "write for example `\"switch.s1.buffer.per_output\"`";
            problems.add(Problem::new(&at, place, problem).hint(hint));
        })
        .ok()?;
    let first = path.first_name().unwrap_or_default();
    let is_long_enough = path.steps().len() > 2 || ALONE.contains(&first);
    if is_long_enough && (SECTIONS.contains(&first) || ALONE.contains(&first)) {
        return Some(path);
    }
    let known = SECTIONS.iter().chain(ALONE).copied();
    let problem = format!("`{path}` is not the path of a value that may vary");
    let hint = match suggest::nearest(first, known.clone()).filter(|known| *known != first) {
        Some(meant) => format!("did you mean a path that begins with `{meant}`?"),
        None if first == "topology" => "write for example `topology.KIND.PARAMETER`".to_string(),
        None if SECTIONS.contains(&first) => format!("write for example `{first}.NAME.PARAMETER`"),
        None => format!("paths begin with one of {}", suggest::listed(known)),
    };
    problems.add(Problem::new(&at, place, problem).hint(hint));
    None
}
