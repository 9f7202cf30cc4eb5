//! Every metric, in the order of a report, as a value or as a statistic of a quantity: its name, unit,
//! kind and meaning, each stated once.

use super::cause::Cause;
use super::metric::Metric;
use super::rows::{joined, number};

/// Former names of metrics, each with the metric that replaces it.
pub const RENAMED: &[(&str, &Metric)] = &[
    ("held_by_slow_start", flow::limited_by_slow_start),
    ("held_by_cwnd", flow::limited_by_congestion_window),
    ("held_by_window", flow::limited_by_receiver_window),
    ("held_by_rate", flow::limited_by_rate),
    ("held_by_handshake", flow::limited_by_handshake),
    ("held_by_application", flow::limited_by_application),
    ("held_by_timeout", flow::limited_by_timeout),
    ("held_by_link", flow::limited_by_link),
    ("held_by_acr", flow::limited_by_acr),
    ("held_by_contract", flow::limited_by_contract),
    ("held_by_credit", flow::limited_by_credit),
    ("limited_by_cwnd", flow::limited_by_congestion_window),
    ("limited_by_window", flow::limited_by_receiver_window),
    ("mean_active_channels", port::active_vcs::mean),
    ("packets_resent", flow::packets_retransmitted),
    ("resent_share", port::duplicate_share),
];

/// Every metric.
pub const METRICS: &[&Metric] = &joined::<{ number(ALL) }>(ALL);

metrics! {
    /// Metrics of the whole network.
    Network network {
        effective_throughput ["1", Share] "share of the bottleneck's capacity spent on packets of greedy flows that arrived for the first time: their goodput as a fraction of the largest goodput possible with that packet size";
        goodput ["bit/s", Amount] "user data per second that all flows delivered for the first time";
        greedy_goodput ["bit/s", Amount] "user data per second that greedy flows delivered for the first time, where other flows are not greedy; without such flows `goodput` is that of greedy flows";
        fairness_index ["1", Share] "Jain's fairness index of the goodputs of greedy flows, between 0 and 1";
        packets_trimmed ["1", Events] "packets that the outputs of the network trimmed";
        trimmed_sent ["1", Events] "trimmed packets that an output which trimmed them sent on, or that wait there: `SAI_SWITCH_STAT_TX_TRIM_PACKETS` of SAI";
        trimmed_dropped ["1", Events] "trimmed packets that did not fit into their queue, and were dropped by the output that trimmed them: `SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS` of SAI";
        packets_returned ["1", Events] "packets that did not fit even when they were trimmed, and that the outputs of the network sent back to their senders";
        unfinished_messages ["1", Count] "messages of all flows that began in the measured time and whose last octet had not arrived at its end";
    }
    /// Metrics of a flow.
    Flow flow {
        goodput ["bit/s", Amount] "user data per second that the flow delivered for the first time";
        efficiency ["1", Share of octets_delivered over octets_sent] "user data delivered for the first time over user data sent, retransmissions included";
        retransmission_ratio ["1", Frequency of packets_retransmitted over distinct_packets] "packets retransmitted over distinct packets sent; may exceed 1";
        timeouts ["1", Events] "number of retransmission timeouts";
        fast_retransmits ["1", Events] "number of fast retransmits: retransmissions after duplicate acknowledgments";
        spurious_retransmits ["1", Events] "retransmissions that the sender found to be needless, by time stamps, F-RTO or D-SACK; of each undone recovery, time stamps and F-RTO show only the first retransmission to be needless";
        given_up ["1", Share] "1 if the sender has given up the connection because the receiver no longer answered, 0 if not";
        loss_events ["1", Events] "number of loss events at the sender; all losses among the data outstanding at the first one are one event";
        pause ("s": mean over timeouts) "time from the last packet sent to the retransmission timeout that ends the silence";
        paused_share ["1", Share] "share of time in silences of the sender, each from the last packet sent to a retransmission timeout";
        delay ("s": mean over packets_delivered, median, p95, p99, p999, max) "delay of packets with new data, from sending by the transport to arrival" {
            max "longest delay of a packet with new data, from sending by the transport to arrival"
        };
        rtt ("s": mean over rtt_samples) "round-trip times that the sender measured" {
            mean "mean of the round-trip times that the sender measured"
        };
        messages ["1", Count] "messages that began in the measured time and whose last octet arrived, of sources that wait for each message before the next; the data of a connection that comes and goes is one message";
        unfinished_messages ["1", Count] "messages that began in the measured time and whose last octet had not arrived at its end; in means, quantiles and maxima they count with their ages, so that these are then lower bounds";
        completion_time ("s": mean over messages, median, p95, p99, p999, max) "time from handing a message to the transport to the arrival of its last octet";
        unacknowledged_messages ["1", Count] "messages that began in the measured time and whose last octet was not acknowledged at its end";
        acknowledged_time ("s": mean, median, p99, max) "time from handing a message to the transport to the acknowledgment of its last octet";
        slowdown ("1": mean over messages, median, p95, p99, p999, max) "slowdown of connections" {
            mean "mean slowdown of connections: the completion time over the time in which an idle path delivers the data"
            max "largest slowdown of a connection"
        };
        short_connections ["1", Count] "short connections that were completed; parameters of the source bound the sizes of short and of medium connections";
        unfinished_short_connections ["1", Count] "short connections that began in the measured time and were not completed at its end";
        short_completion_time ("s": mean over short_connections, median, p99, p999) "completion time of short connections";
        short_slowdown ("1": mean over short_connections, median, p99, p999) "slowdown of short connections";
        medium_connections ["1", Count] "medium connections that were completed; parameters of the source bound the sizes of short and of medium connections";
        unfinished_medium_connections ["1", Count] "medium connections that began in the measured time and were not completed at its end";
        medium_completion_time ("s": mean over medium_connections, median, p99, p999) "completion time of medium connections";
        medium_slowdown ("1": mean over medium_connections, median, p99, p999) "slowdown of medium connections";
        long_connections ["1", Count] "long connections that were completed; parameters of the source bound the sizes of short and of medium connections";
        unfinished_long_connections ["1", Count] "long connections that began in the measured time and were not completed at its end";
        long_completion_time ("s": mean over long_connections, median, p99, p999) "completion time of long connections";
        long_slowdown ("1": mean over long_connections, median, p99, p999) "slowdown of long connections";
        arrivals ["1", Count] "connections that arrived, refused ones included";
        refused_arrivals ["1", Events] "connections that arrived while as many as allowed were open";
        connections ("1": mean over time, max) "number of open connections";
        open_connections ["1", Count] "connections open at the end of the measured time";
        limited_by_slow_start ["1", Share] "share of time the flow was limited by a congestion window below ssthresh; all `limited_by_` shares of a flow add up to 1";
        limited_by_congestion_window ["1", Share] "share of time the flow was limited by a congestion window at or above ssthresh";
        limited_by_receiver_window ["1", Share] "share of time the flow was limited by the window or the pulls of the receiver, or by the output buffer of XTP";
        limited_by_rate ["1", Share] "share of time the flow was limited by the rate control of XTP";
        limited_by_pacing ["1", Share] "share of time the flow was limited by the pacing of TCP: the windows had space, and the next segment waited for its turn";
        limited_by_handshake ["1", Share] "share of time the flow was limited by the opening of a connection, or by a synchronising handshake";
        limited_by_application ["1", Share] "share of time the flow was application-limited: it had nothing to send, and nothing else held it back";
        limited_by_timeout ["1", Share] "share of time the flow was limited by a retransmission timer: the sender was silent until it expired";
        limited_by_link ["1", Share] "share of time the flow was limited by the link of the sending host: its packets waited there, or were being sent";
        limited_by_acr ["1", Share] "share of time the flow was limited by the allowed cell rate (ACR) of ABR: its cells waited at the sending host, and not for credit";
        limited_by_contract ["1", Share] "share of time the flow was limited by a traffic contract: its cells waited at the sending host to conform to it, and not for credit";
        limited_by_credit ["1", Share] "share of time the flow was limited by credit: its cells waited for it at the sending host";
        packets_sent ["1", Count] "packets sent, retransmissions included";
        distinct_packets ["1", Count] "packets sent for the first time, retransmissions not included";
        packets_retransmitted ["1", Events] "packets retransmitted";
        octets_sent ["B", Count] "octets of user data sent, retransmissions included";
        octets_delivered ["B", Count] "octets of user data delivered for the first time";
        packets_delivered ["1", Count] "packets that arrived with new data";
        rtt_samples ["1", Count] "number of round-trip times that the sender measured";
        cells_policed ["1", Events] "all cells of the flow that its policer checked against the traffic contract, the policed cells: those that it passed, tagged or not, and those that it dropped";
        cells_tagged ["1", Events] "cells of the flow that its policer passed with a tag, which sets their cell loss priority (CLP); a part of the policed cells";
        cells_dropped ["1", Events] "cells of the flow that its policer dropped, without those that buffers dropped; a part of the policed cells";
        packets_damaged ["1", Events] "PDUs that arrived incomplete, or merged with another";
        octets_damaged ["B", Events] "octets on the wire of PDUs that arrived incomplete, or merged with another, and of packets that arrived trimmed";
        source_queue ("cells": mean over time, max) "number of cells waiting at a sending host that paces them";
        rm_cells_in_rate ["1", Count] "forward RM cells sent within the allowed cell rate (ACR) of ABR";
        rm_cells_out_of_rate ["1", Events] "forward RM cells sent out of rate, because the allowed cell rate (ACR) was close to zero";
        rm_cells_turned_around ["1", Count] "forward RM cells that the receiving host turned around";
        rm_cells_overwritten ["1", Events] "forward RM cells that the receiving host did not turn around, because a later one took their place";
        rm_cells_lost ["1", Events] "RM cells of both directions that were dropped, or lost on links";
        trimmed_arrived ["1", Events] "packets of a flow that arrived trimmed, where outputs of its path trim";
        reordered_share ["1", Chance over packets_arrived] "share of the packets of a flow with several paths that arrived after a packet that was sent later; with connections that come and go, a later one of the same connection";
        reordering_extent ("1": mean over reordered_packets, max) "extent of reordered packets: the packets that arrived from the first that was sent later on, up to the reordered packet" {
            max "largest extent of a reordered packet"
        };
        reordered_packets ["1", Events] "packets of a flow with several paths that arrived after a packet that was sent later";
        packets_arrived ["1", Count] "packets of a flow with several paths that arrived";
    }
    /// Metrics of an output of a switch or router.
    Port port {
        cell_loss_ratio ["1", Chance over cells_offered] "cells dropped at the output over cells offered to it";
        packet_loss_ratio ["1", Chance over packets_offered] "PDUs or packets dropped, in whole or in part, over those offered to the output";
        loss_bursts ["1", Count] "bursts of drops at an output of whole packets: a burst ends when as much has left the queue as waited at its last drop; reported where anything was dropped";
        loss_burst_squares ["1", Count] "sum of the squares of the sizes of `loss_bursts`, in packets; with the other counts it gives intervals of loss ratios";
        marked_share ["1", Chance over units_accepted] "cells, or octets of packets, with a congestion mark over those accepted, at an output that marks";
        credit_share ["1", Share] "share of capacity spent on credits and check cells, at an output that sends them";
        link_control_share ["1", Share] "share of capacity spent on control frames of the link itself, such as pause frames and messages about credits, at an output that sends them";
        stalled_share ["1", Share] "share of time in which cells, or packets, waited and the link was idle for want of credit, on a link with credit";
        utilization ["1", Share] "share of time in which the link was sending";
        retry_share ["1", Share] "share of time in which the link carried replays and control ordered sets of link-level retry";
        idle_share ["1", Share] "share of time in which the link was idle";
        useful_share ["1", Share] "share of capacity spent on user data of all flows that arrived for the first time";
        greedy_useful_share ["1", Share] "share of capacity spent on user data of greedy flows that arrived for the first time; without other flows it is `useful_share`";
        padding_share ["1", Share] "share of capacity spent on headers, trailers and padding of new data of greedy flows";
        duplicate_share ["1", Share] "share of capacity spent on packets of greedy flows that arrived whole and carried only data that had arrived before";
        dead_cell_share ["1", Share] "share of capacity spent on cells of damaged PDUs of greedy flows, or on cells and packets dropped or lost further on";
        background_share ["1", Share] "share of capacity spent on flows that are not greedy, their part of `useful_share` included";
        control_share ["1", Share] "share of capacity spent on acknowledgments and RM cells of greedy flows";
        underway_share ["1", Difference] "share of capacity spent on data still in the network when counting ended, less data already in it when counting began";
        queue ("cells": mean over time, max) "number of cells waiting at the output" {
            mean "mean number of cells waiting at the output, over time; an output of whole packets has `mean_queue_octets`"
        };
        queue_octets ("B": mean over time, max) "number of octets of whole packets waiting at the output" {
            mean "mean number of octets of whole packets waiting at the output, over time; with `memory`, the octets of the cells that they take there"
            max "largest number of octets of whole packets waiting at the output, counted as for `mean_queue_octets`"
        };
        cells_offered ["1", Count] "cells offered to the buffer of the output";
        packets_offered ["1", Count] "PDUs or packets offered to the buffer of the output";
        units_accepted ["1", Count] "cells, or octets of packets, accepted at an output that marks, including those dropped later";
        packets_trimmed ["1", Events] "packets that did not fit into the buffer, and lost all but their first octets, at an output that trims: `SAI_PORT_STAT_TRIM_PACKETS` of SAI";
        trimmed_sent ["1", Events] "packets trimmed at the output that it sent on, or that wait there: `SAI_PORT_STAT_TX_TRIM_PACKETS` of SAI";
        trimmed_dropped ["1", Events] "packets trimmed at the output that did not fit into their queue either, and were dropped: `SAI_PORT_STAT_DROPPED_TRIM_PACKETS` of SAI";
        packets_returned ["1", Events] "packets that did not fit even when they were trimmed, there or before, and that the output sent back to their senders";
        load_factor ("1": mean over abr_capacity) "ABR cells offered over the ABR cells that the link has capacity for" {
            mean "ABR cells offered over the ABR cells that the link has capacity for, as a rate allocator counts them"
        };
        active_vcs ("1": mean over allocation_time) "number of ABR VCs that a rate allocator counted as active" {
            mean "mean number of ABR VCs that a rate allocator counted as active, over time"
        };
        fair_share ("cells/s": mean over allocation_time) "capacity that a rate allocator shares out, divided by the number of active VCs" {
            mean "mean over time of the capacity that a rate allocator shares out, divided by the number of active VCs"
        };
        abr_capacity ["1", Count] "ABR cells that the link has capacity for, as a rate allocator counts them";
        allocation_time ["s", Count] "time over which a rate allocator averaged: the sum of its averaging intervals";
        input_wait ("s": mean over cells_crossed) "time that cells for the output waited in virtual output queues or limited input queues, from the end of the slot in which they arrived";
        matched_share ["1", Chance over requested_matchings] "share of the matchings in which an input had a cell for the output that moved a cell to it";
        input_queue ("cells": mean over time, max) "number of cells for the output that waited in virtual output queues or limited input queues" {
            max "largest number of cells for the output in virtual output queues or limited input queues, right before cells cross"
        };
        reorder_buffer ("B": max) "octets of cells of a scheduled fabric that waited at its egress for the rest of their packet, or for packets before it" {
            max "most octets of cells of a scheduled fabric that waited at its egress for the rest of their packet, or for packets before it"
        };
        cells_crossed ["1", Count] "cells that crossed from virtual output queues or limited input queues to the output";
        requested_matchings ["1", Count] "matchings in which an input had a cell for the output";
    }
    /// Metrics of a service class at an output.
    Class class {
        utilization ["1", Share] "share of time in which the link was sending cells of the class";
        cell_loss_ratio ["1", Chance over cells_offered] "cells of the class dropped over cells of the class offered";
        wait ("s": mean over cells_started, max) "waiting time of cells of the class whose transmission began" {
            max "longest waiting time of a cell of the class whose transmission began"
        };
        queue ("cells": mean over time, max) "number of cells of the class waiting";
        cells_offered ["1", Count] "cells of the class offered to the buffer";
        cells_started ["1", Count] "cells of the class whose transmission began";
    }
    /// Metrics of a link that loses, may be paused, or has retry or credits for packets, in one
    /// direction.
    Link link {
        packets_lost ["1", Events] "PDUs or packets that the link lost in whole or in part; with retry, those that it did not deliver after all";
        packet_loss_ratio ["1", Chance over packets_offered] "PDUs or packets lost, in whole or in part, over those offered to the link";
        cells_lost ["1", Events] "cells that the link lost";
        cell_loss_ratio ["1", Chance over cells_offered] "cells lost over cells offered to the link";
        fragments_lost ["1", Events] "parts of whole packets in frames that the link lost; a packet with any of them is lost";
        fragment_loss_ratio ["1", Chance over fragments_offered] "fragments of packets lost over those offered to the link";
        packets_offered ["1", Count] "PDUs or packets offered to the link";
        fragments_offered ["1", Count] "fragments of packets offered to the link: for each packet, the frames that hold a part of it";
        cells_offered ["1", Count] "cells offered to the link";
        pause_frames ["1", Events] "pause frames that the receiving end of the link sent, against this direction";
        pause_frames_received ["1", Events] "pause frames that the sending end of the link received";
        link_paused_share ["1", Share] "share of time in which the sending end was paused in at least one priority";
        headroom ("B": max) "number of octets that the receiving end held beyond xoff, or beyond a dynamic threshold, in one priority";
        headroom_drops ["1", Events] "packets dropped at the receiving end because its headroom was used up";
        credits_used ("1": last, max) "credits in use at the sending end, on a link with credits for packets" {
            last "credits in use at the sending end when counting ended, on a link with credits for packets: `CBFC_SENDER_CREDITS_USED` of SAI"
            max "most credits in use at the sending end, on a link with credits for packets: `CBFC_SENDER_CREDITS_USED_WATERMARK` of SAI"
        };
        credits_consumed ["1", Count] "credits that packets took at the sending end: `SENDER_CREDITS_CONSUMED` of SAI";
        credits_freed ["1", Count] "credits that came back to the sending end: `SENDER_CREDITS_FREED` of SAI";
        credits_recovered ["1", Events] "credits of packets that the link lost, which the receiving end found by a `CC_Update`";
        cf_updates_sent ["1", Count] "`CF_Update` messages that the receiving end sent, against this direction: `CBFC_NUM_CF_UPDATE_MESSAGES_TX` of SAI";
        cf_updates_received ["1", Count] "`CF_Update` messages that the sending end received: `CBFC_NUM_CF_UPDATE_MESSAGES_RX` of SAI";
        cc_updates_sent ["1", Count] "`CC_Update` messages that the sending end sent: `CBFC_NUM_CC_UPDATE_MESSAGES_TX` of SAI";
        cc_updates_received ["1", Count] "`CC_Update` messages that the receiving end received: `CBFC_NUM_CC_UPDATE_MESSAGES_RX` of SAI";
        retry_share ["1", Share] "share of time in which a link with retry carried replays and control ordered sets";
        replay_share ["1", Share] "share of time in which a link with retry carried replays";
        frames_replayed ["1", Events] "frames that a link with retry sent again";
        replay_ratio ["1", Frequency of frames_replayed over frames_sent] "frames sent again over frames sent for the first time, on a link with retry; may exceed 1";
        frames_lost ["1", Events] "transmissions of frames that a link with retry lost or damaged, replays included";
        frame_loss_ratio ["1", Chance over transmissions] "transmissions of frames lost or damaged over all of them, on a link with retry";
        transmissions ["1", Count] "transmissions of frames on a link with retry, replays included";
        frames_sent ["1", Count] "frames that a link with retry sent for the first time, with a number";
        frames_given_up ["1", Events] "frames that a link with retry gave up after too many replays";
        frames_discarded ["1", Events] "frames that the near end of a link with retry received and discarded, because they were not the expected ones: `LLR_RX_MISSING_SEQ` and `LLR_RX_DUPLICATE_SEQ` of SAI";
        acks_sent ["1", Events] "ACKs that the near end of a link with retry sent: `LLR_TX_ACK_CTL_OS` of SAI";
        nacks_sent ["1", Events] "NACKs that the near end of a link with retry sent: `LLR_TX_NACK_CTL_OS` of SAI";
        replay_timeouts ["1", Events] "expirations of the replay timer of a link with retry";
        flushes ["1", Events] "times at which the sender of a link with retry gave up its replay buffer and began anew";
    }
    /// Metrics of a priority of a link that may be paused, or of a virtual channel of a link with credits
    /// for packets, in one direction.
    Priority priority {
        packets_sent ["1", Count] "packets of the priority whose transmission began; without those that retry sends again";
        held_back_share ["1", Share] "share of time in which packets of the priority waited, and a pause or too few credits held the first of them back";
        pause_frames ["1", Count] "pause frames that the receiving end of the link sent, against this direction, which pause or resume the priority: `SAI_PORT_STAT_PFC_n_TX_PKTS` of SAI at that end";
        pause_frames_received ["1", Count] "pause frames that the sending end of the link received, which pause or resume the priority: `SAI_PORT_STAT_PFC_n_RX_PKTS` of SAI";
        priority_paused_share ["1", Share] "share of time in which the sending end was paused in the priority";
        priority_paused_time ["s", Count] "time in which the sending end was paused in the priority; `SAI_PORT_STAT_PFC_n_RX_PAUSE_DURATION` of SAI adds up the quanta of pause frames instead";
        headroom ("B": max) "number of octets of the priority that the receiving end held beyond its threshold";
        headroom_drops ["1", Events] "packets of the priority dropped at the receiving end because its headroom was used up";
        credits_used ("1": last, mean over time, max) "number of credits of the virtual channel in use at the sending end" {
            last "credits of the virtual channel in use at the sending end when counting ended: `SAI_VIRTUAL_CHANNEL_STAT_SENDER_CREDITS_USED` of SAI"
            max "most credits of the virtual channel in use at the sending end: `SAI_VIRTUAL_CHANNEL_STAT_SENDER_CREDITS_USED_WATERMARK` of SAI"
        };
        credits_consumed ["1", Count] "credits that packets of the virtual channel took at the sending end: `SAI_VIRTUAL_CHANNEL_STAT_SENDER_CREDITS_CONSUMED` of SAI";
        credits_freed ["1", Count] "credits of the virtual channel that came back to the sending end: `SAI_VIRTUAL_CHANNEL_STAT_SENDER_CREDITS_FREED` of SAI";
        credits_received ["1", Count] "credits of packets of the virtual channel that arrived at the receiving end, or that it found to be lost: `SAI_VIRTUAL_CHANNEL_STAT_RECEIVER_CREDITS_CONSUMED` of SAI";
        credits_released ["1", Count] "credits of the virtual channel that the receiving end freed: `SAI_VIRTUAL_CHANNEL_STAT_RECEIVER_CREDITS_FREED` of SAI";
        credits_recovered ["1", Events] "credits of packets of the virtual channel that the link lost, which the receiving end found by a `CC_Update`";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Statistic;

    /// A name that begins like a statistic belongs to a quantity, which states its unit and meaning.
    #[test]
    fn a_name_that_begins_with_a_statistic_is_one() {
        for metric in METRICS {
            let expected = match metric.name.split_once('_') {
                Some(("mean", _)) => Statistic::Mean,
                Some(("median", _)) => Statistic::Quantile(500),
                Some(("p95", _)) => Statistic::Quantile(950),
                Some(("p99", _)) => Statistic::Quantile(990),
                Some(("p999", _)) => Statistic::Quantile(999),
                Some(("max", _)) => Statistic::Max,
                _ => Statistic::Value,
            };
            assert_eq!(metric.statistic, expected, "{metric:?}");
        }
    }

    #[test]
    fn no_two_metrics_of_a_scope_have_the_same_name() {
        for (number, metric) in METRICS.iter().enumerate() {
            assert!(!METRICS[..number].contains(metric), "{metric:?}");
        }
    }
}
