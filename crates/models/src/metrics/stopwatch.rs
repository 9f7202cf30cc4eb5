//! The time in which a condition holds, since counting began.

use kernel::{Duration, Time};

/// A time that runs while a condition holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopwatch {
    /// Time counted before the condition last began to hold.
    counted: Duration,
    /// Time from which on the condition has held, or has been counted; none if it does not hold.
    since: Option<Time>,
}

impl Stopwatch {
    /// From `now` on the condition holds, or does not hold.
    pub fn turn(&mut self, now: Time, holds: bool) {
        self.counted = self.at(now);
        self.since = holds.then_some(now);
    }

    /// True if the condition holds.
    pub fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// Time until `now` in which the condition held.
    pub fn at(&self, now: Time) -> Duration {
        self.counted + self.since.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// Restarts the count at `now`; the condition holds on if it holds.
    pub fn begin(&mut self, now: Time) {
        *self = Stopwatch {
            counted: Duration::ZERO,
            since: self.since.map(|_| now),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_counts_from_the_end_of_the_warm_up() {
        let at = Time::from_ps;
        let mut watch = Stopwatch::default();
        watch.turn(at(10), true);
        watch.turn(at(30), false);
        watch.turn(at(40), true);
        assert_eq!(watch.at(at(45)), Duration::from_ps(25));
        watch.begin(at(50));
        assert_eq!(watch.at(at(60)), Duration::from_ps(10));
        watch.turn(at(60), true);
        watch.turn(at(70), false);
        assert!(!watch.runs());
        assert_eq!(watch.at(at(90)), Duration::from_ps(20));
    }
}
