//! Parameters without units: counts, numbers, words, lists.

use crate::hint::Hint;
use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::quantity::Amount;
use crate::shape::{BLANK, Shape};
use crate::value::{Value, Written};

/// Reports that `written` is not what `belongs` at `at`.
fn refuse<T>(
    written: &Written,
    at: &Path,
    problems: &mut Problems,
    belongs: &str,
    hints: Vec<Hint>,
) -> Option<T> {
    let problem = format!("{} is not {belongs}", written.value.quoted());
    problems.add(Problem::new(at, written.place, problem).hints(hints));
    None
}

/// Reports that `written` is not what `belongs` at `at`. If it is a text that `parse` understands,
/// only the quotes are wrong.
fn refuse_text<T>(
    written: &Written,
    at: &Path,
    problems: &mut Problems,
    belongs: &str,
    parse: impl Fn(&str) -> Option<Value>,
    examples: Vec<Hint>,
) -> Option<T> {
    let bare = written.value.text().and_then(|text| parse(text.trim()));
    let Some(bare) = bare else {
        return refuse(written, at, problems, belongs, examples);
    };
    let problem = format!("`{}` is a text, not {belongs}", written.value);
    let mut hints = vec![Hint::value("leave out the quotes:", bare)];
    hints.extend(examples);
    problems.add(Problem::new(at, written.place, problem).hints(hints));
    None
}

/// Hints for a value that is not a whole number: the nearest one to a number, or an example.
fn whole(value: &Value) -> Vec<Hint> {
    let rounded = match value {
        // The cast saturates, and a number out of range is not accepted.
        Value::Float(number) if number.is_finite() => Some(number.round() as i64),
        _ => None,
    };
    let nearest = rounded.map(|number| Hint::value("write for example", number));
    nearest
        .into_iter()
        .chain([Hint::example(Value::Integer(10))])
        .collect()
}

macro_rules! whole_numbers {
    ($($type:ty, $minimum:expr, $maximum:expr;)*) => {$(
        impl Parameter for $type {
            fn shape() -> Shape {
                Shape::Integer { minimum: $minimum, maximum: $maximum }
            }

            fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<$type> {
                let Value::Integer(number) = written.value else {
                    let parse = |text: &str| text.parse().ok().map(Value::Integer);
                    let hints = whole(&written.value);
                    return refuse_text(written, at, problems, "a whole number", parse, hints);
                };
                let read = <$type>::try_from(number).ok();
                if read.is_none() {
                    let bounds = [Value::Integer($minimum), Value::Integer($maximum)];
                    let text =
                        format!("write a whole number from `{}` to `{}`", $minimum, $maximum);
                    let problem = format!("`{number}` is out of range");
                    let hints = vec![Hint::naming(&text, bounds)];
                    problems.add(Problem::new(at, written.place, problem).hints(hints));
                }
                read
            }

            fn write(&self) -> Value {
                Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )*};
}

whole_numbers! {
    i32, i64::from(i32::MIN), i64::from(i32::MAX);
    u32, 0, i64::from(u32::MAX);
    u64, 0, i64::MAX;
}

impl Parameter for f64 {
    fn shape() -> Shape {
        Shape::Number
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<f64> {
        let parse = |text: &str| {
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.map(Value::Float)
        };
        let examples = [0.5, 1.0].map(|number| Hint::example(Value::Float(number)));
        let belongs = match written.value {
            Value::Float(number) if number.is_finite() => return Some(number),
            Value::Integer(number) => return Some(number as f64),
            Value::Float(_) => "a finite number",
            _ => "a number",
        };
        refuse_text(written, at, problems, belongs, parse, examples.into())
    }

    fn write(&self) -> Value {
        Value::Float(*self)
    }
}

impl Parameter for bool {
    fn shape() -> Shape {
        Shape::Boolean
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<bool> {
        if let Value::Boolean(boolean) = written.value {
            return Some(boolean);
        }
        let parse = |text: &str| text.parse().ok().map(Value::Boolean);
        let examples = vec![Hint::example(true)];
        refuse_text(written, at, problems, "`true` or `false`", parse, examples)
    }

    fn write(&self) -> Value {
        Value::Boolean(*self)
    }
}

impl Parameter for String {
    fn shape() -> Shape {
        Shape::Text
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<String> {
        match &written.value {
            Value::Text(text) => Some(text.clone()),
            other => refuse(written, at, problems, "a text", vec![text_of(other)]),
        }
    }

    fn write(&self) -> Value {
        Value::Text(self.clone())
    }
}

/// Reads a text with a grammar of its own: any other value is refused with a hint that gives the text
/// it may mean, if `is_valid` accepts that, or else `example`.
pub fn read_text(
    written: &Written,
    at: &Path,
    problems: &mut Problems,
    is_valid: impl Fn(&str) -> bool,
    example: &str,
) -> Option<String> {
    if let Value::Text(text) = &written.value {
        return Some(text.clone());
    }
    let meant = text_of(&written.value);
    let is_text = |value: &Value| value.text().is_some_and(&is_valid);
    let mut hints = vec![Hint::example(example)];
    if meant.proposed().iter().all(is_text) {
        hints.insert(0, meant);
    }
    refuse(written, at, problems, "a text", hints)
}

/// A hint with the text that `value` may mean.
fn text_of(value: &Value) -> Hint {
    match value {
        Value::List(items) => match &items[..] {
            [only] if only.value.text().is_some() => {
                Hint::value("leave out the brackets:", only.value.clone())
            }
            [first, ..] if first.value.text().is_some() => {
                Hint::value("write for example", first.value.clone())
            }
            _ => Hint::example(BLANK),
        },
        Value::Table(_) => Hint::example(BLANK),
        plain => Hint::value("write for example", plain.to_string()),
    }
}

impl<T: Parameter> Parameter for Option<T> {
    fn shape() -> Shape {
        T::shape()
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Option<T>> {
        T::read(written, at, problems).map(Some)
    }

    fn write(&self) -> Value {
        self.as_ref()
            .map_or_else(|| Value::List(Vec::new()), T::write)
    }

    fn absent() -> Option<Option<T>> {
        Some(None)
    }

    fn is_given(&self) -> bool {
        self.is_some()
    }

    fn levels(&self, at: &Path, levels: &mut Vec<(Path, Amount)>) {
        if let Some(given) = self {
            given.levels(at, levels);
        }
    }
}

impl<T: Parameter> Parameter for Vec<T> {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()))
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Vec<T>> {
        let Value::List(items) = &written.value else {
            let example = Hint::example(Self::shape().example());
            let mut hints = vec![example];
            if T::shape() != Shape::Text && crate::understand::<T>(&written.value).is_ok() {
                let list = Value::List(vec![written.value.clone().into()]);
                hints.insert(0, Hint::value("write it in brackets:", list));
            }
            return refuse(written, at, problems, "a list", hints);
        };
        // Every item is read before a missing one ends the list, so all problems are reported.
        let read: Vec<Option<T>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| T::read(item, &at.index(index), problems))
            .collect();
        read.into_iter().collect()
    }

    fn write(&self) -> Value {
        self.iter().map(T::write).collect::<Vec<Value>>().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{understand, value};

    #[test]
    fn counts_are_whole_and_not_negative() {
        assert_eq!(understand::<u32>(&value!(3)), Ok(3));
        for value in [
            value!(3.0),
            value!("3"),
            Value::Integer(-1),
            Value::Integer(1 << 32),
        ] {
            assert!(understand::<u32>(&value).is_err(), "{value}");
        }
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(understand::<f64>(&value!(3)), Ok(3.0));
        assert!(understand::<f64>(&Value::Float(f64::NAN)).is_err());
        assert!(understand::<f64>(&value!("3")).is_err());
    }

    #[test]
    fn every_item_of_a_list_is_read() {
        let problems = understand::<Vec<u32>>(&value!([1, "x", 2, true])).unwrap_err();
        let paths: Vec<String> = problems
            .iter()
            .map(|problem| problem.path.to_string())
            .collect();
        assert_eq!(paths, ["[1]", "[3]"]);
    }
}
