//! The Python thread that waits for a run: it counts the progress, and Ctrl-C interrupts it.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use scenario::run::RunProgress;

use crate::control::PyControl;
use crate::error;

/// Time between two readings of the event count, and between two checks for Ctrl-C. Both are
/// costly: the count visits every port, and a check needs the interpreter lock.
pub const LOOK: Duration = Duration::from_millis(50);

/// The Python thread that waits for a run.
pub struct WaitingThread {
    control: PyControl,
    looked: Instant,
    /// The exception of Ctrl-C.
    interrupt: Option<PyErr>,
}

impl WaitingThread {
    /// A thread that begins to wait.
    pub fn new(control: PyControl) -> WaitingThread {
        WaitingThread {
            control,
            looked: Instant::now(),
            interrupt: None,
        }
    }

    /// Notes the progress of the run; returns false to stop it.
    pub fn attend(&mut self, progress: &RunProgress<'_>) -> bool {
        if self.looked.elapsed() > LOOK {
            self.looked = Instant::now();
            self.control.count(progress.events());
            self.interrupt = Python::attach(|py| py.check_signals()).err();
            if self.interrupt.is_some() {
                return false;
            }
        }
        self.control.note_progress(progress.fraction)
    }

    /// The exception for a cancelled run: `KeyboardInterrupt` after Ctrl-C, otherwise `Cancelled`.
    pub fn reason(self) -> PyErr {
        let cancelled = || error::Cancelled::new_err("the run was cancelled");
        self.interrupt.unwrap_or_else(cancelled)
    }
}
