//! Watching a run from Python: a callable is shown frames, and says how far to go on.

use kernel::{Duration, Time};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use scenario::watch::{Drop, Moving, Snapshot, Stretch, Watcher, Wish};

use crate::control::Control;
use crate::error;

/// What is seen of a run when it pauses.
#[pyclass(frozen, module = "cellrelay._core")]
pub struct Glimpse(Snapshot);

#[pymethods]
impl Glimpse {
    /// Seconds at which gauges were read since the last.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let times: Vec<f64> = self.0.times.iter().map(|time| time.seconds()).collect();
        times.into_pyarray(py)
    }

    /// A row of gauges for each of them, one after another.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.rows.clone().into_pyarray(py)
    }

    /// Units on their way, by columns: hop, flow, units, places of the first and of the last between 0
    /// and 1, whether they go back, and whether they are data.
    #[getter]
    fn moving<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let of = |value: fn(&Moving) -> f64| self.0.moving.iter().map(value).collect();
        columns(
            py,
            [
                ("hop", of(|unit| unit.hop.into())),
                ("flow", of(|unit| unit.flow.into())),
                ("units", of(|unit| unit.units.into())),
                ("head", of(|unit| unit.head)),
                ("tail", of(|unit| unit.tail)),
                ("back", of(|unit| u8::from(unit.back).into())),
                ("data", of(|unit| u8::from(unit.data).into())),
            ],
        )
    }

    /// Drops since the last glimpse, by columns: seconds of the first cell and of the last, hop, flow,
    /// PDU, whether the link lost it, and how many cells.
    #[getter]
    fn drops<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let of = |value: fn(&Drop) -> f64| self.0.drops.iter().map(value).collect();
        columns(
            py,
            [
                ("at", of(|drop| drop.at.seconds())),
                ("until", of(|drop| drop.until.seconds())),
                ("hop", of(|drop| drop.hop.into())),
                ("flow", of(|drop| drop.flow.into())),
                ("pdu", of(|drop| drop.pdu.into())),
                ("on_link", of(|drop| u8::from(drop.on_link).into())),
                ("cells", of(|drop| drop.cells.into())),
            ],
        )
    }
}

/// A table by the names of its columns.
fn columns<'py, const N: usize>(
    py: Python<'py>,
    named: [(&str, Vec<f64>); N],
) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    for (name, values) in named {
        table.set_item(name, values.into_pyarray(py))?;
    }
    Ok(table)
}

/// Shows a run to a callable, which answers with the seconds at which to pause next and those between
/// readings of gauges on the way.
pub struct Shown {
    callable: Py<PyAny>,
    control: Control,
    /// Simulated seconds of the whole run.
    duration: f64,
    /// What the callable raised.
    raised: Option<PyErr>,
}

impl Watcher for Shown {
    fn paused(&mut self, frame: Snapshot) -> Option<Stretch> {
        let now = *frame.times.last()?;
        if !self.control.attend(now.seconds() / self.duration) {
            return None;
        }
        let answer = Python::attach(|py| -> PyResult<(f64, f64)> {
            self.callable.call1(py, (Glimpse(frame),))?.extract(py)
        });
        match answer {
            Ok((until, every)) => Some(Stretch {
                until: Time::ZERO + span(until),
                every: span(every),
            }),
            Err(error) => {
                self.raised = Some(error);
                None
            }
        }
    }

    fn underway(&mut self, now: Time) -> Wish {
        if !self.control.attend(now.seconds() / self.duration) {
            return Wish::GiveUp;
        }
        if self.control.takes_pause() {
            Wish::Pause
        } else {
            Wish::GoOn
        }
    }
}

/// Seconds as a duration: none if negative, and as long as there can be if infinite.
fn span(seconds: f64) -> Duration {
    // Longer than any run, and far from the end of the range.
    const MOST: f64 = 1e6;
    Duration::from_ps((seconds.clamp(0.0, MOST) * 1e12) as u64)
}

impl Shown {
    /// Shows a run of `duration` simulated seconds; `control` stops it on its way.
    pub fn new(callable: Py<PyAny>, control: Control, duration: f64) -> Shown {
        Shown {
            callable,
            control,
            duration,
            raised: None,
        }
    }

    /// Why a run was given up.
    pub fn reason(self) -> PyErr {
        let cancelled = || error::Cancelled::new_err("the run was cancelled");
        self.raised.unwrap_or_else(cancelled)
    }
}
