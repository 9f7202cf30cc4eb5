//! A handle on a running simulation, shared with the thread of the run.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

use crate::error::Cancelled;
use crate::members::{self, RunThread};

/// Cancels or pauses a run and reports its progress, from any thread.
#[pyclass(frozen, name = "Control", module = "cellrelay._core")]
#[derive(Clone, Default)]
pub struct PyControl {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    pause: AtomicBool,
    /// Bits of an `f64` from 0 to 1.
    fraction: AtomicU64,
    events: AtomicU64,
    /// The thread of the run, which may be in a Python class.
    thread: Mutex<Option<Arc<RunThread>>>,
}

impl PyControl {
    /// Notes the fraction of simulated time that is done; false if the run is cancelled, or if a
    /// Python class has raised an exception in it.
    pub fn note_progress(&self, fraction: f64) -> bool {
        self.shared
            .fraction
            .store(fraction.to_bits(), Ordering::Relaxed);
        !self.shared.cancelled.load(Ordering::Relaxed) && !members::is_noted()
    }

    /// True if the caller has requested a pause since the last call.
    pub fn take_pause(&self) -> bool {
        self.shared.pause.swap(false, Ordering::Relaxed)
    }

    /// Makes a run on this thread. If a Python class raises an exception, the run is cancelled, and
    /// the caller gets that exception.
    pub fn running<T>(&self, py: Python<'_>, run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        self.runs_on(Some(members::begin_run(py)?));
        let ended = run();
        self.runs_on(None);
        match members::end_run() {
            Some(_) if self.cancelled() => Err(Cancelled::new_err("the run was cancelled")),
            Some(failure) => Err(failure),
            None => ended,
        }
    }

    /// Notes the thread of the run, or that the run has ended.
    fn runs_on(&self, thread: Option<Arc<RunThread>>) {
        let known = self.shared.thread.lock();
        *known.unwrap_or_else(PoisonError::into_inner) = thread;
    }

    /// Notes the number of cells and packets that have entered links.
    pub fn count(&self, events: u64) {
        self.shared.events.store(events, Ordering::Relaxed);
    }
}

#[pymethods]
impl PyControl {
    #[new]
    fn new() -> PyControl {
        PyControl::default()
    }

    /// Cancels the run; it stops within a fraction of a second.
    fn cancel(&self, py: Python<'_>) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
        let thread = self.shared.thread.lock();
        if let Some(thread) = &*thread.unwrap_or_else(PoisonError::into_inner) {
            thread.interrupt(py);
        }
    }

    /// Requests that a watched run pauses before its next scheduled pause.
    fn pause(&self) {
        self.shared.pause.store(true, Ordering::Relaxed);
    }

    /// True if the run was cancelled.
    #[getter]
    fn cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Cells and packets that had entered links at the last note.
    #[getter]
    fn events(&self) -> u64 {
        self.shared.events.load(Ordering::Relaxed)
    }

    /// Fraction of simulated time that is done, from 0 to 1.
    #[getter]
    fn fraction(&self) -> f64 {
        f64::from_bits(self.shared.fraction.load(Ordering::Relaxed))
    }
}
