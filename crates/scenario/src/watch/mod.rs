//! Watching a run: snapshots at its pauses, which change nothing.
//!
//! [`gauges`] are read at even intervals on the way to a pause; [`motion`] lists the units between
//! nodes at the pause, and [`drops`] the drops since the pause before.

mod drops;
mod gauges;
mod levels;
mod motion;
mod quantity;

use kernel::{Duration, Time};

use crate::report::Report;
use crate::simulation::{Glance, Simulation, Stopped};
pub use drops::Drop;
pub use gauges::{Gauge, gauges};
pub use levels::{BufferLevels, Level, buffer_levels};
pub use motion::Moving;
pub use quantity::{QUANTITIES, Quantity, Slope};

/// The part of a run up to its next pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Time of the pause; a time after the end of the run means no pause.
    pub until: Time,
    /// Time between readings of the gauges; if zero, there are none, and drops are counted without
    /// a list.
    pub every: Duration,
}

/// State of a run at a pause.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Instants at which gauges were read since the last pause, this one included.
    pub times: Vec<Time>,
    /// One row of gauges for each instant, one after another.
    pub rows: Vec<f64>,
    /// Units between nodes.
    pub moving: Vec<Moving>,
    /// The latest drops since the last pause.
    pub drops: Vec<Drop>,
}

/// An observer of a run.
pub trait Watcher {
    /// The run is at the end of a stretch, or has not begun; returns the next stretch, or none to
    /// cancel the run.
    fn paused(&mut self, frame: Snapshot) -> Option<Stretch>;

    /// The run is within a stretch, and has reached at least `now`.
    fn underway(&mut self, now: Time) -> Wish;
}

/// Request of a watcher to a run within a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Continue to the end of the stretch.
    GoOn,
    /// Pause as soon as possible.
    Pause,
    /// Cancel the run.
    GiveUp,
}

/// Runs to the end; `watcher` is called many times a second.
///
/// # Errors
/// If the watcher cancels the run.
///
/// # Panics
/// If a model breaks a law of conservation.
pub fn run(mut simulation: Simulation<'_>, watcher: &mut impl Watcher) -> Result<Report, Stopped> {
    let plan = simulation.plan();
    simulation.look(|network| drops::count(plan, network));
    let mut watch = Watch {
        watcher,
        stretch: None,
        dropped: drops::Dropped::new(plan),
        frame: Snapshot::default(),
    };
    simulation.watch(|glance| watch.attend(glance))
}

struct Watch<'a, W> {
    watcher: &'a mut W,
    /// The present stretch; none before the first.
    stretch: Option<Stretch>,
    dropped: drops::Dropped,
    /// Readings in this stretch.
    frame: Snapshot,
}

impl<W: Watcher> Watch<'_, W> {
    fn attend(&mut self, glance: &mut Glance<'_>) -> Option<Time> {
        let now = glance.now;
        self.dropped.collect(glance.plan, glance.network);
        if !glance.paused {
            match self.watcher.underway(now) {
                Wish::GoOn => {}
                Wish::GiveUp => return None,
                Wish::Pause => {
                    if let Some(stretch) = &mut self.stretch {
                        stretch.until = stretch.until.min(glance.network.ahead());
                    }
                }
            }
            return Some(self.next_pause(now));
        }
        self.frame.times.push(now);
        let mut view = gauges::View {
            plan: glance.plan,
            network: glance.network,
            now,
            dropped: &self.dropped,
        };
        view.read(&mut self.frame.rows);
        let end = Time::ZERO + glance.plan.spec.duration;
        if self
            .stretch
            .is_none_or(|stretch| now >= stretch.until.min(end))
        {
            self.frame.moving = motion::moving(glance.plan, glance.network, now);
            self.frame.drops = self.dropped.take();
            let frame = std::mem::take(&mut self.frame);
            let stretch = self.watcher.paused(frame)?;
            drops::list(glance.network, stretch.every > Duration::ZERO);
            self.stretch = Some(stretch);
        }
        Some(self.next_pause(now))
    }

    /// Time of the next reading: on a grid, so readings do not depend on the ends of stretches.
    fn next_pause(&self, now: Time) -> Time {
        match self.stretch {
            None => now,
            Some(Stretch { until, every }) if every == Duration::ZERO => until.max(now),
            Some(Stretch { until, every }) => {
                let next = Time::from_ps((now.ps() / every.ps() + 1) * every.ps());
                until.min(next).max(now)
            }
        }
    }
}
