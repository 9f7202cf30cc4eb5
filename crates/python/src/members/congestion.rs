//! Congestion controls in Python.

use kernel::{Rate, Time};
use models::transport::tcp::congestion::{
    Ack, CongestionControl, CongestionEvent, CongestionKind, CongestionSpec, Delivery, Echo, Limits,
};
use models::transport::tcp::recovery::{Recovery, Reports};
use parameters::{Table, Value, understand};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::failure::guarded;
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
        object.setattr("cwnd", initial.min(window))?;
        object.setattr("ssthresh", ssthresh)?;
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
            pacing_rate: None,
            wants_samples: attribute(&object, "wants_samples", false)?,
            mss,
            cwnd: mss,
            ssthresh,
            object: object.clone().unbind(),
        };
        algorithm.look(object.py())?;
        Ok(Box::new(algorithm))
    }

    fn broken(limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(Broken(limits.mss))
    }
}

/// An object with `cwnd` and `ssthresh`, which are looked up after each of its methods.
struct Algorithm {
    object: Py<PyAny>,
    on_ack: Py<PyAny>,
    on_loss: Py<PyAny>,
    on_timeout: Py<PyAny>,
    on_mark: Option<Py<PyAny>>,
    on_echo: Option<Py<PyAny>>,
    on_delivery: Option<Py<PyAny>>,
    /// Rate at which segments leave, if the algorithm paces them.
    pacing_rate: Option<Rate>,
    wants_samples: bool,
    mss: u64,
    cwnd: u64,
    ssthresh: u64,
}

impl Algorithm {
    /// Looks up the window.
    fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        let octets = |name| -> PyResult<u64> {
            let value: f64 = self.object.getattr(py, name)?.extract(py)?;
            if value.is_nan() || value < 0.0 {
                return Err(PyValueError::new_err(format!("`{name}` is {value}")));
            }
            Ok(value as u64)
        };
        let (cwnd, ssthresh) = (octets("cwnd")?, octets("ssthresh")?);
        (self.cwnd, self.ssthresh) = (cwnd.max(self.mss), ssthresh);
        if self.on_delivery.is_some()
            && let Some(rate) = self.object.bind(py).getattr_opt("pacing_rate")?
        {
            let rate: Option<f64> = rate.extract()?;
            self.pacing_rate = rate.map(|bits| Rate::from_bits_per_second((bits as u64).max(1)));
        }
        Ok(())
    }

    /// Calls a method with an event, and looks up the window.
    fn tell<E>(&mut self, method: fn(&Algorithm) -> Option<&Py<PyAny>>, event: E)
    where
        E: for<'py> IntoPyObject<'py, Error = PyErr>,
    {
        guarded((), |py| {
            if let Some(method) = method(self) {
                method.call1(py, (event,))?;
                self.look(py)?;
            }
            Ok(())
        });
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
        self.tell(|all| Some(&all.on_ack), event);
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        self.tell(|all| Some(&all.on_loss), PyCongestionEvent::from(event));
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.tell(|all| Some(&all.on_timeout), PyCongestionEvent::from(event));
    }

    fn on_mark(&mut self, event: &CongestionEvent) {
        let method: fn(&Algorithm) -> Option<&Py<PyAny>> =
            |all| all.on_mark.as_ref().or(Some(&all.on_loss));
        self.tell(method, PyCongestionEvent::from(event));
    }

    fn on_echo(&mut self, echo: &Echo) {
        if self.on_echo.is_some() {
            let event = PyEcho {
                octets: echo.octets,
                marked: echo.marked,
                una: echo.una,
                max: echo.max,
            };
            self.tell(|all| all.on_echo.as_ref(), event);
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
        self.tell(|all| all.on_delivery.as_ref(), event);
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.pacing_rate
    }

    fn wants_delivery(&self) -> bool {
        self.on_delivery.is_some()
    }

    fn cwnd(&self) -> u64 {
        self.cwnd
    }

    fn resume_from(&mut self, octets: u64) {
        guarded((), |py| {
            self.object.setattr(py, "cwnd", octets.max(self.mss))?;
            self.look(py)
        });
    }

    fn ssthresh(&self) -> u64 {
        self.ssthresh
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
