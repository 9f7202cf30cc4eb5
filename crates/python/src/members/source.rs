//! Traffic sources in Python.

use kernel::{Duration, Time};
use models::traffic::{
    Application, Demand, OnLink, PacketSizes, Source, SourceKind, SourceSpec, Spacing, Write,
};
use parameters::RandomTime;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::failure::guarded;
use super::{PythonFamily, begin, method};

/// The application of a source.
#[pyclass(frozen, get_all, name = "Application", module = "cellrelay._core")]
pub struct PyApplication {
    /// Name of the flow.
    flow: String,
    /// Name of the sending host.
    host: String,
    /// User octets of a full packet of the transport.
    message: u64,
    /// A random number of the run and the flow, to seed a generator.
    seed: u64,
}

/// A source states no properties before the run.
#[derive(Debug)]
pub struct Traits;

impl SourceKind for Traits {
    fn start(&self) -> RandomTime {
        RandomTime::Constant(Duration::ZERO)
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Open
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
        None
    }
}

impl PythonFamily for SourceSpec {
    type Traits = Traits;

    fn traits(_class: &Bound<'_, PyAny>) -> PyResult<Traits> {
        Ok(Traits)
    }

    fn answers(traits: &Traits) -> &(dyn SourceKind + 'static) {
        traits
    }

    fn component(
        object: Bound<'_, PyAny>,
        _traits: &Traits,
        application: &Application,
    ) -> PyResult<Box<dyn Source>> {
        begin(
            &object,
            PyApplication {
                flow: application.name.clone(),
                host: application.host.clone(),
                message: application.message,
                seed: application.stream("python").bits(),
            },
        )?;
        Ok(Box::new(Writes {
            next: object.getattr("next")?.unbind(),
            on_acknowledged: method(&object, "on_acknowledged")?,
            last: Time::ZERO,
        }))
    }

    fn broken(_application: &Application) -> Box<dyn Source> {
        Box::new(Broken)
    }
}

struct Writes {
    next: Py<PyAny>,
    on_acknowledged: Option<Py<PyAny>>,
    /// Time of the last write.
    last: Time,
}

impl Writes {
    /// Checks the write that a Python source returns: a time in seconds and octets, or none.
    fn write(&mut self, py: Python<'_>, returned: Py<PyAny>) -> PyResult<Option<Write>> {
        let Some((seconds, octets)) = returned.extract::<Option<(f64, u64)>>(py)? else {
            return Ok(None);
        };
        if !(seconds.is_finite() && seconds >= 0.0) || octets == 0 {
            let problem = format!("a write at {seconds} s of {octets} octets");
            return Err(PyValueError::new_err(problem));
        }
        let at = Time::ZERO + Duration::from_seconds_f64(seconds);
        if at < self.last {
            let last = self.last.seconds();
            let problem = format!("a write at {seconds} s comes before the last, at {last} s");
            return Err(PyValueError::new_err(problem));
        }
        self.last = at;
        Ok(Some(Write { at, octets }))
    }
}

impl Source for Writes {
    fn next(&mut self) -> Option<Write> {
        guarded(None, |py| {
            let returned = self.next.call0(py)?;
            self.write(py, returned)
        })
    }

    fn takes_turns(&self) -> bool {
        self.on_acknowledged.is_some()
    }

    fn on_acknowledged(&mut self, now: Time) -> Option<Write> {
        let method = Python::attach(|py| Some(self.on_acknowledged.as_ref()?.clone_ref(py)))?;
        guarded(None, |py| {
            let returned = method.call1(py, (now.seconds(),))?;
            self.last = self.last.max(now);
            self.write(py, returned)
        })
    }
}

/// Replaces a source that has failed: it writes nothing.
struct Broken;

impl Source for Broken {
    fn next(&mut self) -> Option<Write> {
        None
    }
}
