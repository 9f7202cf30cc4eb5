//! Reads a table with exactly one key, which names a kind, such as `{ karn = {} }`. The form is our
//! own: if a separate key named the kind, a scenario could also hold parameters of other kinds.

use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::suggest;
use crate::table::Entry;
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

/// The kind that `written` names, if it names exactly one of `kinds`.
pub fn choose<'a>(
    written: &'a Written,
    at: &Path,
    kinds: &[&'static str],
    problems: &mut Problems,
) -> Option<Chosen<'a>> {
    match one_of(written, at, kinds) {
        Ok(chosen) => Some(chosen),
        Err(problem) => {
            problems.add(problem);
            None
        }
    }
}

fn one_of<'a>(
    written: &'a Written,
    at: &Path,
    kinds: &[&'static str],
) -> Result<Chosen<'a>, Problem> {
    let known = suggest::listed(kinds.iter().copied());
    let Value::Table(table) = &written.value else {
        return Err(no_table(written, at, kinds, &known));
    };
    let entries: Vec<&Entry> = table.iter().collect();
    let place = |entry: &Entry| entry.place.or(entry.written.place);
    match entries[..] {
        [] => {
            let hint = choice(at, kinds, &known);
            Err(Problem::new(at, written.place, "no kind is given").hint(hint))
        }
        [entry] => match kinds.iter().position(|kind| *kind == entry.name) {
            Some(kind) => Ok(Chosen {
                kind,
                written: &entry.written,
                at: at.key(&entry.name),
            }),
            None => Err(unknown(entry, at, kinds, &known)),
        },
        [first, second, ..] => {
            // A word that is no kind is the mistake, whatever stands beside it.
            let is_unknown = |entry: &&&Entry| !kinds.contains(&entry.name.as_str());
            if let Some(entry) = entries.iter().find(is_unknown) {
                return Err(unknown(entry, at, kinds, &known));
            }
            let both = suggest::listed([first.name.as_str(), second.name.as_str()]);
            let count = entries.len();
            let problem = format!("{count} kinds are given, and only one is allowed: {both}");
            let hint = format!("keep one of {known}");
            Err(Problem::new(at, place(second), problem).hint(hint))
        }
    }
}

/// The problem to report for a value that is not a table.
fn no_table(written: &Written, at: &Path, kinds: &[&'static str], known: &str) -> Problem {
    let found = written.value.quoted();
    let problem = format!("expected a table that names one kind, found {found}");
    let hint = match written.value.text().filter(|text| kinds.contains(text)) {
        Some(kind) => format!("write `{}`", example(at, kind)),
        None => choice(at, kinds, known),
    };
    Problem::new(at, written.place, problem).hint(hint)
}

/// The problem to report for an unknown kind.
fn unknown(entry: &Entry, at: &Path, kinds: &[&'static str], known: &str) -> Problem {
    let problem = format!("unknown kind {}", Value::from(entry.name.as_str()).quoted());
    let hint = match suggest::meant(&entry.name, kinds.iter().copied()) {
        Some(meant) => {
            let end = if meant.ends_with('?') { "" } else { ";" };
            format!("{meant}{end} the kinds are {known}")
        }
        None => format!("the kinds are {known}"),
    };
    let place = entry.place.or(entry.written.place);
    Problem::new(&at.key(&entry.name), place, problem).hint(hint)
}

/// The hint that lists all kinds, with an example.
fn choice(at: &Path, kinds: &[&'static str], known: &str) -> String {
    let first = example(at, kinds[0]);
    format!("choose one of {known}: for example `{first}`")
}

/// An example of `kind` at `at`.
fn example(at: &Path, kind: &str) -> String {
    match at.steps().last() {
        Some(crate::path::PathStep::Key(name)) => format!("{name}.{kind} = {{}}"),
        _ => format!("{{ {kind} = {{}} }}"),
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
