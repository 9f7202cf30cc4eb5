//! Scenarios.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kernel::Seed;
use parameters::{Parameter, Problems};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use scenario::lower::Plan;
use scenario::simulation::{Simulation, Stopped};
use sha2::{Digest, Sha256};

use crate::captures::{Capture, unwritten};
use crate::control::Control;
use crate::error::{self, catching, scenario_error};
use crate::run::{Run, hex};

/// How often a run looks for Ctrl-C; the interpreter lock must be taken for it.
const SIGNALS: Duration = Duration::from_millis(50);

/// A scenario without mistakes.
#[pyclass(frozen, module = "cellrelay._core")]
pub struct Scenario(scenario::Scenario);

#[pymethods]
impl Scenario {
    /// Reads TOML `text`, which messages call `name`, with `settings` of paths over it.
    #[new]
    #[pyo3(signature = (text, name, settings = Vec::new()))]
    fn new(
        py: Python<'_>,
        text: &str,
        name: &str,
        settings: Vec<(String, String)>,
    ) -> PyResult<Scenario> {
        let read = py.detach(|| {
            let check = |spec: &scenario::ScenarioSpec, problems: &mut Problems| {
                Plan::new(spec, problems);
            };
            catching(|| scenario::Scenario::read(text, name, &settings, &check))
        })?;
        read.map(Scenario)
            .map_err(|error| scenario_error(py, &error))
    }

    #[getter]
    fn title(&self) -> &str {
        &self.0.spec.title
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.0.spec.seed
    }

    /// Simulated seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.0.spec.duration.seconds()
    }

    /// Seconds between the samples of series, if a run records any.
    #[getter]
    fn record_every(&self) -> Option<f64> {
        let record = self.0.spec.record.as_ref();
        record.map(|record| record.every.seconds())
    }

    /// How often each point is run.
    #[getter]
    fn replications<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stated = &self.0.spec.replications;
        let replications = PyDict::new(py);
        replications.set_item("at_least", stated.at_least)?;
        replications.set_item("at_most", stated.most())?;
        let until = match &stated.until {
            None => None,
            Some(goal) => {
                let until = PyDict::new(py);
                until.set_item("metric", &goal.metric)?;
                until.set_item("also", PyTuple::new(py, &goal.also)?)?;
                until.set_item("half_width", goal.half_width.0)?;
                until.set_item("confidence", goal.confidence.0)?;
                Some(until)
            }
        };
        replications.set_item("until", until)?;
        Ok(replications)
    }

    /// What varies at each point: paths, or names of axes, and their values.
    #[getter]
    fn points(&self) -> Vec<BTreeMap<String, String>> {
        let pairs = |(axis, value): &'_ (String, String)| (axis.clone(), value.clone());
        self.0
            .points
            .iter()
            .map(|point| point.iter().map(pairs).collect())
            .collect()
    }

    /// What varies, in order.
    #[getter]
    fn axes(&self) -> Vec<&str> {
        self.0.axes().collect()
    }

    /// The scenario at one of its points.
    fn point(&self, index: usize) -> Scenario {
        Scenario(self.0.point(index))
    }

    /// TOML with every default filled in and every unit normalised.
    fn resolved(&self) -> String {
        self.0.resolved()
    }

    /// A hash of what decides the results of a run, apart from its seed.
    fn key(&self) -> String {
        let mut spec = self.0.spec.clone();
        spec.title = String::new();
        spec.seed = 1;
        spec.sweep = scenario::sweep::Sweep::default();
        spec.replications = parameters::Record::defaults();
        // What is recorded changes no number.
        spec.record = None;
        let mut digest = Sha256::new();
        digest.update(format!("{:?}", spec.write()).as_bytes());
        hex(digest)
    }

    /// Runs once; without the interpreter lock, so that several runs can go on in threads.
    ///
    /// With `capture`, what passes every host and output is written into a folder on the way.
    #[pyo3(signature = (seed, replication, control = None, capture = None))]
    fn run(
        &self,
        py: Python<'_>,
        seed: u64,
        replication: u64,
        control: Option<&Bound<'_, Control>>,
        capture: Option<&Bound<'_, Capture>>,
    ) -> PyResult<Run> {
        let control = control.map_or_else(Control::default, |control| control.get().clone());
        let capture = capture.map(Bound::get);
        py.detach(|| {
            let mut interrupt = None;
            let mut looked = Instant::now();
            let ended = catching(|| {
                let plan = Plan::new(&self.0.spec, &mut Problems::default())
                    .expect("a scenario without mistakes can be lowered");
                let mut simulation = Simulation::new(&plan, Seed { seed, replication });
                if let Some(capture) = capture {
                    simulation.capture(&capture.options, capture.append());
                }
                simulation.run(|fraction| {
                    if looked.elapsed() > SIGNALS {
                        looked = Instant::now();
                        interrupt = Python::attach(|py| py.check_signals()).err();
                    }
                    control.attend(fraction) && interrupt.is_none()
                })
            })?;
            match (ended, interrupt) {
                (Ok(report), _) => Ok(Run(report)),
                (Err(Stopped::Unwritable(error)), _) => Err(unwritten(error)),
                (Err(Stopped::Cancelled), Some(interrupt)) => Err(interrupt),
                (Err(Stopped::Cancelled), None) => {
                    Err(error::Cancelled::new_err("the run was cancelled"))
                }
            }
        })
    }
}
