//! The metrics, as JSON for `cellrelay list metrics`.

use models::metrics::{METRICS, Metric, RENAMED};
use serde_json::{Value, json};

/// Name, scope, unit, kind, denominator, meaning and former names of every metric.
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
            let renamed = RENAMED.iter().filter(|(_, now)| now == name);
            let formerly: Vec<&str> = renamed.map(|(before, _)| *before).collect();
            json!({
                "name": name, "scope": scope, "unit": unit, "kind": kind, "of": of, "over": over,
                "help": help, "formerly": formerly,
            })
        },
    );
    described.collect::<Value>().to_string()
}
