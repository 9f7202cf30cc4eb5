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

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);
    const LONG: Duration = Duration::from_us(10);

    #[test]
    fn units_that_are_committed_leave_back_to_back_and_an_idle_line_waits_for_none() {
        let mut line = Line::default();
        let committed = [0, 3, 40].map(|us| line.commit(AT(us), LONG));
        let spans = [[0, 10], [10, 20], [40, 50]];
        assert_eq!(committed, spans.map(|span| span.map(AT)));
        assert_eq!(line.free_at(), AT(50));
    }

    #[test]
    fn a_unit_that_starts_on_a_free_line_ends_its_time_later() {
        let mut line = Line::default();
        assert_eq!(line.occupy(AT(5), LONG), AT(15));
        assert_eq!(line.occupy(AT(15), LONG), AT(25));
        // Cells that were announced are recalled.
        line.end_at(AT(20));
        assert_eq!(line.commit(AT(17), LONG), [AT(20), AT(30)]);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "nothing interrupts a transmission")]
    fn no_unit_starts_while_another_is_sent() {
        let mut line = Line::default();
        line.occupy(AT(0), LONG);
        line.occupy(AT(9), LONG);
    }
}
