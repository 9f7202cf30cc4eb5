//! A metric: its name, its unit, its meaning, and how its values are combined.

use std::fmt::{self, Debug, Formatter};

/// A metric and its value.
pub type Measurement = (&'static Metric, f64);

/// The kind of object that a metric describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The whole network.
    Network,
    /// One flow.
    Flow,
    /// One output of a switch or router.
    Port,
    /// A service class at an output of a switch that distinguishes classes.
    Class,
    /// A link that loses or may be paused, in one direction.
    Link,
    /// A priority of a link that may be paused or has credits for packets, in one direction.
    Priority,
    /// Cells of a flow dropped at an output, or lost on the link beyond it.
    Drop,
}

impl ScopeKind {
    /// Every kind of scope, in the order of a report.
    pub const ALL: [ScopeKind; 7] = [
        ScopeKind::Network,
        ScopeKind::Flow,
        ScopeKind::Port,
        ScopeKind::Class,
        ScopeKind::Link,
        ScopeKind::Priority,
        ScopeKind::Drop,
    ];

    /// The word for this kind in results and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            ScopeKind::Network => "network",
            ScopeKind::Flow => "flow",
            ScopeKind::Port => "port",
            ScopeKind::Class => "class",
            ScopeKind::Link => "link",
            ScopeKind::Priority => "priority",
            ScopeKind::Drop => "drop",
        }
    }
}

/// A metric.
#[derive(Clone, Copy)]
pub struct Metric {
    /// Name, unique within the scope.
    pub name: &'static str,
    /// The kind of object that the metric describes.
    pub scope: ScopeKind,
    /// SI unit; `1` for ratios and counts.
    pub unit: &'static str,
    /// Kind of number.
    pub kind: MetricKind,
    /// Numerator and denominator, if the metric is a ratio of metrics.
    pub ratio: Option<Ratio>,
    /// What it tells of its quantity.
    pub statistic: Statistic,
    /// Meaning, for users.
    pub help: &'static str,
}

impl PartialEq for Metric {
    fn eq(&self, other: &Metric) -> bool {
        (self.scope, self.name) == (other.scope, other.name)
    }
}

impl Eq for Metric {}

impl Debug for Metric {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.scope.word(), self.name)
    }
}

/// What a metric tells of the values of its quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// A single value.
    Value,
    /// Their mean.
    Mean,
    /// A quantile: so many thousandths of them are no larger.
    Quantile(u64),
    /// The largest.
    Max,
}

/// A quantity, with the metrics of its statistics.
#[derive(Clone, Copy, Debug)]
pub struct QuantityMetrics {
    /// The word for it in names of metrics, such as `delay` in `p99_delay`.
    pub word: &'static str,
    /// The metric of each statistic.
    pub metrics: &'static [&'static Metric],
}

/// A ratio of metrics of one scope. Over several parts of a run, it is the ratio of their sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Numerator, if it may be positive when the denominator is zero. Otherwise none: the numerator
    /// is then the product of the ratio and the denominator.
    pub of: Option<&'static Metric>,
    /// Denominator.
    pub over: &'static Metric,
}

/// Kind of number: its range, and the meaning of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// An amount, which is not negative.
    Amount,
    /// A count of units, such as the denominator of other metrics.
    Count,
    /// The largest of several amounts. The result of several batches or replications is the mean of
    /// their maxima.
    Largest,
    /// A share of something continuous, such as time, from zero to one.
    Share,
    /// A share of counted events, from zero to one.
    Chance,
    /// A ratio of events to counts, which may exceed one.
    Frequency,
    /// A number of events.
    Events,
    /// A difference, which may be negative.
    Difference,
}

impl MetricKind {
    /// The word for this kind in results.
    pub fn word(self) -> &'static str {
        match self {
            MetricKind::Amount => "amount",
            MetricKind::Count => "count",
            MetricKind::Largest => "largest",
            MetricKind::Share => "share",
            MetricKind::Chance => "chance",
            MetricKind::Frequency => "frequency",
            MetricKind::Events => "events",
            MetricKind::Difference => "difference",
        }
    }
}
