//! The use of the congestion window: a window that the application, or the receiver, keeps a sender
//! from using says nothing about the path, and does not grow.
//!
//! The rule of Linux for all of its congestion controls but BBR (`tcp_cwnd_validate` and
//! `tcp_is_cwnd_limited`); RFC 9438, section 5.8, asks for no less, and RFC 7661 for more. It holds
//! for every congestion control here, unless a scenario asks for the windows of BSD and ns-2, which
//! grow anyway (`opencwnd` of ns-2, with `control_increase_` left at 0).

use kernel::{Duration, Time};

use crate::transport::tcp::UnusedWindow;
use crate::transport::tcp::recovery::Outstanding;

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

    /// Most octets that were outstanding.
    pub(super) fn most(self) -> u64 {
        self.most.into()
    }

    /// True if the window has limited the sender, or grows in any case.
    pub(super) fn is_full(self) -> bool {
        self.most >= FULL
    }

    /// Records the use after sending; `is_full` is true if the window ended it, and `sent` if new data
    /// left. Once the window has limited the sender, that counts until this window of data is
    /// acknowledged. Returns true if the window may have been used less than before.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn note(&mut self, data: &Outstanding, is_full: bool, sent: bool) -> bool {
        if self.most == ALWAYS || !(is_full || sent) {
            return false;
        }
        let most = if is_full { FULL } else { data.flight() as u32 };
        let passed = || (data.una as u32).wrapping_sub(self.end) as i32 >= 0;
        if is_full || most > self.most || passed() {
            *self = Usage {
                end: data.max as u32,
                most,
            };
        }
        true
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

impl Unused {
    /// The window was used at `now`, or shrank because it was not.
    pub(super) fn since(now: Time) -> Unused {
        Unused {
            used_at: now,
            used: 0,
        }
    }

    /// `flight` octets are outstanding after sending, by which the window is used or not. Returns the most
    /// of it that was used, if it was not used for a timeout: the window shrinks.
    pub(super) fn note(
        &mut self,
        now: Time,
        flight: u64,
        is_used: bool,
        rto: Duration,
    ) -> Option<u32> {
        if is_used {
            *self = Unused::since(now);
            return None;
        }
        self.used = self.used.max(flight as u32);
        let is_over = now.since(self.used_at) >= rto;
        is_over.then(|| std::mem::replace(self, Unused::since(now)).used)
    }
}
