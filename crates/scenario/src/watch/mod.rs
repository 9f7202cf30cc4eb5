//! Watching a run in progress without changing it. Our own rule: a watched run gives the numbers of
//! an unwatched one, bit for bit.
//!
//! A watched run stops at pauses that its watcher sets. Between pauses it reads all [`gauges`] at
//! equal intervals. At a pause the watcher gets a [`Snapshot`]: the readings, the cells and packets
//! in flight ([`motion`]), the [`drops`] since the last pause, the last slot of each switch whose fabric
//! matches inputs with outputs ([`slots`]), and the pauses and credits of links by priority
//! ([`priorities`]).

mod drops;
mod gauges;
mod kept;
mod levels;
mod motion;
mod observer;
mod priorities;
mod quantity;
mod rules;
mod slots;
mod stepped;

use kernel::{Duration, Network, Time};
use models::node::AnyNode;

use crate::lower::Plan;
use crate::report::Report;
use crate::run::{RunState, Simulation, Stopped};
pub use drops::PduDrop;
pub use gauges::{Gauge, gauges};
pub use kept::{KeptPdu, keep};
pub use levels::{BufferLevels, Level, buffer_levels};
pub use motion::Moving;
pub use observer::Observer;
pub use priorities::{ControlledHop, CreditStatus, PauseStatus, controlled_hops};
pub use quantity::{GaugeQuantity, QUANTITIES, Slope};
pub use rules::{DropRule, InputRule, drop_rules};
pub use slots::{MOST_PORTS, SlotReading, SlottedSwitch, slotted_switches};
pub use stepped::{WatchedRun, WatchedStep};

/// The next pause of a run, and the interval between readings until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPause {
    /// The instant of the pause; an instant after the end of the run means no pause.
    pub until: Time,
    /// Interval between readings of the gauges. If it is zero, the gauges are read at the pause
    /// only, drops are counted without a list, and no steps of matchings are noted.
    pub every: Duration,
}

/// The readings since the last pause, and the state of the network at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Instants of the readings since the last pause; the last is the instant of this pause.
    pub times: Vec<Time>,
    /// Values of all gauges, one row after another, with a row for each instant.
    pub rows: Vec<f64>,
    /// Cells and packets in flight: the first few thousand, link by link.
    pub moving: Vec<Moving>,
    /// The latest drops since the last pause.
    pub drops: Vec<PduDrop>,
    /// The last slot of each of the [`slotted_switches`].
    pub slots: Vec<SlotReading>,
    /// The priorities of links that may be paused.
    pub pauses: Vec<PauseStatus>,
    /// The priorities of links that need credits for whole packets.
    pub credits: Vec<CreditStatus>,
}

/// The watcher of a run, which decides how it continues.
pub trait Watcher {
    /// How the run continues, after a pause or from the start; `None` cancels it.
    fn paused(&mut self, snapshot: Snapshot) -> Option<NextPause>;

    /// The directive at the instant `now` between two pauses; the run may be slightly ahead of
    /// `now`.
    fn underway(&mut self, now: Time) -> Directive;
}

/// Instruction to a run between two pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Run on to the next pause.
    Continue,
    /// Run on to the next instant at which a pause is possible, and pause there.
    Pause,
    /// Stop the run.
    Cancel,
}

/// Runs to the end; `watcher` is asked for a directive many times a second.
///
/// # Errors
/// If the watcher cancels the run.
///
/// # Panics
/// If a model breaks a law of conservation.
pub fn run(mut simulation: Simulation<'_>, watcher: &mut impl Watcher) -> Result<Report, Stopped> {
    let plan = simulation.plan();
    simulation.look(|network| drops::count(plan, network));
    let mut watch = Watch::new(plan);
    simulation.watch(|state| watch.attend(state, watcher))
}

/// The observations of a run between two pauses.
struct Watch {
    /// The next pause; `None` before the first.
    next: Option<NextPause>,
    dropped: drops::DropLog,
    /// The readings since the last pause.
    snapshot: Snapshot,
}

impl Watch {
    /// The state before the first event.
    fn new(plan: &Plan) -> Watch {
        Watch {
            next: None,
            dropped: drops::DropLog::new(plan),
            snapshot: Snapshot::default(),
        }
    }

    fn attend(&mut self, state: &mut RunState<'_>, watcher: &mut impl Watcher) -> Option<Time> {
        let now = state.now;
        self.dropped.collect(state.plan, state.network);
        if state.paused {
            if let Some(snapshot) = self.read(state) {
                self.go_on(state.network, watcher.paused(snapshot)?);
            }
        } else {
            match watcher.underway(now) {
                Directive::Continue => {}
                Directive::Cancel => return None,
                Directive::Pause => {
                    if let Some(next) = &mut self.next {
                        next.until = next.until.min(state.network.ahead());
                    }
                }
            }
        }
        Some(self.next_reading(now))
    }

    /// Reads all gauges; returns the snapshot if this is the pause that the watcher has set.
    fn read(&mut self, state: &mut RunState<'_>) -> Option<Snapshot> {
        let now = state.now;
        self.snapshot.times.push(now);
        let mut view = gauges::View {
            plan: state.plan,
            network: state.network,
            now,
            dropped: &self.dropped,
        };
        view.read(&mut self.snapshot.rows);
        let end = Time::ZERO + state.plan.spec.duration;
        let is_due = self.next.is_none_or(|next| now >= next.until.min(end));
        is_due.then(|| {
            self.snapshot.moving = motion::moving(state.plan, state.network, now);
            self.snapshot.drops = self.dropped.take();
            self.snapshot.slots = slots::read(state.network);
            (self.snapshot.pauses, self.snapshot.credits) =
                priorities::read(state.plan, state.network);
            std::mem::take(&mut self.snapshot)
        })
    }

    /// Continues to the next pause of the watcher.
    fn go_on(&mut self, network: &mut Network<AnyNode>, next: NextPause) {
        let is_seen = next.every > Duration::ZERO;
        drops::list(network, is_seen);
        slots::note(network, is_seen);
        self.next = Some(next);
    }

    /// The instant of the next reading: a multiple of the interval, so readings do not depend on
    /// the times between pauses.
    fn next_reading(&self, now: Time) -> Time {
        match self.next {
            None => now,
            Some(NextPause { until, every }) if every == Duration::ZERO => until.max(now),
            Some(NextPause { until, every }) => {
                let next = Time::from_ps((now.ps() / every.ps() + 1) * every.ps());
                until.min(next).max(now)
            }
        }
    }
}
