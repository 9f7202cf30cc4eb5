//! What comes back from a run: labelled numbers in a fixed order, and series on request.

mod batches;
mod drops;
pub(crate) mod events;
mod measured;
mod paced;
mod passing;
mod phases;
mod reader;
mod scope;
mod series;
mod times;
mod warnings;

use kernel::{Network, Time};
use models::metrics::Ratio;
use models::node::Node;

use crate::lower::Plan;
use batches::Joined;
pub use measured::Measured;
pub use scope::{Name, Place, Scope};
pub use series::{Recorded, SeriesByScope};
pub use times::Distribution;
pub use warnings::{Warning, of_scenario};

/// The results of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Numbers: the network first, then flows, then ports, then classes where ports tell them apart,
    /// then links that lose, each as written in the scenario; then what of each flow was dropped where.
    /// Of a run in batches what they come to together: ratios of sums, and means.
    pub scalars: Vec<Scalar>,
    /// The same numbers of every batch, if the run has batches; `NaN` where there was nothing to measure.
    pub batches: Vec<Vec<f64>>,
    /// How long packets and messages of each group of flows took: in the run, or in each of its batches.
    pub distributions: Vec<Vec<Distribution>>,
    /// Recorded series by scope and quantity, such as `queue`.
    pub series: SeriesByScope,
    /// Why the results may have to be distrusted.
    pub warnings: Vec<Warning>,
    /// How much was simulated, for benchmarks: not part of the results.
    pub events: Events,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// The scope that it describes.
    pub scope: Scope,
    /// Name of the metric.
    pub metric: &'static str,
    /// Its value, in the unit of the metric.
    pub value: f64,
    /// SI unit.
    pub unit: &'static str,
    /// What it is a ratio of, if it is one of other metrics.
    pub ratio: Option<Ratio>,
}

/// How much was simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Cells, counted on every link that they entered.
    pub cell_hops: u64,
    /// Packets or PDUs, counted likewise.
    pub packet_hops: u64,
    /// Operations on the heaps of hosts; there is no other heap.
    pub heap_operations: u64,
    /// Times that a node was let run.
    pub visits: u64,
}

impl Report {
    /// Reads all meters at the end of a run in which nodes were let run `visits` times.
    pub fn new(plan: &Plan, network: &mut Network<Node>, visits: u64) -> Report {
        let start = Time::ZERO + plan.spec.warm_up;
        let end = Time::ZERO + plan.spec.duration;
        let whole = Measured::read(plan, network, start, end);
        Report::of(vec![whole], plan, network, visits)
    }

    /// Puts what was measured together, once for the whole or batch by batch, at the end of a run.
    pub fn of(
        measured: Vec<Measured>,
        plan: &Plan,
        network: &mut Network<Node>,
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
        let found =
            scalars.find(|scalar| scalar.metric == metric && scalar.scope.to_string() == scope);
        found.map(|scalar| scalar.value)
    }
}
