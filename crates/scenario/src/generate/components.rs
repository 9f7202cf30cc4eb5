//! The components as JSON, for programs that list them.

use parameters::shape::{FamilyShape, Field, Fields, Shape};
use serde_json::{Value as Json, json};

use super::catalogue::{Catalogue, Entity, NamedEntity};
use super::schema::json;
use super::text;
use crate::spec::ScenarioSpec;

/// Every kind of every family, and every table that is not a kind: a JSON list.
pub fn components() -> String {
    let catalogue = Catalogue::of(ScenarioSpec::known_shape());
    let mut components: Vec<Json> = Vec::new();
    for item in catalogue.items() {
        match item.entity {
            Entity::Family(family) => components.extend(kinds(item, family)),
            Entity::Record(record) if !catalogue.is_kind(item) => components.push(json!({
                "family": "scenario",
                "kind": item.name.to_lowercase(),
                "path": item.paths[0],
                "paths": item.paths,
                "help": text::line(&record.help),
                "parameters": parameters(record),
            })),
            _ => {}
        }
    }
    Json::from(components).to_string()
}

/// The kinds of a family.
fn kinds<'a>(
    item: &'a NamedEntity<'_>,
    family: &'a FamilyShape,
) -> impl Iterator<Item = Json> + 'a {
    family.kinds.iter().map(|kind| {
        let paths: Vec<String> = item
            .paths
            .iter()
            .map(|path| format!("{path}.{}", kind.name))
            .collect();
        let parameters = match &kind.shape {
            Shape::Record(record) => parameters(record),
            _ => Vec::new(),
        };
        json!({
            "family": item.name.to_lowercase(),
            "kind": kind.name,
            "path": paths[0],
            "paths": paths,
            "help": text::line(&kind.help),
            "parameters": parameters,
        })
    })
}

fn parameters(record: &Fields) -> Vec<Json> {
    let describe = |field: &Field| {
        json!({
            "name": field.name,
            "help": text::line(&field.help),
            "type": field.shape.summary(),
            "default": field.default.as_ref().or(field.implied.as_ref()).map(json),
            "range": field.range.as_ref().map(|(low, high)| [json(low), json(high)]),
            "required": field.required,
        })
    };
    record.fields.iter().map(describe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_listed_with_its_parameters() {
        let components: Vec<Json> = serde_json::from_str(&components()).unwrap();
        let find = |kind: &str| {
            components
                .iter()
                .find(|component| component["kind"] == kind)
                .unwrap()
        };
        let early = find("early_packet");
        assert_eq!(early["family"], "discard");
        assert_eq!(early["path"], "switch.NAME.discard.early_packet");
        assert_eq!(early["parameters"][0]["name"], "threshold");
        assert_eq!(early["parameters"][2]["default"], "partial_packet");
        assert_eq!(find("link")["path"], "link.NAME");
    }
}
