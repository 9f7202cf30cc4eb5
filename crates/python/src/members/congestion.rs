//! Congestion controls in Python.

use kernel::{Rate, Time};
use models::transport::tcp::congestion::{
    Ack, CongestionControl, CongestionEvent, CongestionKind, CongestionSpec, Delivery, Echo, Limits,
};
use models::transport::tcp::recovery::{Recovery, Reports};
use parameters::{Table, Value, understand};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::failure::{Object, guarded};
use super::told::{shown, wrong};
use super::{PythonFamily, attribute, begin, method};

/// Limits of the window, in octets of user data.
#[pyclass(frozen, get_all, name = "Limits", module = "cellrelay._core")]
pub struct PyLimits {
    /// Maximum segment size.
    mss: u64,
    /// Receiver's window, in whole segments.
    window: u64,
    /// Congestion window at the start of a connection.
    initial: u64,
    /// Slow-start threshold at the start.
    ssthresh: u64,
}

/// An acknowledgment of new data.
#[pyclass(frozen, get_all, name = "Ack", module = "cellrelay._core")]
pub struct PyAck {
    /// Time in seconds.
    now: f64,
    /// Octets acknowledged.
    octets: u64,
    /// Oldest octet that is now unacknowledged.
    una: u64,
    /// One more than the highest octet ever sent.
    max: u64,
    /// Smoothed round-trip time in seconds; zero before the first sample.
    srtt: f64,
    /// Round-trip time of the latest segment acknowledged in seconds, if there is one.
    rtt: Option<f64>,
    /// True if the congestion window limited the sender.
    limited: bool,
}

/// A loss, a timeout or a mark.
#[pyclass(frozen, get_all, name = "CongestionEvent", module = "cellrelay._core")]
pub struct PyCongestionEvent {
    /// Time in seconds.
    now: f64,
    /// Outstanding octets.
    flight: u64,
    /// True if the timer had expired for the first unacknowledged segment before.
    again: bool,
}

/// Delivery of data, as an acknowledgment reports it.
#[pyclass(frozen, get_all, name = "Delivery", module = "cellrelay._core")]
pub struct PyDelivery {
    /// Time in seconds.
    now: f64,
    /// Octets delivered since the start.
    delivered: u64,
    /// Octets that this acknowledgment newly reports as delivered.
    newly: u64,
    /// Octets that had been delivered when the latest segment of the sample was sent.
    prior_delivered: u64,
    /// Delivery rate in bit/s, if the acknowledgment reports new data.
    rate: Option<f64>,
    /// Round-trip time of the latest segment in seconds, unless it was sent more than once.
    rtt: Option<f64>,
    /// Octets outstanding after the acknowledgment.
    flight: u64,
    /// True if the application, and not the network, limited the rate.
    is_app_limited: bool,
    /// True during a loss recovery.
    in_recovery: bool,
}

/// Feedback of marks.
#[pyclass(frozen, get_all, name = "Echo", module = "cellrelay._core")]
pub struct PyEcho {
    /// Octets acknowledged.
    octets: u64,
    /// True if the octets were marked.
    marked: bool,
    /// Oldest octet that is now unacknowledged.
    una: u64,
    /// One more than the highest octet ever sent.
    max: u64,
}

/// The class attributes of a congestion control.
#[derive(Debug)]
pub struct Traits {
    /// The built-in congestion control whose loss recovery this one uses.
    recovery: CongestionSpec,
    exact_marks: bool,
}

impl CongestionKind for Traits {
    fn recovery(&self) -> Box<dyn Recovery> {
        self.recovery.recovery()
    }

    fn reports(&self) -> Option<Reports> {
        self.recovery.reports()
    }

    fn needs_exact_marks(&self) -> bool {
        self.exact_marks
    }
}

impl PythonFamily for CongestionSpec {
    type Traits = Traits;

    const KIND: &str = "congestion control";

    fn traits(class: &Bound<'_, PyAny>) -> PyResult<Traits> {
        let recovery = attribute(class, "recovery", "new_reno".to_string())?;
        let member = Table::of([(recovery.as_str(), Value::from(Table::default()))]);
        let recovery = understand(&member.into()).map_err(|_| {
            let known = CongestionSpec::kinds().join(", ");
            let problem = format!("no loss recovery `{recovery}`\n  hint: one of {known}");
            PyValueError::new_err(problem)
        })?;
        Ok(Traits {
            recovery,
            exact_marks: attribute(class, "exact_marks", false)?,
        })
    }

    fn answers(traits: &Traits) -> &(dyn CongestionKind + 'static) {
        traits
    }

    fn component(
        object: Bound<'_, PyAny>,
        _traits: &Traits,
        limits: &Limits,
    ) -> PyResult<Box<dyn CongestionControl>> {
        let Limits {
            mss,
            window,
            initial,
            ssthresh,
        } = *limits;
        for (name, octets) in [("cwnd", initial.min(window)), ("ssthresh", ssthresh)] {
            object.setattr(name, octets).map_err(|error| {
                let problem = format!("finds that `{name}` cannot be set: {error}");
                wrong(&problem, "let the run set it: no property, no frozen class")
            })?;
        }
        begin(
            &object,
            PyLimits {
                mss,
                window,
                initial,
                ssthresh,
            },
        )?;
        let mut algorithm = Algorithm {
            on_ack: object.getattr("on_ack")?.unbind(),
            on_loss: object.getattr("on_loss")?.unbind(),
            on_timeout: object.getattr("on_timeout")?.unbind(),
            on_mark: method(&object, "on_mark")?,
            on_echo: method(&object, "on_echo")?,
            on_delivery: method(&object, "on_delivery")?,
            wants_samples: attribute(&object, "wants_samples", false)?,
            mss,
            said: Said {
                cwnd: mss,
                ssthresh,
                pacing_rate: None,
            },
            object: Object {
                kind: Self::KIND,
                python: object.clone().unbind(),
            },
        };
        algorithm.said = algorithm.look(object.py())?;
        Ok(Box::new(algorithm))
    }

    fn broken(limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(Broken(limits.mss))
    }
}

/// An object whose window and rate are looked up after each of its methods.
struct Algorithm {
    object: Object,
    on_ack: Py<PyAny>,
    on_loss: Py<PyAny>,
    on_timeout: Py<PyAny>,
    on_mark: Option<Py<PyAny>>,
    on_echo: Option<Py<PyAny>>,
    on_delivery: Option<Py<PyAny>>,
    wants_samples: bool,
    mss: u64,
    said: Said,
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
    /// Looks up the window and the rate.
    fn look(&self, py: Python<'_>) -> PyResult<Said> {
        let object = self.object.python.bind(py);
        Ok(Said {
            cwnd: octets(object, "cwnd")?.max(self.mss),
            ssthresh: octets(object, "ssthresh")?,
            pacing_rate: match &self.on_delivery {
                Some(_) => pacing_rate(object)?,
                None => None,
            },
        })
    }

    /// Calls a method with an event, and looks up the window.
    fn tell<E>(&mut self, name: &str, of: fn(&Algorithm) -> Option<&Py<PyAny>>, event: E)
    where
        E: for<'py> IntoPyObject<'py, Error = PyErr>,
    {
        self.said = guarded(&self.object, name, self.said, |py| {
            if let Some(method) = of(self) {
                method.call1(py, (event,))?;
            }
            self.look(py)
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
        let event = PyAck {
            now: ack.now.seconds(),
            octets: ack.octets,
            una: ack.una,
            max: ack.max,
            srtt: ack.srtt.seconds(),
            rtt: ack.rtt.map(kernel::Duration::seconds),
            limited: ack.limited,
        };
        self.tell("on_ack", |all| Some(&all.on_ack), event);
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
        let name = self.on_mark.as_ref().map_or("on_loss", |_| "on_mark");
        let method: fn(&Algorithm) -> Option<&Py<PyAny>> =
            |all| all.on_mark.as_ref().or(Some(&all.on_loss));
        self.tell(name, method, PyCongestionEvent::from(event));
    }

    fn on_echo(&mut self, echo: &Echo) {
        if self.on_echo.is_some() {
            let event = PyEcho {
                octets: echo.octets,
                marked: echo.marked,
                una: echo.una,
                max: echo.max,
            };
            self.tell("on_echo", |all| all.on_echo.as_ref(), event);
        }
    }

    fn on_delivery(&mut self, sample: &Delivery) {
        let event = PyDelivery {
            now: sample.now.seconds(),
            delivered: sample.delivered,
            newly: sample.newly,
            prior_delivered: sample.prior_delivered,
            rate: sample.rate,
            rtt: sample.rtt.map(kernel::Duration::seconds),
            flight: sample.flight,
            is_app_limited: sample.is_app_limited,
            in_recovery: sample.in_recovery,
        };
        self.tell("on_delivery", |all| all.on_delivery.as_ref(), event);
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.said.pacing_rate
    }

    fn wants_delivery(&self) -> bool {
        self.on_delivery.is_some()
    }

    fn cwnd(&self) -> u64 {
        self.said.cwnd
    }

    fn resume_from(&mut self, octets: u64) {
        self.said = guarded(&self.object, "begin", self.said, |py| {
            let cwnd = octets.max(self.mss);
            self.object.python.setattr(py, "cwnd", cwnd)?;
            self.look(py)
        });
    }

    fn ssthresh(&self) -> u64 {
        self.said.ssthresh
    }

    fn wants_samples(&self) -> bool {
        self.wants_samples
    }
}

impl From<&CongestionEvent> for PyCongestionEvent {
    fn from(event: &CongestionEvent) -> PyCongestionEvent {
        let now: Time = event.now;
        PyCongestionEvent {
            now: now.seconds(),
            flight: event.flight,
            again: event.again,
        }
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
