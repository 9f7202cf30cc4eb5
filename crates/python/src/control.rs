//! A handle on a running simulation, shared with the thread that runs it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::pyclass;
use pyo3::pymethods;

/// Stops a run, and tells how far it is, from any thread.
#[pyclass(frozen, module = "cellrelay._core")]
#[derive(Clone, Default)]
pub struct Control {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    pause: AtomicBool,
    /// Bits of an `f64`.
    fraction: AtomicU64,
    events: AtomicU64,
}

impl Control {
    /// Notes how far the run is; whether it should go on.
    pub fn attend(&self, fraction: f64) -> bool {
        self.shared
            .fraction
            .store(fraction.to_bits(), Ordering::Relaxed);
        !self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Whether a run that is watched is to pause before it was going to; asked once, it no longer is.
    pub fn takes_pause(&self) -> bool {
        self.shared.pause.swap(false, Ordering::Relaxed)
    }

    /// Notes how much has happened.
    pub fn count(&self, events: u64) {
        self.shared.events.store(events, Ordering::Relaxed);
    }
}

#[pymethods]
impl Control {
    #[new]
    fn new() -> Control {
        Control::default()
    }

    /// Makes the run stop soon.
    fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Makes a run that is watched pause soon, before it has come as far as it was to.
    fn pause(&self) {
        self.shared.pause.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to.
    #[getter]
    fn cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Cells and packets that had entered links when it was last looked.
    #[getter]
    fn events(&self) -> u64 {
        self.shared.events.load(Ordering::Relaxed)
    }

    /// Share of simulated time that is done.
    #[getter]
    fn fraction(&self) -> f64 {
        f64::from_bits(self.shared.fraction.load(Ordering::Relaxed))
    }
}
