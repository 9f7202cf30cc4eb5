//! The packets of a run, as columns.

use std::sync::Arc;

use kernel::Time;
use models::metrics::Cause;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use scenario::capture::packets::{PacketEnd, PacketTable};

use crate::columns::NumberColumns;
use crate::scope::{NameParts, PlaceParts, of_name, of_place};

/// The packets of a run: a column of numbers for each property, and names for the numbers.
#[pyclass(frozen, name = "Packets", module = "cellrelay._core")]
pub struct PyPackets(pub Arc<PacketTable>);

/// A time in seconds; `nan` for an event that did not happen.
fn seconds(time: Option<Time>) -> f64 {
    time.map_or(f64::NAN, Time::seconds)
}

#[pymethods]
impl PyPackets {
    /// Names of the flows, by number.
    #[getter]
    fn flows(&self) -> Vec<NameParts> {
        self.0.flows.iter().cloned().map(of_name).collect()
    }

    /// Outputs, by number.
    #[getter]
    fn outputs(&self) -> Vec<PlaceParts> {
        self.0.outputs.iter().map(of_place).collect()
    }

    /// Words of the causes of drops, by number.
    #[classattr]
    fn causes() -> Vec<&'static str> {
        Cause::ALL.map(Cause::word).into()
    }

    /// Columns of the packets. Times are in seconds, and `nan` for events that did not happen;
    /// `output` and `cause` are -1 for packets that were not dropped; `hops` counts the hops.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = NumberColumns::new(py, &self.0.rows);
        columns.add("flow", |row| row.flow)?;
        columns.add("back", |row| row.back)?;
        columns.add("number", |row| row.number)?;
        columns.add("octets", |row| row.octets)?;
        columns.add("data", |row| row.data)?;
        columns.add("cells", |row| row.cells)?;
        columns.add("sequence", |row| row.sequence)?;
        columns.add("sent", |row| row.sent.seconds())?;
        columns.add("delivered", |row| match row.end {
            PacketEnd::Delivered(at) => at.seconds(),
            _ => f64::NAN,
        })?;
        columns.add("dropped", |row| match row.end {
            PacketEnd::Dropped { at, .. } => seconds(at),
            _ => f64::NAN,
        })?;
        columns.add("output", |row| match row.end {
            PacketEnd::Dropped { output, .. } => output.map_or(-1, i64::from),
            _ => -1,
        })?;
        columns.add("cause", |row| match row.end {
            PacketEnd::Dropped { cause, .. } => cause as i64,
            _ => -1,
        })?;
        columns.add("hops", |row| row.hops)?;
        Ok(columns.by_name())
    }

    /// Columns of the hops of all packets, in the order of the packets; times are in seconds.
    #[getter]
    fn hops<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = NumberColumns::new(py, &self.0.hops);
        columns.add("output", |hop| hop.output)?;
        columns.add("arrived", |hop| hop.arrived.seconds())?;
        columns.add("departed", |hop| hop.departed.seconds())?;
        columns.add("queued", |hop| hop.queued.seconds())?;
        Ok(columns.by_name())
    }
}
