//! Values that an axis lists twice, in different spellings: `500 kB` and `500000 B`.

use std::collections::{BTreeMap, BTreeSet};

use parameters::{Parameter, Path, Problem, Problems, Written};

use crate::spec::ScenarioSpec;
use crate::sweep::{AxisPoint, Sweep};

/// Normalised values of every axis, as far as known.
pub struct RepeatedValues<'a>(Vec<Values<'a>>);

/// The values of an axis.
#[derive(Default)]
struct Values<'a> {
    /// The path that varies, unless the axis has a name of its own.
    path: Option<&'a Path>,
    /// Labels of the points seen so far.
    seen: BTreeSet<&'a str>,
    /// Label of the first point with each normalised value.
    labels: BTreeMap<String, &'a str>,
}

impl<'a> RepeatedValues<'a> {
    /// The state before the first point of the sweep is read.
    pub fn of(sweep: &'a Sweep) -> RepeatedValues<'a> {
        let axes = sweep.axes.iter().map(|axis| Values {
            path: axis.is_path.then(|| &axis.points[0].settings[0].0),
            ..Values::default()
        });
        RepeatedValues(axes.collect())
    }

    /// Notes the normalised values of a point, and reports values that an earlier point has too.
    pub fn note(
        &mut self,
        settings: &[&'a AxisPoint],
        spec: &ScenarioSpec,
        problems: &mut Problems,
    ) {
        let mut resolved: Option<Written> = None;
        for (values, point) in self.0.iter_mut().zip(settings) {
            let Some(path) = values.path else { continue };
            if !values.seen.insert(&point.label) {
                continue;
            }
            let resolved = resolved.get_or_insert_with(|| spec.write().into());
            let Some(value) = path.find_in(resolved) else {
                continue;
            };
            if let Some(other) = values.labels.insert(value.value.to_string(), &point.label) {
                let at = Path::root().key("sweep").key(&path.to_string());
                let problem = format!("`{}` and `{other}` are one value", point.label);
                let problem = Problem::new(&at, point.settings[0].1.place, problem);
                problems.add(problem.hint("list each value once; `[replications]` repeats runs"));
            }
        }
    }
}
