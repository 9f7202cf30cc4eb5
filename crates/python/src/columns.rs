//! Tables for Python: a column of numbers for each property of the rows.

use numpy::{Element, IntoPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The columns of a table with these rows.
pub struct NumberColumns<'py, 'a, R> {
    rows: &'a [R],
    by_name: Bound<'py, PyDict>,
}

impl<'py, 'a, R> NumberColumns<'py, 'a, R> {
    /// No column yet.
    pub fn new(py: Python<'py>, rows: &'a [R]) -> NumberColumns<'py, 'a, R> {
        NumberColumns {
            rows,
            by_name: PyDict::new(py),
        }
    }

    /// Adds a column with a value of each row.
    pub fn add<T: Element>(&self, name: &str, value: impl Fn(&R) -> T) -> PyResult<()> {
        let values: Vec<T> = self.rows.iter().map(value).collect();
        let values = values.into_pyarray(self.by_name.py());
        self.by_name.set_item(name, values)
    }

    /// The columns by their names.
    pub fn by_name(self) -> Bound<'py, PyDict> {
        self.by_name
    }
}
