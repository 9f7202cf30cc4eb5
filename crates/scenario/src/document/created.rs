//! Parts that only a setting or an axis names, such as `switch.s9` in
//! `--set 'switch.s9.buffer.per_output=10 cells'`.
//!
//! A path creates the tables it passes, so that a misspelled name makes a new part, which is
//! incomplete. Our own rule: such a part is reported as unknown, and what it lacks is not reported.
//! A part that a setting gives as a whole table is not taken for a misspelled one.

use std::collections::BTreeSet;

use parameters::path::PathStep;
use parameters::{Path, Problem, Problems, Shape, Value, ValueTable, Written, suggest};

use super::settings::{self, Setting};

/// The tables of named parts.
const FAMILIES: [&str; 6] = ["host", "switch", "router", "edge", "link", "flow"];

/// Parts that the text, or a setting, gives as whole tables.
pub struct Declared(BTreeSet<(&'static str, String)>);

impl Declared {
    /// The parts of a text, and of the settings that name a part or a family.
    pub fn new(text: &Written, shape: &Shape, settings: &[Setting]) -> Declared {
        let mut whole = BTreeSet::new();
        whole.extend(parts(text));
        for setting in settings.iter().filter(|one| one.path.steps().len() <= 2) {
            let mut set = Written::from(Value::Table(ValueTable::default()));
            // A mistake in the path is reported where the setting is applied.
            let setting = std::slice::from_ref(setting);
            settings::apply(&mut set, shape, setting, &mut Problems::default());
            whole.extend(parts(&set));
        }
        Declared(whole)
    }

    /// Replaces the problems of what a part lacks that is not declared: there is no such part.
    pub fn blame(&self, root: &Written, problems: &mut Problems) {
        let created: Vec<_> = parts(root).filter(|part| !self.0.contains(part)).collect();
        for (family, name) in created {
            let at = Path::root().key(family).key(&name);
            let lacks = |problem: &Problem| is_lack(problem, &at, root);
            if problems.iter().any(lacks) {
                problems.retain(|problem| !lacks(problem));
                let problem = format!("there is no {family} `{name}`");
                let problem = Problem::new(&at, None, problem);
                problems.add(problem.hint(self.hint(family, &name)));
            }
        }
    }

    fn hint(&self, family: &'static str, name: &str) -> String {
        let known = self.0.iter().filter(|(other, _)| *other == family);
        let known: Vec<&str> = known.map(|(_, name)| name.as_str()).collect();
        match suggest::nearest_or_only(name, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => format!("declare it as `[{family}.{name}]`"),
            None => suggest::expected(known),
        }
    }
}

/// The named parts of a tree, by family.
fn parts(root: &Written) -> impl Iterator<Item = (&'static str, String)> {
    let families = FAMILIES.into_iter();
    families.flat_map(|family| {
        let table = root.value.table().and_then(|root| root.get(family));
        let parts = table.and_then(|family| family.value.table());
        let names = parts.into_iter().flat_map(ValueTable::names);
        names.map(move |name| (family, name.to_string()))
    })
}

/// True if a problem is that the part at `at` has no links, or lacks a parameter.
fn is_lack(problem: &Problem, at: &Path, root: &Written) -> bool {
    let path = &problem.path;
    let Some(rest) = path.steps().strip_prefix(at.steps()) else {
        return false;
    };
    match rest {
        [] => true,
        [PathStep::Key(_)] => path.find_in(root).is_none(),
        _ => false,
    }
}
