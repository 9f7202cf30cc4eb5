//! The cap of the congestion window, for a run that is steered. Our own rule: the congestion
//! control is not changed, and the sender uses at most the cap of its window.

use super::TcpSender;
use crate::transport::{SenderState, StateValue, WindowCap};

impl TcpSender {
    /// The congestion window, under the cap.
    pub(super) fn cwnd(&self) -> u64 {
        self.own_window().min(self.cap())
    }

    /// The cap; the receiver's window, unless the run is steered.
    #[inline]
    fn cap(&self) -> u64 {
        match &self.rare {
            None => self.data.window,
            Some(rare) => rare.cap.unwrap_or_else(|| self.largest_window()),
        }
    }

    /// True if the window `cwnd` is below ssthresh, and not limited by the cap.
    pub(super) fn is_in_slow_start(&self, cwnd: u64) -> bool {
        cwnd < self.control.ssthresh() && !self.is_capped(cwnd) && !self.is_reducing()
    }

    /// True if the cap limits a window of `cwnd` octets.
    #[inline]
    fn is_capped(&self, cwnd: u64) -> bool {
        let steered = self.rare.as_ref().and_then(|rare| rare.cap);
        steered.is_some_and(|cap| cap < self.largest_window() && cap <= cwnd)
    }

    /// The receiver's window, or the largest so far and to be expected if it changes.
    fn largest_window(&self) -> u64 {
        let flow = self.flow_control();
        flow.map_or(self.data.window, |flow| flow.largest.max(flow.most))
    }

    /// The cap, from one segment to the receiver's window.
    pub(super) fn cap_within(&mut self) -> WindowCap<'_> {
        let (least, most) = (self.data.mss, self.largest_window());
        let rare = self.rare.get_or_insert_default();
        WindowCap {
            octets: rare.cap.get_or_insert(most),
            least,
            most,
        }
    }

    /// The windows and times for a time series.
    pub(super) fn state_now(&self) -> SenderState {
        SenderState([
            ("cwnd", StateValue::Octets(self.cwnd())),
            ("ssthresh", StateValue::Octets(self.control.ssthresh())),
            ("srtt", StateValue::Time(self.timer.srtt())),
            ("rto", StateValue::Time(self.timer.rto())),
        ])
    }
}
