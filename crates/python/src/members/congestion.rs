//! Congestion controls in Python.

use std::collections::BTreeSet;

use kernel::{Rate, Stream};
use models::transport::tcp::congestion::{
    Ack, CongestionControl, CongestionEvent, CongestionKind, CongestionSpec, Delivery, Echo,
    Limits, LossRecovery,
};
use models::transport::tcp::recovery::{Recovery, Reports};
use parameters::{Value, ValueTable, understand};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::events::{PyAck, PyCongestionEvent, PyDelivery, PyEcho, PyLimits};
use super::failure::{Object, guarded};
use super::told::{shown, wrong};
use super::{PythonFamily, attribute, begin, method};

/// The class attributes of a congestion control.
#[derive(Debug)]
pub struct CongestionAttributes {
    repair: Repair,
    exact_marks: bool,
}

/// The loss recovery of a congestion control.
#[derive(Debug)]
enum Repair {
    /// The loss recovery of another congestion control with its defaults.
    Of(CongestionSpec),
    /// A loss recovery that several congestion controls may use.
    Named(LossRecovery),
}

impl Repair {
    /// The recovery called `name`, which is the name of a congestion control or of a recovery.
    fn named(name: &str) -> PyResult<Repair> {
        let member = Value::from(ValueTable::of([(name, Value::from(ValueTable::default()))]));
        let of = understand(&member).map(Repair::Of);
        of.or_else(|_| understand(&Value::from(name)).map(Repair::Named))
            .map_err(|_| {
                let words = LossRecovery::ALL.iter().map(|recovery| recovery.word());
                let controls = CongestionSpec::kinds().iter().copied();
                let known: BTreeSet<&str> = controls.chain(words).collect();
                let known = known.into_iter().collect::<Vec<_>>().join(", ");
                let problem = format!("no loss recovery `{name}`");
                PyValueError::new_err((problem, format!("one of {known}")))
            })
    }
}

impl CongestionKind for CongestionAttributes {
    fn recovery(&self) -> Box<dyn Recovery> {
        match &self.repair {
            Repair::Of(control) => control.recovery(),
            Repair::Named(recovery) => recovery.build(),
        }
    }

    fn reports(&self) -> Option<Reports> {
        match &self.repair {
            Repair::Of(control) => control.reports(),
            Repair::Named(recovery) => recovery.reports(),
        }
    }

    fn needs_exact_marks(&self) -> bool {
        self.exact_marks
    }
}

impl PythonFamily for CongestionSpec {
    type Traits = CongestionAttributes;

    const KIND: &str = "congestion control";

    fn traits(class: &Bound<'_, PyAny>) -> PyResult<CongestionAttributes> {
        let recovery = attribute(class, "recovery", "new_reno".to_string())?;
        Ok(CongestionAttributes {
            repair: Repair::named(&recovery)?,
            exact_marks: attribute(class, "exact_marks", false)?,
        })
    }

    fn answers(traits: &CongestionAttributes) -> &(dyn CongestionKind + 'static) {
        traits
    }

    fn component(
        object: Bound<'_, PyAny>,
        _traits: &CongestionAttributes,
        limits: &Limits,
    ) -> PyResult<Box<dyn CongestionControl>> {
        let initial = limits.initial.min(limits.window);
        for (name, octets) in [("cwnd", initial), ("ssthresh", limits.ssthresh)] {
            object.setattr(name, octets).map_err(|error| {
                let problem = format!("finds that `{name}` cannot be set: {error}");
                wrong(&problem, "let the run set it: no property, no frozen class")
            })?;
        }
        Ok(Box::new(Algorithm {
            methods: Methods::of(&object)?,
            limits: *limits,
            said: Said {
                cwnd: limits.mss,
                ssthresh: limits.ssthresh,
                pacing_rate: None,
            },
            object: Object {
                kind: Self::KIND,
                python: object.unbind(),
            },
        }))
    }

    fn broken(limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(Broken(limits.mss))
    }
}

/// An object whose window and rate are looked up after each of its methods.
struct Algorithm {
    object: Object,
    methods: Methods,
    limits: Limits,
    said: Said,
}

/// The methods of an object, and whether it asks for samples of the round-trip time.
struct Methods {
    on_ack: Py<PyAny>,
    on_loss: Py<PyAny>,
    on_timeout: Py<PyAny>,
    on_mark: Option<Py<PyAny>>,
    on_echo: Option<Py<PyAny>>,
    on_delivery: Option<Py<PyAny>>,
    wants_samples: bool,
}

impl Methods {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Methods> {
        Ok(Methods {
            on_ack: object.getattr("on_ack")?.unbind(),
            on_loss: object.getattr("on_loss")?.unbind(),
            on_timeout: object.getattr("on_timeout")?.unbind(),
            on_mark: method(object, "on_mark")?,
            on_echo: method(object, "on_echo")?,
            on_delivery: method(object, "on_delivery")?,
            wants_samples: attribute(object, "wants_samples", false)?,
        })
    }
}

/// The text by which the object describes itself.
#[derive(Clone, Copy)]
struct Said {
    cwnd: u64,
    ssthresh: u64,
    /// Rate at which segments leave, if the algorithm paces them.
    pacing_rate: Option<Rate>,
}

impl Algorithm {
    /// The methods, the window and the rate after `begin`.
    fn begun(&self, py: Python<'_>, seed: u64) -> PyResult<(Methods, Said)> {
        let object = self.object.python.bind(py);
        begin(object, PyLimits::of(&self.limits, seed))?;
        let paces = object.getattr_opt("pacing_rate")?.is_some();
        if paces && object.getattr_opt("on_delivery")?.is_none() {
            let problem =
                "left a `pacing_rate` in a class without `on_delivery`, which paces nothing";
            let hint = "write `def on_delivery(self, sample):`, or leave `pacing_rate` out";
            return Err(wrong(problem, hint));
        }
        let methods = Methods::of(object)?;
        let said = self.look(object, &methods)?;
        Ok((methods, said))
    }

    /// Looks up the window and the rate.
    fn look(&self, object: &Bound<'_, PyAny>, methods: &Methods) -> PyResult<Said> {
        Ok(Said {
            cwnd: octets(object, "cwnd")?.max(self.limits.mss),
            ssthresh: octets(object, "ssthresh")?,
            pacing_rate: match methods.on_delivery {
                Some(_) => pacing_rate(object)?,
                None => None,
            },
        })
    }

    /// Calls a method with an event, and looks up the window.
    fn tell<E>(&mut self, name: &str, of: fn(&Methods) -> Option<&Py<PyAny>>, event: E)
    where
        E: for<'py> IntoPyObject<'py, Error = PyErr>,
    {
        self.said = guarded(&self.object, name, self.said, |py| {
            if let Some(method) = of(&self.methods) {
                method.call1(py, (event,))?;
            }
            self.look(self.object.python.bind(py), &self.methods)
        });
    }
}

/// Octets that an attribute holds.
fn octets(object: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    const HINT: &str = "keep it a number of octets from 0 on";
    let Some(value) = object.getattr_opt(name)? else {
        return Err(wrong(&format!("left no `{name}`"), HINT));
    };
    match value.extract::<f64>() {
        Ok(octets) if octets >= 0.0 => Ok(octets as u64),
        _ => Err(wrong(
            &format!("left `{name}` at `{}`", shown(&value)),
            HINT,
        )),
    }
}

/// Rate at which the object wants segments to leave.
fn pacing_rate(object: &Bound<'_, PyAny>) -> PyResult<Option<Rate>> {
    let Some(value) = object.getattr_opt("pacing_rate")? else {
        return Ok(None);
    };
    match value.extract::<Option<f64>>() {
        Ok(None) => Ok(None),
        Ok(Some(bits)) if bits > 0.0 && bits.is_finite() => {
            Ok(Some(Rate::from_bits_per_second((bits as u64).max(1))))
        }
        _ => {
            let problem = format!("left `pacing_rate` at `{}`", shown(&value));
            let hint = "keep it a number of bit/s above 0, or None to send at once";
            Err(wrong(&problem, hint))
        }
    }
}

impl CongestionControl for Algorithm {
    fn on_ack(&mut self, ack: &Ack) {
        self.tell("on_ack", |all| Some(&all.on_ack), PyAck::from(ack));
    }

    /// The class sees from `limited` that its window was not used.
    fn on_unused(&mut self, ack: &Ack) {
        self.on_ack(ack);
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        self.tell(
            "on_loss",
            |all| Some(&all.on_loss),
            PyCongestionEvent::from(event),
        );
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.tell(
            "on_timeout",
            |all| Some(&all.on_timeout),
            PyCongestionEvent::from(event),
        );
    }

    fn on_mark(&mut self, event: &CongestionEvent) {
        let marks = self.methods.on_mark.as_ref();
        let name = marks.map_or("on_loss", |_| "on_mark");
        let method: fn(&Methods) -> Option<&Py<PyAny>> =
            |all| all.on_mark.as_ref().or(Some(&all.on_loss));
        self.tell(name, method, PyCongestionEvent::from(event));
    }

    fn on_echo(&mut self, echo: &Echo) {
        if self.methods.on_echo.is_some() {
            self.tell("on_echo", |all| all.on_echo.as_ref(), PyEcho::from(echo));
        }
    }

    fn on_delivery(&mut self, sample: &Delivery) {
        self.tell(
            "on_delivery",
            |all| all.on_delivery.as_ref(),
            PyDelivery::from(sample),
        );
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.said.pacing_rate
    }

    fn wants_delivery(&self) -> bool {
        self.methods.on_delivery.is_some()
    }

    fn cwnd(&self) -> u64 {
        self.said.cwnd
    }

    fn resume_from(&mut self, octets: u64) {
        self.said = guarded(&self.object, "begin", self.said, |py| {
            let cwnd = octets.max(self.limits.mss);
            let object = self.object.python.bind(py);
            object.setattr("cwnd", cwnd)?;
            self.look(object, &self.methods)
        });
    }

    fn ssthresh(&self) -> u64 {
        self.said.ssthresh
    }

    /// The object begins here, because its seed is the first number of the stream.
    fn use_stream(&mut self, mut random: Stream) {
        let seed = random.bits();
        let begun = guarded(&self.object, "begin", None, |py| {
            self.begun(py, seed).map(Some)
        });
        if let Some((methods, said)) = begun {
            (self.methods, self.said) = (methods, said);
        }
    }

    fn wants_samples(&self) -> bool {
        self.methods.wants_samples
    }
}

/// Replaces a control that has failed: its window is one segment.
struct Broken(u64);

impl CongestionControl for Broken {
    fn on_ack(&mut self, _ack: &Ack) {}
    fn on_loss(&mut self, _event: &CongestionEvent) {}
    fn on_timeout(&mut self, _event: &CongestionEvent) {}

    fn cwnd(&self) -> u64 {
        self.0
    }

    fn resume_from(&mut self, _octets: u64) {}

    fn ssthresh(&self) -> u64 {
        self.0
    }
}
