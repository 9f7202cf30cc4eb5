//! A receiver whose answers are checked against the laws of XTP.

use std::collections::BTreeSet;

use kernel::Time;
use models::transport::xtp::retransmission::RetransmissionSpec;
use models::transport::xtp::{Xtp, format};
use models::transport::{Receiver, Segment, Transmit};
use proptest::prelude::*;

#[derive(Default)]
struct Answers(Vec<Segment>);

impl Transmit for Answers {
    fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
        assert_eq!(octets, format::octets(&segment));
        self.0.push(segment);
    }
}

/// A receiver, and a simple model of it: the set of octets that it has accepted.
pub struct Watched {
    receiver: Box<dyn Receiver>,
    out: Answers,
    /// True if the receiver keeps data that is out of order.
    keeps: bool,
    arrived: BTreeSet<u64>,
    /// The first octet that has not arrived.
    prefix: u64,
    /// The latest request.
    request: u32,
}

impl Watched {
    pub fn new(xtp: &Xtp, receiver: Box<dyn Receiver>) -> Watched {
        Watched {
            receiver,
            out: Answers::default(),
            keeps: matches!(xtp.retransmission, RetransmissionSpec::Selective(_)),
            arrived: BTreeSet::new(),
            prefix: 0,
            request: 0,
        }
    }

    pub fn next_wake(&self) -> Time {
        self.receiver.next_wake()
    }

    /// The first octet that has not arrived.
    pub fn prefix(&self) -> u64 {
        self.prefix
    }

    pub fn receive(
        &mut self,
        now: Time,
        packet: &Segment,
        marked: bool,
    ) -> Result<Vec<Segment>, TestCaseError> {
        let end = self.arrived.last().map_or(0, |last| last + 1);
        let opens = packet.len > 0 && packet.seq > end.max(self.prefix);
        let before = self.arrived.len();
        if self.keeps || packet.seq <= self.prefix {
            self.arrived.extend(packet.seq..packet.end());
        }
        while self.arrived.contains(&self.prefix) {
            self.prefix += 1;
        }
        let asked = packet.options().unwrap_or_default();
        if asked.sreq {
            self.request = self.request.max(asked.request);
        }
        let new = self.arrived.len() - before;
        let told = self.receiver.receive(now, packet, marked, &mut self.out);
        prop_assert_eq!(told, new as u64, "octets counted as new");
        let sent = self.check(packet)?;
        let may = asked.sreq || asked.fast_nak;
        let must = asked.sreq || (asked.fast_nak && self.keeps && opens);
        prop_assert!(may || sent.is_empty(), "{:?} is answered", packet);
        prop_assert!(!must || sent.len() == 1, "{:?} is not answered", packet);
        let tells = |answer: &Segment| asked.sreq || answer.options().unwrap_or_default().missing;
        prop_assert!(
            sent.iter().all(tells),
            "nothing was asked for, and nothing is missing"
        );
        Ok(sent)
    }

    /// A trimmed packet with data that has not arrived causes a report that names it.
    pub fn receive_trimmed(
        &mut self,
        now: Time,
        packet: &Segment,
    ) -> Result<Vec<Segment>, TestCaseError> {
        self.receiver.receive_trimmed(now, packet, &mut self.out);
        let sent = self.check(packet)?;
        let is_new = packet.end() > self.prefix;
        prop_assert_eq!(sent.len(), usize::from(is_new), "answers to {:?}", packet);
        for answer in &sent {
            let options = answer.options().unwrap_or_default();
            prop_assert!(options.trimmed && options.missing);
            prop_assert_eq!(answer.seq, packet.seq);
        }
        Ok(sent)
    }

    pub fn wake(&mut self, _now: Time) -> Result<Vec<Segment>, TestCaseError> {
        Err(TestCaseError::fail("a receiver has no timer"))
    }

    /// The answers to a packet, or the law that one of them violates.
    fn check(&mut self, packet: &Segment) -> Result<Vec<Segment>, TestCaseError> {
        let sent = std::mem::take(&mut self.out.0);
        for answer in &sent {
            prop_assert_eq!(answer.ack, self.prefix, "rseq");
            prop_assert_eq!(
                answer.options().unwrap_or_default().request,
                self.request,
                "echo"
            );
            let beyond = self.arrived.range(self.prefix..).next().is_some();
            // Data before the packet is missing too, even if the packet carries none.
            let is_trimmed = answer.options().unwrap_or_default().trimmed;
            let missing = beyond || packet.seq > self.prefix || is_trimmed;
            prop_assert!(
                !self.keeps || answer.options().unwrap_or_default().missing == missing,
                "a gap or none"
            );
            prop_assert_eq!(answer.sacks().len() > 0, beyond, "spans or none");
            for (start, end) in answer.sacks() {
                prop_assert!(answer.ack < start && start < end, "span {}:{}", start, end);
                let is_there = (start..end).all(|octet| self.arrived.contains(&octet));
                prop_assert!(is_there, "span {}:{} has not arrived", start, end);
                let edges = [start - 1, end].map(|octet| self.arrived.contains(&octet));
                prop_assert_eq!(edges, [false; 2], "span {}:{} is not whole", start, end);
            }
        }
        Ok(sent)
    }
}
