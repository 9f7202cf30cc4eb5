//! Watching a run from Python: a callable is shown frames, and says how far to go on.

use kernel::{Duration, Time};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use scenario::watch::{Frame, Stretch, Watcher, Wish};

use crate::control::Control;
use crate::error;

/// What is seen of a run when it pauses.
#[pyclass(frozen, module = "cellrelay._core")]
pub struct Glimpse(Frame);

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

    /// What is on its way, seven numbers each: hop, flow, units, place of the first and of the last between
    /// 0 and 1, whether it goes back and whether it is data.
    #[getter]
    fn moving<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let moving = self.0.moving.iter().flat_map(|unit| {
            [
                f64::from(unit.hop),
                f64::from(unit.flow),
                f64::from(unit.units),
                unit.head,
                unit.tail,
                f64::from(u8::from(unit.back)),
                f64::from(u8::from(unit.data)),
            ]
        });
        moving.collect::<Vec<_>>().into_pyarray(py)
    }

    /// What was dropped since the last, seven numbers each: seconds of the first cell and of the last, hop,
    /// flow, PDU, whether the link lost it, and how many cells.
    #[getter]
    fn drops<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let drops = self.0.drops.iter().flat_map(|drop| {
            [
                drop.at.seconds(),
                drop.until.seconds(),
                f64::from(drop.hop),
                f64::from(drop.flow),
                f64::from(drop.pdu),
                f64::from(u8::from(drop.on_link)),
                f64::from(drop.cells),
            ]
        });
        drops.collect::<Vec<_>>().into_pyarray(py)
    }
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
    fn paused(&mut self, frame: Frame) -> Option<Stretch> {
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
