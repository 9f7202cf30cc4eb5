//! Reading tables with fixed names.

use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::suggest;
use crate::table::{Entry, Table};
use crate::value::{Place, Value, Written};

/// Takes the parameters out of a table, one after another.
pub struct Reader<'a> {
    table: &'a Table,
    place: Option<Place>,
    at: &'a Path,
    problems: &'a mut Problems,
    /// Parameters that a misspelled key stands for; they are not reported as missing on top of it.
    meant: Vec<&'static str>,
    /// What a preset fills in.
    filled: Table,
}

/// Names for parameters that are filled in together: what `presets!` makes.
pub trait Presets: Parameter + Copy {
    /// What it fills in.
    fn filled(self) -> Table;
}

/// What a preset is, and what it fills in.
pub fn preset_help(help: &str, preset: impl Presets) -> String {
    let filled = preset.filled();
    let parameters = filled.iter().map(|entry| {
        let value = &entry.written.value;
        format!("`{} = {value}`", entry.name)
    });
    let parameters: Vec<String> = parameters.collect();
    format!("{help} It sets {}.", parameters.join(", "))
}

impl<'a> Reader<'a> {
    /// Reports every key of the table that is none of `names`.
    ///
    /// Nothing is returned where there is no table.
    pub fn new(
        written: &'a Written,
        at: &'a Path,
        names: &[&'static str],
        problems: &'a mut Problems,
    ) -> Option<Reader<'a>> {
        let Value::Table(table) = &written.value else {
            let found = written.value.quoted();
            let problem = format!("expected a table of parameters, found {found}");
            let hint = if matches!(written.value, Value::List(_)) {
                format!("write `[{at}]` in single brackets: there is only one")
            } else if names.is_empty() {
                "it takes no parameters: write `{}`".to_string()
            } else {
                let names = suggest::listed(names.iter().copied());
                format!("write `{{ ... }}` with any of {names}")
            };
            problems.add(Problem::new(at, written.place, problem).hint(hint));
            return None;
        };
        let mut meant = Vec::new();
        for entry in table {
            if !names.contains(&entry.name.as_str()) {
                problems.add(unknown(entry, at, names));
                meant.extend(suggest::nearest(&entry.name, names.iter().copied()));
            }
        }
        Some(Reader {
            table,
            place: written.place,
            at,
            problems,
            meant,
            filled: Table::default(),
        })
    }

    /// Takes what the parameter `preset` names for what is not written.
    pub fn fill<P: Presets>(&mut self) {
        // If it names nothing, that is told where it is read.
        if let Some(written) = self.table.get("preset")
            && let Ok(preset) = crate::understand::<P>(&written.value)
        {
            self.filled = preset.filled();
        }
    }

    /// The parameter called `name`, or what is filled in for it, or its default; `least` is the least
    /// that it may be, if it is in a range.
    pub fn read<T: Parameter>(
        &mut self,
        name: &'static str,
        default: Option<fn() -> Value>,
        least: Option<fn() -> Value>,
    ) -> Option<T> {
        let at = self.at.key(name);
        let written = self.table.get(name).or_else(|| self.filled.get(name));
        if let Some(written) = written {
            return T::read(written, &at, self.problems);
        }
        if let Some(default) = default {
            return T::read(&default().into(), &at, self.problems);
        }
        let absent = T::absent();
        if absent.is_none() && !self.meant.contains(&name) {
            let example = T::shape().example_from(least.map(|least| least()).as_ref());
            let hint = format!("write for example `{name} = {example}`");
            let problem = Problem::new(&at, self.place, format!("`{name}` is missing")).hint(hint);
            self.problems.add(problem);
        }
        absent
    }

    /// Reports a conflict; nothing if there is one.
    pub fn agree(&mut self, conflict: Option<Conflict>) -> Option<()> {
        let Some(Conflict {
            name,
            problem,
            hint,
        }) = conflict
        else {
            return Some(());
        };
        let place = self
            .table
            .get(name)
            .map_or(self.place, |written| written.place);
        self.problems
            .add(Problem::new(&self.at.key(name), place, problem).hint(hint));
        None
    }

    /// `value` of the parameter called `name` if it is between `low` and `high`, both included.
    pub fn within<T: Parameter + PartialOrd>(
        &mut self,
        name: &'static str,
        value: Option<T>,
        low: &Value,
        high: &Value,
    ) -> Option<T> {
        let bound = |value: &Value| {
            crate::understand::<T>(value)
                .expect("the bounds of a range are values of the parameter")
        };
        let value = value?;
        if !value.is_given() || (bound(low) <= value && value <= bound(high)) {
            return Some(value);
        }
        let written = self.table.get(name);
        let found =
            written.map_or_else(|| value.write().quoted(), |written| written.value.quoted());
        let place = written.and_then(|written| written.place);
        let hint = format!("`{name}` is from {} to {}", low.quoted(), high.quoted());
        let problem = Problem::new(
            &self.at.key(name),
            place,
            format!("{found} is out of range"),
        );
        self.problems.add(problem.hint(hint));
        None
    }
}

/// Parameters that are right by themselves and wrong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The parameter to change.
    pub name: &'static str,
    /// What is wrong.
    pub problem: String,
    /// How to mend it.
    pub hint: String,
}

/// A key that is none of `names`.
fn unknown(entry: &Entry, at: &Path, names: &[&'static str]) -> Problem {
    let place = entry.place.or(entry.written.place);
    let problem = format!("unknown key {}", Value::from(entry.name.as_str()).quoted());
    let hint = suggest::hint(&entry.name, names.iter().copied());
    Problem::new(&at.key(&entry.name), place, problem).hint(hint)
}

/// Adds a parameter to the table that a record is written as.
pub fn write<T: Parameter>(table: &mut Table, name: &str, value: &T) {
    if value.is_given() {
        table.push_new(name, None, value.write().into());
    }
}
