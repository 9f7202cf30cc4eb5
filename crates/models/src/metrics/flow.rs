//! Counting at the two ends of a flow.

use kernel::{Duration, Time};

use super::policer::PolicerMeter;

/// What keeps a sender from sending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// There is nothing to send.
    #[default]
    Application,
    /// The congestion window.
    Cwnd,
    /// The window of the receiver, or the output buffer of the sender.
    Window,
    /// The rate that the transport keeps to.
    Rate,
    /// The two ends find out what has arrived.
    Handshake,
}

impl Limit {
    /// Name of the metric that is the share of time under it.
    fn metric(self) -> &'static str {
        match self {
            Limit::Application => "limited_by_application",
            Limit::Cwnd => "limited_by_cwnd",
            Limit::Window => "limited_by_window",
            Limit::Rate => "limited_by_rate",
            Limit::Handshake => "limited_by_handshake",
        }
    }
}

/// What the sending end counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct SenderMeter {
    /// Packets sent, repetitions included.
    pub packets: u64,
    /// Packets sent for the first time.
    pub distinct: u64,
    /// User octets sent, repetitions included.
    pub octets: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Fast retransmissions.
    pub fast_retransmits: u64,
    /// Losses noticed; those among what was outstanding at the first of them are one event.
    pub loss_events: u64,
    /// Octets on the wire that came back from the receiver.
    pub answered: u64,
    /// Cells that packets from there were cut into, all the way or between edges.
    pub answered_cells: u64,
    counting_since: Time,
    /// When a packet was last sent.
    last_sent: Time,
    /// Silences that ended in a timeout.
    pauses: Duration,
    /// As much of them as was counted over.
    paused: Duration,
    /// What had been sent when the last loss event was noticed ends here.
    event_end: u64,
    round_trips: u64,
    round_trip_time: f64,
    limit: Limit,
    limited_since: Time,
    /// Time spent under each limit.
    limited: [Duration; 5],
}

impl SenderMeter {
    /// Starts again at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = SenderMeter {
            counting_since: now,
            last_sent: self.last_sent,
            event_end: self.event_end,
            limit: self.limit,
            limited_since: now,
            ..SenderMeter::default()
        };
    }

    /// A packet of `octets` user octets was sent.
    pub fn sent(&mut self, now: Time, octets: u64, first_time: bool) {
        self.last_sent = now;
        self.packets += 1;
        self.distinct += u64::from(first_time);
        self.octets += octets;
    }

    /// The retransmission timer expired when all before `una`, of what had been sent before `max`,
    /// was acknowledged.
    pub fn timed_out(&mut self, now: Time, una: u64, max: u64) {
        self.timeouts += 1;
        self.pauses += now.since(self.last_sent);
        self.paused += now.since(self.last_sent.max(self.counting_since));
        self.noticed_loss(una, max);
        // What is repeated after a timeout, and lost again, is still the same event.
        self.event_end = max;
    }

    /// Duplicates made a fast retransmission, with the same outstanding.
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

    /// A round-trip time was measured.
    pub fn round_trip(&mut self, time: Duration) {
        self.round_trips += 1;
        self.round_trip_time += time.seconds();
    }

    /// From `now` on, `limit` keeps the sender from sending.
    pub fn limited(&mut self, now: Time, limit: Limit) {
        self.limited[self.limit as usize] += now.since(self.limited_since);
        self.limit = limit;
        self.limited_since = now;
    }
}

/// What the receiving end counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReceiverMeter {
    /// User octets that arrived for the first time.
    pub user: u64,
    /// Octets on the wire of the packets that brought them.
    pub useful: u64,
    /// Octets on the wire of packets that brought nothing new.
    pub resent: u64,
    /// Cells that the former were cut into, all the way or between edges.
    pub useful_cells: u64,
    /// Cells that the latter were.
    pub resent_cells: u64,
    /// Octets on the wire of damaged PDUs.
    pub damaged: u64,
    /// Octets on the wire of RM cells.
    pub control: u64,
    /// Damaged PDUs.
    pub damaged_packets: u64,
    delays: u64,
    delay: f64,
}

impl ReceiverMeter {
    /// A whole packet arrived, `delay` after it was sent, and brought `new` user octets; it took `wire`
    /// octets on the last link, and `cells` where it was cut into any.
    pub fn arrived(&mut self, wire: u64, cells: u32, new: u64, delay: Duration) {
        if new == 0 {
            self.resent += wire;
            self.resent_cells += u64::from(cells);
            return;
        }
        self.user += new;
        self.useful += wire;
        self.useful_cells += u64::from(cells);
        self.delays += 1;
        self.delay += delay.seconds();
    }

    /// The remains of one or more PDUs arrived.
    pub fn damaged(&mut self, wire: u64) {
        self.damaged += wire;
        self.damaged_packets += 1;
    }
}

/// Octets on the wire that end at an edge, on one virtual channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// Damaged PDUs.
    pub damaged: u64,
    /// RM cells.
    pub control: u64,
}

/// Both ends of a flow, read at the end of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowReading {
    /// The sending end.
    pub sender: SenderMeter,
    /// The receiving end.
    pub receiver: ReceiverMeter,
    /// What ends at the last edge on the way there, and at the last on the way back, if it passes any.
    pub kept: [Kept; 2],
    /// What may keep the sender from sending.
    pub limits: &'static [Limit],
    /// What a policer made of its cells, if it passes one.
    pub policed: Option<PolicerMeter>,
}

impl FlowReading {
    /// User bits per second that arrived for the first time.
    pub fn goodput(&self, span: Duration) -> f64 {
        self.receiver.user as f64 * 8.0 / span.seconds()
    }

    /// Metrics by name, over the `span` that ends at `now`. What never happened has no mean, and is
    /// not reported.
    pub fn metrics(&self, now: Time, span: Duration) -> Vec<(&'static str, f64)> {
        let mut sender = self.sender;
        sender.limited(now, sender.limit);
        let receiver = &self.receiver;
        let share = |limit: Limit| sender.limited[limit as usize].seconds() / span.seconds();
        let mut metrics = vec![("goodput", self.goodput(span))];
        let mut ratio = |name, part: f64, whole: f64| {
            if whole > 0.0 {
                metrics.push((name, part / whole));
            }
        };
        let resent = sender.packets - sender.distinct;
        ratio("efficiency", receiver.user as f64, sender.octets as f64);
        ratio(
            "retransmission_ratio",
            resent as f64,
            sender.distinct as f64,
        );
        ratio("mean_delay", receiver.delay, receiver.delays as f64);
        ratio(
            "mean_rtt",
            sender.round_trip_time,
            sender.round_trips as f64,
        );
        ratio(
            "mean_pause",
            sender.pauses.seconds(),
            sender.timeouts as f64,
        );
        metrics.extend([
            ("timeouts", sender.timeouts as f64),
            ("fast_retransmits", sender.fast_retransmits as f64),
            ("loss_events", sender.loss_events as f64),
            ("paused_share", sender.paused.seconds() / span.seconds()),
        ]);
        let limits = self.limits.iter();
        metrics.extend(limits.map(|limit| (limit.metric(), share(*limit))));
        metrics.extend([
            ("packets_sent", sender.packets as f64),
            ("packets_damaged", receiver.damaged_packets as f64),
            ("octets_damaged", receiver.damaged as f64),
        ]);
        metrics.extend(self.policed.iter().flat_map(PolicerMeter::metrics));
        metrics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    /// A metric of a sender at `end`, counted over the last 10 us.
    fn metric(sender: SenderMeter, end: Time, name: &str) -> Option<f64> {
        let reading = FlowReading {
            sender,
            limits: &[Limit::Cwnd, Limit::Window, Limit::Application],
            ..FlowReading::default()
        };
        let metrics = reading.metrics(end, Duration::from_us(10));
        metrics
            .iter()
            .find(|(metric, _)| *metric == name)
            .map(|found| found.1)
    }

    #[test]
    fn the_limits_share_out_the_time() {
        let mut sender = SenderMeter::default();
        sender.limited(AT(2), Limit::Cwnd);
        sender.begin(AT(4));
        sender.limited(AT(8), Limit::Window);
        let value = |name| metric(sender, AT(14), name);
        let close = |name, expected: f64| (value(name).expect(name) - expected).abs() < 1e-12;
        assert!(close("limited_by_cwnd", 0.4));
        assert!(close("limited_by_window", 0.6));
        assert_eq!(value("limited_by_application"), Some(0.0));
        assert_eq!(value("mean_rtt"), None);
    }

    #[test]
    fn a_pause_is_whole_in_the_mean_and_cut_at_the_warm_up_in_the_share() {
        let mut sender = SenderMeter::default();
        assert_eq!(metric(sender, AT(10), "mean_pause"), None);
        sender.sent(AT(2), 100, true);
        sender.begin(AT(4));
        sender.timed_out(AT(8), 0, 100);
        let value = |name| metric(sender, AT(14), name).expect(name);
        assert!((value("mean_pause") - 6e-6).abs() < 1e-15);
        assert!((value("paused_share") - 0.4).abs() < 1e-12);
    }

    #[test]
    fn losses_among_what_was_outstanding_are_one_event() {
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
