//! A run that Python advances, reads and steers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Instant;

use kernel::{Duration, Seed, Time};
use parameters::quantity;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use scenario::capture::connections::{self, ConnectionTable};
use scenario::capture::taps::PacketTrace;
use scenario::lower::Plan;
use scenario::run::{SteppedRun, VISITS};
use scenario::steer::{self, CONTROLS, Given};
use scenario::watch::{self, Gauge, Observer};

use crate::connections::PyConnections;
use crate::control::PyControl;
use crate::error::{ScenarioError, catching};
use crate::packets::PyPackets;
use crate::run::PyRun;
use crate::scenario::PyScenario;
use crate::scope::{ScopeParts, parts};
use crate::waiting::LOOK;
use crate::watch::MOST_SECONDS;

/// Scope, quantity, value and unit of a number.
type Value = (ScopeParts, &'static str, f64, &'static str);

/// Scope, name, value, least and largest value, and unit of a control.
type Setting = (ScopeParts, &'static str, f64, [f64; 2], &'static str);

/// A run in steps.
#[pyclass(frozen, name = "Steps", module = "cellrelay._core")]
pub struct PySteps {
    plan: Arc<Plan>,
    /// The time reached, in picoseconds, which any thread may read.
    now: Arc<AtomicU64>,
    state: Mutex<State>,
}

enum State {
    Underway(Box<Underway>),
    Ended,
    /// A model broke an invariant.
    Broken,
}

struct Underway {
    steps: SteppedRun<Arc<Plan>>,
    observer: Observer,
    gauges: Vec<Gauge>,
    /// The packets, if they are asked for.
    trace: Option<PacketTrace>,
    /// True if the connections are listed.
    lists_connections: bool,
    now: Arc<AtomicU64>,
}

#[pymethods]
impl PySteps {
    /// A run of the first point of a scenario, before its first event; with `packets`, every packet
    /// is traced, and with `connections` every connection is listed.
    #[new]
    #[pyo3(signature = (scenario, seed, replication, packets = false, connections = false))]
    fn new(
        py: Python<'_>,
        scenario: &Bound<'_, PyScenario>,
        seed: u64,
        replication: u64,
        packets: bool,
        connections: bool,
    ) -> PyResult<PySteps> {
        let plan = scenario.get().plan();
        let now = Arc::<AtomicU64>::default();
        let make = || {
            let underway = catching(|| {
                let mut steps = SteppedRun::new(plan.clone(), Seed { seed, replication });
                let observer = Observer::new(&mut steps);
                let gauges = watch::gauges(&plan);
                let trace = packets.then(|| PacketTrace::begin(&plan, steps.network_mut()));
                if connections {
                    connections::list(steps.network_mut());
                }
                Box::new(Underway {
                    steps,
                    observer,
                    gauges,
                    trace,
                    lists_connections: connections,
                    now: now.clone(),
                })
            })?;
            Ok(PySteps {
                now,
                state: Mutex::new(State::Underway(underway)),
                plan,
            })
        };
        PyControl::default().running(py, || py.detach(make))
    }

    /// The time reached, in picoseconds.
    #[getter]
    fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }

    /// End of the run, in picoseconds.
    #[getter]
    fn end(&self) -> u64 {
        self.plan.spec.duration.ps()
    }

    /// Advances to an instant in picoseconds, without the interpreter lock. Ctrl-C interrupts it; the
    /// run then pauses at the next instant at which it can, and may go on.
    fn advance(&self, py: Python<'_>, until: u64) -> PyResult<()> {
        let advance = || self.with(|underway| underway.advance(Time::from_ps(until)))?;
        // An exception of a Python class in the run is raised here.
        PyControl::default().running(py, || py.detach(advance))
    }

    /// Values of all gauges.
    fn gauges(&self) -> PyResult<Vec<Value>> {
        self.with(|underway| {
            let row = underway.observer.read(&mut underway.steps);
            let gauges = underway.gauges.iter().zip(row);
            gauges
                .map(|(gauge, value)| {
                    let quantity = gauge.quantity;
                    (parts(&gauge.scope), quantity.name, value, quantity.unit)
                })
                .collect()
        })
    }

    /// Metrics since the counts began: at the start, at the end of the warm-up or of a batch.
    fn metrics(&self) -> PyResult<Vec<Value>> {
        self.with(|underway| {
            let measured = underway.steps.measure().unwrap_or_default();
            let scalars = measured.scalars.iter();
            scalars
                .map(|one| {
                    let metric = one.metric;
                    (parts(&one.scope), metric.name, one.value, metric.unit)
                })
                .collect()
        })
    }

    /// The packets so far, if they are traced.
    fn packets(&self) -> PyResult<Option<PyPackets>> {
        self.with(|underway| {
            let now = underway.steps.now();
            let packets = underway.trace.as_ref()?.so_far(now);
            Some(PyPackets(Arc::new(packets)))
        })
    }

    /// The connections so far, if they are listed.
    fn connections(&self) -> PyResult<Option<PyConnections>> {
        self.with(|underway| {
            let connections = underway.connections()?;
            Some(PyConnections(Arc::new(connections)))
        })
    }

    /// All controls with their present values.
    fn controls(&self) -> PyResult<Vec<Setting>> {
        self.with(|underway| {
            let settings = steer::settings(&mut underway.steps).into_iter();
            settings
                .map(|one| {
                    let scope = parts(&one.scope);
                    (scope, one.control.name, one.value, one.range, one.unit)
                })
                .collect()
        })
    }

    /// Sets a control of a scope to a number in its unit, or to a text with a number and a unit.
    fn set(&self, scope: &str, control: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (number, text) = (number(value), value.extract::<String>().ok());
        let given = match (&number, &text) {
            (Some(number), _) => Given::Number(*number),
            (None, Some(text)) => Given::Text(text),
            (None, None) => {
                let problem = format!("{} is neither a number nor a text", value.repr()?);
                return Err(refusal(&problem, "write for example `0.01` or `\"1 %\"`"));
            }
        };
        let set = self.with(|underway| steer::set(&mut underway.steps, scope, control, given))?;
        set.map_err(|(problem, hint)| refusal(&format!("{scope} {control}: {problem}"), &hint))
    }

    /// The results of the run, which has reached its end.
    fn finish(&self, py: Python<'_>) -> PyResult<PyRun> {
        py.detach(|| {
            let mut state = self.lock()?;
            match std::mem::replace(&mut *state, State::Broken) {
                State::Underway(underway) => {
                    let run = catching(|| underway.finish())?;
                    *state = State::Ended;
                    Ok(run)
                }
                before => {
                    let fault = before.fault();
                    *state = before;
                    Err(fault)
                }
            }
        })
    }
}

impl PySteps {
    fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(refusal(
                "another thread advances this simulation",
                "wait for it, or give each thread a simulation of its own",
            )),
        }
    }

    /// Calls `work` with the run; after a panic the run cannot be used again.
    fn with<T>(&self, work: impl FnOnce(&mut Underway) -> T) -> PyResult<T> {
        let mut state = self.lock()?;
        match &mut *state {
            State::Underway(underway) => {
                let done = catching(|| work(underway));
                if done.is_err() {
                    *state = State::Broken;
                }
                done
            }
            other => Err(other.fault()),
        }
    }
}

impl State {
    /// The refusal for a run that has ended or has failed.
    fn fault(&self) -> PyErr {
        match self {
            State::Underway(_) => unreachable!("a run underway can be used"),
            State::Ended => refusal(
                "the simulation has ended",
                "its results are those of `run()`; make another `Simulation` to go on",
            ),
            State::Broken => refusal(
                "the simulation stopped at an error",
                "make another `Simulation`",
            ),
        }
    }
}

impl Underway {
    /// The results of a run that has reached its end.
    fn finish(mut self: Box<Self>) -> PyRun {
        let end = self.steps.end();
        let network = self.steps.network_mut();
        let packets = self.trace.take().map(|trace| trace.end(network, end));
        let connections = self.connections();
        PyRun::new(self.steps.finish(), packets).with_connections(connections)
    }

    /// The connections so far, if they are listed.
    fn connections(&self) -> Option<ConnectionTable> {
        let (plan, network) = (self.steps.plan(), self.steps.network());
        self.lists_connections
            .then(|| ConnectionTable::so_far(plan, network))
    }

    fn advance(&mut self, until: Time) -> PyResult<()> {
        let mut until = until.min(self.steps.end());
        let mut looked = Instant::now();
        let mut interrupt = None;
        loop {
            let reached = self.steps.advance(until, VISITS);
            if let Some(trace) = &mut self.trace {
                trace.take(self.steps.network_mut(), reached);
            }
            self.now.store(self.steps.now().ps(), Ordering::Relaxed);
            if reached >= until {
                break;
            }
            if interrupt.is_none() && looked.elapsed() > LOOK {
                looked = Instant::now();
                interrupt = Python::attach(|py| py.check_signals()).err();
                if interrupt.is_some() {
                    // The next instant at which no node is ahead.
                    until = until.min(self.steps.network().ahead());
                }
            }
        }
        interrupt.map_or(Ok(()), Err)
    }
}

/// Reads a time: seconds, or a text with a number and a unit; in picoseconds.
#[pyfunction]
pub fn picoseconds(time: &Bound<'_, PyAny>) -> PyResult<u64> {
    const HINT: &str = "write seconds, or a text such as `\"1.5 s\"`";
    if let Some(seconds) = number(time) {
        if !(0.0..=MOST_SECONDS).contains(&seconds) {
            return Err(refusal(
                &format!("`{seconds}` seconds is no time of a run"),
                HINT,
            ));
        }
        return Ok((seconds * 1e12).round() as u64);
    }
    let Ok(text) = time.cast::<PyString>() else {
        return Err(refusal(&format!("{} is not a time", time.repr()?), HINT));
    };
    let read = quantity::parse::<Duration>(&text.to_string());
    read.map(Duration::ps)
        .map_err(|bad| refusal(&bad.problem, &bad.hint()))
}

/// A time in picoseconds as a text that reads back as the same time.
#[pyfunction]
pub fn time_text(ps: u64) -> String {
    quantity::Quantity::render(&Duration::from_ps(ps))
}

/// All controls: kind of scope, name, unit, range and meaning.
#[pyfunction]
pub fn controls() -> Vec<[&'static str; 5]> {
    let all = CONTROLS.iter();
    all.map(|one| [one.scope.word(), one.name, one.unit, one.range, one.help])
        .collect()
}

/// The value as a number; none for other types, `bool` included.
fn number(value: &Bound<'_, PyAny>) -> Option<f64> {
    let is_number = value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>();
    let may_be = is_number || value.hasattr("__float__").unwrap_or(false);
    let is_other = value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>();
    (may_be && !is_other)
        .then(|| value.extract().ok())
        .flatten()
}

fn refusal(problem: &str, hint: &str) -> PyErr {
    ScenarioError::new_err(format!("{problem}\n  hint: {hint}"))
}
