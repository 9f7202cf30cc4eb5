//! The round-trip time of every segment, for algorithms that need it.
//!
//! The retransmission timer times one segment at a time, as BSD did; hosts of today keep the send
//! time of each segment, and RFC 9406, section 4.2, uses all of them. Send times are kept only
//! while no segment has been sent twice, so that an acknowledgment always belongs to a single
//! transmission.

use std::collections::VecDeque;

use kernel::{Duration, Time};

/// The segments in flight: the end and the send time of each.
#[derive(Default)]
pub struct SendTimes(VecDeque<(u64, Time)>);

impl SendTimes {
    /// A segment that ends at `end` is sent for the first time.
    pub fn sent(&mut self, now: Time, end: u64) {
        self.0.push_back((end, now));
    }

    /// Everything below `ack` is acknowledged; returns the round-trip time of the segment that ends
    /// last below `ack`.
    pub fn acknowledged(&mut self, now: Time, ack: u64) -> Option<Duration> {
        let mut latest = None;
        while let Some((_, sent)) = self.0.pop_front_if(|(end, _)| *end <= ack) {
            latest = Some(now.since(sent));
        }
        latest
    }
}
