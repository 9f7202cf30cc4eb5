//! Counts of the pauses of a link in one direction, at both of its ends.

use kernel::{Duration, Time};

/// Counts at the end that obeys.
#[derive(Clone, Copy, Debug, Default)]
pub struct PauseGateMeter {
    /// Pause frames received since counting began.
    pub received: u64,
    /// Time in which a priority was paused, since counting began.
    paused: Duration,
    /// Time from which on a priority has been paused without a break, if one is paused.
    since: Option<Time>,
}

impl PauseGateMeter {
    /// From `now` on, a priority is paused or none is.
    pub fn turn(&mut self, now: Time, is_paused: bool) {
        self.paused = self.paused(now);
        self.since = is_paused.then_some(now);
    }

    /// Time until `now` in which a priority was paused.
    pub fn paused(&self, now: Time) -> Duration {
        self.paused + self.since.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = PauseGateMeter {
            since: self.since.map(|_| now),
            ..PauseGateMeter::default()
        };
    }
}

/// Counts at the end that pauses.
#[derive(Clone, Copy, Debug, Default)]
pub struct PauseReceiverMeter {
    /// Pause frames sent since counting began.
    pub sent: u64,
    /// Octets of these frames on the link.
    pub octets: u64,
    /// Largest number of octets that the input held beyond xoff, in one priority.
    pub headroom: u64,
    /// Packets beyond the headroom, which were dropped.
    pub dropped: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_counts_from_the_end_of_the_warm_up() {
        let at = Time::from_ps;
        let mut meter = PauseGateMeter::default();
        meter.turn(at(10), true);
        meter.turn(at(30), false);
        meter.turn(at(40), true);
        assert_eq!(meter.paused(at(45)), Duration::from_ps(25));
        meter.begin(at(50));
        assert_eq!(meter.paused(at(60)), Duration::from_ps(10));
        meter.turn(at(60), true);
        meter.turn(at(70), false);
        assert_eq!(meter.paused(at(90)), Duration::from_ps(20));
    }
}
