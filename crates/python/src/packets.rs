//! The packets of a run, as columns.

use std::sync::Arc;

use kernel::Time;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use scenario::capture::packets::{DropCause, PacketEnd, PacketHop, PacketRow, PacketTable};

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
        DropCause::ALL.iter().map(|cause| cause.word()).collect()
    }

    /// Columns of the packets. Times are in seconds, and `nan` for events that did not happen;
    /// `output` and `cause` are -1 for packets that were not dropped; `hops` counts the hops.
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
        column!("flow", |row: &PacketRow| row.flow);
        column!("back", |row: &PacketRow| row.back);
        column!("number", |row: &PacketRow| row.number);
        column!("octets", |row: &PacketRow| row.octets);
        column!("data", |row: &PacketRow| row.data);
        column!("cells", |row: &PacketRow| row.cells);
        column!("sequence", |row: &PacketRow| row.sequence);
        column!("sent", |row: &PacketRow| row.sent.seconds());
        column!("delivered", |row: &PacketRow| match row.end {
            PacketEnd::Delivered(at) => at.seconds(),
            _ => f64::NAN,
        });
        column!("dropped", |row: &PacketRow| match row.end {
            PacketEnd::Dropped { at, .. } => seconds(at),
            _ => f64::NAN,
        });
        column!("output", |row: &PacketRow| match row.end {
            PacketEnd::Dropped { output, .. } => output.map_or(-1, i64::from),
            _ => -1,
        });
        column!("cause", |row: &PacketRow| match row.end {
            PacketEnd::Dropped { cause, .. } => number(cause),
            _ => -1,
        });
        column!("hops", |row: &PacketRow| row.hops);
        Ok(columns)
    }

    /// Columns of the hops of all packets, in the order of the packets; times are in seconds.
    #[getter]
    fn hops<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let hops = &self.0.hops;
        let outputs: Vec<u32> = hops.iter().map(|hop| hop.output).collect();
        columns.set_item("output", outputs.into_pyarray(py))?;
        let add = |name: &str, value: fn(&PacketHop) -> f64| {
            let values: Vec<f64> = hops.iter().map(value).collect();
            columns.set_item(name, values.into_pyarray(py))
        };
        add("arrived", |hop| hop.arrived.seconds())?;
        add("departed", |hop| hop.departed.seconds())?;
        add("queued", |hop| hop.queued.seconds())?;
        Ok(columns)
    }
}

/// Number of a cause among all.
fn number(cause: DropCause) -> i64 {
    let mut numbered = (0..).zip(DropCause::ALL);
    let found = numbered.find(|(_, one)| *one == cause);
    found.map_or(-1, |(number, _)| number)
}
