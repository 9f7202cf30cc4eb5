//! The JSON Schema (draft 2020-12) of a scenario, for completion and checks in editors.

use std::fmt::Write as _;

use parameters::shape::{FamilyShape, Field, Fields, Shape, Words};
use parameters::{Value, named};
use serde_json::{Map, Value as Json, json};

use super::catalogue::{Catalogue, Entity};
use super::text;
use crate::spec::ScenarioSpec;

/// The schema, as text.
pub fn schema() -> String {
    let catalogue = Catalogue::of(ScenarioSpec::known_shape());
    let mut definitions = Definitions {
        catalogue: &catalogue,
        known: Map::new(),
    };
    for item in catalogue.items() {
        let definition = definitions.entity(item.entity);
        definitions.known.insert(item.name.clone(), definition);
    }
    let mut known = definitions.known;
    let mut root = known
        .remove("Scenario")
        .expect("the root is called Scenario");
    root["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    root["title"] = "cellrelay scenario".into();
    root["$defs"] = known.into();
    format!("{root:#}")
}

/// The schemas that other schemas refer to.
struct Definitions<'a> {
    catalogue: &'a Catalogue<'a>,
    known: Map<String, Json>,
}

impl Definitions<'_> {
    fn entity(&mut self, entity: Entity<'_>) -> Json {
        let mut schema = match entity {
            Entity::Record(record) => self.record(record),
            Entity::Family(family) => self.family(family),
            Entity::Words(choice) => words(choice),
        };
        schema["description"] = text::paragraphs(entity.help()).join("\n\n").into();
        schema
    }

    fn record(&mut self, record: &Fields) -> Json {
        let mut properties = Map::new();
        for field in &record.fields {
            properties.insert(field.name.to_string(), self.field(field));
        }
        let required: Vec<&str> = record
            .fields
            .iter()
            .filter(|field| field.required)
            .map(|field| field.name)
            .collect();
        let mut schema = json!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }

    fn field(&mut self, field: &Field) -> Json {
        let mut schema = self.shape(&field.shape);
        let mut description = text::line(&field.help);
        match &field.range {
            Some((Value::Text(low), Value::Text(high))) => {
                let _ = write!(description, " From {low} to {high}.");
            }
            Some((low, high)) => {
                schema["minimum"] = json(low);
                schema["maximum"] = json(high);
            }
            None => {}
        }
        schema["description"] = description.into();
        if let Some(default) = field.default.as_ref().or(field.implied.as_ref()) {
            schema["default"] = json(default);
        }
        schema
    }

    fn family(&mut self, family: &FamilyShape) -> Json {
        let mut properties = Map::new();
        for kind in &family.kinds {
            let mut schema = self.shape(&kind.shape);
            schema["description"] = text::line(&kind.help).into();
            properties.insert(kind.name.to_string(), schema);
        }
        json!({
            "type": "object",
            "properties": properties,
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": false,
        })
    }

    fn shape(&mut self, shape: &Shape) -> Json {
        match shape {
            Shape::Boolean => json!({ "type": "boolean" }),
            Shape::Integer { minimum, maximum } => {
                json!({ "type": "integer", "minimum": minimum, "maximum": maximum })
            }
            Shape::Number => json!({ "type": "number" }),
            Shape::Text | Shape::File(_) => json!({ "type": "string" }),
            Shape::Quantity(form) => {
                let quantity = json!({
                    "type": "string",
                    "pattern": form.pattern(),
                    "examples": [form.example],
                });
                self.known.insert(form.noun.to_string(), quantity);
                reference(form.noun)
            }
            Shape::List(item) => json!({ "type": "array", "items": self.shape(item) }),
            Shape::Named(item) => json!({
                "type": "object",
                "patternProperties": { named::NAME: self.shape(item) },
                "additionalProperties": false,
            }),
            Shape::Map(item) => {
                json!({ "type": "object", "additionalProperties": self.shape(item) })
            }
            Shape::Any => json!({}),
            Shape::Either(shapes) => {
                let any: Vec<Json> = shapes.iter().map(|shape| self.shape(shape)).collect();
                json!({ "anyOf": any })
            }
            Shape::Record(record) => reference(&self.catalogue.item(Entity::Record(record)).name),
            Shape::Family(family) => reference(&self.catalogue.item(Entity::Family(family)).name),
            Shape::Words(choice) => reference(&self.catalogue.item(Entity::Words(choice)).name),
        }
    }
}

fn words(choice: &Words) -> Json {
    let words = choice.words.iter();
    let words = words.map(|(word, help)| json!({ "const": word, "description": text::line(help) }));
    json!({ "oneOf": words.collect::<Vec<Json>>() })
}

fn reference(name: &str) -> Json {
    // JSON pointers in fragments of an address cannot contain blanks, so blanks are escaped.
    json!({ "$ref": format!("#/$defs/{}", name.replace(' ', "%20")) })
}

/// Plain data as JSON.
pub fn json(value: &Value) -> Json {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Integer(integer) => (*integer).into(),
        Value::Float(number) => (*number).into(),
        Value::Boolean(boolean) => (*boolean).into(),
        Value::List(items) => items.iter().map(|item| json(&item.value)).collect(),
        Value::Table(table) => {
            let entries = table.iter();
            entries
                .map(|entry| (entry.name.clone(), json(&entry.written.value)))
                .collect()
        }
    }
}
