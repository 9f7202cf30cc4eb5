//! The Python module `cellrelay._core`: the binding to the core.

mod captures;
mod columns;
mod connections;
mod control;
mod error;
mod gauges;
mod lines;
mod live;
mod members;
mod packets;
mod plain;
mod run;
mod scenario;
mod scope;
mod simulation;
mod topology;
mod waiting;
mod watch;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

/// The Rust core: one scenario, one run.
#[pymodule(gil_used = false)]
mod _core {
    use std::collections::HashMap;

    use super::{Bound, PyModule, PyModuleMethods, PyResult, pyfunction};

    #[pymodule_export]
    use super::captures::PyCapture;
    #[pymodule_export]
    use super::connections::PyConnections;
    #[pymodule_export]
    use super::control::PyControl;
    #[pymodule_export]
    use super::error::{Cancelled, MemberError, ScenarioError, SimulationError};
    #[pymodule_export]
    use super::live::{
        PyHistory, PyPace, PyShown, arranged, endings, failure, first_rate, live_layout, obey,
        outcome, point_texts, short_names, too_large,
    };
    #[pymodule_export]
    use super::members::{
        PyAck, PyAmount, PyApplication, PyBuffer, PyCongestionEvent, PyDelivery, PyEcho, PyLimits,
        PyOffer,
    };
    #[pymodule_export]
    use super::packets::PyPackets;
    #[pymodule_export]
    use super::run::PyRun;
    #[pymodule_export]
    use super::scenario::PyScenario;
    #[pymodule_export]
    use super::simulation::{PySteps, controls, picoseconds, time_text};
    #[pymodule_export]
    use super::watch::PySnapshot;

    /// The interface of this module when it was compiled: a file of the Python package.
    const INTERFACE: &[u8] = include_bytes!("../../../python/cellrelay/_core.pyi");

    /// JSON Schema of scenarios.
    #[pyfunction]
    fn schema() -> String {
        scenario::generate::schema()
    }

    /// All components and their parameters, as JSON.
    #[pyfunction]
    fn components() -> String {
        scenario::generate::components()
    }

    /// All metrics, as JSON.
    #[pyfunction]
    fn metrics() -> String {
        scenario::generate::metrics()
    }

    /// All causes of drops and losses, as JSON.
    #[pyfunction]
    fn causes() -> String {
        scenario::generate::causes().to_string()
    }

    /// Registers a class as a member of a family, in place of one of the same name.
    #[pyfunction]
    fn register(family: &str, source: &str, class: &Bound<'_, super::PyAny>) -> PyResult<()> {
        super::members::register(family, source, class)
    }

    /// Kind, name and place of the scopes that a text such as `flow bulk` names.
    #[pyfunction]
    fn scopes(text: &str) -> PyResult<super::scope::ScopeParts> {
        super::scope::read(text)
    }

    /// The plain data of a TOML text, which need not be a scenario; messages call it `name`.
    #[pyfunction]
    fn plain<'py>(
        py: super::Python<'py>,
        text: &[u8],
        name: &str,
    ) -> PyResult<Bound<'py, super::PyAny>> {
        super::plain::read(py, text, name)
    }

    /// The scopes and the name of the metric in a text such as `flow bulk goodput`.
    #[pyfunction]
    fn goal(text: &str) -> PyResult<(super::scope::ScopeParts, &str)> {
        super::scope::read_goal(text)
    }

    /// All units: how each is written, the base unit that it is a multiple of, and how many steps
    /// it and the base unit have.
    #[pyfunction]
    fn units() -> Vec<(&'static str, &'static str, u64, u64)> {
        let all = parameters::quantity::units();
        all.map(|unit| {
            let (base, steps) = unit.dimension.base();
            (unit.symbol, base, unit.steps, steps)
        })
        .collect()
    }

    /// The lines of a table with these numbers; `scopes` has the text of each scope with the number of
    /// its list of metrics, and `lists` the texts before and after the value of each metric.
    #[pyfunction]
    fn number_lines(
        py: super::Python<'_>,
        values: super::PyBuffer<f64>,
        start: &str,
        scopes: Vec<(String, usize)>,
        lists: Vec<Vec<(String, String)>>,
    ) -> PyResult<String> {
        super::lines::text(&values.to_vec(py)?, start, &scopes, &lists)
    }

    /// The lines of a table with these means and intervals; `lists` has the texts before, within and
    /// after the line of each metric, and `apart` the whole lines of some numbers.
    #[pyfunction]
    #[expect(
        clippy::too_many_arguments,
        reason = "the texts and the numbers of a line"
    )]
    fn interval_lines(
        py: super::Python<'_>,
        means: super::PyBuffer<f64>,
        intervals: Option<(
            super::PyBuffer<i64>,
            super::PyBuffer<f64>,
            super::PyBuffer<f64>,
        )>,
        start: &str,
        scopes: Vec<(String, usize)>,
        lists: Vec<Vec<(String, String, String)>>,
        form: super::lines::IntervalForm,
        apart: HashMap<usize, String>,
    ) -> PyResult<String> {
        let columns = super::lines::Columns::read(py, &means, intervals.as_ref())?;
        super::lines::with_intervals(&columns, start, &scopes, &lists, &form, &apart)
    }

    /// A text in a form that fits on one line, shortened to `limit` characters.
    #[pyfunction]
    #[pyo3(signature = (text, limit = usize::MAX))]
    fn printable(text: &str, limit: usize) -> String {
        use parameters::printable::{printable, shortened};
        shortened(&printable(text), limit).into_owned()
    }

    /// The candidate most similar to a word, if it is similar enough to be the intended one.
    #[pyfunction]
    fn nearest(word: &str, candidates: Vec<String>) -> Option<String> {
        let known = candidates.iter().map(String::as_str);
        parameters::suggest::nearest(word, known).map(str::to_string)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::error::quiet_panics();
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("DEEPEST", scenario::document::DEEPEST)?;
        module.add("LARGEST_FILE", scenario::document::LARGEST)?;
        super::live::add_limits(module)?;
        module.add("MODEL", env!("CELLRELAY_MODEL"))?;
        module.add("COMMIT", env!("CELLRELAY_COMMIT"))?;
        module.add("INTERFACE", INTERFACE)
    }
}
