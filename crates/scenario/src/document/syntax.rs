//! Messages for the errors of the TOML parser.

use parameters::{Path, Problem, Problems, SourceId, Span, Value};
use toml::de::Error;

/// Deepest nesting of tables and lists, below the parser's own limit of 80.
pub const DEEPEST: usize = 32;

/// Hint about the form of a line of TOML.
const LINE: &str = "a line is `name = value`, or `[table]`, or begins with `#`";

/// The first error of each line of `text`, because the first usually causes the others.
pub fn problems(source: SourceId, text: &str, errors: &[Error]) -> Problems {
    let span = |error: &Error| error.span().unwrap_or(0..0);
    let line = |error: &&Error| {
        let start = span(error).start.min(text.len());
        text.as_bytes()[..start]
            .iter()
            .rposition(|byte| *byte == b'\n')
    };
    let mut errors: Vec<&Error> = errors.iter().collect();
    errors.sort_by_key(|error| span(error).start);
    errors.dedup_by_key(|error| line(error));
    let mut problems = Problems::default();
    for error in errors {
        let span = span(error);
        let (problem, hint) = explain(error.message(), text.get(span.clone()).unwrap_or_default());
        let place = Span {
            source,
            start: span.start,
            end: span.end,
        };
        problems.add(Problem::new(&Path::root(), Some(place), problem).hint(hint));
    }
    problems
}

/// Problem and hint for a message of the parser about `text`.
fn explain(message: &str, text: &str) -> (String, String) {
    let (what, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let says = |words: &str| what.contains(words);
    let text = text.trim_end();
    let quoted = Value::from(text).quoted();
    let (problem, hint) = match () {
        () if says("must be quoted") && text.is_empty() => (
            "a value is missing".to_string(),
            "write the value after `=`, for example `seed = 1`",
        ),
        () if says("must be quoted") => {
            return (
                format!("{quoted} is not in quotes"),
                format!("write `{}`", Value::from(text)),
            );
        }
        () if says("string") && expected.starts_with('`') && text.is_empty() => {
            return (
                "a text is not closed".to_string(),
                format!("close it with {expected}"),
            );
        }
        () if says("key with no value") => ("a name without a value".to_string(), LINE),
        () if says("duplicate key") => (
            format!("{quoted} is given twice"),
            "keep one of them; a table begins with one line `[name]`",
        ),
        () if says("cannot extend") => (
            format!("{quoted} cannot be extended"),
            "it already has a value; write all values of a table under one line `[name]`",
        ),
        () if says("recurs") => (
            format!("tables and lists are nested more than {DEEPEST} deep"),
            "no parameter is nested that deep",
        ),
        () if expected.is_empty() || expected == "nothing" => (format!("not TOML: {what}"), LINE),
        () => {
            return (
                format!("not TOML: {what}"),
                format!("expected here: {expected}"),
            );
        }
    };
    (problem, hint.to_string())
}
