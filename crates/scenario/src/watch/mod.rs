//! Watching: what can be seen of a run while it goes on, without changing it.
//!
//! A run pauses, is read, and goes on. [`gauges`] are read again and again on the way; [`motion`] is
//! what is between nodes when it pauses, and [`drops`] what was dropped since it last did.

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

/// How far a run goes on before it is looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// When it pauses; not at all beyond its end.
    pub until: Time,
    /// From one reading of the gauges on the way to the next; zero if nobody looks: then drops are only
    /// counted.
    pub every: Duration,
}

/// What is seen when a run pauses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Instants at which gauges were read since it last paused, this one included.
    pub times: Vec<Time>,
    /// A row of gauges for each of them, one after another.
    pub rows: Vec<f64>,
    /// What is on its way.
    pub moving: Vec<Moving>,
    /// The latest of what was dropped since it last paused.
    pub drops: Vec<Drop>,
}

/// Looks at a run.
pub trait Watcher {
    /// The run has come to the end of a stretch, or is about to begin; the next stretch, or nothing to
    /// give it up.
    fn paused(&mut self, frame: Snapshot) -> Option<Stretch>;

    /// The run is on its way, and has come at least as far as this.
    fn underway(&mut self, now: Time) -> Wish;
}

/// What a watcher wants of a run that is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// That it goes on to the end of the stretch.
    GoOn,
    /// That it pauses as soon as it can.
    Pause,
    /// Nothing more.
    GiveUp,
}

/// Runs to the end under the eyes of `watcher`, which is asked many times a second.
///
/// # Errors
/// If the watcher gives it up.
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
    /// Nothing before the first.
    stretch: Option<Stretch>,
    dropped: drops::Dropped,
    /// What has been read in it.
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

    /// When gauges are read next: on a grid, so that how stretches are cut does not show.
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
