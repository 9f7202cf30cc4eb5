//! The problems of a scenario, as the editor of the page gets them.

use scenario::ScenarioError;
use serde_json::{Value, json};

/// The problems of a scenario, each with its place in the text.
pub fn of(error: &ScenarioError) -> Vec<Value> {
    let faults = error.faults.iter();
    faults
        .map(|fault| {
            let place = fault.location.as_ref();
            json!({
                "path": fault.path,
                "file": place.map(|place| &place.file),
                "line": place.map(|place| place.line),
                "column": place.map(|place| place.column),
                "problem": fault.problem,
                "hint": fault.hint,
            })
        })
        .collect()
}

/// The problems in one sentence.
pub fn summary(error: &ScenarioError) -> String {
    match &error.faults[..] {
        [fault] => fault.problem.clone(),
        _ => "the scenario has mistakes".into(),
    }
}

/// A problem with the whole text.
pub fn about(reason: &str) -> Value {
    json!({"line": 1, "column": 1, "path": "", "problem": reason, "hint": ""})
}
