//! Shapes: descriptions of valid values for the schema, the reference and the Python types.

use crate::alias::Alias;
use crate::file::FileContent;
use crate::quantity::Form;
use crate::value::{Value, ValueTable};

/// A text for the user to replace.
pub const BLANK: &str = "...";

/// The values a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// True or false.
    Boolean,
    /// A whole number between two bounds, both included.
    Integer {
        /// The smallest.
        minimum: i64,
        /// The largest.
        maximum: i64,
    },
    /// Any finite number.
    Number,
    /// Any text.
    Text,
    /// Path of a file.
    File(FileContent),
    /// A text that is a number with a unit.
    Quantity(&'static Form),
    /// One of a few plain words.
    Words(Words),
    /// Any number of values of one shape.
    List(Box<Shape>),
    /// A table whose names the user makes up.
    Named(Box<Shape>),
    /// A table with any texts for names, such as paths.
    Map(Box<Shape>),
    /// Any value.
    Any,
    /// A table with fixed names.
    Record(Fields),
    /// A table with exactly one name, which selects the meaning of its value.
    Family(FamilyShape),
    /// Any of several shapes.
    Either(Vec<Shape>),
}

/// The words of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// Name of the Rust type.
    pub name: &'static str,
    /// The Rust module it is defined in, since names are unique only there.
    pub module: &'static str,
    /// Meaning of the choice.
    pub help: String,
    /// The words, each with its meaning.
    pub words: Vec<(&'static str, String)>,
}

/// The parameters of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    /// Name of the Rust type.
    pub name: &'static str,
    /// The Rust module it is defined in, since names are unique only there.
    pub module: &'static str,
    /// Meaning of the record.
    pub help: String,
    /// The parameters, in the order in which they were stated.
    pub fields: Vec<Field>,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name that users write.
    pub name: &'static str,
    /// Meaning of the parameter.
    pub help: String,
    /// Value where none is written.
    pub default: Option<Value>,
    /// Value that the component uses where none is given, if other parameters allow it; the help
    /// states the condition.
    pub implied: Option<Value>,
    /// The smallest and the largest value.
    pub range: Option<(Value, Value)>,
    /// True if the parameter has no default.
    pub required: bool,
    /// The values it takes.
    pub shape: Shape,
    /// Value in examples of the record; if not given, the usual one of the shape.
    pub example: Option<Value>,
    /// Other names of the parameter, which lead to it.
    pub aliases: &'static [Alias],
}

/// The kinds of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyShape {
    /// Name of the Rust type.
    pub name: &'static str,
    /// The Rust module it is defined in, since names are unique only there.
    pub module: &'static str,
    /// Meaning of the family.
    pub help: String,
    /// The kinds, in the order in which they are listed.
    pub kinds: Vec<MemberShape>,
    /// The default kind, if there is one.
    pub default: Option<&'static str>,
}

/// One kind of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberShape {
    /// The name that users write.
    pub name: &'static str,
    /// Meaning of the kind.
    pub help: String,
    /// Shape of its parameters.
    pub shape: Shape,
    /// Other names of the kind, which lead to it.
    pub aliases: &'static [Alias],
}

impl Shape {
    /// The valid values in a few words, for a table of parameters in the reference.
    pub fn summary(&self) -> String {
        match self {
            Shape::Boolean => "true or false".to_string(),
            Shape::Integer { .. } => "whole number".to_string(),
            Shape::Number => "number".to_string(),
            Shape::Text | Shape::File(_) => "text".to_string(),
            Shape::Quantity(form) => form.noun.to_string(),
            Shape::Words(words) => {
                let words = words.words.iter().map(|(word, _)| *word);
                format!("one of {}", crate::suggest::listed(words))
            }
            Shape::List(item) => format!("list of {}", item.summary()),
            Shape::Named(item) => format!("tables by name, each {}", item.summary()),
            Shape::Map(item) => format!("table of {}", item.summary()),
            Shape::Any => "any value".to_string(),
            Shape::Record(record) => format!("table `{}`", record.name),
            Shape::Family(family) => {
                let kinds = family.kinds.iter().map(|kind| kind.name);
                format!("table with one of {}", crate::suggest::listed(kinds))
            }
            Shape::Either(shapes) => {
                let summaries: Vec<String> = shapes.iter().map(Shape::summary).collect();
                summaries.join(", or ")
            }
        }
    }

    /// A valid value.
    pub fn example(&self) -> Value {
        self.example_from(None)
    }

    /// A valid value, at least `least` if it is an integer.
    pub fn example_from(&self, least: Option<&Value>) -> Value {
        match self {
            Shape::Boolean => true.into(),
            Shape::Integer { minimum, .. } => match least {
                Some(Value::Integer(least)) => (*least.max(minimum).max(&1)).into(),
                _ => (*minimum.max(&1)).into(),
            },
            Shape::Number => 1.0.into(),
            Shape::Text | Shape::File(_) => BLANK.into(),
            Shape::Quantity(form) => form.example.into(),
            Shape::Words(words) => words.words.first().map_or("", |(word, _)| *word).into(),
            // Lists of names have at least two: the ends of a link, the nodes of a route.
            Shape::List(item) if matches!(**item, Shape::Text) => {
                vec![Value::from(BLANK), BLANK.into()].into()
            }
            Shape::List(item) => vec![item.example()].into(),
            Shape::Named(_) | Shape::Map(_) | Shape::Any => ValueTable::default().into(),
            Shape::Record(record) => record.example().into(),
            Shape::Family(family) => family.example().into(),
            Shape::Either(shapes) => shapes.first().map_or_else(|| "".into(), Shape::example),
        }
    }
}

impl Field {
    /// A valid value of the parameter.
    pub fn valid(&self) -> Value {
        let least = self.range.as_ref().map(|(least, _)| least);
        let example = self.example.clone();
        example.unwrap_or_else(|| self.shape.example_from(least))
    }
}

impl Fields {
    /// A table with the required parameters only.
    fn example(&self) -> ValueTable {
        let required = self.fields.iter().filter(|field| field.required);
        ValueTable::of(required.map(|field| (field.name, field.valid())))
    }
}

impl FamilyShape {
    /// A table with one kind.
    fn example(&self) -> ValueTable {
        let kind = self.preferred();
        ValueTable::of(kind.map(|kind| (kind.name, kind.shape.example())))
    }

    /// The default kind, or else the first.
    pub fn preferred(&self) -> Option<&MemberShape> {
        let is_default = |kind: &&MemberShape| Some(kind.name) == self.default;
        self.kinds.iter().find(is_default).or(self.kinds.first())
    }
}

/// Doc comments as one text: the lines without the space after `///`.
pub fn help(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
        .collect();
    lines.join("\n").trim().to_string()
}

/// `help`, followed by the value that is implied under a condition.
pub fn with_implied(help: String, implied: Option<&Value>, condition: Option<&str>) -> String {
    match (implied, condition) {
        (Some(value), Some(condition)) => format!("{help} If {condition}, {}.", value.quoted()),
        _ => help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_the_doc_comment_without_its_margin() {
        assert_eq!(help(&[" One.", "", "   Two. "]), "One.\n\n  Two.");
    }
}
