//! The parameters of nodes, links and flows, and those that a network has.

use std::collections::BTreeSet;

use parameters::{Shape, SourceId, Value};
use scenario::document;

use crate::network;

/// The families of the tables of a network.
const FAMILIES: [&str; 6] = ["host", "switch", "router", "edge", "link", "flow"];

/// The parameters of all tables, without the names of these.
pub fn all() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for family in FAMILIES {
        of_shape(network::member(family), family, &mut found);
    }
    found
}

fn of_shape(shape: &Shape, at: &str, found: &mut BTreeSet<String>) {
    match shape {
        Shape::Record(record) => {
            for field in &record.fields {
                let path = format!("{at}.{}", field.name);
                found.insert(path.clone());
                of_shape(&field.shape, &path, found);
            }
        }
        Shape::Family(family) => {
            for kind in &family.kinds {
                let path = format!("{at}.{}", kind.name);
                found.insert(path.clone());
                of_shape(&kind.shape, &path, found);
            }
        }
        Shape::Words(words) => {
            found.extend(words.words.iter().map(|(word, _)| format!("{at}.{word}")));
        }
        Shape::Named(item) | Shape::List(item) => of_shape(item, at, found),
        Shape::Either(shapes) => shapes.iter().for_each(|one| of_shape(one, at, found)),
        _ => {}
    }
}

/// Adds the parameters that a scenario has.
pub fn add_written(text: &str, found: &mut BTreeSet<String>) {
    let root =
        document::parse(SourceId(0), text).unwrap_or_else(|_| panic!("a text that was read"));
    let Value::Table(root) = &root.value else {
        return;
    };
    for family in FAMILIES {
        let members = root.get(family).and_then(|written| written.value.table());
        for member in members.into_iter().flat_map(|members| members.iter()) {
            add(&member.written.value, family, found);
        }
    }
}

fn add(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Table(table) => {
            for entry in table {
                let path = format!("{at}.{}", entry.name);
                found.insert(path.clone());
                add(&entry.written.value, &path, found);
            }
        }
        Value::List(items) => items.iter().for_each(|item| add(&item.value, at, found)),
        other => {
            found.extend(other.text().map(|word| format!("{at}.{word}")));
        }
    }
}
