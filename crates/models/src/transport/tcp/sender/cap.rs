//! The cap of the congestion window, for a run that is steered. Our own rule: the congestion
//! control is not changed, and the sender uses at most the cap of its window.

use super::TcpSender;
use crate::transport::WindowCap;

impl TcpSender {
    /// The congestion window, under the cap.
    pub(super) fn cwnd(&self) -> u64 {
        self.control.cwnd().min(self.cap)
    }

    /// True if the window `cwnd` is below ssthresh, and not limited by the cap.
    pub(super) fn is_in_slow_start(&self, cwnd: u64) -> bool {
        cwnd < self.control.ssthresh() && !self.is_capped(cwnd)
    }

    /// True if the cap limits a window of `cwnd` octets.
    fn is_capped(&self, cwnd: u64) -> bool {
        self.cap < self.data.window && self.cap <= cwnd
    }

    /// The cap, from one segment to the receiver's window.
    pub(super) fn cap_within(&mut self) -> WindowCap<'_> {
        WindowCap {
            octets: &mut self.cap,
            least: self.data.mss,
            most: self.data.window,
        }
    }
}
