//! Messages that each wait for the acknowledgment of the message before: the times from the write
//! of a message to the acknowledgment of its end. Our own definition, because the sender knows no
//! earlier instant at which the message is complete.

use kernel::Time;

use crate::metrics::Histogram;

/// The message in progress, and the completion times of earlier messages.
#[derive(Default)]
pub struct Exchange {
    /// User octets written in total.
    written: u64,
    /// Time at which the message in progress was written; none between messages.
    begun: Option<Time>,
    /// Completion times of messages.
    pub times: Histogram,
}

impl Exchange {
    /// A message of `octets` is written.
    pub fn begin(&mut self, now: Time, octets: u64) {
        self.written += octets;
        self.begun = Some(now);
    }

    /// `acknowledged` octets are acknowledged; returns true if this completes the message in
    /// progress.
    pub fn ends(&mut self, now: Time, acknowledged: u64) -> bool {
        if acknowledged < self.written {
            return false;
        }
        let Some(begun) = self.begun.take() else {
            return false;
        };
        self.times.record(now.since(begun));
        true
    }
}
