//! The connections of a run, as columns.

use std::sync::Arc;

use models::metrics::ConnectionOutcome;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use scenario::capture::connections::{ConnectionRow, ConnectionTable};

use crate::columns::NumberColumns;
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
        let columns = NumberColumns::new(py, &self.0.rows);
        columns.add("flow", |row| row.flow)?;
        columns.add("number", |row| row.number)?;
        columns.add("size", |row| row.connection.size)?;
        columns.add("class", |row| row.connection.class as u8)?;
        columns.add("arrived", |row| row.connection.arrived.seconds())?;
        columns.add("outcome", |row| number(row.connection.outcome))?;
        columns.add("completion_time", |row| match row.connection.outcome {
            ConnectionOutcome::Completed(time) => time.seconds(),
            _ => f64::NAN,
        })?;
        let slowdown = |row: &ConnectionRow| row.connection.slowdown().unwrap_or(f64::NAN);
        columns.add("slowdown", slowdown)?;
        columns.add("packets_sent", |row| row.connection.packets)?;
        columns.add("packets_retransmitted", |row| row.connection.retransmitted)?;
        columns.add("timeouts", |row| row.connection.timeouts)?;
        Ok(columns.by_name())
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
