//! The time in which packets of a virtual channel wait at a host until they start, or are being sent.

use kernel::{Duration, Time};

/// The time in which packets of a virtual channel wait or are being sent.
#[derive(Clone, Copy, Default)]
pub struct VcBacklog {
    /// Number of waiting packets.
    waiting: u32,
    /// End of the transmission of the last packet that started.
    sent: Time,
    /// Time since which packets have waited or have been sent without a break.
    since: Time,
    /// Total of the earlier busy periods, since counting began.
    before: Duration,
}

impl VcBacklog {
    /// Time until `now` in which packets waited or were being sent, since counting began.
    pub fn until(&self, now: Time) -> Duration {
        let end = if self.waiting > 0 {
            now
        } else {
            self.sent.min(now)
        };
        self.before + end.since(self.since)
    }

    /// A packet is handed over at `now`.
    pub fn push(&mut self, now: Time) {
        if self.waiting == 0 && self.sent <= now {
            self.before = self.until(now);
            self.since = now;
        }
        self.waiting += 1;
    }

    /// A packet starts, and is sent until `end`.
    pub fn start(&mut self, end: Time) {
        self.waiting -= 1;
        self.sent = end;
    }

    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        self.before = Duration::ZERO;
        self.since = now;
    }
}
