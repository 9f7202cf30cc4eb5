//! The line of a link in one direction: it carries one unit at a time, and this is its only clock. What
//! sends over a link asks its line when it is free, and tells it how long a unit takes.

use kernel::{Duration, Time};

/// The transmitting side of one direction of a link.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    /// End of the last transmission of any kind.
    free_at: Time,
}

impl Line {
    /// End of the last transmission of any kind.
    #[inline]
    pub fn free_at(self) -> Time {
        self.free_at
    }

    /// Commits a unit that is handed over at `now`, behind all before it: Lindley's recursion, 1952.
    /// Returns the start and the end of its transmission.
    #[inline]
    pub fn commit(&mut self, now: Time, time: Duration) -> [Time; 2] {
        let start = self.free_at.max(now);
        self.free_at = start + time;
        [start, self.free_at]
    }

    /// Sends a unit that starts at `now`; returns the end of its transmission.
    #[inline]
    pub fn occupy(&mut self, now: Time, time: Duration) -> Time {
        debug_assert!(self.free_at <= now, "nothing interrupts a transmission");
        self.free_at = now + time;
        self.free_at
    }

    /// Moves the end of the last transmission: several units have been committed at once, or committed
    /// units have been recalled or respaced.
    #[inline]
    pub fn end_at(&mut self, free_at: Time) {
        self.free_at = free_at;
    }
}
