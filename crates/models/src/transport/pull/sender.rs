//! The sending end: an initial window, then a packet for each pull, those to be sent again first.
//!
//! NDP, SIGCOMM 2017, section 3.2. A negative acknowledgment only says what is to be sent again; the
//! pull that follows it sends it.

use kernel::Time;

use super::Pull;
use super::patience::Patience;
use super::sent::{SentPacket, SentPackets};
use crate::metrics::{Limit, SenderMeter};
use crate::transport::{Segment, Sender, SenderState, StateValue, Transmit, TransportKind};

/// The sending end.
pub struct PullSender {
    /// User octets of a full packet.
    payload: u64,
    /// Octets of headers.
    header: u64,
    initial_window: u64,
    patience: Patience,
    /// End of the written data.
    written: u64,
    /// The first octet that was never sent.
    next_new: u64,
    sent: SentPackets,
    /// Packets that may be sent now.
    credit: u64,
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
            payload: spec.full_payload(),
            header: spec.header.0,
            initial_window: u64::from(spec.initial_window),
            patience: Patience::new(spec.timeout),
            written: 0,
            next_new: 0,
            sent: SentPackets::default(),
            credit: u64::from(spec.initial_window),
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

    /// Sends what may be sent, and records what limits the sender.
    fn send_available(&mut self, now: Time, out: &mut dyn Transmit) {
        while self.credit > 0 && self.has_data() {
            self.credit -= 1;
            self.send_one(now, out);
        }
        self.limit = if self.has_data() {
            Limit::ReceiverWindow
        } else {
            // Pulls that come too late for the data are kept up to a window.
            self.credit = self.credit.min(self.initial_window);
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
        let (seq, len) = match again {
            Some(SentPacket { seq, len, .. }) => (seq, len),
            None => {
                let len = (self.written - self.next_new).min(self.payload) as u32;
                let seq = self.next_new;
                self.sent.push(now, seq, len);
                self.next_new += u64::from(len);
                (seq, len)
            }
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
            self.credit = self.initial_window;
        }
    }

    /// Nothing was heard of packets for too long: they are sent again, or, if none is in flight, the
    /// next one is sent without a pull.
    fn on_expiry(&mut self, now: Time, out: &mut dyn Transmit) {
        let expired = self.sent.expire(now, self.patience.time());
        self.meter.timed_out(now, self.una(), self.next_new);
        self.patience.expire();
        self.heard = now;
        for _ in 0..expired.max(1) {
            self.send_one(now, out);
        }
        self.deadline = now + self.patience.time();
    }
}

impl Sender for PullSender {
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        if self.una() == self.written {
            self.credit = self.initial_window;
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
        if self.has_data() {
            self.credit += u64::from(pulls);
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
        let since = self.sent.earliest().unwrap_or(self.heard);
        let deadline = since + self.patience.time();
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
        let under_way = self.sent.under_way() as u64 * self.payload;
        Some(SenderState([
            (
                "outstanding",
                StateValue::Octets(self.next_new - self.una()),
            ),
            ("under_way", StateValue::Octets(under_way)),
            ("srtt", StateValue::Time(self.patience.round_trip())),
            ("timeout", StateValue::Time(self.patience.time())),
        ]))
    }
}
