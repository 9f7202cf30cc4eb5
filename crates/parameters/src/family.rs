//! Reads a table with exactly one key, which names a kind, such as `{ karn = {} }`. The form is our
//! own: if a separate key named the kind, a scenario could also hold parameters of other kinds.

use crate::parameter::ReadFunctions;
use crate::path::{Path, PathStep};
use crate::problem::{Problem, Problems};
use crate::shape::{FamilyShape, Shape};
use crate::suggest;
use crate::table::{Entry, ValueTable};
use crate::value::{Value, Written};

/// The chosen member of a family.
pub struct Chosen<'a> {
    /// Index of the chosen kind in the family's list of kinds.
    pub kind: usize,
    /// The parameters written for the chosen kind.
    pub written: &'a Written,
    /// Path of the value.
    pub at: Path,
}

/// The kind that `written` names, if it names exactly one of `kinds`, which are those of `family`.
pub fn choose<'a>(
    family: ReadFunctions,
    written: &'a Written,
    at: &Path,
    kinds: &[&'static str],
    problems: &mut Problems,
) -> Option<Chosen<'a>> {
    match one_of(family, written, at, kinds) {
        Ok(chosen) => Some(chosen),
        Err(problem) => {
            problems.add(problem);
            None
        }
    }
}

fn one_of<'a>(
    family: ReadFunctions,
    written: &'a Written,
    at: &Path,
    kinds: &[&'static str],
) -> Result<Chosen<'a>, Problem> {
    let known = || suggest::listed(kinds.iter().copied());
    let Value::Table(table) = &written.value else {
        return Err(no_table(family, written, at, &known()));
    };
    let entries: Vec<&Entry> = table.iter().collect();
    let place = |entry: &Entry| entry.place.or(entry.written.place);
    match entries[..] {
        [] => {
            let hint = choice(at, &members(family), &known());
            Err(Problem::new(at, written.place, "no kind is given").hint(hint))
        }
        [entry] => match kinds.iter().position(|kind| *kind == entry.name) {
            Some(kind) => Ok(Chosen {
                kind,
                written: &entry.written,
                at: at.key(&entry.name),
            }),
            None => Err(unknown(family, entry, at, &known())),
        },
        [first, second, ..] => {
            // A word that is no kind is the mistake, whatever stands beside it.
            let is_unknown = |entry: &&&Entry| !kinds.contains(&entry.name.as_str());
            if let Some(entry) = entries.iter().find(is_unknown) {
                return Err(unknown(family, entry, at, &known()));
            }
            let both = suggest::listed([first.name.as_str(), second.name.as_str()]);
            let count = entries.len();
            let problem = format!("{count} kinds are given, and only one is allowed: {both}");
            let given = entries.iter().map(|entry| entry.name.as_str());
            let hint = format!("keep one of {}", suggest::listed(given));
            Err(Problem::new(at, place(second), problem).hint(hint))
        }
    }
}

/// The kinds of a family with their shapes.
fn members(family: ReadFunctions) -> FamilyShape {
    match (family.shape)() {
        Shape::Family(family) => family,
        Shape::Either(shapes) => {
            let mut families = shapes.into_iter().filter_map(|shape| match shape {
                Shape::Family(family) => Some(family),
                _ => None,
            });
            families.next().expect("one of the shapes is a family")
        }
        _ => unreachable!("only families have kinds"),
    }
}

/// The problem to report for a value that is not a table.
fn no_table(family: ReadFunctions, written: &Written, at: &Path, known: &str) -> Problem {
    let members = members(family);
    let found = &written.value;
    let mut kinds = members.kinds.iter();
    let named = kinds.find(|kind| Some(kind.name) == found.text());
    let hint = match named {
        Some(kind) => format!("write `{}`", chosen(at, kind.name, &kind.shape.example())),
        None => match kind_of_value(family, &members, found) {
            Some((kind, value)) => format!("write for example `{}`", chosen(at, kind, &value)),
            None => choice(at, &members, known),
        },
    };
    let found = found.quoted();
    let problem = format!("expected a table that names one kind, found {found}");
    Problem::new(at, written.place, problem).hint(hint)
}

/// The first kind whose parameters `value` can be, or of which it lacks only the unit; with its
/// value.
fn kind_of_value(
    family: ReadFunctions,
    members: &FamilyShape,
    value: &Value,
) -> Option<(&'static str, Value)> {
    let names = || members.kinds.iter().map(|kind| kind.name);
    let as_kind = |kind: &str, value: &Value| Value::from(ValueTable::of([(kind, value.clone())]));
    let reads = |kind: &str, value: &Value| family.accept(&as_kind(kind, value));
    if let Some(kind) = names().find(|kind| reads(kind, value)) {
        return Some((kind, value.clone()));
    }
    let with_unit = |kind: &'static str| {
        let problems = (family.problems)(&as_kind(kind, value));
        let mut proposed = problems.iter().flat_map(Problem::completed);
        let valid = proposed.find(|value| reads(kind, value))?;
        Some((kind, valid.clone()))
    };
    names().find_map(with_unit)
}

/// The problem to report for an unknown kind.
fn unknown(family: ReadFunctions, entry: &Entry, at: &Path, known: &str) -> Problem {
    let problem = format!("unknown kind {}", Value::from(entry.name.as_str()).quoted());
    let kinds = members(family).kinds;
    let kinds: Vec<_> = kinds.iter().map(|kind| (kind.name, kind.aliases)).collect();
    let hint = match suggest::meant_or_alias(&entry.name, &kinds) {
        Some(meant) => {
            let meant = meant.to_string();
            let end = if meant.ends_with('?') { "" } else { ";" };
            format!("{meant}{end} the kinds are {known}")
        }
        None => format!("the kinds are {known}"),
    };
    let place = entry.place.or(entry.written.place);
    Problem::new(&at.key(&entry.name), place, problem).hint(hint)
}

/// The hint that lists all kinds, with an example.
fn choice(at: &Path, family: &FamilyShape, known: &str) -> String {
    let example = family
        .preferred()
        .map(|kind| chosen(at, kind.name, &kind.shape.example()));
    let example = example.unwrap_or_default();
    format!("choose one of {known}: for example `{example}`")
}

/// The choice of `kind` with the parameters `value` at `at`, as a user writes it.
fn chosen(at: &Path, kind: &str, value: &Value) -> String {
    match at.steps().last() {
        Some(PathStep::Key(name)) => format!("{name}.{kind} = {value}"),
        _ => format!("{{ {kind} = {value} }}"),
    }
}

/// The index of `written` in `words`.
pub fn word(
    written: &Written,
    at: &Path,
    words: &[&'static str],
    problems: &mut Problems,
) -> Option<usize> {
    let text = written.value.text();
    let position = words.iter().position(|word| Some(*word) == text);
    if position.is_none() {
        let problem = format!("{} is not one of the choices", written.value.quoted());
        let one_of = suggest::listed(words.iter().copied());
        let hint = match text.and_then(|text| suggest::nearest(text, words.iter().copied())) {
            Some(meant) => format!("did you mean `\"{meant}\"`? the choices are {one_of}"),
            None => format!("write one of {one_of} in quotes"),
        };
        problems.add(Problem::new(at, written.place, problem).hint(hint));
    }
    position
}
