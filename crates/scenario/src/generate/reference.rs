//! The reference page of the parameters.

use std::fmt::Write as _;

use parameters::Value;
use parameters::shape::{FamilyShape, Field, Fields, MemberShape, Shape};

use super::catalogue::{Catalogue, Entity, NamedEntity};
use super::text;

const HEAD: &str = "# Parameters

<!-- Generated from the statement of the parameters in Rust; `make generate` writes it anew. -->

A scenario is a TOML file.
Each heading below is the path of a table in it, where `NAME` stands for a name you choose.
A table with kinds takes exactly one of them: `discard.early_packet = { threshold = \"50 %\" }`.
`cellrelay check FILE` prints a scenario with every default filled in.

Quantities are texts with a unit:

| quantity | units | also understood | example |
|---|---|---|---|
";

/// The page `docs/reference/parameters.md`.
pub fn reference(catalogue: &Catalogue<'_>) -> String {
    let mut page = HEAD.to_string();
    page += &quantities(catalogue);
    for item in catalogue.items() {
        match item.entity {
            Entity::Record(record) if !catalogue.is_kind(item) => {
                page += &heading(item);
                page += &table(catalogue, record);
            }
            Entity::Family(family) => {
                page += &heading(item);
                for kind in &family.kinds {
                    page += &kind_section(catalogue, family, kind);
                }
            }
            _ => {}
        }
    }
    page
}

impl NamedEntity<'_> {
    /// The heading of the section of the item.
    fn title(&self) -> &str {
        match self.paths[0].as_str() {
            "" => "The scenario",
            path => path,
        }
    }
}

/// The units of every quantity in use.
fn quantities(catalogue: &Catalogue<'_>) -> String {
    let mut forms = Vec::new();
    for item in catalogue.items() {
        let shapes: Vec<&Shape> = match item.entity {
            Entity::Record(record) => record.fields.iter().map(|field| &field.shape).collect(),
            Entity::Family(family) => family.kinds.iter().map(|kind| &kind.shape).collect(),
            Entity::Words(_) => Vec::new(),
        };
        for shape in shapes {
            collect_forms(shape, &mut forms);
        }
    }
    let mut rows = String::new();
    for form in forms {
        let _ = writeln!(
            rows,
            "| {} | {} | {} | `\"{}\"` |",
            form.noun,
            form.symbols(),
            form.aliases(),
            form.example
        );
    }
    rows
}

fn collect_forms(shape: &Shape, forms: &mut Vec<&'static parameters::quantity::Form>) {
    match shape {
        Shape::Quantity(form) if !forms.contains(form) => forms.push(form),
        Shape::List(item) | Shape::Named(item) | Shape::Map(item) => collect_forms(item, forms),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| collect_forms(shape, forms)),
        _ => {}
    }
}

/// Heading, path and help of an item, and the further paths at which it may be written.
fn heading(item: &NamedEntity<'_>) -> String {
    let mut text = format!(
        "\n## {}\n\n{}\n",
        item.title(),
        text::sentences(item.entity.help())
    );
    if item.paths.len() > 1 {
        let others: Vec<String> = item.paths[1..]
            .iter()
            .map(|path| format!("`{path}`"))
            .collect();
        let _ = write!(text, "\nAlso at {}.\n", others.join(", "));
    }
    text
}

/// The section of one kind of a family.
fn kind_section(catalogue: &Catalogue<'_>, family: &FamilyShape, kind: &MemberShape) -> String {
    let default = if family.default == Some(kind.name) {
        " (default)"
    } else {
        ""
    };
    let mut text = format!(
        "\n### {}{default}\n\n{}\n",
        kind.name,
        text::sentences(&kind.help)
    );
    match &kind.shape {
        Shape::Record(record) => text += &table(catalogue, record),
        other => {
            let _ = write!(
                text,
                "\nValue: {}, for example `{}`.\n",
                values(catalogue, other),
                other.example()
            );
        }
    }
    text
}

/// The table of the parameters of a record.
fn table(catalogue: &Catalogue<'_>, record: &Fields) -> String {
    if record.fields.is_empty() {
        return "\nIt has no parameters.\n".to_string();
    }
    let mut text = "\n| parameter | value | default | meaning |\n|---|---|---|---|\n".to_string();
    for field in &record.fields {
        let range = match &field.range {
            Some((low, high)) => format!(", {} to {}", low.quoted(), high.quoted()),
            None => String::new(),
        };
        let values = values(catalogue, &field.shape);
        let cells = [
            format!("`{}`", field.name),
            values + &range,
            default(field),
            meaning(field),
        ];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// The default of a parameter.
fn default(field: &Field) -> String {
    match field.default.as_ref().or(field.implied.as_ref()) {
        Some(Value::Text(text)) if text.is_empty() => "empty".to_string(),
        Some(default) => default.quoted(),
        None if field.required => "required".to_string(),
        None => "none".to_string(),
    }
}

/// The help of a parameter, and the help of each word that it accepts.
fn meaning(field: &Field) -> String {
    let mut text = text::line(&field.help);
    let shapes = match &field.shape {
        Shape::Either(shapes) => shapes.as_slice(),
        shape => std::slice::from_ref(shape),
    };
    for shape in shapes {
        if let Shape::Words(choice) = shape {
            for (word, help) in &choice.words {
                let _ = write!(text, "<br>`{word}`: {}", text::line(help));
            }
        }
    }
    text
}

/// The valid values, with links to their sections.
fn values(catalogue: &Catalogue<'_>, shape: &Shape) -> String {
    let link = |entity: Entity<'_>| {
        let item = catalogue.item(entity);
        format!("[{}](#{})", item.name, slug(item.title()))
    };
    match shape {
        Shape::Record(record) => link(Entity::Record(record)),
        Shape::Family(family) => format!("a kind of {}", link(Entity::Family(family))),
        Shape::List(item) => format!("list of {}", values(catalogue, item)),
        Shape::Named(item) => format!("by name: {}", values(catalogue, item)),
        Shape::Map(item) => format!("table of {}", values(catalogue, item)),
        Shape::Either(shapes) => {
            let shapes: Vec<String> = shapes
                .iter()
                .map(|shape| values(catalogue, shape))
                .collect();
            shapes.join(", or ")
        }
        Shape::Words(_) => "a word".to_string(),
        other => other.summary(),
    }
}

/// The fragment of the address that leads to a heading.
fn slug(title: &str) -> String {
    let kept = |character: &char| character.is_alphanumeric() || " -_".contains(*character);
    title
        .to_lowercase()
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}
