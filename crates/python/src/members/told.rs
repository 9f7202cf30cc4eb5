//! What is told of a method that failed: the member, the method and its place, and the traceback, or
//! the problem with a hint.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::MemberError;

/// An exception that says what a method did wrong, such as a value that it returned.
pub fn wrong(problem: &str, hint: &str) -> PyErr {
    MemberError::new_err(format!("{problem}\n  hint: {hint}"))
}

/// A value as Python shows it, shortened.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let of_type = |_| value.get_type().to_string();
    let text = value.repr().map_or_else(of_type, |text| text.to_string());
    if text.chars().count() > MOST {
        let cut: String = text.chars().take(MOST).collect();
        format!("{cut}...")
    } else {
        text
    }
}

/// The exception of a run after `error` in a method of an object, or in its class before the object
/// was made. Ctrl-C stays what it is.
pub fn told(kind: &str, object: &Bound<'_, PyAny>, method: &str, error: PyErr) -> PyErr {
    let py = object.py();
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        return error;
    }
    let member = attribute(object, "__cellrelay_name__").unwrap_or_default();
    let class = class_name(object).unwrap_or_default();
    let head = format!("{kind} `{member}`: `{class}.{method}`");
    let text = if error.traceback(py).is_some() {
        format!("{head} raised an exception\n{}", traceback(py, &error))
    } else {
        let at = place(object, method).unwrap_or_default();
        if error.is_instance_of::<MemberError>(py) {
            format!("{at}{head} {}", error.value(py))
        } else {
            // The call itself failed.
            format!("{at}{head} cannot be called: {error}")
        }
    };
    let told = MemberError::new_err(text.trim_end().to_string());
    if !error.is_instance_of::<MemberError>(py) {
        told.set_cause(py, Some(error));
    }
    told
}

/// The traceback as Python prints it.
fn traceback(py: Python<'_>, error: &PyErr) -> String {
    let told = || -> PyResult<String> {
        let raised = (error.get_type(py), error.value(py), error.traceback(py));
        let module = py.import("traceback")?;
        let lines = module.call_method1("format_exception", raised)?;
        lines.extract::<Vec<String>>().map(|lines| lines.concat())
    };
    told().unwrap_or_else(|_| error.to_string())
}

fn attribute(object: &Bound<'_, PyAny>, name: &str) -> Option<String> {
    object.getattr(name).ok()?.extract().ok()
}

fn class_name(object: &Bound<'_, PyAny>) -> Option<String> {
    attribute(object, "__name__").or_else(|| {
        let name = object.get_type().name().ok()?;
        Some(name.to_string())
    })
}

/// File and line of a method, or else of its class, before a colon.
fn place(object: &Bound<'_, PyAny>, method: &str) -> Option<String> {
    let of_method = || -> PyResult<String> {
        let code = object.getattr(method)?.getattr("__code__")?;
        let file: String = code.getattr("co_filename")?.extract()?;
        Ok(format!("{file}:{}", code.getattr("co_firstlineno")?))
    };
    // The `__init__` of a dataclass has no file.
    let of_method = of_method()
        .ok()
        .filter(|place| !place.starts_with("<string>"));
    let at = of_method.or_else(|| attribute(object, "__cellrelay_place__"))?;
    (!at.is_empty()).then(|| format!("{at}: "))
}
