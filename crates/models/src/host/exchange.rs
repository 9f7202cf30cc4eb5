//! Messages that each wait for the acknowledgment of the message before, or for other flows: the
//! times from the write of a message to the acknowledgment of its end, or to the end of the step.
//! Our own definitions, because the sender knows no earlier instant at which the message is
//! complete.

use kernel::Time;

use crate::metrics::Histogram;

/// The message in progress, and the completion times of earlier messages.
#[derive(Default)]
pub struct Exchange {
    /// True if a message is complete when the source says so, and not when it is acknowledged.
    pub of_steps: bool,
    /// User octets written in total.
    written: u64,
    /// Time at which the message in progress was written; none between messages.
    begun: Option<Time>,
    /// Completion times of messages.
    pub times: Histogram,
}

impl Exchange {
    /// An account before the first message.
    pub fn new(of_steps: bool) -> Exchange {
        Exchange {
            of_steps,
            ..Exchange::default()
        }
    }

    /// A message of `octets` is written.
    pub fn begin(&mut self, now: Time, octets: u64) {
        self.written += octets;
        self.begun = Some(now);
    }

    /// `acknowledged` octets are acknowledged; returns true if this completes the message in
    /// progress.
    pub fn ends(&mut self, now: Time, acknowledged: u64) -> bool {
        acknowledged >= self.written && !self.of_steps && self.complete(now)
    }

    /// The message under way is complete; false if there is none.
    pub fn complete(&mut self, now: Time) -> bool {
        let Some(begun) = self.begun.take() else {
            return false;
        };
        self.times.record(now.since(begun));
        true
    }
}
