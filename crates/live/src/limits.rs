//! Limits of the page: the size of a network and of a run that it shows.

use scenario::lower::Plan;

/// Limit of the nodes of a network that the page draws.
pub const MOST_NODES: usize = 3000;

/// Limit of the flows of a network that the page draws.
pub const MOST_FLOWS: usize = 2000;

/// Limit of the simulated time of a run, in seconds.
pub const MOST_SECONDS: f64 = 3600.0;

/// Limit of the points of a sweep, each of which is checked.
pub const MOST_POINTS: usize = 2000;

/// Limit of the time to compute a run, in seconds, without pauses.
pub const MOST_COMPUTING: f64 = 3600.0;

/// Limit of the text of a scenario from a viewer, in octets.
pub const MOST_TEXT: usize = 256 << 10;

/// Number of replications to choose from, for a scenario without stored runs.
pub const MOST_REPLICATIONS: u64 = 10_000;

/// The reason why a sweep of so many points is too large to be watched, if it is.
pub fn too_many(points: usize) -> Option<String> {
    (points > MOST_POINTS).then(|| format!("the sweep has more than {MOST_POINTS} points"))
}

/// The reason why a run is too large to be watched, if it is.
pub fn too_large(plan: &Plan) -> Option<String> {
    if plan.spec.duration.seconds() > MOST_SECONDS {
        Some(format!(
            "the run is longer than {MOST_SECONDS} s of simulated time"
        ))
    } else if plan.topology.nodes.len() > MOST_NODES {
        Some(format!("the network has more than {MOST_NODES} nodes"))
    } else if plan.paths.flows.len() > MOST_FLOWS {
        Some(format!("the scenario has more than {MOST_FLOWS} flows"))
    } else {
        None
    }
}
