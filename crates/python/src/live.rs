//! The live page of a run, for its server: the contents of the page, and the commands of viewers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use live::arrange::{self, Link, Node};
use live::command::{Command, Steering};
use live::history::History;
use live::layout::Watched;
use live::pace::{Continuation, Pace};
use live::snapshot::Shown;
use live::state::{self, LiveState};
use live::{gauges, limits, points};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use scenario::report::Name;
use scenario::watch;
use serde_json::Value;

use crate::error::ScenarioError;
use crate::run::PyRun;
use crate::scenario::PyScenario;
use crate::watch::PySnapshot;

/// The pace of a watched run; any thread may steer it.
#[pyclass(frozen, name = "Pace", module = "cellrelay._core")]
pub struct PyPace(Mutex<Pace>);

impl PyPace {
    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyPace {
    #[new]
    fn new(duration: f64, rate: f64, playing: bool, clock: f64) -> PyPace {
        PyPace(Mutex::new(Pace::new(duration, rate, playing, clock)))
    }

    /// True if the run proceeds at its rate, the rate, and the instant to which the run jumps.
    #[getter]
    fn speed(&self) -> (bool, f64, Option<f64>) {
        let speed = self.pace().speed();
        (speed.playing, speed.rate, speed.goal)
    }

    fn play(&self) {
        Steering::Play.steer(&mut self.pace());
    }

    fn pause(&self) {
        Steering::Pause.steer(&mut self.pace());
    }

    fn step(&self, seconds: f64) {
        Steering::Step(seconds).steer(&mut self.pace());
    }

    fn go_to(&self, seconds: f64) {
        self.pace().go_to(seconds);
    }

    fn set_rate(&self, rate: f64) {
        Steering::Rate(rate).steer(&mut self.pace());
    }

    fn end(&self) {
        self.pace().end();
    }

    fn reached(&self, clock: f64) {
        self.pace().reached(clock);
    }

    /// The next pause and the interval between readings, or none and the time to wait; none for a
    /// cancelled run.
    fn next(&self, now: f64, clock: f64, seen: bool) -> Option<(Option<f64>, f64)> {
        match self.pace().next(now, clock, seen) {
            Continuation::Run { until, every } => Some((Some(until), every)),
            Continuation::Wait(left) => Some((None, left)),
            Continuation::Ended => None,
        }
    }

    /// The state of the run as JSON, with an outcome that is also JSON.
    #[pyo3(signature = (epoch, now, skipped, outcome = None))]
    fn state(&self, epoch: u64, now: f64, skipped: u64, outcome: Option<&str>) -> String {
        let outcome: Option<Value> = outcome.and_then(|text| serde_json::from_str(text).ok());
        let state = LiveState {
            epoch,
            now,
            speed: self.pace().speed(),
            skipped,
            outcome: outcome.as_ref(),
        };
        state.value().to_string()
    }
}

/// The part of a snapshot that the page gets.
#[pyclass(frozen, name = "Shown", module = "cellrelay._core")]
pub struct PyShown(Shown);

#[pymethods]
impl PyShown {
    /// Values of the shown gauges, one row after another.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.rows.clone().into_pyarray(py)
    }

    /// The form on the wire, for the run of this number.
    fn packed<'py>(&self, py: Python<'py>, epoch: u64) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.packed(epoch))
    }
}

/// The history of a run.
#[pyclass(frozen, name = "History", module = "cellrelay._core")]
pub struct PyHistory {
    history: Mutex<History>,
    columns: Vec<usize>,
    /// Number of all gauges.
    gauges: usize,
}

#[pymethods]
impl PyHistory {
    /// The history of a run of a scenario, before the first snapshot.
    #[new]
    fn new(scenario: &Bound<'_, PyScenario>) -> PyHistory {
        let plan = scenario.get().plan();
        let all = watch::gauges(&plan);
        PyHistory {
            history: Mutex::default(),
            columns: gauges::shown(&plan, &all),
            gauges: all.len(),
        }
    }

    /// The numbers of the gauges that are shown.
    #[getter]
    fn columns(&self) -> Vec<usize> {
        self.columns.clone()
    }

    fn __bool__(&self) -> bool {
        !self.known().is_empty()
    }

    /// Adds a snapshot, and returns the part that the page gets.
    fn add(&self, snapshot: &Bound<'_, PySnapshot>) -> PyShown {
        let shown = Shown::of(&snapshot.get().0, &self.columns, self.gauges);
        self.known().add(&shown);
        PyShown(shown)
    }

    /// The history as one snapshot.
    fn joined(&self) -> PyShown {
        PyShown(self.known().joined())
    }
}

impl PyHistory {
    fn known(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The layout of the page for a run, as JSON.
#[pyfunction]
pub fn live_layout(scenario: &Bound<'_, PyScenario>, epoch: u64, seed: u64, name: &str) -> String {
    let plan = scenario.get().plan();
    let all = watch::gauges(&plan);
    let watched = Watched {
        epoch,
        plan: &plan,
        seed,
        gauges: &all,
        shown: &gauges::shown(&plan, &all),
        name,
    };
    Value::from(watched.layout()).to_string()
}

/// The results of a run as JSON, compared with the digest of the stored run if there is one.
#[pyfunction]
#[pyo3(signature = (run, stored = None))]
pub fn outcome(run: &Bound<'_, PyRun>, stored: Option<&str>) -> String {
    state::results(run.get().report(), stored).to_string()
}

/// The outcome of a run that an error has ended, as JSON.
#[pyfunction]
pub fn failure(error: &str) -> String {
    state::failure(error).to_string()
}

/// Has the player of the server obey a command of a viewer: each command is a method of the player.
#[pyfunction]
pub fn obey(text: &str, player: &Bound<'_, PyAny>) -> PyResult<()> {
    let command = Command::read(text).map_err(ScenarioError::new_err)?;
    match command {
        Command::Steer(Steering::Play) => player.call_method0("play"),
        Command::Steer(Steering::Pause) => player.call_method0("pause"),
        Command::Steer(Steering::Step(seconds)) => player.call_method1("step", (seconds,)),
        Command::Steer(Steering::Rate(rate)) => player.call_method1("set_rate", (rate,)),
        Command::GoTo(seconds) => player.call_method1("go_to", (seconds,)),
        Command::Restart => player.call_method0("restart"),
        Command::Point { point, replication } => {
            player.call_method1("show_run", (point, replication))
        }
        Command::Open(item) => player.call_method1("open_item", (item,)),
        Command::Run(text) => player.call_method1("run_text", (text,)),
    }?;
    Ok(())
}

/// Name and kind of a node, and its group and number if it is a member of a group.
type PlainNode = (String, String, Option<String>, Option<u32>);

/// Name of a link, its nodes, its rate, its delay, and its components of loss and credit.
type PlainLink = (String, [usize; 2], u64, f64, Vec<String>);

/// The picture of a network: of each drawn node its number, its name and its position; the node that
/// represents each node; and the links between drawn nodes, each with its nodes and its number.
type PictureParts = (
    Vec<(usize, String, (f64, f64))>,
    Vec<usize>,
    Vec<([usize; 2], usize)>,
);

/// Gathers equal hosts of a network, and places every drawn node.
#[pyfunction]
pub fn arranged(nodes: Vec<PlainNode>, links: Vec<PlainLink>) -> PictureParts {
    let nodes = nodes.into_iter().map(|(name, kind, group, number)| Node {
        name: Name {
            group: group.unwrap_or(name),
            number,
        },
        is_host: kind == "host",
    });
    let links = links
        .into_iter()
        .map(|(_, ends, rate, delay, beyond)| Link {
            ends,
            rate,
            delay,
            beyond,
        });
    let (nodes, links): (Vec<_>, Vec<_>) = (nodes.collect(), links.collect());
    let drawn = arrange::arrange(&nodes, &links, &[]);
    let nodes = drawn.nodes.into_iter();
    let nodes = nodes.map(|known| (known.node, known.name, known.place));
    (nodes.collect(), drawn.stands_for, drawn.links)
}

/// For each path its shortest ending that no other path shares.
#[pyfunction]
pub fn short_names(paths: Vec<String>) -> Vec<String> {
    points::short_names(&paths.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Endings of a dotted path, shortest first; quoted parts stay whole.
#[pyfunction]
pub fn endings(path: &str) -> Vec<String> {
    points::endings(path)
}

/// The values of each point of the sweep, as text; empty without a sweep.
#[pyfunction]
pub fn point_texts(scenario: &Bound<'_, PyScenario>) -> Vec<String> {
    points::texts(scenario.get().known())
}

/// The reason why a run of the first point is too large to be watched, if it is.
#[pyfunction]
pub fn too_large(scenario: &Bound<'_, PyScenario>) -> Option<String> {
    limits::too_large(&scenario.get().plan())
}

/// Limits of the page, by name.
pub fn add_limits(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MOST_NODES", limits::MOST_NODES)?;
    module.add("MOST_POINTS", limits::MOST_POINTS)?;
    module.add("MOST_TEXT", limits::MOST_TEXT)?;
    module.add("MOST_REPLICATIONS", limits::MOST_REPLICATIONS)?;
    module.add("MOST_COMPUTING", limits::MOST_COMPUTING)?;
    module.add("FASTEST", live::pace::FASTEST)?;
    module.add("INTERVAL", live::pace::INTERVAL)
}

/// The first rate of a run that lasts so many simulated seconds.
#[pyfunction]
pub fn first_rate(duration: f64) -> f64 {
    live::pace::first_rate(duration)
}
