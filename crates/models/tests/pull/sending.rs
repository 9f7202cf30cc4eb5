//! A sender whose packets are checked against the laws of the transport.

use std::collections::{BTreeMap, BTreeSet};

use kernel::Time;
use models::transport::pull::Pull;
use models::transport::{Segment, Sender, Transmit};
use proptest::prelude::*;

use crate::any::{HEADER, MSS};

/// The packets sent since the last check.
#[derive(Default)]
struct Sent(Vec<Segment>);

impl Transmit for Sent {
    fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
        assert_eq!(octets, HEADER + u64::from(segment.len));
        self.0.push(segment);
    }
}

/// A sender, and its state as far as its packets show it.
pub struct Watched {
    sender: Box<dyn Sender>,
    out: Sent,
    window: u64,
    written: u64,
    writes: u64,
    /// Oldest octet that is not known to have arrived.
    una: u64,
    /// One more than the highest octet sent.
    max: u64,
    /// The end of each packet sent, by its first octet.
    packets: BTreeMap<u64, u64>,
    /// The first octets of packets that the receiver has answered as arrived.
    arrived: BTreeSet<u64>,
    /// Packets sent, those of them that were sent before, packets pulled, and packets that came back.
    sent: u64,
    again: u64,
    pulled: u64,
    returned: u64,
}

impl Watched {
    pub fn new(pull: &Pull, sender: Box<dyn Sender>) -> Watched {
        Watched {
            sender,
            out: Sent::default(),
            window: u64::from(pull.initial_window),
            written: 0,
            writes: 0,
            una: 0,
            max: 0,
            packets: BTreeMap::new(),
            arrived: BTreeSet::new(),
            sent: 0,
            again: 0,
            pulled: 0,
            returned: 0,
        }
    }

    pub fn next_wake(&self) -> Time {
        self.sender.next_wake()
    }

    /// True if all written data is acknowledged.
    pub fn is_done(&self) -> bool {
        self.una == self.written
    }

    /// One more than the highest octet sent.
    pub fn max(&self) -> u64 {
        self.max
    }

    pub fn write(&mut self, now: Time, octets: u64) -> Result<Vec<Segment>, TestCaseError> {
        self.written += octets;
        self.writes += 1;
        self.sender.write(now, octets, &mut self.out);
        self.check(now)
    }

    pub fn receive(&mut self, now: Time, answer: &Segment) -> Result<Vec<Segment>, TestCaseError> {
        let options = answer.options().unwrap_or_default();
        if answer.ack <= self.max && answer.seq < self.max.max(1) {
            self.pulled = self.pulled.max(u64::from(options.request));
            if !options.trimmed && !options.sreq {
                if self.packets.contains_key(&answer.seq) {
                    self.arrived.insert(answer.seq);
                }
                self.una = self.first_missing(answer.ack);
            }
        }
        self.sender.receive(now, answer, &mut self.out);
        self.check(now)
    }

    /// A packet comes back.
    pub fn take_back(
        &mut self,
        now: Time,
        packet: &Segment,
    ) -> Result<Vec<Segment>, TestCaseError> {
        self.returned += 1;
        self.sender.take_back(now, packet, &mut self.out);
        self.check(now)
    }

    /// The first octet of the oldest packet that has not arrived, if all octets below `all` have.
    fn first_missing(&self, all: u64) -> u64 {
        let rest = self.packets.range(self.una..);
        let mut missing =
            rest.filter(|(seq, end)| !self.arrived.contains(seq) && **end > all.max(self.una));
        missing.next().map_or(self.max, |(seq, _)| *seq)
    }

    pub fn wake(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        self.sender.wake(now, &mut self.out);
        prop_assert!(self.next_wake() > now, "a timer is due again at once");
        self.check(now)
    }

    /// The packets since the last call, or the law that one of them breaks.
    fn check(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        let sent = std::mem::take(&mut self.out.0);
        for packet in &sent {
            let (seq, end) = (packet.seq, packet.end());
            prop_assert!(seq < end && end - seq <= MSS, "{seq}:{end}");
            prop_assert!(end <= self.written, "{seq}:{end} was never written");
            prop_assert_eq!(packet.fin(), end == self.written, "the last packet says so");
            if seq == self.max {
                self.packets.insert(seq, end);
                self.max = end;
            } else {
                self.again += 1;
            }
            // A packet that is sent again has the boundaries of the original.
            prop_assert_eq!(self.packets.get(&seq), Some(&end), "{}:{}", seq, end);
        }
        self.sent += sent.len() as u64;
        if self.sender.meter().timeouts == 0 {
            // A write may begin with a window, and so may what is left when all before it has arrived.
            let most = self.window * 2 * self.writes + self.pulled + self.returned;
            prop_assert!(self.sent <= most, "{} packets, {most} allowed", self.sent);
            let asked = self.pulled + self.returned;
            prop_assert!(self.again <= asked, "sent again without a pull");
        }
        let waits = self.is_done() || self.next_wake() < Time::NEVER;
        prop_assert!(waits, "no timer runs at {now:?} while data is outstanding");
        Ok(sent)
    }
}
