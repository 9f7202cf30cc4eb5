//! The state of a run, as the page gets it: time, pace, and results.

use scenario::report::{Report, Scope};
use serde_json::{Value, json};

use crate::pace::Speed;

/// The state of a run, in JSON.
pub struct LiveState<'a> {
    /// Number of the run.
    pub epoch: u64,
    /// Simulated time in seconds, at the last pause.
    pub now: f64,
    /// Pace of the run.
    pub speed: Speed,
    /// Number of snapshots that this viewer did not get.
    pub skipped: u64,
    /// The results, or the error that ended the run; none while it goes on.
    pub outcome: Option<&'a Value>,
}

impl LiveState<'_> {
    /// The state as plain data.
    pub fn value(&self) -> Value {
        let Speed {
            playing,
            rate,
            goal,
        } = self.speed;
        json!({
            "epoch": self.epoch,
            "now": self.now,
            "speed": {"playing": playing, "rate": rate, "goal": goal},
            "skipped": self.skipped,
            "outcome": self.outcome,
        })
    }
}

/// The results of a run: metrics of the network, warnings, and the digest, which is compared with
/// that of the stored run if there is one.
pub fn results(report: &Report, stored: Option<&str>) -> Value {
    let of_network = report
        .scalars
        .iter()
        .filter(|one| *one.scope == Scope::Network);
    let scalars = of_network
        .map(|one| json!({"metric": one.metric.name, "value": one.value, "unit": one.metric.unit}));
    let digest = report.digest();
    let is_as_stored = stored.map(|stored| stored == digest);
    let warnings = report.warnings.iter();
    json!({
        "scalars": scalars.collect::<Vec<_>>(),
        "warnings": warnings.map(ToString::to_string).collect::<Vec<_>>(),
        "digest": digest,
        "error": "",
        "is_as_stored": is_as_stored,
    })
}

/// The outcome of a run that an error has ended.
pub fn failure(error: &str) -> Value {
    json!({"scalars": [], "warnings": [], "digest": "", "error": error, "is_as_stored": null})
}
