//! Plain data of Python, from TOML that the core reads.

use parameters::{Value, Written};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use scenario::document;

use crate::error::scenario_error;

/// The data of a TOML text, in UTF-8, which messages call `name`.
pub fn read<'py>(py: Python<'py>, text: &[u8], name: &str) -> PyResult<Bound<'py, PyAny>> {
    let root = py.detach(|| document::read(text, name));
    object(py, &root.map_err(|error| scenario_error(py, &error))?)
}

fn object<'py>(py: Python<'py>, written: &Written) -> PyResult<Bound<'py, PyAny>> {
    Ok(match &written.value {
        Value::Text(text) => text.into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::Boolean(boolean) => boolean.into_pyobject(py)?.to_owned().into_any(),
        Value::List(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|item| object(py, item)).collect();
            PyList::new(py, items?)?.into_any()
        }
        Value::Table(table) => {
            let dict = PyDict::new(py);
            for entry in table {
                dict.set_item(&entry.name, object(py, &entry.written)?)?;
            }
            dict.into_any()
        }
    })
}
