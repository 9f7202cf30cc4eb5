//! The line of a link in one direction: it carries one unit at a time, and nothing else records when it
//! is free. It belongs to what feeds the link: to the queue of an output, or to the interface of a host
//! where nothing waits. Link-level retry sends over it too.

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

    /// Moves the end of the last transmission: several units have been committed at once, one by a rate
    /// that changes, or committed units have been recalled or respaced.
    #[inline]
    pub fn end_at(&mut self, free_at: Time) {
        self.free_at = free_at;
    }
}
