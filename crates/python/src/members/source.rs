//! Traffic sources in Python.

use kernel::{Duration, Time};
use models::traffic::{
    Application, Demand, OnLink, PacketSizes, Source, SourceKind, SourceSpec, Spacing, Write,
};
use parameters::RandomTime;
use pyo3::prelude::*;

use super::failure::{Object, guarded};
use super::told::{shown, wrong};
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
pub struct SourceAttributes;

impl SourceKind for SourceAttributes {
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
    type Traits = SourceAttributes;

    const KIND: &str = "source";

    fn traits(_class: &Bound<'_, PyAny>) -> PyResult<SourceAttributes> {
        Ok(SourceAttributes)
    }

    fn answers(traits: &SourceAttributes) -> &(dyn SourceKind + 'static) {
        traits
    }

    fn component(
        object: Bound<'_, PyAny>,
        _traits: &SourceAttributes,
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
            last: Last {
                at: Time::ZERO,
                count: 0,
            },
            object: Object {
                kind: Self::KIND,
                python: object.unbind(),
            },
        }))
    }

    fn broken(_application: &Application) -> Box<dyn Source> {
        Box::new(Broken)
    }
}

struct Writes {
    object: Object,
    next: Py<PyAny>,
    on_acknowledged: Option<Py<PyAny>>,
    last: Last,
}

/// The last write.
struct Last {
    at: Time,
    /// Writes at this time.
    count: u32,
}

/// Writes at one time that are taken for an endless loop.
const MOST_AT_ONCE: u32 = 100_000;

impl Writes {
    /// Checks the write that a Python source returns: a time in seconds and octets, or none.
    fn write(last: &mut Last, returned: &Bound<'_, PyAny>) -> PyResult<Option<Write>> {
        const HINT: &str = "return a time in seconds and a whole number of octets from 1 on, such \
                            as `(0.5, 1000)`, or None at the end";
        let refused = || wrong(&format!("returned `{}`", shown(returned)), HINT);
        let pair = returned.extract::<Option<(f64, u64)>>();
        let Some((seconds, octets)) = pair.map_err(|_| refused())? else {
            return Ok(None);
        };
        if !(seconds.is_finite() && seconds >= 0.0) || octets == 0 {
            return Err(refused());
        }
        let at = Time::ZERO + Duration::from_seconds_f64(seconds);
        if at < last.at {
            let before = last.at.seconds();
            let problem = format!("returned `{}`, before {before} s", shown(returned));
            let hint = "a write is never before the last, nor before the acknowledgment";
            return Err(wrong(&problem, hint));
        }
        last.count = if at == last.at { last.count + 1 } else { 0 };
        if last.count > MOST_AT_ONCE {
            let problem = format!("wrote {MOST_AT_ONCE} times at {seconds} s");
            let hint = "let the time grow; with `on_acknowledged`, `next` returns None while it \
                        waits";
            return Err(wrong(&problem, hint));
        }
        last.at = at;
        Ok(Some(Write { at, octets }))
    }
}

impl Source for Writes {
    fn next(&mut self) -> Option<Write> {
        guarded(&self.object, "next", None, |py| {
            let returned = self.next.bind(py).call0()?;
            Writes::write(&mut self.last, &returned)
        })
    }

    fn takes_turns(&self) -> bool {
        self.on_acknowledged.is_some()
    }

    fn on_acknowledged(&mut self, now: Time) -> Option<Write> {
        let method = self.on_acknowledged.as_ref()?;
        guarded(&self.object, "on_acknowledged", None, |py| {
            let returned = method.bind(py).call1((now.seconds(),))?;
            self.last.at = self.last.at.max(now);
            Writes::write(&mut self.last, &returned)
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
