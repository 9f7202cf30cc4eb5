//! Values that the sweep replaces: settings that it overrules, and mistakes in what it overwrites.

use parameters::{Parameter, Path, Problem, Problems, Shape, Written};

use super::at_point;
use crate::document::settings::Setting;
use crate::spec::ScenarioSpec;
use crate::sweep::{AxisPoint, Sweep};

/// Reports settings that some point of an axis replaces, because the axis sets a table around them,
/// a value within them or another kind.
pub(super) fn blame_overruled(
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
pub(super) fn blame_overwritten(root: &Written, problems: &mut Problems) {
    let mut found = Problems::default();
    ScenarioSpec::read(root, &Path::root(), &mut found);
    // A value that is missing here may be given by the points of the sweep.
    let is_written =
        |problem: &Problem| !problem.path.is_root() && problem.path.find_in(root).is_some();
    problems.extend(found.into_iter().filter(is_written));
}
