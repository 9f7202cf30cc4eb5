//! A handle on a running simulation, shared with the thread of the run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::pyclass;
use pyo3::pymethods;

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
}

impl PyControl {
    /// Notes the fraction of simulated time that is done; false if the run is cancelled.
    pub fn note_progress(&self, fraction: f64) -> bool {
        self.shared
            .fraction
            .store(fraction.to_bits(), Ordering::Relaxed);
        !self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// True if a pause was requested since the last call.
    pub fn take_pause(&self) -> bool {
        self.shared.pause.swap(false, Ordering::Relaxed)
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
    fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Requests that a watched run pauses before the end of its stretch.
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
