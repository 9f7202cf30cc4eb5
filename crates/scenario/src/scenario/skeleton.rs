//! The names and joins of a scenario whose values are not all understood.
//!
//! A value that is refused keeps a scenario from being lowered. Which nodes, links and flows there
//! are, and which of them a link, a flow or a goal names, depends on few values, however, and
//! mistakes in names are reported beside the refused values. Our own rule: nothing is reported that
//! a refused value might have caused. If a value that names or counts nodes is refused, or a key or
//! a table may stand for one, only the refused values are reported.

use parameters::path::PathStep;
use parameters::shape::Fields;
use parameters::suggest;
use parameters::{Parameter, Path, Problem, Problems, Shape, Value, ValueTable, Written, value};

use crate::spec::ScenarioSpec;

/// A table of named parts: the keys that name or count nodes, and the parameters that must be
/// written, with values that no check of names looks at.
struct Family {
    name: &'static str,
    kept: &'static [&'static str],
    rest: fn() -> Value,
}

const FAMILIES: [Family; 6] = [
    Family {
        name: "host",
        kept: &["count"],
        rest: || value!({}),
    },
    Family {
        name: "switch",
        kept: &[],
        rest: || value!({ buffer = { per_output = "1000 cells" } }),
    },
    Family {
        name: "router",
        kept: &[],
        rest: || value!({ buffer = { per_output = "1 MB" } }),
    },
    Family {
        name: "edge",
        kept: &["count"],
        rest: || value!({ queue = "1000 cells" }),
    },
    Family {
        name: "link",
        kept: &["between"],
        rest: || value!({ rate = "1 Gbit/s" }),
    },
    Family {
        name: "flow",
        kept: &["from", "to", "pairs", "route"],
        rest: || value!({ transport = { tcp = {} } }),
    },
];

/// True if none of these problems of `root` is with a value that names or counts nodes, or that may
/// be meant to.
pub fn has_all_names(root: &Written, problems: &Problems) -> bool {
    let (Some(table), Shape::Record(known)) = (root.value.table(), ScenarioSpec::known_shape())
    else {
        return false;
    };
    let tables = || known.fields.iter().map(|field| field.name);
    // An unknown table may be a misspelled one.
    let has_unknown = table.iter().any(|entry| {
        let name = entry.name.as_str();
        entry.written.value.table().is_some()
            && !tables().any(|known| known == name)
            && suggest::nearest(name, tables()).is_none_or(makes_parts)
    });
    !has_unknown && !problems.iter().any(|problem| may_be_a_name(problem, known))
}

/// The scenario `root`, of which these problems are known, without any value but those that name or
/// count nodes; none if one of these is refused.
pub fn of(root: &Written, problems: &Problems) -> Option<ScenarioSpec> {
    let table = root.value.table()?;
    let mut skeleton = ValueTable::of([("duration", value!("1 s"))]);
    for family in &FAMILIES {
        if let Some(written) = table.get(family.name) {
            let parts = written.value.table()?.iter();
            let parts = parts.map(|part| Some((part.name.clone(), family.bare(&part.written)?)));
            let parts: Vec<(String, Value)> = parts.collect::<Option<_>>()?;
            skeleton.set(
                family.name,
                None,
                Value::Table(ValueTable::of(parts)).into(),
            );
        }
    }
    let is_sound = |name: &str| {
        !problems
            .iter()
            .any(|problem| problem.path.first_name() == Some(name))
    };
    for name in ["topology", "replications"] {
        match table.get(name) {
            Some(written) if is_sound(name) => skeleton.set(name, None, written.clone()),
            Some(_) if name == "topology" => return None,
            _ => {}
        }
    }
    let skeleton = Value::Table(skeleton).into();
    ScenarioSpec::read(&skeleton, &Path::root(), &mut Problems::default())
}

impl Family {
    /// A part with the keys that are kept.
    fn bare(&self, part: &Written) -> Option<Value> {
        let part = part.value.table()?;
        let Value::Table(mut bare) = (self.rest)() else {
            return None;
        };
        for name in self.kept {
            if let Some(written) = part.get(name) {
                bare.set(*name, None, written.clone());
            }
        }
        Some(Value::Table(bare))
    }
}

/// True if a problem is with a value that names or counts nodes, or with one that is perhaps meant
/// to: a whole table, or an unknown key beside such values.
fn may_be_a_name(problem: &Problem, known: &Fields) -> bool {
    let [PathStep::Key(family), rest @ ..] = problem.path.steps() else {
        return true;
    };
    let Some(family) = FAMILIES.iter().find(|one| one.name == family) else {
        return false;
    };
    let [_, PathStep::Key(key), ..] = rest else {
        return true;
    };
    let parameters = || parameters_of(family.name, known);
    let meant = match parameters().find(|name| name == key) {
        Some(known) => Some(known),
        None => suggest::nearest(key, parameters()),
    };
    meant.map_or(!family.kept.is_empty(), |name| family.kept.contains(&name))
}

/// Names of the parameters of a named part.
fn parameters_of<'a>(family: &str, known: &'a Fields) -> impl Iterator<Item = &'a str> + Clone {
    let family = known.fields.iter().find(|field| field.name == family);
    let fields = family.and_then(|field| match &field.shape {
        Shape::Named(part) => match &**part {
            Shape::Record(part) => Some(&part.fields),
            _ => None,
        },
        _ => None,
    });
    fields.into_iter().flatten().map(|field| field.name)
}

/// True if a table of this name has named parts.
fn makes_parts(name: &str) -> bool {
    name == "topology" || FAMILIES.iter().any(|family| family.name == name)
}
