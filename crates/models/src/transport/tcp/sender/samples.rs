//! The round-trip time of every segment, for algorithms that want it.
//!
//! The timer times one segment at a time, as BSD did; hosts of today note when each was sent. They are
//! kept only while nothing has been sent twice, so no acknowledgment can be for one copy or the other.

use std::collections::VecDeque;

use kernel::{Duration, Time};

/// The ends of the segments under way, and when each was sent.
#[derive(Default)]
pub struct Samples(VecDeque<(u64, Time)>);

impl Samples {
    /// A segment that ends at `end` is sent for the first time.
    pub fn sent(&mut self, now: Time, end: u64) {
        self.0.push_back((end, now));
    }

    /// Everything below `ack` was acknowledged; returns the round-trip time of the last segment of it.
    pub fn acknowledged(&mut self, now: Time, ack: u64) -> Option<Duration> {
        let mut latest = None;
        while let Some((_, sent)) = self.0.pop_front_if(|(end, _)| *end <= ack) {
            latest = Some(now.since(sent));
        }
        latest
    }
}
