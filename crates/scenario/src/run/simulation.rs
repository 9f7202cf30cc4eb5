//! One run, driven from start to end for a caller that may watch, capture or cancel it.

use std::io;

use kernel::{Division, Network, Seed, Time};
use models::node::AnyNode;

use super::steps::SteppedRun;
use crate::capture::connections::{self, ConnectionTable};
use crate::capture::taps::{Deliver, Taps};
use crate::capture::{Append, CaptureOptions};
use crate::lower::Plan;
use crate::report::{Report, events};

/// Fewest node visits between two progress checks, a few milliseconds of wall-clock time.
pub const VISITS: u64 = 10_000;

/// Fewest visits of each node between two progress checks: the runner looks at all nodes before and
/// after each, which must cost little beside the visits.
const VISITS_OF_NODE: u64 = 16;

/// Progress of a run.
pub struct RunProgress<'a> {
    /// Share of the simulated time that is done.
    pub fraction: f64,
    network: &'a Network<AnyNode>,
}

impl RunProgress<'_> {
    /// Number of cells and packets that have entered links so far; the call visits every port.
    pub fn events(&self) -> u64 {
        let events = events::counted(self.network, 0);
        events.cell_hops + events.packet_hops
    }
}

/// A run in progress.
pub struct Simulation<'a> {
    steps: SteppedRun<&'a Plan>,
    /// Captures and a trace, if there are any.
    taps: Taps<'a>,
    /// Receives the connections at the end of the run, if they are listed.
    connections: Option<DeliverConnections<'a>>,
    seed: Seed,
}

/// Receives the connections of a run when it ends.
pub type DeliverConnections<'a> = Box<dyn FnOnce(ConnectionTable) + 'a>;

/// The state of a run at a progress check or a pause.
pub struct RunState<'a> {
    /// Plan of the run.
    pub plan: &'a Plan,
    /// The network.
    pub network: &'a mut Network<AnyNode>,
    /// Time before which every event has happened.
    pub now: Time,
    /// True at a pause, when no node has acted beyond `now`. False at a progress check, when some
    /// nodes are ahead of it.
    pub paused: bool,
}

/// Reasons why a run did not reach its end.
#[derive(Debug)]
pub enum Stopped {
    /// The run was cancelled on request.
    Cancelled,
    /// Captured packets could not be written.
    Unwritable(io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Unwritable(error)
    }
}

impl<'a> Simulation<'a> {
    /// A run that has not begun, and that records what the scenario asks for.
    pub fn new(plan: &'a Plan, seed: Seed) -> Simulation<'a> {
        Simulation {
            steps: SteppedRun::new(plan, seed),
            taps: Taps::default(),
            connections: None,
            seed,
        }
    }

    /// A run that has not begun, and that records nothing over time.
    pub fn without_series(plan: &'a Plan, seed: Seed) -> Simulation<'a> {
        Simulation {
            steps: SteppedRun::without_series(plan, seed),
            taps: Taps::default(),
            connections: None,
            seed,
        }
    }

    /// This run, which has not begun, in parts, each of which has a thread of its own. The division
    /// changes no result.
    pub fn in_parts(self, division: Division) -> Simulation<'a> {
        Simulation {
            steps: self.steps.in_parts(division),
            ..self
        }
    }

    /// Plan of the run.
    pub fn plan(&self) -> &'a Plan {
        self.steps.plan()
    }

    /// Gives access to the network, before the run begins.
    pub fn look(&mut self, prepare: impl FnOnce(&mut Network<AnyNode>)) {
        prepare(self.steps.network_mut());
    }

    /// Captures the packets at every host and every output; `append` receives the successive octets
    /// of each file.
    pub fn capture(&mut self, options: &CaptureOptions, append: Append<'a>) {
        let (plan, network) = (self.plan(), self.steps.network_mut());
        self.taps.capture(plan, self.seed, options, network, append);
    }

    /// Traces every packet; `deliver` receives the packets at the end of the run.
    pub fn trace(&mut self, deliver: Deliver<'a>) {
        let (plan, network) = (self.plan(), self.steps.network_mut());
        self.taps.trace(plan, network, deliver);
    }

    /// Lists the connections that come and go; `deliver` receives them at the end of the run.
    pub fn list_connections(&mut self, deliver: DeliverConnections<'a>) {
        connections::list(self.steps.network_mut());
        self.connections = Some(deliver);
    }

    /// Runs to the end and reports.
    ///
    /// `attend` is called many times a second with the progress, and returns true if the run shall
    /// continue.
    ///
    /// # Errors
    /// If `attend` returned false, or captured packets could not be written.
    ///
    /// # Panics
    /// If a model breaks a conservation law.
    pub fn run(self, mut attend: impl FnMut(&RunProgress<'_>) -> bool) -> Result<Report, Stopped> {
        let end = self.steps.end();
        self.watch(|state| {
            let progress = RunProgress {
                fraction: state.now.seconds() / end.seconds(),
                network: state.network,
            };
            attend(&progress).then_some(end)
        })
    }

    /// Runs to the end and reports, with pauses; `attend` sees the whole run, and returns the time
    /// of the next pause, or none to cancel.
    ///
    /// Pauses and observers change no result.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    ///
    /// # Panics
    /// As [`Simulation::run`].
    pub fn watch(
        mut self,
        mut attend: impl FnMut(&mut RunState<'_>) -> Option<Time>,
    ) -> Result<Report, Stopped> {
        let plan = self.plan();
        let end = self.steps.end();
        let nodes = self.steps.network().nodes.len() as u64;
        let visits = VISITS.max(VISITS_OF_NODE * nodes);
        let mut pause = Time::ZERO;
        loop {
            let now = self.steps.advance(pause, visits);
            let network = self.steps.network_mut();
            self.taps.take(network, now)?;
            let mut state = RunState {
                plan,
                network,
                now,
                paused: now == pause,
            };
            pause = attend(&mut state).ok_or(Stopped::Cancelled)?.min(end);
            if now == end {
                break;
            }
        }
        std::mem::take(&mut self.taps).end(self.steps.network_mut(), end)?;
        if let Some(deliver) = self.connections {
            deliver(ConnectionTable::so_far(plan, self.steps.network()));
        }
        Ok(self.steps.finish())
    }
}
