//! The results of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::Duration;
use models::metrics::Histogram;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use scenario::capture::connections::ConnectionTable;
use scenario::capture::packets::PacketTable;
use scenario::report::{GroupTimes, Report};

use crate::connections::PyConnections;
use crate::packets::PyPackets;
use crate::scope::{ScopeParts, parts};

/// The results of a run.
#[pyclass(frozen, name = "Run", module = "cellrelay._core")]
pub struct PyRun {
    report: Report,
    packets: Option<Arc<PacketTable>>,
    connections: Option<Arc<ConnectionTable>>,
}

/// Metrics of a scope, with their units.
type Measures<'a> = Vec<(&'a str, &'a str)>;

/// Scope, quantity, unit, times and values.
type Series<'py> = (
    ScopeParts,
    &'static str,
    &'static str,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

type Times = (
    ScopeParts,
    &'static str,
    f64,
    f64,
    Vec<f64>,
    Vec<u64>,
    Option<Messages>,
);

/// Times that ended, each with the number of those that began in the second half of the measured
/// time, ages of unfinished messages by half, the ages of flows that finished nothing, and the
/// number of flows.
type Messages = (Vec<u64>, Bins, Bins, Bins, u64);

/// Middles of bins, within the shortest and the longest time, and counts.
type Bins = (Vec<f64>, Vec<u64>);

fn bins(times: &Histogram) -> Bins {
    let [shortest, longest] = times.ends().unwrap_or_default();
    let classes = times.classes();
    let within = |time: Duration| time.clamp(shortest, longest).seconds();
    classes.map(|(time, count)| (within(time), count)).unzip()
}

fn times(known: &GroupTimes) -> Times {
    let ends = known.times.ends().unwrap_or_default();
    let [shortest, longest] = ends.map(Duration::seconds);
    let classes: Vec<(Duration, u64)> = known.times.classes().collect();
    let messages = known.messages.as_deref().map(|one| {
        let late: BTreeMap<Duration, u64> = one.ended[1].classes().collect();
        let late = classes.iter().map(|(time, _)| late.get(time).copied());
        (
            late.map(Option::unwrap_or_default).collect(),
            bins(&one.open[0]),
            bins(&one.open[1]),
            bins(&one.starved),
            one.flows,
        )
    });
    let classes = classes.into_iter();
    let (middles, counts) = classes.map(|(time, count)| (time.seconds(), count)).unzip();
    (
        parts(&known.scope),
        known.of.word(),
        shortest,
        longest,
        middles,
        counts,
        messages,
    )
}

impl PyRun {
    /// The report.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The results with this report, and the packets if they were traced.
    pub fn new(report: Report, packets: Option<PacketTable>) -> PyRun {
        PyRun {
            report,
            packets: packets.map(Arc::new),
            connections: None,
        }
    }

    /// The results with the connections, if they were listed.
    pub fn with_connections(self, connections: Option<ConnectionTable>) -> PyRun {
        PyRun {
            connections: connections.map(Arc::new),
            ..self
        }
    }
}

#[pymethods]
impl PyRun {
    /// The packets, if they were traced.
    #[getter]
    fn packets(&self) -> Option<PyPackets> {
        self.packets.clone().map(PyPackets)
    }

    /// The connections, if they were listed.
    #[getter]
    fn connections(&self) -> Option<PyConnections> {
        self.connections.clone().map(PyConnections)
    }

    /// Scope, metric, value and unit of every number.
    #[getter]
    fn scalars(&self) -> Vec<(ScopeParts, &str, f64, &str)> {
        let scalars = self.report.scalars.iter();
        scalars
            .map(|scalar| {
                (
                    parts(&scalar.scope),
                    scalar.metric.name,
                    scalar.value,
                    scalar.metric.unit,
                )
            })
            .collect()
    }

    /// The labels of the numbers: lists of metrics with their units, and each scope with the index
    /// of its list. Thousands of flows share one list.
    #[getter]
    fn labels(&self) -> (Vec<Measures<'_>>, Vec<(ScopeParts, usize)>) {
        let mut numbers: BTreeMap<Measures<'_>, usize> = BTreeMap::new();
        let mut lists = Vec::new();
        let of_scopes = self
            .report
            .scalars
            .chunk_by(|one, next| one.scope == next.scope);
        let scopes = of_scopes.map(|scalars| {
            let measures: Measures<'_> = scalars
                .iter()
                .map(|one| (one.metric.name, one.metric.unit))
                .collect();
            let number = *numbers.entry(measures).or_insert_with_key(|measures| {
                lists.push(measures.clone());
                lists.len() - 1
            });
            (parts(&scalars[0].scope), number)
        });
        let scopes = scopes.collect();
        (lists, scopes)
    }

    /// The value of every number, as the octets of an array: numpy takes longer to import than most
    /// runs take.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let scalars = &self.report.scalars;
        PyBytes::new_with(py, size_of::<f64>() * scalars.len(), |octets| {
            for (octets, scalar) in octets.chunks_exact_mut(size_of::<f64>()).zip(scalars) {
                octets.copy_from_slice(&scalar.value.to_ne_bytes());
            }
            Ok(())
        })
    }

    /// The values of every batch, in the order of `scalars`; none if the run has no batches.
    #[getter]
    fn batches(&self) -> Vec<Vec<f64>> {
        self.report.batches.clone()
    }

    /// Histograms of packet delays and message completion times of each group of flows, in the run
    /// or in each of its batches: scope, quantity, the shortest and the longest time, and the
    /// midpoint of each bin with its count, and of messages what else is known of them.
    #[getter]
    fn distributions(&self) -> Vec<Vec<Times>> {
        let parts = self.report.distributions.iter();
        parts
            .map(|groups| groups.iter().map(times).collect())
            .collect()
    }

    /// A hash of the bits of all numbers.
    #[getter]
    fn digest(&self) -> String {
        self.report.digest()
    }

    /// Numbers of simulated hops, heap operations and visits of nodes.
    #[getter]
    fn events(&self) -> BTreeMap<&'static str, u64> {
        let events = &self.report.events;
        BTreeMap::from([
            ("cell_hops", events.cell_hops),
            ("packet_hops", events.packet_hops),
            ("heap_operations", events.heap_operations),
            ("visits", events.visits),
        ])
    }

    /// Scope, quantity, unit, times in seconds and values of every recorded series.
    #[getter]
    fn series<'py>(&self, py: Python<'py>) -> Vec<Series<'py>> {
        // Files hold them in the order of their texts.
        let mut scopes: Vec<_> = self.report.series.0.iter().collect();
        scopes.sort_by_cached_key(|(scope, _)| scope.to_string());
        let series = scopes.into_iter().flat_map(|(scope, quantities)| {
            quantities.iter().map(move |(quantity, recorded)| {
                let times = recorded.times().into_pyarray(py);
                let values = recorded.values().into_pyarray(py);
                (parts(scope), *quantity, recorded.unit, times, values)
            })
        });
        series.collect()
    }

    /// Warnings about the results: code, scope and text of each.
    #[getter]
    fn warnings(&self) -> Vec<(&str, ScopeParts, &str)> {
        let warnings = self.report.warnings.iter();
        warnings
            .map(|one| (one.code, parts(&one.scope), one.says.as_str()))
            .collect()
    }
}
