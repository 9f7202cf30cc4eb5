//! Text that does not have the form that a record states: no table, or a table with unknown keys.

use crate::alias::Alias;
use crate::parameter::NameAndAliases;
use crate::path::Path;
use crate::problem::Problem;
use crate::shape::Field;
use crate::suggest;
use crate::table::{Entry, ValueTable};
use crate::value::{Value, Written};

/// What a record states about all of its parameters.
pub(super) struct Stated<'a> {
    pub(super) names: &'a [&'static str],
    /// The names with their aliases; without them names have none.
    pub(super) words: fn() -> Vec<NameAndAliases>,
    pub(super) fields: fn() -> Vec<Field>,
}

impl Stated<'_> {
    /// The names of the parameters, each with its aliases.
    pub(super) fn words(&self) -> Vec<NameAndAliases> {
        let known = (self.words)();
        let aliases = |name: &str| {
            let found = known.iter().find(|(known, _)| *known == name);
            found.map_or(&[] as &'static [Alias], |(_, aliases)| aliases)
        };
        let names = self.names.iter();
        names.map(|name| (*name, aliases(name))).collect()
    }
}

/// The problem of a value that is not a table.
pub(super) fn no_table(written: &Written, at: &Path, stated: &Stated<'_>) -> Problem {
    let names = stated.names;
    let problem = format!(
        "expected a table of parameters, found {}",
        written.value.quoted()
    );
    let is_table = |item: &Written| item.value.table().is_some();
    let hint = match &written.value {
        Value::List(items) if !items.is_empty() && items.iter().all(is_table) => {
            format!("write `[{at}]` in single brackets: there is only one")
        }
        _ if names.is_empty() => "it takes no parameters: write `{}`".to_string(),
        _ => {
            let fields = (stated.fields)();
            let required = fields.iter().filter(|field| field.required);
            let example = ValueTable::of(required.map(|field| (field.name, field.valid())));
            let example = Value::from(example);
            let names = suggest::listed(names.iter().copied());
            format!("write a table of {names}: for example `{example}`")
        }
    };
    Problem::new(at, written.place, problem).hint(hint)
}

/// The problem of a key that is none of the `known` names, and the parameters that it may mean.
pub(super) fn unknown(
    entry: &Entry,
    at: &Path,
    known: &[NameAndAliases],
) -> (Problem, Vec<&'static str>) {
    let place = entry.place.or(entry.written.place);
    let problem = format!("unknown key {}", Value::from(entry.name.as_str()).quoted());
    let problem = Problem::new(&at.key(&entry.name), place, problem);
    if let Some(meant) = suggest::meant_or_alias(&entry.name, known) {
        return (problem.hint(meant.to_string()), meant.names);
    }
    let expected = suggest::expected(known.iter().map(|(name, _)| *name));
    (problem.hint(expected), Vec::new())
}
