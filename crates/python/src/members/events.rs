//! The objects that a congestion control in Python receives: the limits of its sender, and events.

use kernel::Duration;
use models::transport::tcp::congestion::{Ack, CongestionEvent, Delivery, Echo, Limits};
use pyo3::prelude::*;

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
    /// Headers and options of a segment with data.
    header: u64,
    /// A random number of the run and the flow, to seed a generator.
    seed: u64,
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
    /// Octets in flight after the acknowledgment, before it is answered.
    in_flight: u64,
    /// Octets that this acknowledgment shows to be lost.
    lost: u64,
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

impl From<&CongestionEvent> for PyCongestionEvent {
    fn from(event: &CongestionEvent) -> PyCongestionEvent {
        PyCongestionEvent {
            now: event.now.seconds(),
            flight: event.flight,
            again: event.again,
        }
    }
}

impl PyLimits {
    /// The limits of a sender, with the seed of its random choices.
    pub fn of(limits: &Limits, seed: u64) -> PyLimits {
        PyLimits {
            mss: limits.mss,
            window: limits.window,
            initial: limits.initial,
            ssthresh: limits.ssthresh,
            header: limits.header,
            seed,
        }
    }
}

impl From<&Ack> for PyAck {
    fn from(ack: &Ack) -> PyAck {
        PyAck {
            now: ack.now.seconds(),
            octets: ack.octets,
            una: ack.una,
            max: ack.max,
            srtt: ack.srtt.seconds(),
            rtt: ack.rtt.map(Duration::seconds),
            limited: ack.limited,
        }
    }
}

impl From<&Delivery> for PyDelivery {
    fn from(sample: &Delivery) -> PyDelivery {
        PyDelivery {
            now: sample.now.seconds(),
            delivered: sample.delivered,
            newly: sample.newly,
            prior_delivered: sample.prior_delivered,
            rate: sample.rate,
            rtt: sample.rtt.map(Duration::seconds),
            in_flight: sample.in_flight,
            lost: sample.lost,
            is_app_limited: sample.is_app_limited,
            in_recovery: sample.in_recovery,
        }
    }
}

impl From<&Echo> for PyEcho {
    fn from(echo: &Echo) -> PyEcho {
        PyEcho {
            octets: echo.octets,
            marked: echo.marked,
            una: echo.una,
            max: echo.max,
        }
    }
}
