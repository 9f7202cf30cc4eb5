//! The report of a run: labelled numbers in a fixed order, and series on request. The order is
//! ours, and equal for equal scenarios, so that the digests of two reports can be compared.

mod batches;
mod deadlocks;
pub(crate) mod digest;
mod drops;
pub(crate) mod events;
mod links;
mod measured;
mod narrow;
mod network;
mod paced;
mod parted;
mod passing;
mod phases;
mod priorities;
mod reader;
mod series;
mod times;
mod trimmed;
mod warnings;

use std::sync::Arc;

use kernel::{Network, Time};
use models::metrics::Metric;
use models::node::AnyNode;

use crate::lower::Plan;
pub use crate::scope::{Name, Place, Scope};
use batches::Joined;
pub use measured::Measurements;
pub use series::{Recorded, SeriesByScope};
pub use times::GroupTimes;
pub use warnings::{Warning, of_scenario};

/// The results of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Numbers of the network, then of flows, ports, classes at ports that distinguish them, lossy
    /// links, and drops, each in the order of the scenario. For a run in batches they are joint
    /// values: ratios of sums for ratios, and means for other metrics.
    pub scalars: Vec<Scalar>,
    /// The same numbers of every batch, if the run has batches; `NaN` without an observation.
    pub batches: Vec<Vec<f64>>,
    /// Delays and completion times of each group of flows, in the run or in each of its batches.
    pub distributions: Vec<Vec<GroupTimes>>,
    /// Recorded series by scope and quantity, such as `queue`.
    pub series: SeriesByScope,
    /// Reasons to distrust the results.
    pub warnings: Vec<Warning>,
    /// The work of the run, for benchmarks; it is no part of the results.
    pub events: Events,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// The scope that the number describes; all numbers of a scope share it, since there may be
    /// millions of them.
    pub scope: Arc<Scope>,
    /// The metric.
    pub metric: &'static Metric,
    /// Value of the metric, in its unit.
    pub value: f64,
}

/// The work of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Cells, counted once for each link that they entered.
    pub cell_hops: u64,
    /// Packets or PDUs, counted once for each link that they entered.
    pub packet_hops: u64,
    /// Operations on the heaps of hosts, the only heaps of a run.
    pub heap_operations: u64,
    /// Number of node visits by the runner.
    pub visits: u64,
}

impl Report {
    /// Reads all meters at the end of a run in which the runner made `visits` node visits.
    pub fn new(plan: &Plan, network: &mut Network<AnyNode>, visits: u64) -> Report {
        let start = Time::ZERO + plan.spec.warm_up;
        let end = Time::ZERO + plan.spec.duration;
        let whole = Measurements::read(plan, network, start, end);
        Report::of(vec![whole], plan, network, visits)
    }

    /// The report at the end of a run, from the measurements of the whole or of each batch.
    pub fn of(
        measured: Vec<Measurements>,
        plan: &Plan,
        network: &mut Network<AnyNode>,
        visits: u64,
    ) -> Report {
        let end = Time::ZERO + plan.spec.duration;
        let Joined {
            scalars,
            batches,
            distributions,
            warnings,
        } = Joined::of(measured);
        Report {
            scalars,
            batches,
            distributions,
            series: series::recorded(plan, network, end),
            warnings,
            events: events::counted(network, visits),
        }
    }

    /// The value of a metric of the scope with this text.
    pub fn value(&self, scope: &str, metric: &str) -> Option<f64> {
        let mut scalars = self.scalars.iter();
        let found = scalars
            .find(|scalar| scalar.metric.name == metric && scalar.scope.to_string() == scope);
        found.map(|scalar| scalar.value)
    }
}
