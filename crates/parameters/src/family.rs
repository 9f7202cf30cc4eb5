//! Reading of tables with exactly one name, which selects the meaning of its value.

use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::suggest;
use crate::table::Entry;
use crate::value::{Value, Written};

/// The chosen member of a family.
pub struct Chosen<'a> {
    /// Index of its kind among the kinds of the family.
    pub kind: usize,
    /// The value written for it.
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
    let one_of = suggest::listed(kinds.iter().copied());
    let Value::Table(table) = &written.value else {
        let problem = format!(
            "expected a table that names one kind, found {}",
            written.value.quoted()
        );
        let hint = match written.value.text().filter(|text| kinds.contains(text)) {
            Some(kind) => format!("write `{}`", example(at, kind)),
            None => format!(
                "choose one of {one_of}: for example `{}`",
                example(at, kinds[0])
            ),
        };
        problems.add(Problem::new(at, written.place, problem).hint(hint));
        return None;
    };
    let entries: Vec<&Entry> = table.iter().collect();
    let place = |entry: &Entry| entry.place.or(entry.written.place);
    match entries[..] {
        [] => {
            let hint = format!(
                "choose one of {one_of}: for example `{}`",
                example(at, kinds[0])
            );
            problems.add(Problem::new(at, written.place, "no kind is given").hint(hint));
            None
        }
        [entry] => {
            let Some(kind) = kinds.iter().position(|kind| *kind == entry.name) else {
                let problem = format!("unknown kind {}", Value::from(entry.name.as_str()).quoted());
                let hint = match suggest::meant(&entry.name, kinds.iter().copied()) {
                    Some(meant) => format!(
                        "{meant}{} the kinds are {one_of}",
                        if meant.ends_with('?') { "" } else { ";" }
                    ),
                    None => format!("the kinds are {one_of}"),
                };
                problems.add(Problem::new(&at.key(&entry.name), place(entry), problem).hint(hint));
                return None;
            };
            Some(Chosen {
                kind,
                written: &entry.written,
                at: at.key(&entry.name),
            })
        }
        [first, second, ..] => {
            let both = suggest::listed([first.name.as_str(), second.name.as_str()]);
            let problem = format!(
                "{} kinds are given, and only one is allowed: {both}",
                entries.len()
            );
            let hint = format!("keep one of {one_of}");
            problems.add(Problem::new(at, place(second), problem).hint(hint));
            None
        }
    }
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
