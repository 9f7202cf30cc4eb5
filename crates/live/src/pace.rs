//! The pace of a watched run: simulated time per second, pauses, steps and jumps.

/// Interval between snapshots, in seconds of the clock.
pub const INTERVAL: f64 = 0.05;

/// Interval between snapshots during a jump to an instant, in seconds of the clock.
const INTERVAL_IN_JUMP: f64 = 0.2;

/// Interval between pauses without viewers and below full speed, in seconds of the clock.
const INTERVAL_UNSEEN: f64 = 0.5;

/// Readings of the gauges for each snapshot.
const READINGS: f64 = 8.0;

/// Readings of the gauges for each snapshot during a jump, when snapshots are far apart.
const READINGS_IN_JUMP: f64 = 64.0;

/// A run pauses at a whole picosecond, which rounding may place just before a goal.
const PICOSECOND: f64 = 1e-12;

/// Lowest rate, in simulated seconds per second.
pub const SLOWEST: f64 = 1e-7;

/// Highest rate, in simulated seconds per second; it means full speed.
pub const FASTEST: f64 = 1e3;

/// Number of snapshots of a whole run at the first rate.
const SNAPSHOTS_AT_FIRST: f64 = 400.0;

/// How a paused run continues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Continuation {
    /// The run continues to the instant `until`, and reads its gauges at intervals of `every`, both
    /// in seconds of simulated time. An interval of zero means no readings before the pause.
    Run {
        /// Instant of the next pause, infinite for the end of the run.
        until: f64,
        /// Interval between readings.
        every: f64,
    },
    /// The run waits for this time in seconds of the clock, infinite without a limit, or until the
    /// pace changes.
    Wait(f64),
    /// The run is cancelled.
    Ended,
}

/// The state of the pace, for viewers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// True if the run proceeds at its rate.
    pub playing: bool,
    /// Simulated seconds per second.
    pub rate: f64,
    /// The instant to which the run jumps, if it does.
    pub goal: Option<f64>,
}

/// Decides when a run pauses next, and delays it to its rate.
#[derive(Clone, Debug)]
pub struct Pace {
    duration: f64,
    speed: Speed,
    /// Simulated time to continue for; zero if no step is due.
    step: f64,
    ended: bool,
    /// Time of the clock at the last snapshot.
    shown: f64,
    /// Estimated rate at full speed.
    able: f64,
    /// Time of the clock at which the run continued, and the simulated time to its next pause.
    begun: (f64, f64),
}

/// The first rate of a run that lasts `duration` simulated seconds.
pub fn first_rate(duration: f64) -> f64 {
    duration / SNAPSHOTS_AT_FIRST / INTERVAL
}

impl Pace {
    /// The pace of a run that lasts `duration` simulated seconds, and begins at `clock`.
    pub fn new(duration: f64, rate: f64, playing: bool, clock: f64) -> Pace {
        Pace {
            duration,
            speed: Speed {
                playing,
                rate,
                goal: None,
            },
            step: 0.0,
            ended: false,
            shown: clock,
            able: rate.min(1e-3) / INTERVAL,
            begun: (clock, 0.0),
        }
    }

    /// The present state.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Continues the run.
    pub fn play(&mut self) {
        self.speed.playing = true;
    }

    /// Holds the run at its next pause.
    pub fn pause(&mut self) {
        (self.speed.playing, self.speed.goal, self.step) = (false, None, 0.0);
    }

    /// Continues for this simulated time in seconds, then holds the run.
    pub fn step(&mut self, seconds: f64) {
        (self.speed.playing, self.speed.goal) = (false, None);
        self.step = within(seconds, 0.0, self.duration);
    }

    /// Continues to an instant in seconds at full speed, then holds the run.
    pub fn go_to(&mut self, seconds: f64) {
        self.speed.playing = false;
        self.speed.goal = Some(within(seconds, 0.0, self.duration));
    }

    /// Sets the rate in simulated seconds per second.
    pub fn set_rate(&mut self, rate: f64) {
        self.speed.rate = within(rate, SLOWEST, FASTEST);
    }

    /// Ends all waiting, because the run is cancelled.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The run has reached a pause at the time `clock`.
    ///
    /// The computing time since it continued is an estimate of the rate at full speed.
    pub fn reached(&mut self, clock: f64) {
        let (begun, span) = self.begun;
        let took = (clock - begun).max(1e-4);
        let measured = span / took;
        if measured > self.able {
            // The estimate grows in small steps: simulating up to the next pause may take longer.
            self.able = measured.min(1.5 * self.able);
        } else if took > INTERVAL / 4.0 {
            // A shorter computing time consists mostly of overhead.
            self.able = measured.max(0.1 * self.able).max(1e-6);
        }
    }

    /// How the run that is paused at `now` simulated seconds continues, at the time `clock`.
    ///
    /// Without viewers (`seen` is false) no gauge is read before the next pause.
    pub fn next(&mut self, now: f64, clock: f64, seen: bool) -> Continuation {
        if self.ended {
            return Continuation::Ended;
        }
        if !(self.speed.playing || self.step > 0.0 || self.is_ahead(now)) {
            return Continuation::Wait(f64::INFINITY);
        }
        if self.step > 0.0 {
            // A long step takes several snapshots.
            self.speed.goal = Some((now + self.step).min(self.duration));
            self.step = 0.0;
        }
        let next = if seen {
            self.seen(now, clock)
        } else {
            self.unseen(now, clock)
        };
        if let Continuation::Run { until, .. } = next {
            self.begun = (clock, until - now);
        }
        next
    }

    /// The next pause while viewers watch: after one snapshot interval of computing at the latest,
    /// and earlier if the rate is low.
    fn seen(&mut self, now: f64, clock: f64) -> Continuation {
        if let Some(goal) = self.speed.goal {
            let span = (self.able * INTERVAL_IN_JUMP).min(goal - now);
            return run(now, span, READINGS_IN_JUMP);
        }
        let mut span = self.able * INTERVAL;
        if self.speed.rate < FASTEST {
            if let Some(left) = self.early(INTERVAL, clock) {
                return Continuation::Wait(left);
            }
            span = span.min(self.speed.rate * INTERVAL);
        }
        run(now, span, READINGS)
    }

    /// The next pause while nobody watches: at the goal, at the end, or after one interval.
    fn unseen(&mut self, now: f64, clock: f64) -> Continuation {
        let until = if let Some(goal) = self.speed.goal {
            goal
        } else if self.speed.rate >= FASTEST {
            f64::INFINITY
        } else if let Some(left) = self.early(INTERVAL_UNSEEN, clock) {
            return Continuation::Wait(left);
        } else {
            now + self.speed.rate * INTERVAL_UNSEEN
        };
        Continuation::Run { until, every: 0.0 }
    }

    /// True if a goal is ahead; a goal that is reached is removed.
    fn is_ahead(&mut self, now: f64) -> bool {
        self.speed.goal = self.speed.goal.filter(|goal| *goal > now + PICOSECOND);
        self.speed.goal.is_some()
    }

    /// Time until the next snapshot is due, if it is not yet; a run that is late does not catch up.
    fn early(&mut self, interval: f64, clock: f64) -> Option<f64> {
        let left = self.shown + interval - clock;
        if left > 0.0 {
            return Some(left);
        }
        self.shown = clock;
        None
    }
}

/// The next pause after a span of simulated time with this many readings.
fn run(now: f64, span: f64, readings: f64) -> Continuation {
    Continuation::Run {
        until: now + span,
        every: span / readings,
    }
}

/// The number between two limits that is nearest to `number`.
fn within(number: f64, least: f64, most: f64) -> f64 {
    number.min(most).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until(next: Continuation) -> f64 {
        match next {
            Continuation::Run { until, .. } => until,
            other => panic!("{other:?} is no pause"),
        }
    }

    #[test]
    fn keeps_the_rate_of_a_run_that_is_computed_in_no_time() {
        let mut pace = Pace::new(1.0, 0.01, true, 0.0);
        let (mut now, mut clock) = (0.0, 0.0);
        while clock < 2.0 {
            match pace.next(now, clock, true) {
                Continuation::Run { until, .. } => {
                    now = until;
                    pace.reached(clock);
                }
                Continuation::Wait(left) => clock += left,
                Continuation::Ended => panic!("nobody ends it"),
            }
        }
        assert!((now - 0.02).abs() < 0.001, "{now}");
    }

    #[test]
    fn a_paused_run_waits_until_it_is_steered() {
        let mut pace = Pace::new(1.0, 0.01, true, 0.0);
        pace.pause();
        assert_eq!(pace.next(0.5, 1.0, true), Continuation::Wait(f64::INFINITY));
        pace.step(0.001);
        assert!(until(pace.next(0.5, 1.0, true)) <= 0.501);
        assert_eq!(pace.speed().goal, Some(0.501));
        assert_eq!(
            pace.next(0.501, 1.1, true),
            Continuation::Wait(f64::INFINITY)
        );
    }

    #[test]
    fn a_jump_goes_no_further_than_its_goal_or_the_end() {
        let mut pace = Pace::new(1.0, FASTEST, true, 0.0);
        pace.go_to(7.0);
        let end = Continuation::Run {
            until: 1.0,
            every: 0.0,
        };
        assert_eq!(pace.next(0.0, 0.0, false), end);
        pace.go_to(-1.0);
        assert_eq!(pace.speed().goal, Some(0.0));
    }

    #[test]
    fn an_unseen_run_at_full_speed_pauses_no_more() {
        let mut pace = Pace::new(1.0, FASTEST, true, 0.0);
        assert!(until(pace.next(0.0, 0.0, false)).is_infinite());
        pace.end();
        assert_eq!(pace.next(0.0, 0.0, false), Continuation::Ended);
    }

    #[test]
    fn a_slow_run_gets_shorter_spans() {
        let mut pace = Pace::new(100.0, FASTEST, true, 0.0);
        let first = until(pace.next(0.0, 0.0, true));
        pace.reached(1.0);
        let second = until(pace.next(first, 1.0, true)) - first;
        assert!(second < first / 2.0, "{second} after {first}");
    }
}
