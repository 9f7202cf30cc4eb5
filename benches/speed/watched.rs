//! A run that is watched as the live page watches it where it is as fast as it goes.

use kernel::{Duration, Time};
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::run::Simulation;
use scenario::watch::{self, Directive, NextPause, Snapshot, Watcher};

use super::measure::SEED;

/// Simulated time from one snapshot to the next: what takes 50 ms, about.
const FRAME: Duration = Duration::from_ms(500);

/// Readings of gauges in a snapshot that somebody sees.
const SAMPLES: u64 = 8;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nobody: it does not pause.
    Unseen,
    /// Somebody.
    Seen,
}

impl Look {
    /// Both.
    pub const ALL: [Look; 2] = [Look::Unseen, Look::Seen];

    /// What is added to the name of a workload.
    pub fn suffix(self) -> &'static str {
        match self {
            Look::Unseen => "-unseen",
            Look::Seen => "-seen",
        }
    }
}

/// Runs to the end, looked at now and then.
pub fn run(plan: &Plan, look: Look) -> Report {
    let simulation = Simulation::new(plan, SEED);
    watch::run(simulation, &mut Looking(look)).expect("nobody gives it up")
}

struct Looking(Look);

impl Watcher for Looking {
    fn paused(&mut self, snapshot: Snapshot) -> Option<NextPause> {
        let now = *snapshot.times.last()?;
        Some(match self.0 {
            Look::Unseen => NextPause {
                until: Time::NEVER,
                every: Duration::ZERO,
            },
            Look::Seen => NextPause {
                until: now + FRAME,
                every: Duration::from_ps(FRAME.ps() / SAMPLES),
            },
        })
    }

    fn underway(&mut self, _: Time) -> Directive {
        Directive::Continue
    }
}
