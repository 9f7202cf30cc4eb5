//! The connections of a run, as columns.

use std::sync::Arc;

use models::metrics::ConnectionOutcome;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use scenario::capture::connections::{ConnectionRow, ConnectionTable};

use crate::scope::{NameParts, of_name};

/// The connections of a run: a column of numbers for each property, and names for the numbers.
#[pyclass(frozen, name = "Connections", module = "cellrelay._core")]
pub struct PyConnections(pub Arc<ConnectionTable>);

#[pymethods]
impl PyConnections {
    /// Names of the flows, by number.
    #[getter]
    fn flows(&self) -> Vec<NameParts> {
        self.0.flows.iter().cloned().map(of_name).collect()
    }

    /// Names of the hosts at which each flow begins and ends.
    #[getter]
    fn hosts(&self) -> Vec<[NameParts; 2]> {
        let hosts = self.0.hosts.iter().cloned();
        hosts.map(|ends| ends.map(of_name)).collect()
    }

    /// Words of the outcomes, by number.
    #[classattr]
    fn outcomes() -> [&'static str; 3] {
        ["completed", "open", "refused"]
    }

    /// Columns of the connections. Times are in seconds; `completion_time` and `slowdown` are `nan`
    /// for connections that are not completed.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let rows = &self.0.rows;
        macro_rules! column {
            ($name:literal, $value:expr) => {
                let values: Vec<_> = rows.iter().map($value).collect();
                columns.set_item($name, values.into_pyarray(py))?;
            };
        }
        column!("flow", |row: &ConnectionRow| row.flow);
        column!("number", |row: &ConnectionRow| row.number);
        column!("size", |row: &ConnectionRow| row.connection.size);
        column!("class", |row: &ConnectionRow| row.connection.class as u8);
        column!("arrived", |row: &ConnectionRow| row
            .connection
            .arrived
            .seconds());
        column!("outcome", |row: &ConnectionRow| number(
            row.connection.outcome
        ));
        column!("completion_time", |row: &ConnectionRow| {
            match row.connection.outcome {
                ConnectionOutcome::Completed(time) => time.seconds(),
                _ => f64::NAN,
            }
        });
        column!("slowdown", |row: &ConnectionRow| {
            row.connection.slowdown().unwrap_or(f64::NAN)
        });
        column!("packets_sent", |row: &ConnectionRow| row.connection.packets);
        column!("packets_retransmitted", |row: &ConnectionRow| {
            row.connection.retransmitted
        });
        column!("timeouts", |row: &ConnectionRow| row.connection.timeouts);
        Ok(columns)
    }
}

/// Number of an outcome among the words.
fn number(outcome: ConnectionOutcome) -> u8 {
    match outcome {
        ConnectionOutcome::Completed(_) => 0,
        ConnectionOutcome::Open => 1,
        ConnectionOutcome::Refused => 2,
    }
}
