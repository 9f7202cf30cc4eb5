//! The window of BBR: what it may hold, and its course through recoveries, timeouts and probes of the
//! round-trip time.
//!
//! draft-cardwell-iccrg-bbr-congestion-control-00, section 4.2.3; `bbr_set_cwnd` and
//! `bbr_save_cwnd` of Linux.

use super::State;
use crate::transport::tcp::congestion::Delivery;

/// The progress of a loss recovery, or of the repair of a timeout: section 4.2.3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// Neither is under way.
    None,
    /// A loss was noticed after the last sample.
    Noticed,
    /// The first round of a recovery: `BBR.packet_conservation` is true.
    Conserving,
    /// The later rounds.
    Growing,
    /// The repair of a timeout.
    TimedOut,
}

impl State {
    /// A loss begins a recovery, unless one is under way: two that follow upon the same acknowledgment
    /// are one for Linux (`prev_ca_state`), which conserves packets in the first round only.
    pub(super) fn notice_loss(&mut self) {
        if !matches!(self.repair, Repair::Conserving | Repair::Growing) {
            self.repair = Repair::Noticed;
        }
    }

    /// `BBRSaveCwnd`: the window before a recovery, a timeout or a probe of the round-trip time. While
    /// one of them is under way it has cut the window, so that the larger is kept.
    pub(super) fn save_window(&mut self) {
        let is_cut = self.repair != Repair::None || self.is_probing_round_trip();
        self.prior = if is_cut {
            self.prior.max(self.cwnd)
        } else {
            self.cwnd
        };
    }

    /// `BBRRestoreCwnd`. If a probe of the round-trip time goes on, [`Self::set_window`] still caps
    /// the window, and the end of the probe restores it.
    pub(super) fn restore_window(&mut self) {
        self.cwnd = self.cwnd.max(self.prior);
    }

    /// Section 4.2.3.4: in the first round of a recovery as much leaves as is delivered, and later at
    /// most twice as much. The round begins with the recovery, as in Linux.
    pub(super) fn modulate(&mut self, sample: &Delivery, ends_round: bool) {
        let (newly, in_flight) = (sample.newly as f64, sample.in_flight as f64);
        if !sample.in_recovery {
            if !matches!(self.repair, Repair::None | Repair::Noticed) {
                self.restore_window();
            }
            self.repair = Repair::None;
        } else if self.repair == Repair::Noticed {
            self.cwnd = in_flight + newly.max(self.mss);
            self.repair = Repair::Conserving;
            self.bandwidth.begin_round(sample);
        } else {
            let goes_on = self.repair == Repair::Conserving && !ends_round;
            if !goes_on && self.repair != Repair::TimedOut {
                self.repair = Repair::Growing;
            }
            self.cwnd = (self.cwnd - sample.lost as f64).max(self.mss);
        }
        if self.repair == Repair::Conserving {
            self.cwnd = self.cwnd.max(in_flight + newly);
        }
    }

    /// Section 4.2.3.6, with room for what acknowledgments gather.
    pub(super) fn set_window(&mut self, sample: &Delivery) {
        let rate = self.rate();
        let mut target = self.product_of(rate, self.window_gain);
        if self.is_filled {
            target += self.aggregation.extra(rate);
        }
        let newly = sample.newly as f64;
        if self.repair != Repair::Conserving {
            if self.is_filled {
                self.cwnd = (self.cwnd + newly).min(target);
            } else if self.cwnd < target || (sample.delivered as f64) < 10.0 * self.mss {
                self.cwnd += newly;
            }
            self.cwnd = self.cwnd.max(self.fewest());
        }
        // Our own rule: the window does not exceed the receiver's.
        self.cwnd = self.cwnd.min(self.most);
        if self.is_probing_round_trip() {
            self.cwnd = self.cwnd.min(self.fewest());
        }
    }
}
