//! Retransmission timers: from round-trip times to a timeout.

use kernel::{Duration, Stream, Time};

parameters::registry! {
    /// How the retransmission timeout is estimated.
    pub enum TimersSpec builds Box<dyn Timers>, for Clock {
        bsd => Bsd,
        ns => Ns,
        rfc6298 => Rfc6298,
    } default rfc6298
}

/// The clock of a host, as known before the run.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Stream that draws the phase of the clock.
    pub random: Stream,
}

/// An estimator of the retransmission timeout.
pub trait Timers {
    /// A segment sent at `sent`, and only then, is acknowledged at `now`.
    fn on_sample(&mut self, sent: Time, now: Time);

    /// The timer expired for the `count`-th time since the backoff last ended.
    fn on_timeout(&mut self, count: u32) {
        let _ = count;
    }

    /// The connection is open, but only after its opening was repeated; returns whether the backoff
    /// that this has caused ends.
    fn on_late_opening(&mut self) -> bool {
        false
    }

    /// The timeout, stretched by `backoff`.
    fn rto(&self, backoff: u64) -> Duration;

    /// When a timer that is set at `now` expires.
    fn deadline(&self, now: Time, backoff: u64) -> Time {
        now + self.rto(backoff)
    }

    /// Smoothed round-trip time; zero before the first sample.
    fn srtt(&self) -> Duration;
}
