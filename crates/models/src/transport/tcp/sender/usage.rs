//! The use of the congestion window: a window that the application, or the receiver, keeps a sender
//! from using says nothing about the path, and does not grow.
//!
//! The rule of Linux for all of its congestion controls but BBR (`tcp_cwnd_validate` and
//! `tcp_is_cwnd_limited`); RFC 9438, section 5.8, asks for no less, and RFC 7661 for more. It holds
//! for every congestion control here, unless a scenario asks for the windows of BSD and ns-2, which
//! grow anyway (`opencwnd` of ns-2, with `control_increase_` left at 0).

use kernel::{Duration, Time};

use super::TcpSender;
use crate::metrics::Limit;
use crate::transport::tcp::{Idle, UnusedWindow};

/// The use of the congestion window in the present window of data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    /// End of the window of data: the lower half of its number, as in the header of TCP.
    // A sender is small, because a network may have many of them.
    end: u32,
    /// Most octets that were outstanding after sending, which are fewer than 2^30; [`FULL`] once the
    /// congestion window has limited the sender in this window of data, and [`ALWAYS`] if every window
    /// grows.
    most: u32,
}

/// The use of a window that has limited the sender.
const FULL: u32 = u32::MAX - 1;

/// The use of a window that grows whether it is used or not.
const ALWAYS: u32 = u32::MAX;

impl Usage {
    /// The use before the first segment.
    pub(super) fn new(rule: UnusedWindow) -> Usage {
        let most = match rule {
            UnusedWindow::Kept => 0,
            UnusedWindow::Grows => ALWAYS,
        };
        Usage { end: 0, most }
    }
}

/// The use of the congestion window over time, for a host that shrinks windows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unused {
    /// Time at which the window was last used, or last shrank because it was not.
    used_at: Time,
    /// Most octets that were outstanding since then (`snd_cwnd_used`).
    used: u32,
}

impl TcpSender {
    /// Records the use of the window after sending, which `limit` ended; `sent` is true if new data
    /// left. Once the window has limited the sender, that counts until this window of data is
    /// acknowledged.
    // A part of sending, which every acknowledgment asks for.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn note_usage(&mut self, now: Time, limit: Limit, cwnd: u64, sent: bool) {
        if self.usage.most == ALWAYS {
            return;
        }
        let flight = self.data.flight();
        // Also if not even one more segment fits, although no segment waits for it. A segment that waits
        // for pacing alone uses no window, as in Linux.
        let most = if limit == Limit::CongestionWindow || flight + self.data.mss > cwnd {
            FULL
        } else if sent {
            flight as u32
        } else {
            return;
        };
        let passed = || (self.data.una as u32).wrapping_sub(self.usage.end) as i32 >= 0;
        if most == FULL || most > self.usage.most || passed() {
            self.usage = Usage {
                end: self.data.max as u32,
                most,
            };
        }
        if self.idle == Idle::Linux {
            self.shrink_if_unused(now);
        }
    }

    /// A window that is not used for a timeout shrinks to the mean of itself and what was used of it,
    /// or of the initial window: `tcp_cwnd_application_limited`.
    fn shrink_if_unused(&mut self, now: Time) {
        let (is_used, initial) = (self.uses_window(), self.initial_window());
        let flight = self.data.flight() as u32;
        let rto = self.timer.rto();
        let Some(unused) = self.unused() else {
            return;
        };
        if is_used {
            (unused.used_at, unused.used) = (now, 0);
            return;
        }
        unused.used = unused.used.max(flight);
        if now.since(unused.used_at) < rto {
            return;
        }
        let used = initial.max(unused.used.into());
        (unused.used_at, unused.used) = (now, 0);
        let is_open = self.data.duplicates == 0 && self.data.recovered() && !self.is_reducing();
        let cwnd = self.control.cwnd();
        if is_open && used < cwnd && self.control.rests() {
            let mss = self.data.mss;
            self.control.raise_ssthresh(cwnd / 4 * 3);
            self.control
                .resume_from((cwnd / mss).midpoint(used / mss) * mss);
        }
    }

    /// The window after an idle time: halved for each whole timeout of it, but not below the initial
    /// window (`tcp_cwnd_restart`).
    pub(super) fn restart_by_halves(&mut self, now: Time) {
        let (rto, idle) = (self.timer.rto(), now.since(self.meter.last_sent()));
        if self.data.max == 0 || self.data.flight() > 0 || idle <= rto || !self.control.rests() {
            return;
        }
        let (mss, before) = (self.data.mss, self.control.cwnd());
        let least = self.initial_window().min(before);
        let (mut cwnd, mut left) = (before, idle - rto);
        while left > Duration::ZERO && cwnd > least {
            cwnd = cwnd / mss / 2 * mss;
            left = left.saturating_sub(rto);
        }
        self.end_reduction();
        self.control.raise_ssthresh(before / 4 * 3);
        self.control.resume_from(cwnd.max(least));
        if let Some(unused) = self.unused() {
            (unused.used_at, unused.used) = (now, 0);
        }
    }

    fn unused(&mut self) -> Option<&mut Unused> {
        self.records.as_mut()?.unused.as_mut()
    }

    fn initial_window(&self) -> u64 {
        u64::from(self.initial) * self.data.mss
    }

    /// True if the window was used, and may grow: it limited the sender, or half of it was used in
    /// slow start.
    #[inline]
    pub(super) fn uses_window(&self) -> bool {
        let half = || {
            let cwnd = self.cwnd();
            self.is_in_slow_start(cwnd) && cwnd < 2 * u64::from(self.usage.most)
        };
        self.usage.most >= FULL || half()
    }
}
