//! An acknowledgment for each packet, as the receivers of ns-2 (`TCPSink`) send.
//!
//! RFC 5681, section 4.2, permits an acknowledgment for each packet, and recommends delayed ones.

use kernel::Time;
use parameters::parameters;

use super::{Acknowledge, Reception};

parameters! {
    /// Each packet is acknowledged at once.
    pub struct Every {}
}

impl Every {
    /// The policy of one receiver.
    pub fn build(&self, _reception: &Reception) -> Box<dyn Acknowledge> {
        Box::new(AtOnce)
    }
}

struct AtOnce;

impl Acknowledge for AtOnce {
    fn on_data(&mut self, _now: Time, _octets: u64) -> bool {
        true
    }
}
