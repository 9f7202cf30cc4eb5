//! Octets of the packets of TCP: RFC 9293, section 3.1, with the options of RFC 2018, section 3, and RFC
//! 7323, section 3. The parameters state the headers, so that they may be those of a study.

use super::Tcp;
use crate::wire::segment::MOST_SACKS;

impl Tcp {
    /// Octets of a packet of data that are not user data.
    pub fn overhead(&self) -> u64 {
        self.header.0 + self.timestamps.octets()
    }

    /// Octets of a full segment: the SMSS of RFC 5681, section 2, is without headers and options.
    pub fn mss(&self) -> u64 {
        // Data segments carry no SACK blocks.
        self.packet.0 - self.overhead()
    }

    /// The largest packet: a full one, or an acknowledgment with all of its SACK blocks.
    pub(super) fn largest(&self) -> u64 {
        let sacks = 4 + 8 * MOST_SACKS as u64;
        let acknowledgment = self.acknowledgment.0 + self.timestamps.octets();
        self.packet.0.max(acknowledgment + sacks)
    }

    /// The smallest packet: an acknowledgment; a header with one octet of data; or, in a handshake or a
    /// probe of a closed window, a header without data.
    pub(super) fn smallest(&self) -> u64 {
        let data = u64::from(!self.handshake && self.read_rate.is_none());
        self.acknowledgment.0.min(self.header.0 + data) + self.timestamps.octets()
    }
}
