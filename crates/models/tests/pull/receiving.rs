//! A receiver whose answers are checked against the laws of the transport, and which pulls a packet
//! every few milliseconds.

use std::collections::BTreeSet;

use kernel::{Duration, Time};
use models::transport::{Receiver, Segment, Transmit};
use proptest::prelude::*;

use crate::any::HEADER;

/// Time from one pull to the next.
const SPACING: Duration = Duration::from_ms(3);

#[derive(Default)]
struct Answers(Vec<Segment>);

impl Transmit for Answers {
    fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
        assert_eq!(octets, HEADER);
        self.0.push(segment);
    }
}

/// A receiver, and a simple model of it: the set of octets that have arrived.
pub struct Watched {
    receiver: Box<dyn Receiver>,
    out: Answers,
    arrived: BTreeSet<u64>,
    /// The first octet that has not arrived.
    prefix: u64,
    /// Packets that have arrived, whole or trimmed, and packets that were pulled.
    packets: u64,
    pulled: u64,
    /// Time of the next pull, if the receiver wants one.
    pull_at: Time,
}

impl Watched {
    pub fn new(receiver: Box<dyn Receiver>) -> Watched {
        Watched {
            receiver,
            out: Answers::default(),
            arrived: BTreeSet::new(),
            prefix: 0,
            packets: 0,
            pulled: 0,
            pull_at: Time::ZERO,
        }
    }

    pub fn next_wake(&self) -> Time {
        if self.receiver.pulls() > 0 {
            self.pull_at
        } else {
            Time::NEVER
        }
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
        let before = self.arrived.len();
        self.arrived.extend(packet.seq..packet.end());
        while self.arrived.contains(&self.prefix) {
            self.prefix += 1;
        }
        let new = self.arrived.len() - before;
        let told = self.receiver.receive(now, packet, marked, &mut self.out);
        prop_assert_eq!(told, new as u64, "octets counted as new");
        self.answered(now, packet, false)
    }

    pub fn receive_trimmed(
        &mut self,
        now: Time,
        packet: &Segment,
    ) -> Result<Vec<Segment>, TestCaseError> {
        self.receiver.receive_trimmed(now, packet, &mut self.out);
        let is_there = (packet.seq..packet.end()).all(|octet| self.arrived.contains(&octet));
        self.answered(now, packet, !is_there)
    }

    /// The answer to a packet, or the law that it breaks.
    fn answered(
        &mut self,
        now: Time,
        packet: &Segment,
        missing: bool,
    ) -> Result<Vec<Segment>, TestCaseError> {
        self.packets += u64::from(packet.len > 0);
        self.pull_at = self.pull_at.max(now);
        let sent = std::mem::take(&mut self.out.0);
        prop_assert_eq!(sent.len(), usize::from(packet.len > 0), "{:?}", packet);
        for answer in &sent {
            let options = answer.options().unwrap_or_default();
            prop_assert_eq!((answer.seq, answer.ack), (packet.seq, self.prefix));
            prop_assert_eq!((options.trimmed, options.sreq), (missing, false));
            prop_assert_eq!(u64::from(options.request), self.pulled);
        }
        let most = self.packets - self.pulled;
        prop_assert!(
            self.receiver.pulls() <= most,
            "a pull for each packet at most"
        );
        Ok(sent)
    }

    /// Pulls a packet.
    pub fn wake(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        let waiting = self.receiver.pulls();
        self.receiver.pull(now, &mut self.out);
        self.pulled += 1;
        self.pull_at = now + SPACING;
        prop_assert_eq!(self.receiver.pulls(), waiting - 1);
        let sent = std::mem::take(&mut self.out.0);
        for pull in &sent {
            let options = pull.options().unwrap_or_default();
            prop_assert!(options.sreq && !options.trimmed);
            prop_assert_eq!(u64::from(options.request), self.pulled);
        }
        prop_assert_eq!(sent.len(), 1);
        Ok(sent)
    }
}
