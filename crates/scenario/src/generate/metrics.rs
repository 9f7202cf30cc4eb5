//! The metrics, as JSON for `cellrelay list metrics`.

use models::metrics::{METRICS, Metric, Scope};
use serde_json::{Value, json};

/// Name, scope, unit and meaning of every metric.
pub fn metrics() -> String {
    let described = METRICS.iter().map(
        |Metric {
             name,
             scope,
             unit,
             help,
         }| {
            let scope = match scope {
                Scope::Network => "network",
                Scope::Flow => "flow",
                Scope::Port => "port",
                Scope::Class => "class",
                Scope::Link => "link",
                Scope::Drop => "drop",
            };
            json!({ "name": name, "scope": scope, "unit": unit, "help": help })
        },
    );
    described.collect::<Value>().to_string()
}
