//! What is measured: names, units and meanings in one table, and the meters that count.
//!
//! Each node counts for itself; nothing is shared between nodes while they run, and the counts are
//! joined afterwards. Counting starts again at the end of the warm-up.

mod allocation;
mod capacity;
mod cause;
mod class;
mod completion;
mod flow;
mod held;
mod loss;
mod paced;
mod policer;
mod port;
mod series;

pub use allocation::{Allocation, AllocationMeter, AllocationReading, AllocationSeries};
pub use capacity::{Capacity, PortReading, VcShare};
pub use cause::Cause;
pub use class::ClassMeter;
pub use completion::CompletionMeter;
pub use flow::{FlowReading, Kept, ReceiverMeter, SenderMeter};
pub use held::{Below, HeldMeter, Hold, Limit, Pacing};
pub use loss::LossMeter;
pub use paced::PacedMeter;
pub use policer::PolicerMeter;
pub use port::{Backlog, Elapsed, Harm, PortMeter, Total};
pub use series::{Dropped, Drops, QueueSeries, Series};

/// What a metric describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
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

/// A metric: every name that a report may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Name.
    pub name: &'static str,
    /// What it describes.
    pub scope: Scope,
    /// SI unit; `1` for ratios and counts.
    pub unit: &'static str,
    /// What it means.
    pub help: &'static str,
}

macro_rules! metrics {
    ($($scope:ident $name:ident [$unit:literal] $help:literal;)*) => {
        /// Every metric.
        pub const METRICS: &[Metric] = &[$(
            Metric { name: stringify!($name), scope: Scope::$scope, unit: $unit, help: $help },
        )*];
    };
}

metrics! {
    Network effective_throughput ["1"] "share of the bottleneck's capacity spent on packets of greedy flows that arrived for the first time: goodput as a fraction of the largest possible for that packet size";
    Network goodput ["bit/s"] "user data of greedy flows that arrived for the first time";
    Network fairness_index ["1"] "Jain's index of the goodputs of greedy flows";
    Flow goodput ["bit/s"] "user data that arrived for the first time";
    Flow efficiency ["1"] "user data that arrived for the first time over user data sent, repetitions included";
    Flow retransmission_ratio ["1"] "packets sent again over distinct packets sent; may exceed 1";
    Flow timeouts ["1"] "retransmission timeouts";
    Flow fast_retransmits ["1"] "fast retransmissions";
    Flow loss_events ["1"] "losses noticed by the sender; those among what was outstanding at the first of them are one event";
    Flow mean_pause ["s"] "from the last packet sent to the retransmission timeout that ends the silence";
    Flow paused_share ["1"] "share of time in silences that ended in a retransmission timeout";
    Flow mean_delay ["s"] "from the transport's sending a packet to its arrival, for packets that brought new data";
    Flow mean_rtt ["s"] "mean of the round-trip times that the sender measured";
    Flow messages ["1"] "messages that were acknowledged to their end, where each waits for the one before it";
    Flow mean_completion_time ["s"] "from handing such a message to the transport to the acknowledgment of its end, in the mean";
    Flow median_completion_time ["s"] "the time in which half of them were";
    Flow p95_completion_time ["s"] "the time in which 95 % of them were";
    Flow max_completion_time ["s"] "the longest of these times";
    Flow limited_by_cwnd ["1"] "share of time in which the congestion window kept the sender from sending";
    Flow limited_by_window ["1"] "share of time in which the receiver's window, or the output buffer of XTP, kept the sender from sending";
    Flow limited_by_rate ["1"] "share of time in which rate control kept the sender from sending";
    Flow limited_by_handshake ["1"] "share of time in which a synchronising handshake kept the sender from sending";
    Flow limited_by_application ["1"] "share of time in which there was nothing to send";
    Flow limited_by_acr ["1"] "share of time in which cells waited at the sending host for the rate that ABR allows";
    Flow held_by_slow_start ["1"] "share of time in which a congestion window below its threshold held the flow back; this and all other shares held by something add up to one";
    Flow held_by_cwnd ["1"] "share of time in which a congestion window that had reached its threshold did";
    Flow held_by_window ["1"] "share of time in which the receiver's window, or the output buffer of XTP, did";
    Flow held_by_rate ["1"] "share of time in which the rate control of XTP did";
    Flow held_by_handshake ["1"] "share of time in which opening a connection, or a synchronising handshake, did";
    Flow held_by_application ["1"] "share of time in which nothing but the application did, which had nothing to send";
    Flow held_by_timeout ["1"] "share of time in which the sender did nothing but wait for a retransmission timer that then expired";
    Flow held_by_link ["1"] "share of time in which packets of the flow waited at the sending host, or were being sent";
    Flow held_by_acr ["1"] "share of time in which its cells waited at the sending host for the rate that ABR allows, and did not want credit";
    Flow held_by_contract ["1"] "share of time in which its cells waited at the sending host to conform to a traffic contract, and did not want credit";
    Flow held_by_credit ["1"] "share of time in which its cells waited at the sending host and wanted credit";
    Flow packets_sent ["1"] "packets sent, repetitions included";
    Flow cells_policed ["1"] "cells that a policer held against what was agreed";
    Flow cells_tagged ["1"] "those that it tagged: it set their cell loss priority";
    Flow cells_dropped ["1"] "those that it dropped";
    Flow packets_damaged ["1"] "PDUs that arrived incomplete or glued to another";
    Flow octets_damaged ["B"] "octets on the wire of those";
    Flow mean_source_queue ["cells"] "mean number of cells waiting at the sending host, over time, where it paces them";
    Flow max_source_queue ["cells"] "largest number of cells waiting there";
    Flow rm_cells_in_rate ["1"] "forward RM cells sent among the cells that ABR allows";
    Flow rm_cells_out_of_rate ["1"] "forward RM cells sent beyond those, since next to nothing was allowed";
    Flow rm_cells_turned_around ["1"] "forward RM cells sent back by the receiving host";
    Flow rm_cells_overwritten ["1"] "forward RM cells that it did not send back, since a later one came before they left";
    Flow rm_cells_lost ["1"] "RM cells of both directions that were refused, or lost on links";
    Port cell_loss_ratio ["1"] "cells refused over cells offered";
    Port packet_loss_ratio ["1"] "PDUs or packets of which any part was refused over those offered";
    Port marked_share ["1"] "cells or octets marked as having met congestion over those accepted, where the output marks";
    Port credit_share ["1"] "capacity spent on credits";
    Port stalled_share ["1"] "share of time in which cells waited and the link was idle because none of them had credit, where the far end controls it";
    Port utilization ["1"] "share of time in which the link was sending";
    Port idle_share ["1"] "share of time in which the link was idle";
    Port useful_share ["1"] "capacity spent on user data of greedy flows that arrived for the first time";
    Port padding_share ["1"] "capacity spent on headers, trailers and padding around that data";
    Port resent_share ["1"] "capacity spent on packets of greedy flows that brought nothing new";
    Port dead_cell_share ["1"] "capacity spent on cells of damaged PDUs of greedy flows, or on cells and packets that were refused or lost further on";
    Port background_share ["1"] "capacity spent on flows that are not greedy";
    Port control_share ["1"] "capacity spent on acknowledgments and RM cells of greedy flows";
    Port underway_share ["1"] "capacity spent on what had not arrived when counting ended, less that of what had not when it began";
    Port mean_queue ["cells"] "mean number of cells waiting, over time";
    Port max_queue ["cells"] "largest number of cells waiting";
    Port mean_load_factor ["1"] "ABR cells offered over those that a rate allocator had capacity for";
    Port mean_active_channels ["1"] "mean number of ABR channels that a rate allocator counted as active, over time";
    Port mean_fair_share ["cells/s"] "mean of what a rate allocator had to share out over the number of active channels, over time";
    Class utilization ["1"] "share of time in which the link was sending cells of the class";
    Class cell_loss_ratio ["1"] "cells of the class refused over cells offered";
    Class mean_wait ["s"] "mean time that cells of the class waited, for those that began to be sent";
    Class max_wait ["s"] "longest time that one of them waited";
    Class mean_queue ["cells"] "mean number of cells of the class waiting, over time";
    Class max_queue ["cells"] "largest number of cells of the class waiting";
    Link packets_lost ["1"] "PDUs or packets of which the link lost any part";
    Link packet_loss_ratio ["1"] "those over the PDUs or packets offered to the link";
    Link cells_lost ["1"] "cells that the link lost";
    Link cell_loss_ratio ["1"] "those over the cells offered to the link";
    Drop overflow ["cells"] "cells of a flow, or so many octets of whole packets, that an output refused since its buffer was full";
    Drop threshold ["cells"] "those that it refused although there was room, at a threshold or by chance, and what followed of their PDUs";
    Drop remainder ["cells"] "those that it refused since a part of their PDU had been lost for want of room";
    Drop pushed_out ["cells"] "those that it gave up for others";
    Drop policed ["cells"] "those that a policer before it dropped";
    Drop lost ["cells"] "those that the link beyond it lost";
}
