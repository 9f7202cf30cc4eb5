//! The sending end: an initial window, then a packet for each pull, those to be sent again first.
//!
//! NDP, SIGCOMM 2017, section 3.2. A negative acknowledgment only says what is to be sent again; the
//! pull that follows it sends it.

use kernel::{Duration, Time};

use super::Pull;
use super::patience::Patience;
use super::sent::{SentPacket, SentPackets};
use crate::metrics::{Limit, SenderMeter};
use crate::transport::{Segment, Sender, SenderState, StateValue, Transmit};

/// The sending end.
pub struct PullSender {
    /// User octets of a full packet.
    payload: u64,
    /// Octets of headers.
    header: u64,
    initial_window: u64,
    patience: Patience,
    /// Least time for which a pull is waited for with nothing in flight.
    pull_timeout: Duration,
    /// End of the written data.
    written: u64,
    /// The first octet that was never sent.
    next_new: u64,
    sent: SentPackets,
    /// New packets that may be sent without a pull.
    window: u64,
    /// Pulls that have not been used.
    pulls: u64,
    /// Packets by which the window has shrunk since it was opened: each came back, and another or the
    /// same one waits for a pull.
    shrunk: u64,
    /// Number of the last pull.
    pulled: u32,
    /// End of the data of which a packet has said that it is the last.
    told_end: u64,
    /// Time at which the receiver was last heard, or data was written after all had arrived.
    heard: Time,
    /// Time of the next look at the timer; [`Time::NEVER`] if nothing is outstanding.
    deadline: Time,
    limit: Limit,
    meter: SenderMeter,
}

impl PullSender {
    /// A sender before its first packet.
    pub fn new(spec: &Pull) -> PullSender {
        PullSender {
            payload: spec.payload(),
            header: spec.header.0,
            initial_window: u64::from(spec.initial_window),
            patience: Patience::new(spec.timeout),
            pull_timeout: spec.pull_timeout,
            written: 0,
            next_new: 0,
            sent: SentPackets::default(),
            window: u64::from(spec.initial_window),
            pulls: 0,
            shrunk: 0,
            pulled: 0,
            told_end: 0,
            heard: Time::ZERO,
            deadline: Time::NEVER,
            limit: Limit::default(),
            meter: SenderMeter::default(),
        }
    }

    /// The octet below which all data has arrived.
    fn una(&self) -> u64 {
        self.sent.first().map_or(self.next_new, |packet| packet.seq)
    }

    fn has_data(&self) -> bool {
        self.sent.has_lost() || self.next_new < self.written
    }

    /// Begins anew with a window: the receiver has everything, and its pulls are removed.
    fn open_window(&mut self) {
        self.window = self.initial_window;
        self.pulls = 0;
        self.shrunk = 0;
    }

    /// Number of pulls that the receiver owes: each packet of the window is in flight, came back, or
    /// has been answered; each answer brings a pull, which has been used for a packet in flight, is
    /// kept, or is still to come.
    fn owed(&self) -> u64 {
        let used = self.initial_window - self.window;
        used.saturating_sub(self.sent.under_way() as u64 + self.pulls + self.shrunk)
    }

    /// True if a packet may be sent, which is then counted. What was trimmed waits for a pull, even if
    /// the data were too few for the window.
    fn may_send(&mut self) -> bool {
        let is_new = !self.sent.has_lost() && self.next_new < self.written;
        if is_new && self.window > 0 {
            self.window -= 1;
        } else if self.has_data() && self.pulls > 0 {
            self.pulls -= 1;
        } else {
            return false;
        }
        true
    }

    /// Sends what may be sent, and records what limits the sender.
    fn send_available(&mut self, now: Time, out: &mut dyn Transmit) {
        while self.may_send() {
            self.send_one(now, out);
        }
        self.limit = if self.has_data() {
            Limit::ReceiverWindow
        } else {
            // They are kept up to a window: a pull may overtake the negative acknowledgment that was sent
            // before it, or come just before a write.
            self.pulls = self.pulls.min(self.initial_window);
            Limit::Application
        };
        let is_idle = self.sent.under_way() == 0 && !self.has_data();
        if is_idle {
            self.deadline = Time::NEVER;
        } else if self.deadline == Time::NEVER {
            self.deadline = now + self.patience.time();
        }
    }

    /// Sends the first packet that is to be sent again, or else the next of the written data.
    fn send_one(&mut self, now: Time, out: &mut dyn Transmit) {
        let again = self.sent.send_again(now);
        let (seq, len) = if let Some(SentPacket { seq, len, .. }) = again {
            (seq, len)
        } else {
            let len = (self.written - self.next_new).min(self.payload) as u32;
            let seq = self.next_new;
            self.sent.push(now, seq, len);
            self.next_new += u64::from(len);
            (seq, len)
        };
        self.meter.sent(now, u64::from(len), again.is_none());
        let mut packet = Segment::data(seq, len);
        if packet.end() == self.written {
            self.told_end = self.written;
            packet = packet.with_fin();
        }
        out.transmit(now, packet, u64::from(len) + self.header);
    }

    /// The receiver has answered the packet at `seq`: it has all octets below `all`.
    fn on_arrival(&mut self, now: Time, seq: u64, all: u64) {
        let una = self.una();
        if let Some(packet) = self.sent.arrive(seq, all)
            && !packet.again
        {
            let round_trip = now.since(packet.at);
            self.meter.round_trip(round_trip);
            self.patience.sample(round_trip);
        }
        // The receiver has removed its pulls, so what was written meanwhile begins with a window.
        if self.una() > una && self.una() == self.told_end && self.next_new < self.written {
            self.open_window();
        }
    }

    /// Nothing was heard of packets for too long: they are sent again, or, if none is in flight, the
    /// next one is sent without a pull.
    fn on_expiry(&mut self, now: Time, out: &mut dyn Transmit) {
        let expired = self.sent.expire(now, self.patience.time());
        self.meter.timed_out(now, self.una(), self.next_new);
        self.patience.expire();
        self.heard = now;
        if expired == 0 {
            self.shrunk = self.shrunk.saturating_sub(1);
        }
        for _ in 0..expired.max(1) {
            self.send_one(now, out);
        }
        self.deadline = now + self.patience.time();
    }
}

impl Sender for PullSender {
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        if self.una() == self.written {
            self.open_window();
            self.heard = now;
        }
        self.written = self.written.saturating_add(octets);
        self.send_available(now, out);
    }

    fn receive(&mut self, now: Time, answer: &Segment, out: &mut dyn Transmit) {
        let Some(options) = answer.options() else {
            return;
        };
        if answer.ack > self.next_new || answer.seq >= self.next_new.max(1) {
            return;
        }
        self.heard = now;
        if options.trimmed {
            let una = self.una();
            if self.sent.lose(answer.seq) {
                self.meter.fast_retransmitted(una, self.next_new);
            }
        } else if !options.sreq {
            self.on_arrival(now, answer.seq, answer.ack);
        }
        // The numbers of pulls are cumulative, and may overtake each other.
        let pulls = options.request.saturating_sub(self.pulled);
        self.pulled += pulls;
        self.pulls += u64::from(pulls);
        self.send_available(now, out);
    }

    /// A packet that came back goes again at once only if nothing else would ask for it: no pull is
    /// owed, and at most one other packet is in flight. Otherwise it waits for a pull, so that the
    /// window shrinks by one.
    fn take_back(&mut self, now: Time, packet: &Segment, out: &mut dyn Transmit) {
        if !self.sent.lose(packet.seq) {
            return;
        }
        self.heard = now;
        self.shrunk += 1;
        if self.owed() == 0 && self.sent.under_way() <= 1 {
            self.shrunk -= 1;
            self.send_one(now, out);
        }
        self.send_available(now, out);
    }

    fn next_wake(&self) -> Time {
        self.deadline
    }

    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.deadline > now {
            return;
        }
        // The timer is for the packet in flight that was sent first, or for a pull.
        let deadline = match self.sent.earliest() {
            Some(sent) => sent + self.patience.time(),
            None => self.heard + self.patience.time().max(self.pull_timeout),
        };
        if deadline > now {
            self.deadline = deadline;
            return;
        }
        self.on_expiry(now, out);
        self.send_available(now, out);
    }

    fn meter(&mut self) -> &mut SenderMeter {
        &mut self.meter
    }

    fn acknowledged(&self) -> u64 {
        self.una()
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn limits(&self) -> &'static [Limit] {
        &[Limit::ReceiverWindow, Limit::Application, Limit::Timeout]
    }

    fn state(&self, _now: Time) -> Option<SenderState> {
        let in_flight = self.sent.under_way() as u64 * self.payload;
        Some(SenderState([
            (
                "outstanding",
                StateValue::Octets(self.next_new - self.una()),
            ),
            ("in_flight", StateValue::Octets(in_flight)),
            ("srtt", StateValue::Time(self.patience.round_trip())),
            ("rto", StateValue::Time(self.patience.time())),
        ]))
    }
}
