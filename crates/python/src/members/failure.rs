//! Exceptions of Python classes in a run, and the interruption of classes that do not return. An
//! exception ends the run at its next progress check; a cancelled run interrupts a Python method.

use std::cell::RefCell;
use std::ffi::c_ulong;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::{PyTypeInfo, ffi};

use super::told::told;

/// The thread of a run, as other threads need it to cancel the run.
#[derive(Debug)]
pub struct RunThread {
    /// Python's identifier of the thread.
    ident: c_ulong,
    /// True while a method of a Python class runs.
    is_in_class: AtomicBool,
    /// True if the run was interrupted.
    is_interrupted: AtomicBool,
}

#[derive(Default)]
struct State {
    /// The first exception in the run.
    failure: Option<PyErr>,
    thread: Option<Arc<RunThread>>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Begins a run on this thread.
pub fn begin(py: Python<'_>) -> PyResult<Arc<RunThread>> {
    let ident = py.import("threading")?.call_method0("get_ident")?;
    let thread = Arc::new(RunThread {
        ident: ident.extract()?,
        is_in_class: AtomicBool::new(false),
        is_interrupted: AtomicBool::new(false),
    });
    STATE.set(State {
        failure: None,
        thread: Some(Arc::clone(&thread)),
    });
    Ok(thread)
}

/// Ends the run on this thread; returns its exception, if there was one.
pub fn end() -> Option<PyErr> {
    let State { failure, thread } = STATE.take();
    let came_late = |thread: Arc<RunThread>| thread.is_interrupted.load(Ordering::Acquire);
    if failure.is_none() && thread.is_some_and(came_late) {
        // A method returned before its interrupt arrived, and the interrupt must not reach other
        // code. It is raised here: CPython 3.11 would look for a withdrawn one at every call.
        Python::attach(|py| drop(py.run(c"pass", None, None)));
    }
    failure
}

impl RunThread {
    /// Raises `KeyboardInterrupt` in the method of a Python class that is running, if one is.
    pub fn interrupt(&self, py: Python<'_>) {
        if self.is_in_class.load(Ordering::Acquire) {
            self.is_interrupted.store(true, Ordering::Release);
            let exception = PyKeyboardInterrupt::type_object_raw(py).cast();
            // SAFETY: the interpreter lock is held, and the exception is a class.
            unsafe { ffi::PyThreadState_SetAsyncExc(self.ident.cast_signed(), exception) };
        }
    }
}

/// Notes what a run tells of an exception, unless an earlier one is noted.
pub fn note(error: PyErr) {
    STATE.with_borrow_mut(|state| {
        state.failure.get_or_insert(error);
    });
}

/// True after an exception in the run of this thread.
pub fn is_noted() -> bool {
    STATE.with_borrow(|state| state.failure.is_some())
}

/// The object of a member in a run.
pub struct Object {
    /// The family in words, such as `discard policy`.
    pub kind: &'static str,
    pub python: Py<PyAny>,
}

/// Calls a method of an object in `work` with the interpreter lock, and notes its exception. After
/// an exception in the run, `work` is not called, and the result is `otherwise`.
pub fn guarded<T>(
    object: &Object,
    method: &str,
    otherwise: T,
    work: impl FnOnce(Python<'_>) -> PyResult<T>,
) -> T {
    if is_noted() {
        return otherwise;
    }
    let done = inside(|py| {
        work(py).map_err(|error| told(object.kind, object.python.bind(py), method, error))
    });
    done.unwrap_or_else(|error| {
        note(error);
        otherwise
    })
}

/// Does `work` in Python with the interpreter lock; to cancel the run interrupts it.
pub fn inside<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> PyResult<T> {
    let thread = STATE.with_borrow(|state| state.thread.clone());
    Python::attach(|py| {
        let enter = |inside| {
            if let Some(thread) = &thread {
                thread.is_in_class.store(inside, Ordering::Release);
            }
        };
        enter(true);
        let done = work(py);
        enter(false);
        done
    })
}
