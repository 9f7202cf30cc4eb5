//! Metrics: their names, units and meanings in one table, and the meters that count them.
//!
//! Each node counts for itself; nodes share nothing while they run, and the counts are joined after
//! the run. Counting restarts at the end of the warm-up: Law, "Simulation Modeling and Analysis",
//! 5th edition, 2015, chapter 9. Each meter names the sources of its quantities.

mod allocation;
mod backlog;
mod bursts;
mod capacity;
mod cause;
mod cause_counts;
mod class;
mod connections;
mod crossing;
mod drops;
mod flow;
mod followed;
mod histogram;
mod limits;
mod listed;
mod loss;
mod metric;
mod paced;
mod policer;
mod port;
mod rare;
mod reordering;
mod retry;
#[macro_use]
mod rows;
mod series;
mod stopwatch;
pub mod table;
mod timed;
mod total;

pub use allocation::{Allocation, AllocationMeter, AllocationReading, AllocationSeries};
pub use backlog::{Backlog, Elapsed};
pub use bursts::Bursts;
pub use capacity::{LinkCapacity, PortReading, PortUnit, VcShare};
pub use cause::{Cause, DropSite};
pub use class::ClassMeter;
pub use connections::{Completion, ConnectionMeter, slowdown};
pub use crossing::{CrossingMeter, CrossingReading};
pub use drops::{DroppedUnit, Drops, Harm, TimedDrop};
pub use flow::{FlowReading, ReceiverMeter, SenderMeter, UnforwardedOctets};
pub use followed::{ByHalf, Followed, Halves, MessageEnd, Underway, joined};
pub use histogram::Histogram;
pub use limits::{Below, CellLimit, Limit, LimitMeter};
pub use listed::{ConnectionOutcome, ListedConnection};
pub use loss::LossMeter;
pub use metric::{Measurement, Metric, MetricKind, QuantityMetrics, Ratio, ScopeKind, Statistic};
pub use paced::PacedMeter;
pub use policer::PolicerMeter;
pub use port::PortMeter;
pub use rare::RareCounts;
pub use reordering::{ReorderingMeter, StreamOrder};
pub use retry::RetryMeter;
pub use series::{QueueSeries, Series};
pub use stopwatch::Stopwatch;
pub use table::{METRICS, RENAMED};
pub use timed::{SizeClass, Timed};
pub use total::Total;
