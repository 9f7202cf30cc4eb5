//! Every kind can be chosen by its name alone, unless it has required parameters.

use crate::common::CROSSING;
use parameters::{Parameter, Path, Problems, Shape, SourceId, Value, ValueTable, Written};
use scenario::ScenarioSpec;
use scenario::document;
use scenario::document::assign;

/// Kinds that require one of several parameters; a shape cannot express this.
const ONE_OF_SEVERAL: [&str; 3] = ["trace", "pcap", "rate_changes.table"];

/// The paths of all kinds at and below `shape` of which every parameter has a default.
fn kinds(shape: &Shape, path: &str) -> Vec<String> {
    let below = |name: &str| format!("{path}.{name}").trim_start_matches('.').to_string();
    let mut found = Vec::new();
    match shape {
        Shape::Record(record) => {
            for field in &record.fields {
                // An optional table with required parameters cannot hold a nested kind without them.
                if !field.required
                    && let Shape::Record(table) = &field.shape
                    && table.fields.iter().any(|inner| inner.required)
                {
                    continue;
                }
                found.extend(kinds(&field.shape, &below(field.name)));
            }
        }
        Shape::Named(item) => {
            for name in ["left", "west", "east"] {
                found.extend(kinds(item, &below(name)));
            }
        }
        Shape::Either(shapes) => found.extend(shapes.iter().flat_map(|shape| kinds(shape, path))),
        Shape::Family(family) => {
            for kind in &family.kinds {
                // A kind with required parameters cannot hold a nested kind without them.
                if let Shape::Record(record) = &kind.shape
                    && record.fields.iter().all(|field| !field.required)
                {
                    let path = below(kind.name);
                    found.extend(kinds(&kind.shape, &path));
                    found.push(path);
                }
            }
        }
        _ => {}
    }
    found
}

/// Reads the scenario with an empty table at `path`; returns the plan or its problems.
fn understood(path: &str) -> Result<ScenarioSpec, Problems> {
    let mut root = document::parse(SourceId(0), CROSSING)?;
    let path = Path::parse(path).expect("the path of a kind");
    let nothing = Written::from(Value::from(ValueTable::default()));
    let shape = ScenarioSpec::known_shape();
    assign(&mut root, shape, &path, &nothing).expect("a place");
    let mut problems = Problems::default();
    let spec = ScenarioSpec::read(&root, &Path::root(), &mut problems);
    problems.or(spec)
}

#[test]
fn a_kind_whose_parameters_have_defaults_needs_none_of_them() {
    let mut paths = kinds(&ScenarioSpec::shape(), "");
    // A kind of a node or flow that the scenario lacks cannot be tried alone.
    let exists = |path: &str| {
        let parts: Vec<&str> = path.split('.').collect();
        CROSSING.contains(&format!("[{}.{}]", parts[0], parts[1]))
    };
    paths.retain(|path| exists(path));
    assert!(paths.len() > 20, "only {} kinds", paths.len());
    for path in paths {
        let read = understood(&path);
        let needs_more = ONE_OF_SEVERAL
            .iter()
            .any(|kind| path.ends_with(&format!(".{kind}")));
        match read {
            Err(error) if !needs_more => panic!("{path} cannot be chosen by its name: {error}"),
            Ok(_) if needs_more => panic!("{path} needs nothing more"),
            _ => {}
        }
    }
}
