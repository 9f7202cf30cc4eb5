//! Scenarios.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use kernel::Seed;
use parameters::{Parameter, Problems};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use scenario::lower::{Plan, Points, goals};
use scenario::report::Name;
use scenario::simulation::{Simulation, Stopped};
use scenario::watch;
use sha2::{Digest, Sha256};

use crate::captures::{Capture, unwritten};
use crate::control::Control;
use crate::error::{self, catching, scenario_error};
use crate::run::{Run, hex};
use crate::scope::{ScopeParts, parts};
use crate::watch::Shown;

/// How often a run looks for Ctrl-C, for which the interpreter lock must be taken, and counts what has
/// happened, for which every port is asked.
const LOOK: Duration = Duration::from_millis(50);

/// Name, kind and group of a node.
type NodeParts = (String, &'static str, Option<String>);

/// Name, nodes, rate and delay of a link.
type LinkParts = (String, [usize; 2], u64, f64, Vec<String>);

/// Scope, hop, number of the flow, quantity and unit of a gauge.
type GaugeParts = (
    ScopeParts,
    Option<u32>,
    Option<u32>,
    &'static str,
    &'static str,
);

/// Hop, capacity, whether it is shared, and levels of a buffer.
type BufferParts = (u32, f64, bool, Vec<(&'static str, &'static str, f64)>);

/// A scenario without mistakes.
#[pyclass(frozen, module = "cellrelay._core")]
pub struct Scenario(scenario::Scenario);

#[pymethods]
impl Scenario {
    /// Reads TOML `text`, which messages call `name`, with `settings` of paths over it; files that it
    /// names are looked for from `folder`. Points of more than `most_nodes` are refused, if that is given.
    #[new]
    #[pyo3(signature = (
        text, name, settings = Vec::new(), folder = PathBuf::new(), most_nodes = None
    ))]
    fn new(
        py: Python<'_>,
        text: &str,
        name: &str,
        settings: Vec<(String, String)>,
        folder: PathBuf,
        most_nodes: Option<u64>,
    ) -> PyResult<Scenario> {
        let read = py.detach(|| {
            let points = Points::new(most_nodes);
            let check = |spec: &scenario::ScenarioSpec, problems: &mut Problems| {
                points.check(spec, problems);
            };
            let open = |file: &str| beside(&folder, file);
            catching(|| scenario::Scenario::read_beside(text, name, &settings, &check, &open))
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

    /// What can be run and is hardly meant: of what is written, each with its place and a hint, then of
    /// the network at the first point.
    #[getter]
    fn doubts(&self) -> Vec<String> {
        let written = self.0.doubts.iter().map(ToString::to_string);
        let warned = self.plan().warnings();
        written
            .chain(warned.iter().map(ToString::to_string))
            .collect()
    }

    /// Parameters that are not written, and what they come to at the first point.
    #[getter]
    fn computed(&self) -> Vec<(String, String)> {
        self.plan().computed()
    }

    /// The scenario at one of its points.
    fn point(&self, index: usize) -> Scenario {
        Scenario(self.0.point(index))
    }

    /// The scenario with only those points of an axis that have one of these labels.
    fn narrowed(&self, axis: &str, labels: Vec<String>) -> Scenario {
        Scenario(self.0.narrowed(axis, &labels))
    }

    /// What is wrong with a metric, such as `flow bulk goodput`, and how to mend it, if nothing of that
    /// name can be measured at these points of a sweep: at none of them.
    fn fault_of_metric(&self, py: Python<'_>, text: &str) -> Option<(String, String)> {
        py.detach(|| {
            let first = goals::fault(&self.plan(), text)?;
            let others = 1..self.0.points.len();
            // Where the topology varies, what one point lacks another may have.
            let is_missing =
                |index| goals::fault(&lowered(&self.0.point(index).spec), text).is_some();
            let is_nowhere = goals::is_unknown(text) || others.into_iter().all(is_missing);
            is_nowhere.then_some(first)
        })
    }

    /// TOML with every default filled in and every unit normalised.
    fn resolved(&self) -> String {
        self.0.resolved()
    }

    /// Nodes, each with its name, what it is and, if it is one of a group, the name of that; and links,
    /// each with its name, its two nodes by number, bits a second, seconds of propagation, and what else
    /// was said of it.
    fn topology(&self) -> (Vec<NodeParts>, Vec<LinkParts>) {
        let plan = self.plan();
        let nodes = plan.topology.nodes.iter().enumerate();
        let nodes = nodes.map(|(number, node)| {
            let name = Name::of_node(&plan, number);
            let group = name.number.map(|_| name.group.clone());
            (name.to_string(), node.kind.word(), group)
        });
        let links = plan.topology.links.iter().enumerate();
        let links = links.map(|(number, link)| {
            let spec = plan.link_spec(number);
            let rate = spec.rate.bits_per_second();
            let loss = spec.loss.as_ref().map(|one| format!("loss.{}", one.kind()));
            let credit = spec
                .credit
                .as_ref()
                .map(|one| format!("credit.{}", one.kind()));
            (
                plan.link_name(number),
                link.ends(),
                rate,
                spec.delay.seconds(),
                loss.into_iter().chain(credit).collect(),
            )
        });
        (nodes.collect(), links.collect())
    }

    /// Flows by name, each with the numbers of the hosts at which it begins and ends.
    fn flows(&self) -> Vec<(String, [usize; 2])> {
        let plan = self.plan();
        let flows = 0..plan.flows.len();
        flows
            .map(|flow| (plan.flow_name(flow), plan.hosts(flow)))
            .collect()
    }

    /// The gauges of a run that is watched: scope, hop, number of the flow, and name of the quantity of
    /// each.
    fn gauges(&self) -> Vec<GaugeParts> {
        let gauges = watch::gauges(&self.plan()).into_iter();
        gauges
            .map(|gauge| {
                let quantity = gauge.quantity;
                (
                    parts(&gauge.scope),
                    gauge.hop,
                    gauge.flow,
                    quantity.name,
                    quantity.unit,
                )
            })
            .collect()
    }

    /// Buffers by the hop that their output leads to: cells that fit, whether all outputs of the node
    /// share it, and the queue lengths, in cells, at which policies begin to act, each with the policy
    /// and its parameter.
    fn buffer_levels(&self) -> Vec<BufferParts> {
        let found = watch::buffer_levels(&self.plan()).into_iter();
        found
            .map(|buffer| {
                let levels = buffer.levels.iter();
                let levels = levels.map(|level| (level.policy, level.parameter, level.cells));
                (buffer.hop, buffer.capacity, buffer.shared, levels.collect())
            })
            .collect()
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
                let plan = self.plan();
                let mut simulation = Simulation::new(&plan, Seed { seed, replication });
                if let Some(capture) = capture {
                    simulation.capture(&capture.options, capture.append());
                }
                simulation.run(|underway| {
                    if looked.elapsed() > LOOK {
                        looked = Instant::now();
                        control.count(underway.events());
                        interrupt = Python::attach(|py| py.check_signals()).err();
                    }
                    control.attend(underway.fraction) && interrupt.is_none()
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

    /// Runs once and shows it to `watcher`, which is called with a glimpse before anything has happened,
    /// and whenever it has run as far as it last said: seconds at which to pause, and seconds between
    /// readings of gauges on the way. It changes nothing.
    #[pyo3(signature = (seed, replication, watcher, control = None))]
    fn watch(
        &self,
        py: Python<'_>,
        seed: u64,
        replication: u64,
        watcher: Py<PyAny>,
        control: Option<&Bound<'_, Control>>,
    ) -> PyResult<Run> {
        let control = control.map_or_else(Control::default, |control| control.get().clone());
        let mut shown = Shown::new(watcher, control, self.duration());
        py.detach(|| {
            let ended = catching(|| {
                let mut spec = self.0.spec.clone();
                // Nobody asks for series of a run that is watched, and they take memory.
                spec.record = None;
                let plan = lowered(&spec);
                let simulation = Simulation::new(&plan, Seed { seed, replication });
                watch::run(simulation, &mut shown)
            })?;
            ended.map(Run).map_err(|_| shown.reason())
        })
    }
}

impl Scenario {
    fn plan(&self) -> Plan {
        lowered(&self.0.spec)
    }
}

fn lowered(spec: &scenario::ScenarioSpec) -> Plan {
    Plan::new(spec, &mut Problems::default()).expect("a scenario without mistakes can be lowered")
}

/// Why a file could not be read.
fn reason(error: std::io::Error) -> String {
    let reason = error.to_string();
    let reason = reason.split(" (os error").next().unwrap_or_default();
    reason.to_lowercase()
}

/// Where a file that a scenario names is: in its folder, wherever links lead. Scenarios come from
/// others too, and what is wrong in a file is told with the words that stand there.
fn within(folder: &Path, file: &str) -> Result<PathBuf, String> {
    let file = Path::new(file);
    let outside = || "it is outside the folder of the scenario".to_string();
    let leads_down = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    // Not even whether there is such a file is told.
    if !file.components().all(leads_down) {
        return Err(outside());
    }
    let folder = Path::new(".").join(folder).canonicalize().map_err(reason)?;
    let path = folder.join(file).canonicalize().map_err(reason)?;
    path.starts_with(&folder)
        .then_some(path)
        .ok_or_else(outside)
}

/// The text of a file that a scenario names.
fn beside(folder: &Path, file: &str) -> Result<String, String> {
    let path = within(folder, file)?;
    // A pipe, or a device, could be read for ever.
    if !fs::metadata(&path).map_err(reason)?.is_file() {
        return Err("it is no file".into());
    }
    let mut content = Vec::new();
    let most = scenario::source::LARGEST;
    let limited = File::open(&path).map_err(reason)?;
    let mut limited = limited.take(most as u64 + 1);
    limited.read_to_end(&mut content).map_err(reason)?;
    if content.len() > most {
        return Err(format!("it is larger than `{} MiB`", most >> 20));
    }
    String::from_utf8(content).map_err(|_| "it is not UTF-8 text".into())
}
