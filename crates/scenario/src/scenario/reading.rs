//! Reading: the scenario of a tree, checked at every point of its sweep.

use std::sync::{Arc, OnceLock};

use parameters::{Parameter, Path, Problems, Value, Written};

use super::overruled::{blame_overruled, blame_overwritten};
use super::repeated_values::RepeatedValues;
use super::{Scenario, at_point, cell_rates, skeleton, unlikely_values};
use crate::document::Sources;
use crate::document::created::Declared;
use crate::document::included::{FileReader, Included};
use crate::document::settings::{self, Setting};
use crate::lower::{Expanded, Plan, Points};
use crate::spec::ScenarioSpec;
use crate::spec::topology::beside;
use crate::sweep::Sweep;
use crate::sweep::problems::PointProblems;

/// A scenario that is being read.
pub(super) struct Reading<'a> {
    pub(super) open: FileReader<'a>,
    pub(super) declared: Declared,
    pub(super) sources: &'a mut Sources,
    pub(super) included: Included,
    pub(super) points: Points,
    pub(super) doubts: &'a mut Problems,
}

impl Reading<'_> {
    /// The scenario of `root` with `settings` applied.
    pub(super) fn understand(
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
            let plan = has_all_names.then(|| self.points.lower(&spec, &expanded, &mut found));
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
