//! The metrics, as JSON for `cellrelay list metrics`.

use models::metrics::{METRICS, Metric};
use serde_json::{Value, json};

/// Name, scope, unit, kind, denominator and meaning of every metric.
pub fn metrics() -> String {
    let described = METRICS.iter().map(
        |Metric {
             name,
             scope,
             unit,
             kind,
             ratio,
             help,
         }| {
            let scope = scope.word();
            let kind = kind.name();
            let of = ratio.and_then(|ratio| ratio.of);
            let over = ratio.map(|ratio| ratio.over);
            json!({
                "name": name, "scope": scope, "unit": unit, "kind": kind, "of": of, "over": over,
                "help": help,
            })
        },
    );
    described.collect::<Value>().to_string()
}
