//! Files that are generated from the statements of the parameters and of the metrics only.

mod catalogue;
mod components;
mod metrics;
mod python_types;
mod reference;
mod schema;
mod text;

pub use components::components;
pub use metrics::{causes, metrics};
pub use schema::schema;

use catalogue::Catalogue;

use crate::spec::ScenarioSpec;

/// The generated files: path from the root of the repository, and text.
pub fn files() -> Vec<(&'static str, String)> {
    let catalogue = Catalogue::of(ScenarioSpec::known_shape());
    vec![
        ("schema/scenario.schema.json", schema() + "\n"),
        (
            "python/cellrelay/scenario/spec.py",
            python_types::python_types(&catalogue),
        ),
        ("python/cellrelay/metrics/names.py", metrics::names()),
        (
            "docs/reference/parameters.md",
            reference::reference(&catalogue),
        ),
    ]
}
