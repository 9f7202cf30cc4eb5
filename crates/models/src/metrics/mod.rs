//! What is measured: names, units and meanings in one table, and the meters that count.
//!
//! Each node counts for itself; nothing is shared between nodes while they run, and the counts are
//! joined afterwards. Counting starts again at the end of the warm-up.

mod allocation;
mod capacity;
mod cause;
mod class;
mod flow;
mod held;
mod histogram;
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
pub use held::{Below, HeldMeter, Hold, Limit, Pacing};
pub use histogram::{Histogram, QUANTILES};
pub use loss::LossMeter;
pub use paced::PacedMeter;
pub use policer::PolicerMeter;
pub use port::{Backlog, Elapsed, Harm, PortMeter, Total};
pub use series::{Dropped, Drops, QueueSeries, Series};

/// Kind of the scope that a metric describes.
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
    /// What of a flow went no further at an output, or was lost on the link beyond it.
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
    /// What it describes.
    pub scope: ScopeKind,
    /// SI unit; `1` for ratios and counts.
    pub unit: &'static str,
    /// What kind of number it is.
    pub kind: Kind,
    /// What it is a ratio of, unless it is over time or of a run.
    pub ratio: Option<Ratio>,
    /// What it means.
    pub help: &'static str,
}

/// What a ratio is of: metrics of the same scope, by name. What is measured in parts comes to the ratio
/// of their sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Its numerator, where that may be more than zero when the denominator is zero; else it is the
    /// product of the ratio and the denominator.
    pub of: Option<&'static str>,
    /// Its denominator.
    pub over: &'static str,
}

/// What kind of number a metric is: what it can be, and what it means that it is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An amount, which is not negative.
    Amount,
    /// How much there was of something: what others are ratios of.
    Count,
    /// The largest of several amounts.
    Largest,
    /// A share of something continuous, such as time; from zero to one.
    Share,
    /// The share of what was counted to which something happened; from zero to one.
    Chance,
    /// How often something happened for each of what was counted; may exceed one.
    Frequency,
    /// How often something happened.
    Events,
    /// A difference, which may be negative.
    Difference,
}

impl Kind {
    /// Its name.
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
    Network effective_throughput ["1", Share] "share of the bottleneck's capacity spent on packets of greedy flows that arrived for the first time: goodput as a fraction of the largest possible for that packet size";
    Network goodput ["bit/s", Amount] "user data of greedy flows that arrived for the first time";
    Network fairness_index ["1", Share] "Jain's index of the goodputs of greedy flows";
    Flow goodput ["bit/s", Amount] "user data that arrived for the first time";
    Flow efficiency ["1", Share of octets_delivered over octets_sent] "user data that arrived for the first time over user data sent, repetitions included";
    Flow retransmission_ratio ["1", Frequency of packets_resent over distinct_packets] "packets sent again over distinct packets sent; may exceed 1";
    Flow timeouts ["1", Events] "retransmission timeouts";
    Flow fast_retransmits ["1", Events] "fast retransmissions";
    Flow loss_events ["1", Events] "losses noticed by the sender; those among what was outstanding at the first of them are one event";
    Flow mean_pause ["s", Amount over timeouts] "from the last packet sent to the retransmission timeout that ends the silence";
    Flow paused_share ["1", Share] "share of time in silences that ended in a retransmission timeout";
    Flow mean_delay ["s", Amount over packets_delivered] "from the transport's sending a packet to its arrival, for packets that brought new data";
    Flow median_delay ["s", Amount] "the delay that half of these packets had at most";
    Flow p95_delay ["s", Amount] "the delay that 95 % of them had at most";
    Flow p99_delay ["s", Amount] "the delay that 99 % of them had at most";
    Flow p999_delay ["s", Amount] "the delay that 99.9 % of them had at most";
    Flow max_delay ["s", Largest] "the longest of these delays";
    Flow mean_rtt ["s", Amount over rtt_samples] "mean of the round-trip times that the sender measured";
    Flow messages ["1", Count] "messages that were acknowledged to their end, where each waits for the one before it";
    Flow mean_completion_time ["s", Amount over messages] "from handing such a message to the transport to the acknowledgment of its end, in the mean";
    Flow median_completion_time ["s", Amount] "the time in which half of them were";
    Flow p95_completion_time ["s", Amount] "the time in which 95 % of them were";
    Flow p99_completion_time ["s", Amount] "the time in which 99 % of them were";
    Flow p999_completion_time ["s", Amount] "the time in which 99.9 % of them were";
    Flow max_completion_time ["s", Largest] "the longest of these times";
    Flow limited_by_cwnd ["1", Share] "share of time in which the congestion window kept the sender from sending";
    Flow limited_by_window ["1", Share] "share of time in which the receiver's window, or the output buffer of XTP, kept the sender from sending";
    Flow limited_by_rate ["1", Share] "share of time in which rate control kept the sender from sending";
    Flow limited_by_handshake ["1", Share] "share of time in which a synchronising handshake kept the sender from sending";
    Flow limited_by_application ["1", Share] "share of time in which there was nothing to send";
    Flow limited_by_acr ["1", Share] "share of time in which cells waited at the sending host for the rate that ABR allows";
    Flow held_by_slow_start ["1", Share] "share of time in which a congestion window below its threshold held the flow back; this and all other shares held by something add up to one";
    Flow held_by_cwnd ["1", Share] "share of time in which a congestion window that had reached its threshold did";
    Flow held_by_window ["1", Share] "share of time in which the receiver's window, or the output buffer of XTP, did";
    Flow held_by_rate ["1", Share] "share of time in which the rate control of XTP did";
    Flow held_by_handshake ["1", Share] "share of time in which opening a connection, or a synchronising handshake, did";
    Flow held_by_application ["1", Share] "share of time in which nothing but the application did, which had nothing to send";
    Flow held_by_timeout ["1", Share] "share of time in which the sender did nothing but wait for a retransmission timer that then expired";
    Flow held_by_link ["1", Share] "share of time in which packets of the flow waited at the sending host, or were being sent";
    Flow held_by_acr ["1", Share] "share of time in which its cells waited at the sending host for the rate that ABR allows, and did not want credit";
    Flow held_by_contract ["1", Share] "share of time in which its cells waited at the sending host to conform to a traffic contract, and did not want credit";
    Flow held_by_credit ["1", Share] "share of time in which its cells waited at the sending host and wanted credit";
    Flow packets_sent ["1", Count] "packets sent, repetitions included";
    Flow distinct_packets ["1", Count] "packets sent, repetitions left out";
    Flow packets_resent ["1", Events] "packets sent again";
    Flow octets_sent ["B", Count] "user data sent, repetitions included";
    Flow octets_delivered ["B", Count] "user data that arrived for the first time";
    Flow packets_delivered ["1", Count] "packets that arrived and brought new data";
    Flow rtt_samples ["1", Count] "round-trip times that the sender measured";
    Flow cells_policed ["1", Events] "cells that a policer held against what was agreed";
    Flow cells_tagged ["1", Events] "those that it tagged: it set their cell loss priority";
    Flow cells_dropped ["1", Events] "those that it dropped";
    Flow packets_damaged ["1", Events] "PDUs that arrived incomplete or glued to another";
    Flow octets_damaged ["B", Events] "octets on the wire of those";
    Flow mean_source_queue ["cells", Amount] "mean number of cells waiting at the sending host, over time, where it paces them";
    Flow max_source_queue ["cells", Largest] "largest number of cells waiting there";
    Flow rm_cells_in_rate ["1", Count] "forward RM cells sent among the cells that ABR allows";
    Flow rm_cells_out_of_rate ["1", Events] "forward RM cells sent beyond those, since next to nothing was allowed";
    Flow rm_cells_turned_around ["1", Count] "forward RM cells sent back by the receiving host";
    Flow rm_cells_overwritten ["1", Events] "forward RM cells that it did not send back, since a later one came before they left";
    Flow rm_cells_lost ["1", Events] "RM cells of both directions that were refused, or lost on links";
    Port cell_loss_ratio ["1", Chance over cells_offered] "cells refused over cells offered";
    Port packet_loss_ratio ["1", Chance over packets_offered] "PDUs or packets of which any part was refused over those offered";
    Port marked_share ["1", Chance over units_accepted] "cells or octets marked as having met congestion over those accepted, where the output marks";
    Port credit_share ["1", Share] "capacity spent on credits";
    Port stalled_share ["1", Share] "share of time in which cells waited and the link was idle because none of them had credit, where the far end controls it";
    Port utilization ["1", Share] "share of time in which the link was sending";
    Port idle_share ["1", Share] "share of time in which the link was idle";
    Port useful_share ["1", Share] "capacity spent on user data of greedy flows that arrived for the first time";
    Port padding_share ["1", Share] "capacity spent on headers, trailers and padding around that data";
    Port resent_share ["1", Share] "capacity spent on packets of greedy flows that brought nothing new";
    Port dead_cell_share ["1", Share] "capacity spent on cells of damaged PDUs of greedy flows, or on cells and packets that were refused or lost further on";
    Port background_share ["1", Share] "capacity spent on flows that are not greedy";
    Port control_share ["1", Share] "capacity spent on acknowledgments and RM cells of greedy flows";
    Port underway_share ["1", Difference] "capacity spent on what had not arrived when counting ended, less that of what had not when it began";
    Port mean_queue ["cells", Amount] "mean number of cells waiting, over time";
    Port max_queue ["cells", Largest] "largest number of cells waiting";
    Port cells_offered ["1", Count] "cells offered to the buffer";
    Port packets_offered ["1", Count] "PDUs or packets offered to it";
    Port units_accepted ["1", Count] "cells or octets accepted, where the output marks";
    Port mean_load_factor ["1", Amount over abr_capacity] "ABR cells offered over those that a rate allocator had capacity for";
    Port mean_active_channels ["1", Amount over allocation_time] "mean number of ABR channels that a rate allocator counted as active, over time";
    Port mean_fair_share ["cells/s", Amount over allocation_time] "mean of what a rate allocator had to share out over the number of active channels, over time";
    Port abr_capacity ["1", Count] "ABR cells that a rate allocator had capacity for";
    Port allocation_time ["s", Count] "time over which a rate allocator has averaged";
    Class utilization ["1", Share] "share of time in which the link was sending cells of the class";
    Class cell_loss_ratio ["1", Chance over cells_offered] "cells of the class refused over cells offered";
    Class mean_wait ["s", Amount over cells_started] "mean time that cells of the class waited, for those that began to be sent";
    Class max_wait ["s", Largest] "longest time that one of them waited";
    Class mean_queue ["cells", Amount] "mean number of cells of the class waiting, over time";
    Class max_queue ["cells", Largest] "largest number of cells of the class waiting";
    Class cells_offered ["1", Count] "cells of the class offered to the buffer";
    Class cells_started ["1", Count] "those that began to be sent";
    Link packets_lost ["1", Events] "PDUs or packets of which the link lost any part";
    Link packet_loss_ratio ["1", Chance over packets_offered] "those over the PDUs or packets offered to the link";
    Link cells_lost ["1", Events] "cells that the link lost";
    Link cell_loss_ratio ["1", Chance over cells_offered] "those over the cells offered to the link";
    Link packets_offered ["1", Count] "PDUs or packets offered to the link";
    Link cells_offered ["1", Count] "cells offered to the link";
    Drop overflow ["cells", Events] "cells of a flow, or so many octets of whole packets, that an output refused since its buffer was full";
    Drop threshold ["cells", Events] "those that it refused although there was room, at a threshold or by chance, and what followed of their PDUs";
    Drop remainder ["cells", Events] "those that it refused since a part of their PDU had been lost for want of room";
    Drop pushed_out ["cells", Events] "those that it gave up for others";
    Drop policed ["cells", Events] "those that a policer before it dropped";
    Drop lost ["cells", Events] "those that the link beyond it lost";
}
