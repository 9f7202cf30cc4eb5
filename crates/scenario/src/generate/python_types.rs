//! Python types of scenarios.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use parameters::shape::{FamilyShape, Field, Fields, Shape, Words};

use super::catalogue::{Catalogue, Entity, NamedEntity};
use super::text;

const HEAD: &str = r#""""What a scenario may hold, as types that editors and type checkers know.

Generated from the statement of the parameters in Rust; `make generate` writes it anew. Quantities
are texts with a unit, and every key may be left out that has a default.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict
"#;

/// Words that cannot be names in a Python class.
const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Longest line of the module, in columns.
const WIDTH: usize = 100;

const INDENT: &str = "    ";
const QUOTES: &str = "\"\"\"";

/// The module `cellrelay.scenario.spec`.
pub fn python_types(catalogue: &Catalogue<'_>) -> String {
    let mut types = Types {
        catalogue,
        quantities: BTreeSet::new(),
    };
    let mut classes = String::new();
    for item in catalogue.items() {
        classes += "\n\n";
        classes += &match item.entity {
            Entity::Record(record) => types.record(item, record),
            Entity::Family(family) => types.family(item, family),
            Entity::Words(choice) => words(item, choice),
        };
    }
    let mut text = HEAD.to_string();
    for (name, example) in &types.quantities {
        assert!(
            catalogue.items().iter().all(|item| item.name != *name),
            "a quantity and a table are called {name}; rename one of them"
        );
        let _ = write!(
            text,
            "\n{name}: TypeAlias = str\n\"\"\"For example `{example}`.\"\"\"\n"
        );
    }
    text + &classes
}

struct Types<'a> {
    catalogue: &'a Catalogue<'a>,
    /// Names of the quantities in use, each with an example.
    quantities: BTreeSet<(String, &'static str)>,
}

impl Types<'_> {
    fn record(&mut self, item: &NamedEntity<'_>, record: &Fields) -> String {
        let (keywords, names): (Vec<&Field>, Vec<&Field>) = record
            .fields
            .iter()
            .partition(|field| KEYWORDS.contains(&field.name));
        let mut text = String::new();
        let mut base = "TypedDict".to_string();
        if !keywords.is_empty() {
            base = format!("_{}Keywords", item.name);
            let fields: Vec<String> = keywords
                .iter()
                .map(|field| format!("\"{}\": {}", field.name, self.of(&field.shape)))
                .collect();
            let fields = fields.join(", ");
            let _ = write!(
                text,
                "{base} = TypedDict(\"{base}\", {{{fields}}}, total=False)\n\n\n"
            );
        }
        let mut help = record.help.clone();
        for field in keywords {
            let _ = write!(help, "\n\n`{}`: {}", field.name, field.help);
        }
        let _ = writeln!(text, "class {}({base}, total=False):", item.name);
        text += &docstring(&help);
        for field in names {
            let _ = write!(text, "\n    {}: {}\n", field.name, self.of(&field.shape));
            text += &docstring(&described(field));
        }
        text
    }

    fn family(&mut self, item: &NamedEntity<'_>, family: &FamilyShape) -> String {
        let mut text = format!("class {}(TypedDict, total=False):\n", item.name);
        text += &docstring(&format!("{}\n\nExactly one of these.", family.help));
        for kind in &family.kinds {
            let _ = write!(text, "\n    {}: {}\n", kind.name, self.of(&kind.shape));
            text += &docstring(&kind.help);
        }
        text
    }

    /// The type of values of a shape.
    fn of(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Boolean => "bool".to_string(),
            Shape::Integer { .. } => "int".to_string(),
            Shape::Number => "float".to_string(),
            Shape::Text | Shape::File(_) => "str".to_string(),
            Shape::Any => "Any".to_string(),
            Shape::Quantity(form) => {
                let name = camel_case(form.noun);
                self.quantities.insert((name.clone(), form.example));
                name
            }
            Shape::List(item) => format!("list[{}]", self.of(item)),
            Shape::Named(item) | Shape::Map(item) => format!("dict[str, {}]", self.of(item)),
            Shape::Either(shapes) => {
                let types: Vec<String> = shapes.iter().map(|shape| self.of(shape)).collect();
                types.join(" | ")
            }
            Shape::Record(record) => self.catalogue.item(Entity::Record(record)).name.clone(),
            Shape::Family(family) => self.catalogue.item(Entity::Family(family)).name.clone(),
            Shape::Words(choice) => self.catalogue.item(Entity::Words(choice)).name.clone(),
        }
    }
}

fn words(item: &NamedEntity<'_>, choice: &Words) -> String {
    let words: Vec<String> = choice
        .words
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect();
    let mut help = choice.help.clone();
    for (word, meaning) in &choice.words {
        let _ = write!(help, "\n\n`{word}`: {meaning}");
    }
    let text = format!("{}: TypeAlias = Literal[{}]\n", item.name, words.join(", "));
    text + &docstring(&help)
        .replace("\n    ", "\n")
        .replacen("    ", "", 1)
}

/// Meaning, range and default of a parameter.
fn described(field: &Field) -> String {
    let mut text = field.help.clone();
    if let Some((low, high)) = &field.range {
        let _ = write!(text, " From {} to {}.", low.quoted(), high.quoted());
    }
    if let Some(default) = &field.default
        && default.text() != Some("")
    {
        let _ = write!(text, " Default: {}.", default.quoted());
    }
    text
}

/// `text` as a docstring within a class: in one line if it fits, else with the closing quotes in a
/// line of their own.
fn docstring(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let lines = text::wrapped(&text, WIDTH - INDENT.len() - 2 * QUOTES.len());
    if let [line] = &lines[..] {
        return format!("{INDENT}{QUOTES}{line}{QUOTES}\n");
    }
    let mut docstring = String::new();
    for (index, line) in lines.iter().enumerate() {
        let opening = if index == 0 { QUOTES } else { "" };
        let indent = if line.is_empty() { "" } else { INDENT };
        let _ = writeln!(docstring, "{indent}{opening}{line}");
    }
    docstring + INDENT + QUOTES + "\n"
}

/// `size in bytes` as `SizeInBytes`.
fn camel_case(words: &str) -> String {
    let capitalised = words.split(' ').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    capitalised.collect()
}
