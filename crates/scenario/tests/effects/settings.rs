//! Changes of every parameter of nodes, links and flows, from the shapes that components state.

use parameters::quantity::{Dimension, Form};
use parameters::{Field, Shape, Value, ValueTable};
use scenario::ScenarioSpec;

use super::networks::Carrier;

/// Settings, as texts, in the order in which they are applied.
type Settings = Vec<(String, String)>;

/// A parameter that is changed, within settings around it.
pub struct Change {
    /// Settings that give the table of the parameter.
    pub around: Settings,
    pub path: String,
    /// The member of a family that is set; none if the parameter is no family.
    member: Option<&'static str>,
    /// Values, most of them other than the default.
    pub values: Vec<String>,
}

/// The tables of a network, each at one place, without what is needed for the network itself.
const TABLES: [(&str, &[&str]); 4] = [
    ("host.left", &["count"]),
    ("NODE.n1", &[]),
    ("link.trunk", &["between"]),
    ("flow.bulk", &["from", "to", "pairs", "route"]),
];

impl Change {
    /// True if the parameter is one of a node or a link, or of the bearer of a flow.
    pub fn is_of_nodes(&self) -> bool {
        !["flow.bulk.source", "flow.bulk.transport"]
            .iter()
            .any(|end| self.path.starts_with(end))
    }

    /// The path, with the word `node` for the family of the nodes.
    pub fn name(&self, carrier: &Carrier) -> String {
        self.path
            .replace(&format!("{}.n1", carrier.node), "node.n1")
    }

    /// The member of a family that is set; empty if the parameter is no family.
    pub fn member(&self) -> String {
        self.member.unwrap_or_default().to_string()
    }
}

/// The changes of every parameter under a carrier.
pub fn changes(carrier: &Carrier) -> Vec<Change> {
    let mut found = Vec::new();
    for (table, but) in TABLES {
        let table = table.replace("NODE", carrier.node);
        let (family, _) = table.split_once('.').expect("a family and a name");
        let Shape::Named(member) = &field(ScenarioSpec::known_shape(), family).shape else {
            unreachable!("families have members with names")
        };
        let Shape::Record(fields) = &**member else {
            unreachable!("nodes, links and flows are records")
        };
        for field in fields
            .fields
            .iter()
            .filter(|field| !but.contains(&field.name))
        {
            let path = format!("{table}.{}", field.name);
            walk(field, &path, &Settings::new(), &mut found);
        }
    }
    found
}

fn field<'a>(shape: &'a Shape, name: &str) -> &'a Field {
    let Shape::Record(fields) = shape else {
        unreachable!("the scenario is a record")
    };
    let mut named = fields.fields.iter().filter(|field| field.name == name);
    named.next().expect("a parameter of that name")
}

/// Adds the changes of a parameter, and of those within it.
fn walk(field: &Field, path: &str, around: &Settings, found: &mut Vec<Change>) {
    let values = values(field);
    if !values.is_empty() {
        found.push(Change {
            around: around.clone(),
            path: path.to_string(),
            member: None,
            values: values.iter().map(ToString::to_string).collect(),
        });
    }
    within(&field.shape, path, around, found);
}

/// Adds the changes of what a shape holds.
fn within(shape: &Shape, path: &str, around: &Settings, found: &mut Vec<Change>) {
    let with = |value: &Value| {
        let mut around = around.clone();
        around.push((path.to_string(), value.to_string()));
        around
    };
    match shape {
        Shape::Record(fields) => {
            let Some(around) = least(shape).map(|value| with(&value)) else {
                return;
            };
            for field in &fields.fields {
                walk(field, &format!("{path}.{}", field.name), &around, found);
            }
        }
        Shape::Family(family) => {
            for kind in &family.kinds {
                let Some(value) = least(&kind.shape) else {
                    continue;
                };
                let member = Value::from(ValueTable::of([(kind.name, value.clone())]));
                found.push(Change {
                    around: around.clone(),
                    path: path.to_string(),
                    member: Some(kind.name),
                    values: vec![member.to_string()],
                });
                let Shape::Record(fields) = &kind.shape else {
                    continue;
                };
                let around = with(&member);
                for field in &fields.fields {
                    let path = format!("{path}.{}.{}", kind.name, field.name);
                    walk(field, &path, &around, found);
                }
            }
        }
        Shape::Either(shapes) => shapes
            .iter()
            .for_each(|one| within(one, path, around, found)),
        _ => {}
    }
}

/// A value of a shape, with required parameters only; none if there is none that means something
/// everywhere.
fn least(shape: &Shape) -> Option<Value> {
    match shape {
        Shape::Boolean => Some(true.into()),
        Shape::Integer { minimum, maximum } => Some(2.clamp(*minimum, *maximum).into()),
        Shape::Number => Some(1.0.into()),
        Shape::Quantity(form) => Some(sizes(form)[0].into()),
        Shape::Words(words) => Some(words.words[0].0.into()),
        Shape::Record(fields) => {
            let required = fields.fields.iter().filter(|field| field.required);
            let required = required.map(|field| Some((field.name, least(&field.shape)?)));
            Some(ValueTable::of(required.collect::<Option<Vec<_>>>()?).into())
        }
        Shape::Family(family) => {
            let mut kinds = family.kinds.iter();
            kinds.find_map(|kind| Some(ValueTable::of([(kind.name, least(&kind.shape)?)]).into()))
        }
        Shape::List(item) => Some(vec![least(item)?].into()),
        Shape::Either(shapes) => shapes.iter().find_map(least),
        Shape::Text | Shape::File(_) | Shape::Named(_) | Shape::Map(_) | Shape::Any => None,
    }
}

/// Values of a parameter that is no table, other than its default.
fn values(field: &Field) -> Vec<Value> {
    let mut values = all(&field.shape);
    if let Shape::Record(_) = &field.shape
        && field.default.is_none()
        && !field.required
    {
        values.extend(least(&field.shape));
    }
    values.retain(|value| Some(value) != field.default.as_ref());
    values
}

fn all(shape: &Shape) -> Vec<Value> {
    match shape {
        Shape::Boolean => vec![true.into(), false.into()],
        Shape::Integer { minimum, maximum } => {
            let mut all: Vec<i64> = [1, 3, 7, 60, 1000]
                .map(|one| one.clamp(*minimum, *maximum))
                .into();
            all.dedup();
            all.into_iter().map(Value::from).collect()
        }
        Shape::Number => [0.1, 0.5, 2.0, 20.0].map(Value::from).into(),
        Shape::Quantity(form) => sizes(form).into_iter().map(Value::from).collect(),
        Shape::Words(words) => words
            .words
            .iter()
            .map(|(word, _)| Value::from(*word))
            .collect(),
        Shape::List(item) => least(item)
            .map(|item| vec![item].into())
            .into_iter()
            .collect(),
        Shape::Either(shapes) => shapes.iter().flat_map(all).collect(),
        _ => Vec::new(),
    }
}

/// Values of a quantity that matter in networks of some milliseconds.
fn sizes(form: &Form) -> Vec<&'static str> {
    let mut dimensions: Vec<Dimension> = Vec::new();
    for unit in form.units() {
        if !dimensions.contains(&unit.dimension) {
            dimensions.push(unit.dimension);
        }
    }
    let of = |dimension: &Dimension| -> &'static [&'static str] {
        match dimension {
            Dimension::Time => &["100 us", "1 us", "1 ms"],
            Dimension::Rate => &["50 Mbit/s", "20 Mbit/s", "500 Mbit/s"],
            Dimension::Cells => &["20 cells", "3 cells", "200 cells"],
            Dimension::Packets => &["8 packets", "1 packet", "100 packets"],
            Dimension::Bytes => &["600 B", "100 B", "5 kB"],
            Dimension::Share => &["30 %", "2 %", "90 %"],
        }
    };
    dimensions.iter().flat_map(of).copied().collect()
}
