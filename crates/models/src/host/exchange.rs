//! Messages of which each waits for the acknowledgment of the one before it.

use kernel::Time;

use crate::metrics::Histogram;

/// The message that is on its way, and what is counted of those that have arrived.
#[derive(Default)]
pub struct Exchange {
    /// User octets that were written in all.
    written: u64,
    /// When the message that is on its way was written, if one is.
    begun: Option<Time>,
    /// How long messages took.
    pub times: Histogram,
}

impl Exchange {
    /// A message of `octets` is written.
    pub fn begin(&mut self, now: Time, octets: u64) {
        self.written += octets;
        self.begun = Some(now);
    }

    /// So many octets are acknowledged; whether that ends the message on its way.
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
