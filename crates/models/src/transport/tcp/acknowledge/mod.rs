//! When a receiver acknowledges data that came in order.
//!
//! What is out of order, fills a hole, or had arrived before is acknowledged at once whatever the
//! policy: RFC 5681, section 4.2.

use kernel::{Stream, Time};

parameters::registry! {
    /// When a receiver acknowledges what came in order.
    pub enum AcknowledgeSpec builds Box<dyn Acknowledge>, for Reception {
        every => Every,
        bsd => Bsd,
        rfc5681 => Rfc5681,
    } default every
}

/// The receiving end, as known before the run.
#[derive(Clone, Debug)]
pub struct Reception {
    /// Maximum segment size, octets of user data.
    pub mss: u64,
    /// Receive buffer, octets of user data.
    pub window: u64,
    /// Stream that draws the phase of the clock.
    pub random: Stream,
}

/// Decides when to acknowledge.
pub trait Acknowledge {
    /// `octets` came in order; whether they are acknowledged at once.
    fn on_data(&mut self, now: Time, octets: u64) -> bool;

    /// Everything that came is now acknowledged.
    fn on_sent(&mut self) {}

    /// When what is held back is acknowledged at the latest; [`Time::NEVER`] if nothing is.
    fn deadline(&self) -> Time {
        Time::NEVER
    }
}
