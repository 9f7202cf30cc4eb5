//! The tree into which every source of scenarios is parsed.

pub mod table;

use std::fmt::{self, Write as _};

use crate::printable::{LEFT, acts, escape, printable, shortened};
pub use table::ValueTable;

/// Number of a source of the scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u16);

/// A span of bytes in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The source.
    pub source: SourceId,
    /// First byte.
    pub start: usize,
    /// The position after the last byte.
    pub end: usize,
}

/// A value with its place in the source; a default, or a value given as plain data, has no place.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The value.
    pub value: Value,
    /// Place of the value.
    pub place: Option<Span>,
}

impl Written {
    /// A value written at `place`.
    pub fn at(place: Span, value: Value) -> Written {
        Written {
            value,
            place: Some(place),
        }
    }
}

impl From<Value> for Written {
    fn from(value: Value) -> Written {
        Written { value, place: None }
    }
}

/// Plain data, as in TOML, JSON and Python.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text; quantities are texts with a unit.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with a fractional part.
    Float(f64),
    /// A boolean.
    Boolean(bool),
    /// Several values in order.
    List(Vec<Written>),
    /// Values by name, in the order in which they were written.
    Table(ValueTable),
}

impl Value {
    /// The table, if it is one.
    pub fn table(&self) -> Option<&ValueTable> {
        match self {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Name of the kind of value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Boolean(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// The value as messages quote it: a text without quotes, other values as TOML, and long ones
    /// shortened.
    pub fn quoted(&self) -> String {
        let whole = match self {
            Value::Text(text) if text.is_empty() => return "an empty text".to_string(),
            Value::Text(text) => printable(text).into_owned(),
            other => other.to_string(),
        };
        format!("`{}`", shortened(&whole, LEFT))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_string())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Float(number)
    }
}

impl From<bool> for Value {
    fn from(boolean: bool) -> Value {
        Value::Boolean(boolean)
    }
}

impl From<ValueTable> for Value {
    fn from(table: ValueTable) -> Value {
        Value::Table(table)
    }
}

impl From<Vec<Value>> for Value {
    fn from(values: Vec<Value>) -> Value {
        Value::List(values.into_iter().map(Written::from).collect())
    }
}

/// One line of TOML.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write_text(out, text),
            Value::Integer(number) => write!(out, "{number}"),
            // Debug keeps the point of whole floats, without which TOML would read an integer.
            Value::Float(number) => write!(out, "{number:?}"),
            Value::Boolean(boolean) => write!(out, "{boolean}"),
            Value::List(values) => {
                out.write_char('[')?;
                for (index, value) in values.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(out, "{separator}{}", value.value)?;
                }
                out.write_char(']')
            }
            Value::Table(table) if table.is_empty() => out.write_str("{}"),
            Value::Table(table) => {
                out.write_str("{ ")?;
                for (index, entry) in table.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    let value = &entry.written.value;
                    write!(out, "{separator}{} = {value}", Key(&entry.name))?;
                }
                out.write_str(" }")
            }
        }
    }
}

/// A key in TOML: bare where possible, else quoted.
pub struct Key<'a>(pub &'a str);

impl fmt::Display for Key<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_bare =
            |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
        if !self.0.is_empty() && self.0.chars().all(is_bare) {
            out.write_str(self.0)
        } else {
            write_text(out, self.0)
        }
    }
}

/// Writes a basic string of TOML.
fn write_text(out: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            acting if acts(acting) => escape(out, acting),
            other => out.write_char(other)?,
        }
    }
    out.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    #[test]
    fn displays_as_one_line_of_toml() {
        let value = value!({ share = "50 %", counts = [1, 2.0, true], over = { ubr = {} } });
        assert_eq!(
            value.to_string(),
            r#"{ share = "50 %", counts = [1, 2.0, true], over = { ubr = {} } }"#
        );
    }

    #[test]
    fn quotes_keys_and_texts_where_toml_asks_for_it() {
        let table = ValueTable::of([
            ("flow.bulk", Value::from("a \"b\" \\ \n \u{1}")),
            ("", 1.into()),
        ]);
        assert_eq!(
            Value::from(table).to_string(),
            r#"{ "flow.bulk" = "a \"b\" \\ \n \u0001", "" = 1 }"#
        );
    }

    #[test]
    fn messages_shorten_long_values_and_escape_controls() {
        assert_eq!(Value::from("5\u{0} \"ms\"").quoted(), "`5\\u0000 \"ms\"`");
        let long = "x".repeat(1000);
        assert_eq!(Value::from(long.as_str()).quoted().len(), 65);
    }
}
