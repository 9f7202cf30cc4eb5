//! Rust errors as Python exceptions.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

create_exception!(
    cellrelay._core,
    ScenarioError,
    PyValueError,
    "A scenario has mistakes, or a setting is wrong."
);
create_exception!(
    cellrelay._core,
    SimulationError,
    PyRuntimeError,
    "A model broke an invariant."
);
create_exception!(
    cellrelay._core,
    MemberError,
    PyRuntimeError,
    "A Python class raised an exception in a run."
);
create_exception!(
    cellrelay._core,
    Cancelled,
    PyException,
    "A run was cancelled."
);

/// All problems of a scenario as one exception. Its attributes are the problems (`problems`), the
/// text of each (`texts`), and the number of those that it leaves out, in words (`omission`).
pub fn scenario_error(py: Python<'_>, error: &scenario::ScenarioError) -> PyErr {
    let exception = ScenarioError::new_err(error.to_string());
    match describe(exception.value(py), error) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

fn describe(exception: &Bound<'_, PyAny>, error: &scenario::ScenarioError) -> PyResult<()> {
    let texts: Vec<String> = error.faults.iter().map(ToString::to_string).collect();
    exception.setattr("problems", problems(exception.py(), error)?)?;
    exception.setattr("texts", texts)?;
    exception.setattr("omission", error.omission())
}

fn problems<'py>(
    py: Python<'py>,
    error: &scenario::ScenarioError,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let faults = error.faults.iter();
    faults
        .map(|fault| {
            let problem = PyDict::new(py);
            let location = fault.location.as_ref();
            problem.set_item("path", &fault.path)?;
            problem.set_item("file", location.map(|location| &location.file))?;
            problem.set_item("line", location.map(|location| location.line))?;
            problem.set_item("column", location.map(|location| location.column))?;
            problem.set_item("problem", &fault.problem)?;
            problem.set_item("hint", &fault.hint)?;
            Ok(problem)
        })
        .collect()
}

thread_local! {
    /// Message and place of the last panic on this thread.
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the message of a panic for its exception, instead of printing it.
pub fn quiet_panics() {
    panic::set_hook(Box::new(|info| {
        LAST_PANIC.with_borrow_mut(|last| *last = info.to_string());
    }));
}

/// The result of `work`, or a `SimulationError` if it panics.
pub fn catching<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    LAST_PANIC.set(String::new());
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let here = LAST_PANIC.take();
        if !here.is_empty() {
            return SimulationError::new_err(here);
        }
        // Another thread of the run has panicked, and only its message is known.
        let message = payload.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
        SimulationError::new_err(message.unwrap_or("a thread panicked").to_string())
    })
}
