//! Settings: values of `--set PATH=VALUE`, beside the file.

use parameters::{Path, Problem, Problems, Shape, SourceId, Span, Value, Written};

use super::assign::assign;
use super::source::Sources;
use crate::document;

/// The name of these settings in messages.
const NAME: &str = "--set";

/// One setting, parsed as far as possible without the scenario.
pub struct Setting {
    /// Path to set.
    pub path: Path,
    /// Value to set.
    pub value: Written,
    /// Span of the path.
    pub place: Span,
}

/// Reads settings, each a path and a text.
pub fn read(
    settings: &[(String, String)],
    sources: &mut Sources,
    problems: &mut Problems,
) -> Vec<Setting> {
    let read = settings.iter().filter_map(|(path, value)| {
        let source = sources.add(NAME, &format!("{path}={value}"));
        let place = Span {
            source,
            start: 0,
            end: path.len(),
        };
        match Path::parse(path) {
            Ok(parsed) => Some(Setting {
                value: read_value(source, value, &parsed, path.len() + 1, problems),
                path: parsed,
                place,
            }),
            Err(problem) => {
                let hint = "write for example `--set \"switch.s1.buffer.per_output=1000 cells\"`";
                problems.add(Problem::new(&Path::root(), Some(place), problem).hint(hint));
                None
            }
        }
    });
    read.collect()
}

/// The value of a text: a TOML value if the text is one, so that numbers and tables can be given;
/// otherwise the text itself, so that `1000 cells` needs no TOML quotes inside the quotes of the
/// shell.
fn read_value(
    source: SourceId,
    text: &str,
    at: &Path,
    start: usize,
    problems: &mut Problems,
) -> Written {
    let place = Span {
        source,
        start,
        end: start + text.len(),
    };
    document::parse_value(source, text, start).unwrap_or_else(|| {
        let text = Value::from(text.trim());
        if is_integer(&text) {
            let problem = format!("{} is out of range", text.quoted());
            problems.add(Problem::new(at, Some(place), problem).hint(document::RANGE_HINT));
            return Written::at(place, 0.into());
        }
        Written::at(place, text)
    })
}

/// True if a value that could not be read is an integer of too many digits.
fn is_integer(value: &Value) -> bool {
    let Value::Text(text) = value else {
        return false;
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_decimal = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_decimal && text.parse::<i64>().is_err()
}

/// Applies `settings` to `root`, later ones over earlier ones.
pub fn apply(root: &mut Written, shape: &Shape, settings: &[Setting], problems: &mut Problems) {
    for setting in settings {
        if let Err(problem) = assign(root, shape, &setting.path, &setting.value) {
            let problem = Problem::new(&setting.path, Some(setting.place), problem);
            problems.add(problem.hint("set the whole list instead"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(path: &str, value: &str) -> Result<String, String> {
        let mut problems = Problems::default();
        let settings = [(path.to_string(), value.to_string())];
        let read = read(&settings, &mut Sources::default(), &mut problems);
        match read.first() {
            Some(setting) => Ok(setting.value.value.to_string()),
            None => Err(problems.to_string()),
        }
    }

    #[test]
    fn a_value_is_toml_where_it_can_be_and_a_text_elsewhere() {
        for (text, value) in [
            ("5", "5"),
            ("true", "true"),
            ("5 ms", "\"5 ms\""),
            (" 5 ms ", "\"5 ms\""),
            ("\"5 ms\"", "\"5 ms\""),
            (
                "{ uniform = [\"0 s\", \"1 s\"] }",
                "{ uniform = [\"0 s\", \"1 s\"] }",
            ),
            ("round_robin", "\"round_robin\""),
            ("", "\"\""),
        ] {
            assert_eq!(read_one("a.b", text).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn an_integer_of_too_many_digits_is_out_of_range() {
        let mut problems = Problems::default();
        let settings = ["99999999999999999999", "-99999999999999999999", "007"];
        let settings = settings.map(|value| ("seed".to_string(), value.to_string()));
        read(&settings, &mut Sources::default(), &mut problems);
        let told = problems.to_string();
        assert!(
            told.starts_with("seed: `99999999999999999999` is out of range\n  hint: "),
            "{told}"
        );
        assert_eq!(problems.len(), 2);
    }

    #[test]
    fn an_invalid_path_is_reported() {
        assert!(
            read_one("a..b", "5")
                .unwrap_err()
                .starts_with("a name is missing in the path\n  hint:")
        );
    }
}
