//! Pacing by the host: segments leave at a rate that follows from the window, under congestion
//! controls that state no rate themselves.

use kernel::{Duration, Rate};

parameters::registry! {
    /// Pacing by the host, for congestion controls that do not pace.
    pub enum PacingSpec {
        linux => LinuxPacing,
    }
}

/// The state of a sender from which its host computes a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending {
    /// Congestion window, in octets.
    pub cwnd: u64,
    /// Slow-start threshold, in octets.
    pub ssthresh: u64,
    /// Octets outstanding.
    pub flight: u64,
    /// Smoothed round-trip time; zero before the first sample.
    pub srtt: Duration,
}

impl PacingSpec {
    /// Rate at which packets leave; none before a round-trip time is known.
    pub fn rate(&self, sending: &Sending) -> Option<Rate> {
        match self {
            PacingSpec::LinuxPacing(linux) => linux.rate(sending),
        }
    }
}
