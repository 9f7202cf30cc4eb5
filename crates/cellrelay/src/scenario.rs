//! Scenarios without mistakes, planned once and run many times.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::sync::Arc;

use kernel::Duration;
use scenario::run::key;
use scenario::run::{RunProgress, Stopped};
use scenario::{Fault, report};

use crate::network::{self, Flow, Link, Node};
use crate::{Error, Loader, Report, Seed, Simulation};

/// A scenario without mistakes: a network, the flows through it, and what a run measures.
///
/// Reading checks every value and plans the network, so no later step fails. A scenario may have a
/// sweep, whose points are scenarios; everything but [`Scenario::points`], [`Scenario::axes`] and
/// [`Scenario::point`] is about the first point.
///
/// A clone costs nothing, and threads may run one scenario at the same time.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) read: Arc<scenario::Scenario>,
}

impl Scenario {
    pub(crate) fn new(read: scenario::Scenario) -> Scenario {
        Scenario {
            read: Arc::new(read),
        }
    }

    /// Reads a scenario text in TOML; a [`Loader`] has more options.
    ///
    /// # Errors
    /// As [`Loader::text`].
    pub fn parse(text: &str) -> Result<Scenario, Error> {
        Loader::new().text(text)
    }

    /// Reads a scenario file; a [`Loader`] has more options.
    ///
    /// # Errors
    /// As [`Loader::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Scenario, Error> {
        Loader::new().open(path)
    }

    /// Title of the scenario; empty if it has none.
    pub fn title(&self) -> &str {
        &self.read.spec.title
    }

    /// Simulated time of a run, warm-up included.
    pub fn duration(&self) -> Duration {
        self.read.spec.duration
    }

    /// Time at the start of a run that is not measured.
    pub fn warm_up(&self) -> Duration {
        self.read.spec.warm_up
    }

    /// The seed that the scenario states, with the first replication.
    pub fn seed(&self) -> Seed {
        Seed::from(self.read.spec.seed)
    }

    /// The smallest and the largest number of replications that the scenario asks for.
    pub fn replications(&self) -> RangeInclusive<u32> {
        let stated = &self.read.spec.replications;
        stated.at_least..=stated.most()
    }

    /// The axes of the sweep, in order; none without a sweep.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.read.axes()
    }

    /// The points of the sweep, each with the value of every axis, as written; a scenario without
    /// a sweep has a single point without values.
    pub fn points(&self) -> &[Vec<(String, String)>] {
        &self.read.points
    }

    /// The scenario at a point of its sweep, counted from zero; none if there is no such point.
    pub fn point(&self, index: usize) -> Option<Scenario> {
        let is_known = index < self.read.points.len();
        is_known.then(|| Scenario::new(self.read.point(index)))
    }

    /// Valid values that are probably not intended, with their places and hints; those about flows
    /// are about the first point.
    pub fn doubts(&self) -> &[Fault] {
        &self.read.doubts
    }

    /// Warnings about the network that apply to every run: reasons to distrust its results.
    pub fn warnings(&self) -> Vec<report::Warning> {
        report::of_scenario(self.read.plan()).collect()
    }

    /// The scenario in TOML, with every default filled in and every unit normalised.
    pub fn resolved(&self) -> String {
        self.read.resolved()
    }

    /// The key of the runs, a SHA-256 in hexadecimal: scenarios with equal keys give equal numbers,
    /// for equal seeds and the same version.
    pub fn key(&self) -> String {
        key::key(&self.read.spec)
    }

    /// The nodes, groups expanded: hosts, switches, routers, edges.
    pub fn nodes(&self) -> Vec<Node> {
        network::nodes(self.read.plan())
    }

    /// The links, groups expanded.
    pub fn links(&self) -> Vec<Link> {
        network::links(self.read.plan())
    }

    /// The flows, groups expanded, in the order of the scenario.
    pub fn flows(&self) -> Vec<Flow> {
        network::flows(self.read.plan())
    }

    /// A run that has not begun, for a caller that advances it.
    pub fn simulate(&self, seed: impl Into<Seed>) -> Simulation {
        Simulation::new(self, seed.into())
    }

    /// Makes a run. Equal scenarios and seeds give equal reports, bit for bit.
    ///
    /// # Panics
    /// If a model breaks a conservation law, which is a defect of the simulator.
    pub fn run(&self, seed: impl Into<Seed>) -> Report {
        self.simulate(seed).finish()
    }

    /// Makes a run that the caller may cancel: `attend` is called many times a second, with the
    /// share of the simulated time that is done, from 0 to 1.
    ///
    /// ```
    /// # const TEXT: &str = include_str!("../examples/two-senders.toml");
    /// # fn main() -> Result<(), cellrelay::Error> {
    /// use std::ops::ControlFlow;
    ///
    /// let scenario = cellrelay::Loader::new().set("duration", "1 s").text(TEXT)?;
    /// let mut last = 0.0;
    /// let report = scenario.run_attended(1, |share| {
    ///     last = share;
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(last, 1.0);
    /// assert_eq!(report, scenario.run(1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Cancelled`] if `attend` breaks.
    ///
    /// # Panics
    /// As [`Scenario::run`].
    pub fn run_attended(
        &self,
        seed: impl Into<Seed>,
        mut attend: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Report, Error> {
        let simulation = scenario::run::Simulation::new(self.read.plan(), seed.into().0);
        let attended = |progress: &RunProgress<'_>| attend(progress.fraction).is_continue();
        match simulation.run(attended) {
            Ok(report) => Ok(Report(report)),
            // A run without captures writes nothing.
            Err(Stopped::Cancelled | Stopped::Unwritable(_)) => Err(Error::Cancelled),
        }
    }
}
