//! Messages that each wait for the acknowledgment of the message before, or for other flows: the
//! times from the write of a message to the arrival of its last octet, to the acknowledgment of that
//! octet, or to the end of the step.
//!
//! A message is complete when its last octet arrives, whatever the receiver does before it
//! acknowledges: RFC 2647, section 3.17, counts what reaches its destination, and so do we. The
//! sender learns later of it, and its acknowledgments bring the instant of the arrival.

use kernel::Time;

use crate::metrics::{ByHalf, Halves, MessageEnd, Underway};

/// The message in progress, and the times of earlier messages.
#[derive(Default)]
pub struct Exchange {
    /// True if a message is complete when the source says so, and not when its data arrives.
    pub of_steps: bool,
    /// User octets written in total.
    written: u64,
    /// Time at which the message in progress was written; none between messages.
    begun: Option<Time>,
    /// The measured time.
    halves: Halves,
    /// Completion times of messages.
    pub times: ByHalf,
    /// Times until the acknowledgments of messages; none of steps.
    pub acknowledged: ByHalf,
}

impl Exchange {
    /// An account before the first message.
    pub fn new(of_steps: bool) -> Exchange {
        Exchange {
            of_steps,
            ..Exchange::default()
        }
    }

    /// Restarts the counts in the measured time `halves`.
    pub fn begin_counting(&mut self, halves: Halves) {
        self.halves = halves;
        self.times = ByHalf::default();
        self.acknowledged = ByHalf::default();
    }

    /// A message of `octets` is written.
    pub fn begin(&mut self, now: Time, octets: u64) {
        self.written += octets;
        self.begun = Some(now);
    }

    /// `acknowledged` octets are acknowledged, the latest of which arrived at `arrived`; returns true
    /// if this ends the message in progress.
    pub fn ends(&mut self, now: Time, acknowledged: u64, arrived: Time) -> bool {
        if self.of_steps || acknowledged < self.written {
            return false;
        }
        let begun = self.begun;
        if let Some(begun) = begun {
            let time = now.since(begun);
            self.halves.record(&mut self.acknowledged, begun, time);
        }
        self.complete(arrived)
    }

    /// The message under way is complete at `at`; false if there is none.
    pub fn complete(&mut self, at: Time) -> bool {
        let Some(begun) = self.begun.take() else {
            return false;
        };
        self.halves.record(&mut self.times, begun, at.since(begun));
        true
    }

    /// The message in progress, if there is one.
    pub fn underway(&self) -> Option<Underway> {
        Some(Underway {
            began: self.begun?,
            end: if self.of_steps {
                MessageEnd::Step
            } else {
                MessageEnd::Octet(self.written)
            },
            idle: None,
            class: 0,
            place: 0,
        })
    }
}
