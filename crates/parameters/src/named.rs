//! Tables with names chosen by the user: `[link.access]`, `[link.exit]`.

use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::shape::Shape;
use crate::table::ValueTable;
use crate::value::{Value, Written};

/// Values by name, in the order in which they were written.
///
/// A name is a letter or `_` followed by letters, digits, `_` and `-`, so it never needs quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T>(pub Vec<(String, T)>);

/// The pattern of names, for the schema.
pub const NAME: &str = "^[A-Za-z_][A-Za-z0-9_-]*$";

/// Largest length of a name in characters.
const LONGEST: usize = 64;

impl<T> Named<T> {
    /// The value called `name`.
    pub fn get(&self, name: &str) -> Option<&T> {
        let mut entries = self.0.iter();
        entries
            .find(|(candidate, _)| candidate == name)
            .map(|(_, value)| value)
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named(Vec::new())
    }
}

impl<T: Parameter> Parameter for Named<T> {
    fn shape() -> Shape {
        Shape::Named(Box::new(T::shape()))
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Named<T>> {
        let Value::Table(table) = &written.value else {
            let problem = format!("expected tables by name, found {}", written.value.quoted());
            let hint = format!("write a table `[{at}.NAME]` for each, with a name you choose");
            problems.add(Problem::new(at, written.place, problem).hint(hint));
            return None;
        };
        let mut read = Vec::with_capacity(table.len());
        let mut complete = true;
        for entry in table {
            let at = at.key(&entry.name);
            if !is_name(&entry.name) {
                let problem = format!(
                    "{} is not a valid name",
                    Value::from(entry.name.as_str()).quoted()
                );
                let hint = "a name is a letter followed by letters, digits, `_` and `-`, at most \
                            64 characters";
                problems.add(Problem::new(&at, entry.place, problem).hint(hint));
                complete = false;
            }
            match T::read(&entry.written, &at, problems) {
                Some(value) => read.push((entry.name.clone(), value)),
                None => complete = false,
            }
        }
        complete.then_some(Named(read))
    }

    fn write(&self) -> Value {
        ValueTable::of(self.iter().map(|(name, value)| (name, value.write()))).into()
    }

    fn absent() -> Option<Named<T>> {
        Some(Named::default())
    }

    fn is_given(&self) -> bool {
        !self.is_empty()
    }
}

/// True if `text` is a valid name.
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
    let goes_on = |other: char| other.is_ascii_alphanumeric() || other == '_' || other == '-';
    text.len() <= LONGEST && characters.next().is_some_and(starts) && characters.all(goes_on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{understand, value};

    #[test]
    fn keeps_the_order_in_which_names_were_written() {
        let named: Named<u32> = understand(&value!({ s2 = 2, s1 = 1 })).unwrap();
        assert_eq!(named.names().collect::<Vec<_>>(), ["s2", "s1"]);
        assert_eq!(named.get("s1"), Some(&1));
        assert_eq!(named.write().to_string(), "{ s2 = 2, s1 = 1 }");
    }

    #[test]
    fn names_need_no_quotes() {
        let table = ValueTable::of([("a b", Value::from(1)), ("1", 1.into()), ("", 1.into())]);
        let problems = understand::<Named<u32>>(&table.into()).unwrap_err();
        assert_eq!(problems.len(), 3);
        assert!(
            problems
                .to_string()
                .starts_with("\"a b\": `a b` is not a valid name\n  hint: a name is")
        );
    }
}
