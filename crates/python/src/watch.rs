//! Watching a run from Python: a callable gets snapshots, and returns the time of the next pause.

use kernel::{Duration, Time};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use scenario::watch::{self, Directive, NextPause, Watcher};

use crate::control::PyControl;
use crate::error;

/// A snapshot of a paused run.
#[pyclass(frozen, name = "Snapshot", module = "cellrelay._core")]
pub struct PySnapshot(pub watch::Snapshot);

#[pymethods]
impl PySnapshot {
    /// Instants of the readings since the last snapshot, in seconds.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let times: Vec<f64> = self.0.times.iter().map(|time| time.seconds()).collect();
        times.into_pyarray(py)
    }

    /// Values of all gauges, one row after another, with a row for each instant.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.rows.clone().into_pyarray(py)
    }
}

/// A watcher that asks a callable, which returns the instant of the next pause and the interval
/// between readings, both in seconds.
pub struct PythonWatcher {
    callable: Py<PyAny>,
    control: PyControl,
    /// Simulated time of the whole run, in seconds.
    duration: f64,
    /// The exception that the callable raised.
    raised: Option<PyErr>,
}

impl Watcher for PythonWatcher {
    fn paused(&mut self, snapshot: watch::Snapshot) -> Option<NextPause> {
        let now = *snapshot.times.last()?;
        if !self.control.note_progress(now.seconds() / self.duration) {
            return None;
        }
        let answer = Python::attach(|py| -> PyResult<(f64, f64)> {
            self.callable
                .call1(py, (PySnapshot(snapshot),))?
                .extract(py)
        });
        match answer {
            Ok((until, every)) => Some(NextPause {
                until: Time::ZERO + span(until),
                every: span(every),
            }),
            Err(error) => {
                self.raised = Some(error);
                None
            }
        }
    }

    fn underway(&mut self, now: Time) -> Directive {
        if !self.control.note_progress(now.seconds() / self.duration) {
            return Directive::Cancel;
        }
        if self.control.take_pause() {
            Directive::Pause
        } else {
            Directive::Continue
        }
    }
}

/// Seconds that are longer than any run, and far below the largest time.
pub const MOST_SECONDS: f64 = 1e6;

/// Seconds as a duration: zero if negative, and the longest if infinite.
fn span(seconds: f64) -> Duration {
    Duration::from_ps((seconds.clamp(0.0, MOST_SECONDS) * 1e12) as u64)
}

impl PythonWatcher {
    /// The watcher of a run of `duration` simulated seconds, which `control` can pause or cancel.
    pub fn new(callable: Py<PyAny>, control: PyControl, duration: f64) -> PythonWatcher {
        PythonWatcher {
            callable,
            control,
            duration,
            raised: None,
        }
    }

    /// The exception for a cancelled run: the callable's own exception, or `Cancelled`.
    pub fn reason(self) -> PyErr {
        let cancelled = || error::Cancelled::new_err("the run was cancelled");
        self.raised.unwrap_or_else(cancelled)
    }
}
