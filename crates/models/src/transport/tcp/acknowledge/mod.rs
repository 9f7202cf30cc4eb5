//! Acknowledgment policies of a receiver for data that arrives in order.
//!
//! Under every policy, data that fills a hole, or had arrived before, is acknowledged at once: RFC
//! 5681, section 4.2; and so is data beyond a hole, unless the policy bundles such acknowledgments.

use kernel::{Stream, Time};

parameters::registry! {
    /// Acknowledgment policy of the receiver for data that arrives in order.
    pub enum AcknowledgeSpec builds Box<dyn Acknowledge>, for Reception {
        every => Every,
        bsd => BsdAcknowledge,
        rfc5681 => Rfc5681,
        linux => LinuxAcknowledge,
    } default every
}

/// The receiving end, as known before the run.
#[derive(Clone, Debug)]
pub struct Reception {
    /// Maximum segment size, in octets of user data.
    pub mss: u64,
    /// Receive buffer, in octets of user data; the first, if it grows.
    pub window: u64,
    /// Random stream for the phase of the clock.
    pub random: Stream,
}

/// Decides when to acknowledge.
pub trait Acknowledge: Send {
    /// A SYN is answered.
    fn on_opening(&mut self, now: Time) {
        let _ = now;
    }

    /// Takes new data beyond a hole that begins at `start`; returns true if it is acknowledged at
    /// once.
    fn on_hole(&mut self, now: Time, start: u64) -> bool {
        let _ = (now, start);
        true
    }

    /// Takes `octets` that arrive in order; returns true if they are acknowledged at once.
    fn on_data(&mut self, now: Time, octets: u64) -> bool;

    /// The data that is taken next has made the receiver's window grow.
    fn on_growth(&mut self) {}

    /// All data that has arrived is now acknowledged.
    fn on_sent(&mut self) {}

    /// Latest time of a delayed acknowledgment; [`Time::NEVER`] if none is pending.
    fn deadline(&self) -> Time {
        Time::NEVER
    }
}
