//! A receiver whose answers are checked against the laws of TCP.

use std::collections::BTreeSet;

use kernel::{Duration, Time};
use models::transport::{Receiver, Segment, Transmit};
use proptest::prelude::*;

#[derive(Default)]
struct Answers(Vec<Segment>);

impl Transmit for Answers {
    fn transmit(&mut self, _now: Time, segment: Segment, _octets: u64) {
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
    /// The last acknowledgment.
    acked: u64,
    /// The right edge of the last window told.
    edge: u64,
    /// True if the receiver takes no data beyond that edge.
    is_cut: bool,
}

impl Watched {
    pub fn new(receiver: Box<dyn Receiver>) -> Watched {
        Watched {
            receiver,
            out: Answers::default(),
            arrived: BTreeSet::new(),
            prefix: 0,
            acked: 0,
            edge: 0,
            is_cut: false,
        }
    }

    /// A receiver that tunes its window, which is `first` octets at first, and to which senders may send
    /// beyond it.
    pub fn tuned(receiver: Box<dyn Receiver>, first: u64) -> Watched {
        Watched {
            edge: first,
            is_cut: true,
            ..Watched::new(receiver)
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
        segment: &Segment,
        marked: bool,
    ) -> Result<Vec<Segment>, TestCaseError> {
        let told = self.receiver.receive(now, segment, marked, &mut self.out);
        // An acknowledgment that waited leaves before the data is taken, and moves the edge.
        if let [first, _, ..] = self.out.0[..]
            && let Some(window) = first.window()
        {
            self.edge = first.ack + window;
        }
        let end = if self.is_cut {
            segment.end().min(self.edge)
        } else {
            segment.end()
        };
        let new = (segment.seq..end)
            .filter(|octet| self.arrived.insert(*octet))
            .count();
        while self.arrived.contains(&self.prefix) {
            self.prefix += 1;
        }
        prop_assert_eq!(told, new as u64, "octets counted as new");
        let sent = self.check()?;
        let is_urgent = segment.len > 0 && (new == 0 || end > self.prefix);
        // Linux bundles acknowledgments of data beyond a hole for a millisecond.
        let is_bundled = new > 0 && self.next_wake() <= now + Duration::from_ms(1);
        prop_assert!(
            !is_urgent || !sent.is_empty() || is_bundled,
            "{:?} is not answered at once",
            segment
        );
        Ok(sent)
    }

    /// TCP discards a trimmed segment, whose checksum is wrong.
    pub fn receive_trimmed(
        &mut self,
        now: Time,
        segment: &Segment,
    ) -> Result<Vec<Segment>, TestCaseError> {
        self.receiver.receive_trimmed(now, segment, &mut self.out);
        let sent = self.check()?;
        prop_assert!(sent.is_empty(), "{:?} is answered", segment);
        Ok(sent)
    }

    pub fn wake(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        self.receiver.wake(now, &mut self.out);
        prop_assert!(self.next_wake() > now, "a timer is due again at once");
        self.check()
    }

    /// The answers since the last call, or the law that one of them violates.
    fn check(&mut self) -> Result<Vec<Segment>, TestCaseError> {
        let sent = std::mem::take(&mut self.out.0);
        for (number, answer) in sent.iter().enumerate() {
            if answer.flags.syn {
                continue;
            }
            // An acknowledgment that waited leaves before that of the present segment, if the marks
            // change, and tells of the data before it.
            let is_last = number + 1 == sent.len();
            prop_assert!(
                answer.ack >= self.acked,
                "acknowledgments go back to {}",
                answer.ack
            );
            prop_assert!(
                answer.ack <= self.prefix,
                "octet {} has not arrived",
                self.prefix
            );
            self.acked = answer.ack;
            let edge = answer.window().map(|window| answer.ack + window);
            let is_back = edge.is_some_and(|edge| edge < self.edge);
            prop_assert!(!is_back, "the right edge goes back from {}", self.edge);
            self.edge = edge.unwrap_or(0);
            if let Some((start, end)) = answer.duplicate() {
                let is_there = (start..end).all(|octet| self.arrived.contains(&octet));
                prop_assert!(start < end && is_there, "{start}:{end} has not arrived");
            }
            for (start, end) in answer.sacks() {
                prop_assert!(answer.ack < start && start < end, "block {}:{}", start, end);
                let is_there = (start..end).all(|octet| self.arrived.contains(&octet));
                prop_assert!(is_there, "block {}:{} has not arrived", start, end);
                let edges = [start - 1, end].map(|octet| self.arrived.contains(&octet));
                prop_assert!(
                    edges == [false; 2] || !is_last,
                    "block {start}:{end} is not whole"
                );
            }
        }
        let is_pending = self.acked < self.prefix;
        prop_assert!(
            !is_pending || self.next_wake() < Time::NEVER,
            "an acknowledgment is delayed without end"
        );
        Ok(sent)
    }
}
