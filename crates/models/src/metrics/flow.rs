//! Counts at the two ends of a flow.
//!
//! Sources: RFC 5348, section 5.2, for a loss event; Kung and Morris, "Detailed Behavior of TCP
//! over ATM", 1995, for a pause, which lasts from the last packet to the timeout; RFC 2647, section
//! 3.17, for goodput.

use kernel::{Duration, Time};

use super::limits::{Below, Limit, LimitMeter};
use super::metric::Measurement;
use super::policer::PolicerMeter;
use super::reordering::ReorderingMeter;
use super::table::flow;

/// Counts of the sending end.
#[derive(Clone, Copy, Debug, Default)]
pub struct SenderMeter {
    /// Packets sent, retransmissions included.
    pub packets: u64,
    /// Packets sent for the first time.
    pub distinct: u64,
    /// User octets sent, retransmissions included.
    pub octets: u64,
    /// Retransmission timeouts.
    pub timeouts: u32,
    /// Fast retransmits.
    pub fast_retransmits: u32,
    /// Loss events: all losses among the data outstanding at the first loss are one event.
    pub loss_events: u32,
    /// Retransmissions found to be needless.
    pub spurious: u32,
    /// True if the sender has given up the connection, at any time of the run.
    pub gave_up: bool,
    round_trips: u32,
    /// Octets on the wire that arrived from the receiver.
    pub answered: u64,
    /// Cells of the packets from the receiver, if cells carry the flow all the way or between
    /// edges.
    pub answered_cells: u64,
    counting_since: Time,
    /// Time of the last packet sent.
    last_sent: Time,
    /// Sum of the silences that ended in a timeout.
    pauses: Duration,
    /// The part of the silences in `pauses` within the measured time.
    paused: Duration,
    /// End of the data that had been sent at the last loss event.
    event_end: u64,
    round_trip_time: f64,
}

impl SenderMeter {
    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = SenderMeter {
            counting_since: now,
            last_sent: self.last_sent,
            event_end: self.event_end,
            gave_up: self.gave_up,
            ..SenderMeter::default()
        };
    }

    /// A packet without data is sent that asks for an acknowledgment; it does not end a silence.
    pub fn probed(&mut self) {
        self.packets += 1;
        self.distinct += 1;
    }

    /// A packet of `octets` user octets is sent.
    pub fn sent(&mut self, now: Time, octets: u64, first_time: bool) {
        self.last_sent = now;
        self.packets += 1;
        self.distinct += u64::from(first_time);
        self.octets += octets;
    }

    /// Moves the counts of a connection here, and leaves it the state that its next counts need.
    pub fn take_from(&mut self, part: &mut SenderMeter) {
        self.packets += part.packets;
        self.distinct += part.distinct;
        self.octets += part.octets;
        self.timeouts += part.timeouts;
        self.fast_retransmits += part.fast_retransmits;
        self.loss_events += part.loss_events;
        self.spurious += part.spurious;
        self.round_trips += part.round_trips;
        self.pauses += part.pauses;
        self.paused += part.paused;
        self.round_trip_time += part.round_trip_time;
        *part = SenderMeter {
            counting_since: self.counting_since,
            last_sent: part.last_sent,
            event_end: part.event_end,
            ..SenderMeter::default()
        };
    }

    /// Time of the last packet sent.
    pub fn last_sent(&self) -> Time {
        self.last_sent
    }

    /// The retransmission timer expires when all octets before `una` are acknowledged, and octets
    /// up to `max` were sent.
    pub fn timed_out(&mut self, now: Time, una: u64, max: u64) {
        self.timeouts += 1;
        self.pauses += now.since(self.last_sent);
        self.paused += now.since(self.last_sent.max(self.counting_since));
        // XTP also sends a packet right after a timeout, but this packet carries no data and is not
        // counted.
        self.last_sent = now;
        self.noticed_loss(una, max);
        // The loss of a retransmission belongs to the event of the first loss.
        self.event_end = max;
    }

    /// Duplicate acknowledgments trigger a fast retransmit while the data from `una` to `max` is
    /// outstanding.
    pub fn fast_retransmitted(&mut self, una: u64, max: u64) {
        self.fast_retransmits += 1;
        self.noticed_loss(una, max);
    }

    fn noticed_loss(&mut self, una: u64, max: u64) {
        if una >= self.event_end {
            self.loss_events += 1;
            self.event_end = max;
        }
    }

    /// Mean of the measured round-trip times; none without a sample.
    pub fn mean_round_trip(&self) -> Option<f64> {
        (self.round_trips > 0).then(|| self.round_trip_time / f64::from(self.round_trips))
    }

    /// A round-trip time is measured.
    pub fn round_trip(&mut self, time: Duration) {
        self.round_trips += 1;
        self.round_trip_time += time.seconds();
    }
}

/// Counts of the receiving end.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReceiverMeter {
    /// User octets that arrived for the first time.
    pub user: u64,
    /// Octets on the wire of packets with new data.
    pub useful: u64,
    /// Octets on the wire of packets without new data.
    pub duplicate: u64,
    /// Cells of packets with new data, if cells carry the flow all the way or between edges.
    pub useful_cells: u64,
    /// Cells of packets without new data, if cells carry the flow all the way or between edges.
    pub duplicate_cells: u64,
    /// Octets on the wire of damaged PDUs and of trimmed packets.
    pub damaged: u64,
    /// Octets on the wire of RM cells.
    pub control: u64,
    /// Damaged PDUs.
    pub damaged_packets: u32,
    /// Trimmed packets; their octets on the wire are among those of damaged PDUs.
    pub trimmed_packets: u32,
}

impl ReceiverMeter {
    /// A whole packet arrives with `new` user octets that had not arrived before; the packet took
    /// `wire` octets on the last link, in `cells` cells if it was segmented.
    pub fn arrived(&mut self, wire: u64, cells: u32, new: u64) {
        if new == 0 {
            self.duplicate += wire;
            self.duplicate_cells += u64::from(cells);
            return;
        }
        self.user += new;
        self.useful += wire;
        self.useful_cells += u64::from(cells);
    }

    /// The remaining cells of one or more damaged PDUs arrive.
    pub fn damaged(&mut self, wire: u64) {
        self.damaged += wire;
        self.damaged_packets += 1;
    }

    /// A trimmed packet arrives, with `wire` octets.
    pub fn trimmed(&mut self, wire: u64) {
        self.damaged += wire;
        self.trimmed_packets += 1;
    }
}

/// Octets on the wire, of one virtual channel, that an edge receives and does not forward.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnforwardedOctets {
    /// Octets of damaged PDUs.
    pub damaged: u64,
    /// Octets of RM cells.
    pub control: u64,
}

/// Round-trip times that are shorter than a silence in which the sender waits for its timer.
/// Acknowledgments of a sender that only its window limits arrive in each round-trip time, which
/// the queues may lengthen a little. The number is ours.
const ROUND_TRIPS: f64 = 4.0;

/// Both ends of a flow, read at the end of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowReading {
    /// Counts of the sending end.
    pub sender: SenderMeter,
    /// Counts of the receiving end.
    pub receiver: ReceiverMeter,
    /// Octets of damaged PDUs and RM cells that the last edge of the path does not
    /// forward, by direction.
    pub unforwarded: [UnforwardedOctets; 2],
    /// Time during which each limit applied to the flow, until the end of the run.
    pub limited: LimitMeter,
    /// All limits that the transport of the sender may report.
    pub limits: &'static [Limit],
    /// Limits below the transport, at the host.
    pub below: Below,
    /// True if the sender detects retransmissions that were needless.
    pub finds_spurious: bool,
    /// True if the sender gives up when the receiver no longer answers.
    pub may_give_up: bool,
    /// Time since the last event of the sender in which none of its data waited at the host, if the
    /// retransmission timer runs.
    pub silence: Duration,
    /// Counts of the policer, if the flow passes one.
    pub policed: Option<PolicerMeter>,
    /// True if an output on the path of the flow trims packets.
    pub may_be_trimmed: bool,
    /// Counts of reordering, if the flow has several paths.
    pub reordering: Option<ReorderingMeter>,
}

impl FlowReading {
    /// User data delivered for the first time, in bits per second.
    pub fn goodput(&self, span: Duration) -> f64 {
        self.receiver.user as f64 * 8.0 / span.seconds()
    }

    /// Counts the silence at the end as waiting for the retransmission timer, as it will be counted
    /// once the timer expires, if it is longer than acknowledgments take: [`ROUND_TRIPS`] of the
    /// larger of the mean round-trip time and `idle`, that of the idle path. A shorter silence is
    /// none.
    pub fn judge_silence(&mut self, idle: Duration) {
        let mean = self.sender.mean_round_trip().unwrap_or(0.0);
        if self.silence.seconds() > ROUND_TRIPS * mean.max(idle.seconds()) {
            self.limited.wait_for_timer(self.silence);
        } else {
            self.silence = Duration::ZERO;
        }
    }

    /// Metrics with their values, over the `span` that was counted. A mean over events is not
    /// reported if there was no event.
    pub fn metrics(&self, span: Duration) -> Vec<Measurement> {
        let (sender, receiver) = (&self.sender, &self.receiver);
        let mut metrics = vec![(flow::goodput, self.goodput(span))];
        let mut ratio = |metric, part: f64, whole: f64| {
            if whole > 0.0 {
                metrics.push((metric, part / whole));
            }
        };
        let retransmitted = sender.packets - sender.distinct;
        ratio(flow::efficiency, receiver.user as f64, sender.octets as f64);
        ratio(
            flow::retransmission_ratio,
            retransmitted as f64,
            sender.distinct as f64,
        );
        ratio(
            flow::rtt::mean,
            sender.round_trip_time,
            f64::from(sender.round_trips),
        );
        ratio(
            flow::pause::mean,
            sender.pauses.seconds(),
            f64::from(sender.timeouts),
        );
        metrics.extend([
            (flow::timeouts, f64::from(sender.timeouts)),
            (flow::fast_retransmits, f64::from(sender.fast_retransmits)),
            (flow::loss_events, f64::from(sender.loss_events)),
        ]);
        if self.finds_spurious {
            metrics.push((flow::spurious_retransmits, f64::from(sender.spurious)));
        }
        if self.may_give_up {
            metrics.push((flow::given_up, f64::from(u8::from(sender.gave_up))));
        }
        // The connections of a flow that come and go pause and are limited each by itself.
        if !self.limits.is_empty() {
            let paused = sender.paused.seconds() / span.seconds();
            metrics.push((flow::paused_share, paused));
            metrics.extend(self.limited.shares(self.limits, self.below, span));
        }
        metrics.extend([
            (flow::packets_sent, sender.packets as f64),
            (flow::distinct_packets, sender.distinct as f64),
            (flow::packets_retransmitted, retransmitted as f64),
            (flow::octets_sent, sender.octets as f64),
            (flow::octets_delivered, receiver.user as f64),
            (flow::rtt_samples, f64::from(sender.round_trips)),
            (flow::packets_damaged, receiver.damaged_packets.into()),
            (flow::octets_damaged, receiver.damaged as f64),
        ]);
        if self.may_be_trimmed {
            metrics.push((flow::trimmed_arrived, receiver.trimmed_packets.into()));
        }
        metrics.extend(self.policed.iter().flat_map(PolicerMeter::metrics));
        metrics.extend(self.reordering.iter().flat_map(ReorderingMeter::metrics));
        metrics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Metric;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    /// A metric of a sender, counted over 10 us.
    fn value(sender: SenderMeter, wanted: &Metric) -> Option<f64> {
        let reading = FlowReading {
            sender,
            limits: &[Limit::Application],
            ..FlowReading::default()
        };
        let metrics = reading.metrics(Duration::from_us(10));
        metrics
            .iter()
            .find(|(metric, _)| *metric == wanted)
            .map(|found| found.1)
    }

    #[test]
    fn a_pause_is_whole_in_the_mean_and_cut_at_the_warm_up_in_the_share() {
        let mut sender = SenderMeter::default();
        assert_eq!(value(sender, flow::pause::mean), None);
        assert_eq!(value(sender, flow::rtt::mean), None);
        sender.sent(AT(2), 100, true);
        sender.begin(AT(4));
        sender.timed_out(AT(8), 0, 100);
        let value = |metric: &Metric| value(sender, metric).expect(metric.name);
        assert!((value(flow::pause::mean) - 6e-6).abs() < 1e-15);
        assert!((value(flow::paused_share) - 0.4).abs() < 1e-12);
    }

    #[test]
    fn timeouts_in_a_row_end_a_silence_each() {
        let mut sender = SenderMeter::default();
        sender.sent(AT(2), 100, true);
        sender.timed_out(AT(4), 0, 100);
        sender.timed_out(AT(8), 0, 100);
        let value = |metric: &Metric| value(sender, metric).expect(metric.name);
        assert!((value(flow::pause::mean) - 3e-6).abs() < 1e-15);
        assert!((value(flow::paused_share) - 0.6).abs() < 1e-12);
    }

    #[test]
    fn losses_among_the_outstanding_data_are_one_event() {
        let mut sender = SenderMeter::default();
        sender.fast_retransmitted(100, 500);
        sender.timed_out(AT(5), 300, 700);
        sender.fast_retransmitted(600, 900);
        assert_eq!(sender.loss_events, 1);
        sender.fast_retransmitted(700, 900);
        assert_eq!(sender.loss_events, 2);
        assert_eq!((sender.timeouts, sender.fast_retransmits), (1, 3));
    }
}
