//! The text of a scenario as a tree of values with their places; the text is TOML 1.0.0.
//!
//! [`source`] keeps the texts, [`syntax`] words the errors of the parser, and [`error`] holds the
//! problems of a scenario with their places. [`settings`] of the command line replace values of the
//! tree ([`assign`]), and parts that only they name are [`created`]. The files that the scenario
//! names in its [`folder`] are [`included`], and captures among them are read by [`replay`].
//! [`render`] writes a tree as text.

mod assign;
pub(crate) mod created;
mod error;
pub mod folder;
pub(crate) mod included;
pub mod render;
mod replay;
pub(crate) mod settings;
pub(crate) mod source;
mod syntax;

pub use assign::assign;
pub(crate) use assign::names_kind;
pub use error::{Fault, ScenarioError};
pub use source::{LARGEST, Location, Sources};

use parameters::{Path, Problem, Problems, SourceId, Span, Value, ValueTable, Written};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

pub use syntax::DEEPEST;

/// The tree of a file as it is on disk, which messages call `name`; the file need not be a scenario.
///
/// # Errors
/// Every syntax error, with its place.
pub fn read(bytes: &[u8], name: &str) -> Result<Written, ScenarioError> {
    let mut sources = Sources::default();
    let file = sources.add(name, source::readable(bytes));
    let parsed = source::decode(bytes).map_err(Problems::from);
    let root = parsed.and_then(|text| parse(file, text));
    root.map_err(|problems| ScenarioError::new(problems, &sources))
}

/// The tree of `text`, or every syntax error.
///
/// # Errors
/// The problems, at most one for each line.
pub fn parse(source: SourceId, text: &str) -> Result<Written, Problems> {
    if let Some(problem) = source::too_large(text.len()) {
        return Err(problem.into());
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(syntax::problems(source, text, &errors));
    }
    let mut reading = Reading {
        source,
        problems: Problems::default(),
    };
    let root = reading.table(document.get_ref(), &Path::root());
    let whole = Span {
        source,
        start: 0,
        end: text.len(),
    };
    reading.problems.or(Some(Written::at(whole, root.into())))
}

/// The hint beside an integer that is out of range.
pub const RANGE_HINT: &str = "whole numbers go up to 9223372036854775807";

/// The value of `text` in TOML; none if it is not a value, or a value without meaning here.
///
/// `start` is the offset of the text in its source.
pub fn parse_value(source: SourceId, text: &str, start: usize) -> Option<Written> {
    let (value, errors) = DeValue::parse_recoverable(text);
    let mut reading = Reading {
        source,
        problems: Problems::default(),
    };
    let mut written = reading.value(&value, &Path::root());
    if !errors.is_empty() || !reading.problems.is_empty() {
        return None;
    }
    shift(&mut written, start);
    Some(written)
}

/// Moves every place by `offset`.
fn shift(written: &mut Written, offset: usize) {
    let shift_place = |place: &mut Option<Span>| {
        if let Some(place) = place {
            (place.start, place.end) = (place.start + offset, place.end + offset);
        }
    };
    shift_place(&mut written.place);
    match &mut written.value {
        Value::List(items) => items.iter_mut().for_each(|item| shift(item, offset)),
        Value::Table(table) => {
            for (place, value) in table.places_mut() {
                shift_place(place);
                shift(value, offset);
            }
        }
        _ => {}
    }
}

/// State of one walk over a document.
struct Reading {
    source: SourceId,
    problems: Problems,
}

impl Reading {
    fn place<T>(&self, spanned: &Spanned<T>) -> Span {
        let span = spanned.span();
        Span {
            source: self.source,
            start: span.start,
            end: span.end,
        }
    }

    fn table(&mut self, table: &DeTable<'_>, at: &Path) -> ValueTable {
        // The parser sorts by name; this restores the order of the text.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut read = ValueTable::default();
        for (key, value) in entries {
            let name = key.get_ref().as_ref();
            let place = self.place(key);
            let written = self.value(value, &at.key(name));
            read.push_new(name, Some(place), written);
        }
        read
    }

    fn value(&mut self, spanned: &Spanned<DeValue<'_>>, at: &Path) -> Written {
        let place = self.place(spanned);
        let value = match spanned.get_ref() {
            _ if at.steps().len() > DEEPEST => {
                let problem = format!("tables and lists are nested more than {DEEPEST} deep");
                self.refuse(at, place, problem, "no parameter is nested that deep")
            }
            DeValue::String(text) => text.as_ref().into(),
            DeValue::Integer(digits) => self.integer(digits, at, place),
            DeValue::Float(digits) => digits.as_str().parse().unwrap_or(f64::NAN).into(),
            DeValue::Boolean(boolean) => (*boolean).into(),
            DeValue::Datetime(moment) => {
                let problem = format!("`{moment}` is a date or a time of day");
                self.refuse(
                    at,
                    place,
                    problem,
                    "write durations in quotes, for example `\"5 ms\"`",
                )
            }
            DeValue::Array(items) => {
                let items = items.iter().enumerate();
                Value::List(
                    items
                        .map(|(index, item)| self.value(item, &at.index(index)))
                        .collect(),
                )
            }
            DeValue::Table(table) => self.table(table, at).into(),
        };
        Written::at(place, value)
    }

    fn integer(&mut self, digits: &DeInteger<'_>, at: &Path, place: Span) -> Value {
        if let Ok(integer) = i64::from_str_radix(digits.as_str(), digits.radix()) {
            return integer.into();
        }
        let problem = format!("{} is out of range", Value::from(digits.as_str()).quoted());
        self.refuse(at, place, problem, RANGE_HINT)
    }

    /// Reports a value without meaning; the walk continues with a substitute.
    fn refuse(&mut self, at: &Path, place: Span, problem: String, hint: &str) -> Value {
        self.problems
            .add(Problem::new(at, Some(place), problem).hint(hint));
        Value::Boolean(false)
    }
}

#[cfg(test)]
mod tests {
    use super::Sources;
    use super::*;

    /// Parses `text`, which is not TOML, and returns `line:column: problem / hint` for each
    /// problem.
    fn faults(text: &str) -> Vec<String> {
        let mut sources = Sources::default();
        let source = sources.add("x", text);
        let problems = parse(source, text).unwrap_err();
        let show = |problem: &Problem| {
            let at = sources.location(problem.place.unwrap());
            let hint = problem.hint.as_deref().unwrap();
            format!("{}:{}: {} / {hint}", at.line, at.column, problem.problem)
        };
        problems.iter().map(show).collect()
    }

    #[test]
    fn keeps_the_order_of_the_text_and_where_everything_is() {
        let text = "z = 1\na.c = [true, 2.5]\n[link.exit]\nrate = '5'\n";
        let root = parse(SourceId(0), text).unwrap();
        assert_eq!(
            root.value.to_string(),
            r#"{ z = 1, a = { c = [true, 2.5] }, link = { exit = { rate = "5" } } }"#
        );
        let written = |path: &str| {
            let place = Path::parse(path)
                .unwrap()
                .find_in(&root)
                .unwrap()
                .place
                .unwrap();
            &text[place.start..place.end]
        };
        assert_eq!(written("a.c[1]"), "2.5");
        assert_eq!(written("link.exit"), "[link.exit]");
        assert_eq!(written("link.exit.rate"), "'5'");
    }

    #[test]
    fn reports_the_problem_of_every_line() {
        assert_eq!(
            faults("rate = 5 ms\nx =\nb = \"x\nc = 1\njust text\n"),
            [
                "1:8: `5 ms` is not in quotes / write `\"5 ms\"`",
                "2:4: a value is missing / write the value after `=`, for example `seed = 1`",
                "3:7: a text is not closed / close it with `\"`",
                "5:6: a name without a value / a line is `name = value`, or `[table]`, or begins with `#`",
            ]
        );
        assert_eq!(
            faults("a = 1\na = 2"),
            ["2:1: `a` is given twice / keep one of them; a table begins with one line `[name]`"]
        );
    }

    #[test]
    fn values_without_meaning_are_refused() {
        assert_eq!(
            faults("start = 07:32:00"),
            [
                "1:9: `07:32:00` is a date or a time of day / write durations in quotes, for example `\"5 ms\"`"
            ]
        );
        assert_eq!(
            faults("seed = 99999999999999999999"),
            [
                "1:8: `99999999999999999999` is out of range / whole numbers go up to 9223372036854775807"
            ]
        );
    }

    #[test]
    fn no_depth_hurts() {
        for opening in ["[", "{a=", "[a", "a.", "[[a]]\n"] {
            for times in [40, 100_000] {
                let text = format!("x={}", opening.repeat(times));
                assert!(!faults(&text).is_empty(), "{opening} {times}");
            }
        }
        let nested = |depth: usize| format!("x={}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(SourceId(0), &nested(32)).is_ok());
        assert_eq!(faults(&nested(40)).len(), 1);
        assert_eq!(faults(&nested(100_000)).len(), 1);
        assert_eq!(
            faults(&format!("{}=1", vec!["a"; 100_000].join("."))).len(),
            1
        );
    }

    #[test]
    fn a_value_alone_is_understood_where_it_is_one() {
        let value = |text: &str| parse_value(SourceId(0), text, 7).map(|at| at.value.to_string());
        assert_eq!(value("{ a = [1] }").as_deref(), Some("{ a = [1] }"));
        assert_eq!(value("1000 cells"), None);
        assert_eq!(value("07:32:00"), None);
        assert_eq!(value("truex"), None);
        let place = parse_value(SourceId(0), "5", 7).unwrap().place.unwrap();
        assert_eq!((place.start, place.end), (7, 8));
    }
}
