//! Scenarios.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use kernel::{Division, Seed};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use scenario::capture::files;
use scenario::document::folder;
use scenario::lower::Plan;
use scenario::run::key;
use scenario::run::{Simulation, Stopped};
use scenario::scenario::Surroundings;
use scenario::watch;

use crate::captures::{PyCapture, unwritten};
use crate::control::PyControl;
use crate::error::{catching, scenario_error};
use crate::gauges::{self, BufferParts, GaugeParts};
use crate::run::PyRun;
use crate::topology::{self, LinkParts, NodeParts};
use crate::waiting::WaitingThread;
use crate::watch::PythonWatcher;

/// A scenario without mistakes.
#[pyclass(frozen, name = "Scenario", module = "cellrelay._core")]
pub struct PyScenario(scenario::Scenario);

impl PyScenario {
    /// The scenario.
    pub fn known(&self) -> &scenario::Scenario {
        &self.0
    }

    /// The plan of the first point.
    pub fn plan(&self) -> Arc<Plan> {
        self.0.plan().clone()
    }

    /// The division of a run among at most so many threads, or the reason why it has one.
    fn division(&self, threads: usize) -> Result<Division, String> {
        if let Some(name) = self.members().pop_first() {
            return Err(format!(
                "`{name}` is a Python class, which runs on one thread"
            ));
        }
        let division = self.0.plan().division(threads);
        division.ok_or_else(|| "its work cannot be divided, as hosts stay with their switch".into())
    }
}

#[pymethods]
impl PyScenario {
    /// Reads TOML `text`, in UTF-8, which messages call `name`, and replaces the values at the
    /// paths of `settings`. Relative names of files start from `home`. A point with more than
    /// `most_nodes` nodes is refused, if the limit is given.
    #[new]
    #[pyo3(signature = (
        text, name, settings = Vec::new(), home = PathBuf::new(), most_nodes = None
    ))]
    fn new(
        py: Python<'_>,
        text: &[u8],
        name: &str,
        settings: Vec<(String, String)>,
        home: PathBuf,
        most_nodes: Option<u64>,
    ) -> PyResult<PyScenario> {
        let read = py.detach(|| {
            let surroundings = Surroundings {
                settings: &settings,
                open: &|file, most| folder::read(&home, file, most),
                most_nodes,
            };
            catching(|| scenario::Scenario::read_bytes(text, name, &surroundings))
        })?;
        read.map(PyScenario)
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

    /// Simulated time, in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.0.spec.duration.seconds()
    }

    /// Bits of a cell on a link.
    #[getter]
    fn cell_bits(&self) -> u64 {
        self.0.spec.cells().bits()
    }

    /// Interval between samples of series in seconds, if the scenario records any.
    #[getter]
    fn record_every(&self) -> Option<f64> {
        let record = self.0.spec.record.as_ref();
        record.map(|record| record.every.seconds())
    }

    /// The rule for the number of replications of each point.
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
                until.set_item("metric", goal.metric.to_string())?;
                until.set_item(
                    "also",
                    PyTuple::new(py, goal.also.iter().map(ToString::to_string))?,
                )?;
                until.set_item("half_width", goal.half_width.0)?;
                until.set_item("confidence", goal.confidence.0)?;
                Some(until)
            }
        };
        replications.set_item("until", until)?;
        Ok(replications)
    }

    /// The points of the sweep: the value of each axis, by the path or name of the axis.
    #[getter]
    fn points(&self) -> Vec<BTreeMap<String, String>> {
        let pairs = |(axis, value): &'_ (String, String)| (axis.clone(), value.clone());
        self.0
            .points
            .iter()
            .map(|point| point.iter().map(pairs).collect())
            .collect()
    }

    /// The axes of the sweep, in order.
    #[getter]
    fn axes(&self) -> Vec<&str> {
        self.0.axes().collect()
    }

    /// Warnings about valid values that are probably not intended, each with its place and a hint;
    /// those about flows are about the first point.
    #[getter]
    fn doubts(&self) -> Vec<String> {
        self.0.doubts.iter().map(ToString::to_string).collect()
    }

    /// Parameters without a written value that are computed from the network, at the first point.
    #[getter]
    fn computed(&self) -> Vec<(String, String)> {
        self.0.plan().computed()
    }

    /// The scenario at one of its points.
    fn point(&self, index: usize) -> PyScenario {
        PyScenario(self.0.point(index))
    }

    /// The scenario with only the points at which an axis has one of these labels.
    fn narrowed(&self, axis: &str, labels: Vec<String>) -> PyScenario {
        PyScenario(self.0.narrowed(axis, &labels))
    }

    /// The problem with a metric such as `flow bulk goodput`, and a hint, if no point of the sweep
    /// can measure it.
    fn fault_of_metric(&self, py: Python<'_>, text: &str) -> Option<(String, String)> {
        py.detach(|| self.0.fault_of_metric(text))
    }

    /// TOML with every default filled in and every unit normalised.
    fn resolved(&self) -> String {
        self.0.resolved()
    }

    /// Nodes, each with its name, its kind, and its group and number if it is a member of a group;
    /// and links, each with its name, the numbers of its two nodes, its rate in bit/s, its
    /// propagation delay in seconds, and the components of its loss and credit.
    fn topology(&self) -> (Vec<NodeParts>, Vec<LinkParts>) {
        topology::parts(self.0.plan())
    }

    /// Names of the flows, each with the numbers of its sending and its receiving host.
    fn flows(&self) -> Vec<(String, [usize; 2])> {
        let plan = self.0.plan();
        let flows = 0..plan.paths.flows.len();
        flows
            .map(|flow| (plan.flow_name(flow), plan.hosts(flow)))
            .collect()
    }

    /// The gauges of a watched run: scope, hop, number of the flow, name and unit of the quantity.
    fn gauges(&self) -> Vec<GaugeParts> {
        gauges::parts(self.0.plan())
    }

    /// The buffer of each output: the hop of the output, its unit, `cells` or `B`, the capacity, true if
    /// all outputs of the node share it, and the queue lengths at which policies begin to act, each with
    /// the policy and its parameter.
    fn buffer_levels(&self) -> Vec<BufferParts> {
        gauges::buffers(self.0.plan())
    }

    /// Names of the switches whose discard policy decides about each cell, not about whole packets,
    /// at the first point.
    fn switches_dropping_cells(&self) -> Vec<&str> {
        self.0.plan().spec.switches_dropping_cells().collect()
    }

    /// Names of the members from outside the tree that the scenario has.
    #[getter]
    fn members(&self) -> BTreeSet<String> {
        key::members_from_outside(&self.0.spec)
    }

    /// True if some point of the sweep has connections that come and go.
    fn has_connections(&self, py: Python<'_>) -> bool {
        let has_some = |scenario: &scenario::Scenario| {
            let mut flows = scenario.spec.flow.0.iter();
            flows.any(|(_, flow)| flow.source.connections().is_some())
        };
        let mut points = 0..self.0.points.len();
        py.detach(|| has_some(&self.0) || points.any(|index| has_some(&self.0.point(index))))
    }

    /// The key of the runs: a digest of all inputs of their numbers but seed and replication.
    fn key(&self) -> String {
        key::key(&self.0.spec)
    }

    /// Number of threads of a run that may have so many, and the reason if there are fewer.
    fn threads(&self, wanted: usize) -> (usize, Option<String>) {
        let parts = match self.division(wanted) {
            Err(reason) => return (1, (wanted > 1).then_some(reason)),
            Ok(division) => division.parts(),
        };
        let reason = || format!("its nodes divide into {parts} parts only");
        (parts, (parts < wanted).then(reason))
    }

    /// Makes one run without the interpreter lock, so several threads can make runs; on at most so
    /// many `threads`, which change nothing but the time that it takes.
    ///
    /// With `capture`, the packets at every host and output are written into its folder; with
    /// `trace`, the results hold every packet, and with `connections` every connection.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (
        seed, replication, control = None, capture = None, trace = false, threads = 1,
        connections = false
    ))]
    fn run(
        &self,
        py: Python<'_>,
        seed: u64,
        replication: u64,
        control: Option<&Bound<'_, PyControl>>,
        capture: Option<&Bound<'_, PyCapture>>,
        trace: bool,
        threads: usize,
        connections: bool,
    ) -> PyResult<PyRun> {
        let control = control.map_or_else(PyControl::default, |control| control.get().clone());
        let mut waiting = WaitingThread::new(control.clone());
        let capture = capture.map(Bound::get);
        let run = || {
            let (mut packets, mut listed) = (None, None);
            let ended = catching(|| {
                let mut simulation = Simulation::new(self.0.plan(), Seed { seed, replication });
                if threads > 1
                    && let Ok(division) = self.division(threads)
                {
                    simulation = simulation.in_parts(division);
                }
                if let Some(one) = capture {
                    simulation.capture(&one.options, files::into_folder(&one.folder));
                }
                if trace {
                    simulation.trace(Box::new(|traced| packets = Some(traced)));
                }
                if connections {
                    simulation.list_connections(Box::new(|table| listed = Some(table)));
                }
                simulation.run(|progress| waiting.attend(progress))
            })?;
            let ended = ended.map(|report| PyRun::new(report, packets).with_connections(listed));
            ended.map_err(|stopped| match stopped {
                Stopped::Unwritable(error) => unwritten(error),
                Stopped::Cancelled => waiting.reason(),
            })
        };
        control.running(py, || py.detach(run))
    }

    /// Makes one run that `watcher` watches: it is called with a snapshot before the start and at
    /// each pause, and returns the instant of the next pause and the interval between readings of
    /// gauges, both in seconds. Watching changes no number of the run.
    #[pyo3(signature = (seed, replication, watcher, control = None))]
    fn watch(
        &self,
        py: Python<'_>,
        seed: u64,
        replication: u64,
        watcher: Py<PyAny>,
        control: Option<&Bound<'_, PyControl>>,
    ) -> PyResult<PyRun> {
        let control = control.map_or_else(PyControl::default, |control| control.get().clone());
        let mut watcher = PythonWatcher::new(watcher, control.clone(), self.duration());
        let run = || {
            let ended = catching(|| {
                // A watched run keeps no series, which would take memory.
                let seed = Seed { seed, replication };
                let simulation = Simulation::without_series(self.0.plan(), seed);
                watch::run(simulation, &mut watcher)
            })?;
            ended
                .map(|report| PyRun::new(report, None))
                .map_err(|_| watcher.reason())
        };
        control.running(py, || py.detach(run))
    }
}
