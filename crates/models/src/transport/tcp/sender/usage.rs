//! The use of the congestion window: a window that the application, or the receiver, keeps a sender
//! from using says nothing about the path, and does not grow.
//!
//! The rule of Linux for all of its congestion controls but BBR (`tcp_cwnd_validate` and
//! `tcp_is_cwnd_limited`); RFC 9438, section 5.8, asks for no less, and RFC 7661 for more. It holds
//! for every congestion control here. Departs from BSD, whose windows of 1988 and 1990 grow anyway.

use super::TcpSender;
use crate::metrics::Limit;

/// The use of the congestion window in the present window of data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    /// End of the window of data.
    end: u64,
    /// Most octets that were outstanding after sending; a window has fewer than 2^30.
    most: u32,
    /// True if the congestion window limited the sender.
    limited: bool,
}

impl TcpSender {
    /// Records the use of the window after sending, which `limit` ended; `sent` is true if new data
    /// left. Once the window has limited the sender, that counts until this window of data is
    /// acknowledged.
    pub(super) fn note_usage(&mut self, limit: Limit, cwnd: u64, sent: bool) {
        let (una, flight) = (self.data.una, self.data.flight());
        // Also if not even one more segment fits, although no segment waits for it.
        let limited = limit == Limit::CongestionWindow || flight + self.data.mss > cwnd;
        if !sent && !limited {
            return;
        }
        let usage = &mut self.usage;
        if limited || una >= usage.end || (!usage.limited && flight > u64::from(usage.most)) {
            *usage = Usage {
                end: self.data.max,
                most: flight as u32,
                limited,
            };
        }
    }

    /// True if the window was used, and may grow: it limited the sender, or half of it was used in
    /// slow start.
    pub(super) fn uses_window(&self) -> bool {
        let cwnd = self.cwnd();
        let half = || self.is_in_slow_start(cwnd) && cwnd < 2 * u64::from(self.usage.most);
        self.usage.limited || half()
    }
}
