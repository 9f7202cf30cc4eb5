//! Metrics: their names, units and meanings in one table, and the meters that count them.
//!
//! Each node counts for itself; nodes share nothing while they run, and the counts are joined
//! afterwards. Counting restarts at the end of the warm-up.

mod allocation;
mod capacity;
mod cause;
mod class;
mod flow;
mod histogram;
mod limits;
mod loss;
mod paced;
mod policer;
mod port;
mod series;

pub use allocation::{Allocation, AllocationMeter, AllocationReading, AllocationSeries};
pub use capacity::{Capacity, PortReading, VcShare};
pub use cause::Cause;
pub use class::ClassMeter;
pub use flow::{FlowReading, Kept, ReceiverMeter, SenderMeter};
pub use histogram::{Histogram, QUANTILES};
pub use limits::{Below, Limit, LimitMeter, Pacing};
pub use loss::LossMeter;
pub use paced::PacedMeter;
pub use policer::PolicerMeter;
pub use port::{Backlog, Elapsed, Harm, PortMeter, Total};
pub use series::{Dropped, Drops, QueueSeries, Series};

/// The kind of object that a metric describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The whole network.
    Network,
    /// One flow.
    Flow,
    /// One output of a switch or router.
    Port,
    /// A service class at an output of a switch that tells classes apart.
    Class,
    /// A link that loses, in one direction.
    Link,
    /// Cells of a flow dropped at an output, or lost on the link beyond it.
    Drop,
}

impl ScopeKind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            ScopeKind::Network => "network",
            ScopeKind::Flow => "flow",
            ScopeKind::Port => "port",
            ScopeKind::Class => "class",
            ScopeKind::Link => "link",
            ScopeKind::Drop => "drop",
        }
    }
}

/// A metric: every name that a report may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Name.
    pub name: &'static str,
    /// The kind of object that it describes.
    pub scope: ScopeKind,
    /// SI unit; `1` for ratios and counts.
    pub unit: &'static str,
    /// Kind of number.
    pub kind: Kind,
    /// Numerator and denominator, if the metric is a ratio of metrics.
    pub ratio: Option<Ratio>,
    /// Meaning, for users.
    pub help: &'static str,
}

/// A ratio of metrics of one scope, by name. Over several parts, it is the ratio of their sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Numerator, where it may be positive when the denominator is zero; else the numerator is the
    /// product of the ratio and the denominator.
    pub of: Option<&'static str>,
    /// Denominator.
    pub over: &'static str,
}

/// Kind of number: its range, and the meaning of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An amount, which is not negative.
    Amount,
    /// A count that other metrics are ratios of.
    Count,
    /// The largest of several amounts.
    Largest,
    /// A share of something continuous, such as time; from zero to one.
    Share,
    /// A share of counted events; from zero to one.
    Chance,
    /// A ratio of events to counts; may exceed one.
    Frequency,
    /// A number of events.
    Events,
    /// A difference, which may be negative.
    Difference,
}

impl Kind {
    /// Name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Amount => "amount",
            Kind::Count => "count",
            Kind::Largest => "largest",
            Kind::Share => "share",
            Kind::Chance => "chance",
            Kind::Frequency => "frequency",
            Kind::Events => "events",
            Kind::Difference => "difference",
        }
    }
}

impl Metric {
    /// The metric of this name at this scope.
    pub fn of(scope: ScopeKind, name: &str) -> Option<&'static Metric> {
        let mut metrics = METRICS.iter();
        metrics.find(|metric| metric.scope == scope && metric.name == name)
    }
}

/// Names that metrics had before, each with the name of today.
pub const RENAMED: &[(&str, &str)] = &[
    ("held_by_slow_start", "limited_by_slow_start"),
    ("held_by_cwnd", "limited_by_congestion_window"),
    ("held_by_window", "limited_by_receiver_window"),
    ("held_by_rate", "limited_by_rate"),
    ("held_by_handshake", "limited_by_handshake"),
    ("held_by_application", "limited_by_application"),
    ("held_by_timeout", "limited_by_timeout"),
    ("held_by_link", "limited_by_link"),
    ("held_by_acr", "limited_by_acr"),
    ("held_by_contract", "limited_by_contract"),
    ("held_by_credit", "limited_by_credit"),
    ("limited_by_cwnd", "limited_by_congestion_window"),
    ("limited_by_window", "limited_by_receiver_window"),
];

macro_rules! metrics {
    ($($scope:ident $name:ident [$unit:literal, $kind:ident $($ratio:ident)*] $help:literal;)*) => {
        /// Every metric.
        pub const METRICS: &[Metric] = &[$(
            Metric {
                name: stringify!($name),
                scope: ScopeKind::$scope,
                unit: $unit,
                kind: Kind::$kind,
                ratio: metrics!(@ratio $($ratio)*),
                help: $help,
            },
        )*];
    };
    (@ratio) => { None };
    (@ratio over $over:ident) => {
        Some(Ratio { of: None, over: stringify!($over) })
    };
    (@ratio of $of:ident over $over:ident) => {
        Some(Ratio { of: Some(stringify!($of)), over: stringify!($over) })
    };
}

metrics! {
    Network effective_throughput ["1", Share] "share of the bottleneck's capacity spent on packets of greedy flows that arrived for the first time: goodput as a fraction of the largest goodput possible with that packet size";
    Network goodput ["bit/s", Amount] "user data per second that greedy flows delivered for the first time";
    Network fairness_index ["1", Share] "Jain's fairness index of the goodputs of greedy flows, between 0 and 1";
    Flow goodput ["bit/s", Amount] "user data per second that the flow delivered for the first time";
    Flow efficiency ["1", Share of octets_delivered over octets_sent] "user data delivered for the first time over user data sent, retransmissions included";
    Flow retransmission_ratio ["1", Frequency of packets_resent over distinct_packets] "packets retransmitted over distinct packets sent; may exceed 1";
    Flow timeouts ["1", Events] "retransmission timeouts";
    Flow fast_retransmits ["1", Events] "fast retransmits";
    Flow loss_events ["1", Events] "loss events at the sender; all losses among the data outstanding at the first one are one event";
    Flow mean_pause ["s", Amount over timeouts] "mean time from the last packet sent to the retransmission timeout that ends the silence";
    Flow paused_share ["1", Share] "share of time in silences that a retransmission timeout ended";
    Flow mean_delay ["s", Amount over packets_delivered] "mean delay of packets with new data, from sending by the transport to arrival";
    Flow median_delay ["s", Amount] "median delay of packets with new data, from sending by the transport to arrival";
    Flow p95_delay ["s", Amount] "95th percentile of the delay of packets with new data, from sending by the transport to arrival";
    Flow p99_delay ["s", Amount] "99th percentile of the delay of packets with new data, from sending by the transport to arrival";
    Flow p999_delay ["s", Amount] "99.9th percentile of the delay of packets with new data, from sending by the transport to arrival";
    Flow max_delay ["s", Largest] "longest delay of a packet with new data, from sending by the transport to arrival";
    Flow mean_rtt ["s", Amount over rtt_samples] "mean of the round-trip times that the sender measured";
    Flow messages ["1", Count] "messages whose last octet was acknowledged, of sources that wait for each message before the next";
    Flow mean_completion_time ["s", Amount over messages] "mean time from handing a message to the transport to the acknowledgment of its last octet";
    Flow median_completion_time ["s", Amount] "median time from handing a message to the transport to the acknowledgment of its last octet";
    Flow p95_completion_time ["s", Amount] "95th percentile of the time from handing a message to the transport to the acknowledgment of its last octet";
    Flow p99_completion_time ["s", Amount] "99th percentile of the time from handing a message to the transport to the acknowledgment of its last octet";
    Flow p999_completion_time ["s", Amount] "99.9th percentile of the time from handing a message to the transport to the acknowledgment of its last octet";
    Flow max_completion_time ["s", Largest] "longest time from handing a message to the transport to the acknowledgment of its last octet";
    Flow limited_by_slow_start ["1", Share] "share of time the flow was limited by a congestion window below ssthresh; all `limited_by_` shares of a flow add up to 1";
    Flow limited_by_congestion_window ["1", Share] "share of time the flow was limited by a congestion window at or above ssthresh";
    Flow limited_by_receiver_window ["1", Share] "share of time the flow was limited by the receiver's window, or by the output buffer of XTP";
    Flow limited_by_rate ["1", Share] "share of time the flow was limited by the rate control of XTP";
    Flow limited_by_handshake ["1", Share] "share of time the flow waited for a connection to open, or for a synchronising handshake";
    Flow limited_by_application ["1", Share] "share of time the flow was application-limited: it had nothing to send, and nothing else held it back";
    Flow limited_by_timeout ["1", Share] "share of time the sender was silent until a retransmission timer expired";
    Flow limited_by_link ["1", Share] "share of time packets of the flow waited at the sending host, or were being sent";
    Flow limited_by_acr ["1", Share] "share of time cells of the flow waited at the sending host for the allowed cell rate (ACR) of ABR, and not for credit";
    Flow limited_by_contract ["1", Share] "share of time cells of the flow waited at the sending host to conform to a traffic contract, and not for credit";
    Flow limited_by_credit ["1", Share] "share of time cells of the flow waited at the sending host for credit";
    Flow packets_sent ["1", Count] "packets sent, retransmissions included";
    Flow distinct_packets ["1", Count] "packets sent, retransmissions not included";
    Flow packets_resent ["1", Events] "packets retransmitted";
    Flow octets_sent ["B", Count] "user data sent, retransmissions included";
    Flow octets_delivered ["B", Count] "user data delivered for the first time";
    Flow packets_delivered ["1", Count] "packets that arrived with new data";
    Flow rtt_samples ["1", Count] "round-trip times that the sender measured";
    Flow cells_policed ["1", Events] "cells that a policer checked against the traffic contract";
    Flow cells_tagged ["1", Events] "cells that a policer tagged: it set their cell loss priority (CLP)";
    Flow cells_dropped ["1", Events] "cells that a policer dropped";
    Flow packets_damaged ["1", Events] "PDUs that arrived incomplete, or merged with another";
    Flow octets_damaged ["B", Events] "octets on the wire of PDUs that arrived incomplete, or merged with another";
    Flow mean_source_queue ["cells", Amount] "mean number of cells waiting at a sending host that paces them, over time";
    Flow max_source_queue ["cells", Largest] "largest number of cells waiting at a sending host that paces them";
    Flow rm_cells_in_rate ["1", Count] "forward RM cells sent within the allowed cell rate (ACR) of ABR";
    Flow rm_cells_out_of_rate ["1", Events] "forward RM cells sent out of rate, because the allowed cell rate (ACR) was close to zero";
    Flow rm_cells_turned_around ["1", Count] "forward RM cells that the receiving host turned around";
    Flow rm_cells_overwritten ["1", Events] "forward RM cells that the receiving host did not turn around, because a later one took their place";
    Flow rm_cells_lost ["1", Events] "RM cells of both directions that were dropped, or lost on links";
    Port cell_loss_ratio ["1", Chance over cells_offered] "cells dropped over cells offered";
    Port packet_loss_ratio ["1", Chance over packets_offered] "PDUs or packets dropped, in whole or in part, over those offered";
    Port marked_share ["1", Chance over units_accepted] "cells or octets with a congestion mark over those accepted, at an output that marks";
    Port credit_share ["1", Share] "share of capacity spent on credits";
    Port stalled_share ["1", Share] "share of time in which cells waited and the link was idle for want of credit, on a link with credit";
    Port utilization ["1", Share] "share of time in which the link was sending";
    Port idle_share ["1", Share] "share of time in which the link was idle";
    Port useful_share ["1", Share] "share of capacity spent on user data of greedy flows that arrived for the first time";
    Port padding_share ["1", Share] "share of capacity spent on headers, trailers and padding of new data of greedy flows";
    Port resent_share ["1", Share] "share of capacity spent on packets of greedy flows that brought nothing new";
    Port dead_cell_share ["1", Share] "share of capacity spent on cells of damaged PDUs of greedy flows, or on cells and packets dropped or lost further on";
    Port background_share ["1", Share] "share of capacity spent on flows that are not greedy";
    Port control_share ["1", Share] "share of capacity spent on acknowledgments and RM cells of greedy flows";
    Port underway_share ["1", Difference] "share of capacity spent on data still in the network when counting ended, less data already in it when counting began";
    Port mean_queue ["cells", Amount] "mean number of cells waiting, over time";
    Port max_queue ["cells", Largest] "largest number of cells waiting";
    Port cells_offered ["1", Count] "cells offered to the buffer";
    Port packets_offered ["1", Count] "PDUs or packets offered to the buffer";
    Port units_accepted ["1", Count] "cells or octets accepted, at an output that marks";
    Port mean_load_factor ["1", Amount over abr_capacity] "ABR cells offered over the ABR cells that the link has capacity for, as a rate allocator counts them";
    Port mean_active_channels ["1", Amount over allocation_time] "mean number of ABR channels that a rate allocator counted as active, over time";
    Port mean_fair_share ["cells/s", Amount over allocation_time] "mean over time of the capacity that a rate allocator shares out, divided by the number of active channels";
    Port abr_capacity ["1", Count] "ABR cells that the link has capacity for, as a rate allocator counts them";
    Port allocation_time ["s", Count] "time over which a rate allocator has averaged";
    Class utilization ["1", Share] "share of time in which the link was sending cells of the class";
    Class cell_loss_ratio ["1", Chance over cells_offered] "cells of the class dropped over cells of the class offered";
    Class mean_wait ["s", Amount over cells_started] "mean waiting time of cells of the class whose transmission began";
    Class max_wait ["s", Largest] "longest waiting time of a cell of the class whose transmission began";
    Class mean_queue ["cells", Amount] "mean number of cells of the class waiting, over time";
    Class max_queue ["cells", Largest] "largest number of cells of the class waiting";
    Class cells_offered ["1", Count] "cells of the class offered to the buffer";
    Class cells_started ["1", Count] "cells of the class whose transmission began";
    Link packets_lost ["1", Events] "PDUs or packets that the link lost in whole or in part";
    Link packet_loss_ratio ["1", Chance over packets_offered] "PDUs or packets lost, in whole or in part, over those offered to the link";
    Link cells_lost ["1", Events] "cells that the link lost";
    Link cell_loss_ratio ["1", Chance over cells_offered] "cells lost over cells offered to the link";
    Link packets_offered ["1", Count] "PDUs or packets offered to the link";
    Link cells_offered ["1", Count] "cells offered to the link";
    Drop overflow ["cells", Events] "cells of a flow dropped because the buffer was full; a whole packet counts as its octets over 53";
    Drop threshold ["cells", Events] "cells of a flow dropped although there was room, at a threshold or by chance, with the rest of their PDUs";
    Drop remainder ["cells", Events] "cells of a flow dropped because an earlier cell of their PDU overflowed the buffer";
    Drop pushed_out ["cells", Events] "cells of a flow pushed out of the buffer by other cells";
    Drop policed ["cells", Events] "cells of a flow dropped by the policer in front of the output";
    Drop lost ["cells", Events] "cells of a flow lost on the link beyond the output";
}
