//! Octets of the packets of TCP: RFC 9293, section 3.1, with the options of RFC 2018, section 3, and RFC
//! 7323, section 3. The parameters state the headers, so that they may be those of a study.

use super::receive_window::Tuning;
use super::{LARGEST_UNSCALED, Tcp};
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

    /// A window of this many octets in user data.
    // Departs from RFC 9293, section 3.8.6, where a window is any number of octets. Whole segments
    // here, since a sender that avoids the silly window syndrome waits for them.
    pub(super) fn whole_segments(&self, octets: u64) -> u64 {
        (octets / self.counted()).max(1) * self.mss()
    }

    /// The receiver's window at the start, in octets of user data: `tcp_select_initial_window` of Linux
    /// where it grows.
    pub fn first_window(&self) -> u64 {
        let first = self
            .window
            .first()
            .map(|octets| octets.min(LARGEST_UNSCALED));
        self.whole_segments(first.unwrap_or_else(|| self.advertised()))
    }

    /// The state of a receiver that tunes its window, before the first segment.
    pub(super) fn tuning(&self) -> Option<Tuning> {
        let first = self.window.first()? * self.mss() / self.counted();
        let most = self.whole_segments(self.advertised());
        Some(Tuning::new(self.mss(), self.first_window(), first, most))
    }

    /// The largest packet: a full one, or an acknowledgment with all of its SACK blocks.
    pub(super) fn largest(&self) -> u64 {
        let sacks = 4 + 8 * MOST_SACKS as u64;
        let acknowledgment = self.acknowledgment.0 + self.timestamps.octets();
        self.packet.0.max(acknowledgment + sacks)
    }

    /// The largest window of the receiver in octets of user data, now or later.
    pub(super) fn largest_window(&self) -> u64 {
        let first = self.first_window();
        match self.window.first() {
            None => first,
            Some(_) => first.max(self.whole_segments(self.advertised())),
        }
    }

    /// The smallest packet: an acknowledgment; a header with one octet of data; or, in a handshake or a
    /// probe of a closed window, a header without data.
    pub(super) fn smallest(&self) -> u64 {
        let data = u64::from(!self.handshake && self.read_rate.is_none());
        self.acknowledgment.0.min(self.header.0 + data) + self.timestamps.octets()
    }
}
