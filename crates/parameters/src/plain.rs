//! Parameters without units: counts, numbers, words, lists.

use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::quantity::Amount;
use crate::shape::Shape;
use crate::value::{Value, Written};

/// Reports that `written` is not valid at `at`; the message says what `belongs` there.
fn refuse<T>(
    written: &Written,
    at: &Path,
    problems: &mut Problems,
    belongs: &str,
    example: &str,
) -> Option<T> {
    let problem = format!("{} is not {belongs}", written.value.quoted());
    let hint = format!("write for example `{example}`");
    problems.add(Problem::new(at, written.place, problem).hint(hint));
    None
}

macro_rules! whole_numbers {
    ($($type:ty, $maximum:expr;)*) => {$(
        impl Parameter for $type {
            fn shape() -> Shape {
                Shape::Integer { minimum: 0, maximum: $maximum }
            }

            fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<$type> {
                let Value::Integer(number) = written.value else {
                    return refuse(written, at, problems, "a whole number", "10");
                };
                let read = <$type>::try_from(number).ok();
                if read.is_none() {
                    let hint = format!("write a whole number from 0 to {}", $maximum);
                    let problem = format!("`{number}` is out of range");
                    problems.add(Problem::new(at, written.place, problem).hint(hint));
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
    u32, i64::from(u32::MAX);
    u64, i64::MAX;
}

impl Parameter for f64 {
    fn shape() -> Shape {
        Shape::Number
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<f64> {
        match written.value {
            Value::Float(number) if number.is_finite() => Some(number),
            Value::Integer(number) => Some(number as f64),
            Value::Float(_) => refuse(written, at, problems, "a finite number", "0.5"),
            _ => refuse(written, at, problems, "a number", "0.5"),
        }
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
        match written.value {
            Value::Boolean(boolean) => Some(boolean),
            _ => refuse(written, at, problems, "`true` or `false`", "true"),
        }
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
            other => refuse(written, at, problems, "a text", &format!("\"{other}\"")),
        }
    }

    fn write(&self) -> Value {
        Value::Text(self.clone())
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
            let example = Self::shape().example();
            return refuse(written, at, problems, "a list", &example);
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
