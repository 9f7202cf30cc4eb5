//! The events of a congestion control, and its answer: a window.
//!
//! The interface is ours: events are values and the window is an answer, so that an algorithm runs
//! in a test without a sender.

use kernel::{Duration, Time};

/// Limits of the window, in octets of user data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum segment size.
    pub mss: u64,
    /// Receiver's window, in whole segments.
    pub window: u64,
    /// Congestion window at the start.
    pub initial: u64,
    /// Slow-start threshold at the start.
    pub ssthresh: u64,
}

/// An acknowledgment of new data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// Time of the acknowledgment.
    pub now: Time,
    /// Number of octets acknowledged.
    pub octets: u64,
    /// Oldest octet that is now unacknowledged.
    pub una: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
    /// Smoothed round-trip time; zero before the first sample.
    pub srtt: Duration,
    /// Round-trip time of the latest segment acknowledged, if the algorithm requests samples.
    pub rtt: Option<Duration>,
    /// True if the congestion window limited the sender.
    pub limited: bool,
}

/// A congestion event (RFC 9438, section 4.6): a loss, a timeout or a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CongestionEvent {
    /// Time at which the sender noticed the event.
    pub now: Time,
    /// Outstanding octets, without those sent for the first duplicates: RFC 5681, section 3.2, step
    /// 2.
    pub flight: u64,
    /// True if the timer had expired for the first unacknowledged segment before; ssthresh then
    /// stays as set at the first expiry (RFC 5681, section 3.1).
    pub again: bool,
}

/// Feedback of marks by the receiver: RFC 8257, section 3.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Echo {
    /// Octets acknowledged.
    pub octets: u64,
    /// True if the octets were marked.
    pub marked: bool,
    /// Oldest octet that is now unacknowledged.
    pub una: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
}

/// A congestion control algorithm.
pub trait CongestionControl: Send {
    /// New data is acknowledged, and no recovery is under way.
    fn on_ack(&mut self, ack: &Ack);

    /// Duplicate acknowledgments, or their SACK blocks, indicate a loss.
    fn on_loss(&mut self, event: &CongestionEvent);

    /// The retransmission timer expires.
    fn on_timeout(&mut self, event: &CongestionEvent);

    /// An acknowledgment echoes a congestion mark; called at most once per window of data.
    fn on_mark(&mut self, event: &CongestionEvent) {
        self.on_loss(event);
    }

    /// Feedback of marks, with every acknowledgment of new data.
    fn on_echo(&mut self, echo: &Echo) {
        let _ = echo;
    }

    /// Octets that may be outstanding; at least one segment.
    fn cwnd(&self) -> u64;

    /// The sender continues with a window of `octets`: after a recovery, an idle time or a lost
    /// SYN.
    fn resume_from(&mut self, octets: u64);

    /// The slow-start threshold, in octets.
    fn ssthresh(&self) -> u64;

    /// True if the algorithm needs the round-trip time of every segment, from the start on.
    fn wants_samples(&self) -> bool {
        false
    }
}
