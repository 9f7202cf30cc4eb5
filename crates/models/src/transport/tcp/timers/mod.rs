//! Retransmission timers: from round-trip times to a timeout.
//!
//! Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, section 2; the members differ in
//! their arithmetic and their clock, as the implementations do.

use kernel::{Duration, Stream, Time};
use parameters::parameters;

parameters::registry! {
    /// Estimator of the retransmission timeout.
    pub enum TimersSpec builds Box<dyn Timers>, for Clock {
        bsd => BsdTimers,
        ns => Ns,
        rfc6298 => Rfc6298,
        linux => LinuxTimers,
    } default rfc6298
}

parameters! {
    /// The bounds of a timeout, and its first value.
    pub struct TimeoutBounds {
        /// Shortest timeout.
        #[range("1 us", "1 h")]
        pub min: Duration = "1 s",
        /// Longest timeout.
        #[range("1 us", "1 h")]
        pub max: Duration = "64 s",
        /// Timeout before the first round-trip time is known.
        #[range("1 us", "1 h")]
        pub initial: Duration = "6 s",
    }
}

/// The clock of a host, as known before the run.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Random stream for the phase of the clock.
    pub random: Stream,
}

/// `SRTT_prev` and `RTTVAR_prev` of RFC 4015, section 3.1, step 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RttEstimate {
    /// Smoothed round-trip time, and twice the granularity of the clock.
    pub srtt: Duration,
    /// Deviation of the round-trip time.
    pub rttvar: Duration,
}

/// An estimator of the retransmission timeout.
pub trait Timers: Send {
    /// A segment sent at `sent`, and only once or with a time stamp, is acknowledged at `now`.
    fn on_sample(&mut self, sent: Time, now: Time);

    /// Takes one of the `expected` samples of a round trip; each has a smaller weight (RFC 7323,
    /// appendix G). For an estimator that cannot weigh samples, `expected` is one.
    fn on_one_of(&mut self, expected: u64, sent: Time, now: Time) {
        debug_assert_eq!(expected, 1, "lowering refuses other weights");
        self.on_sample(sent, now);
    }

    /// The timer expires for the `count`-th time since the backoff last ended.
    fn on_timeout(&mut self, count: u32) {
        let _ = count;
    }

    /// The connection opens after its SYN was repeated; returns true if the backoff of the repeated
    /// SYN ends.
    fn on_late_opening(&mut self) -> bool {
        false
    }

    /// The estimate as a sender stores it before a timeout that may prove to be spurious; none if a
    /// spurious timeout does not change the estimate.
    fn estimate(&self) -> Option<RttEstimate> {
        None
    }

    /// The timeout was spurious, and `rtt` is the first round-trip time of data sent after it: the
    /// estimate becomes at least these.
    fn raise(&mut self, before: RttEstimate, rtt: Duration) {
        let _ = (before, rtt);
    }

    /// The timeout, with the estimate multiplied by `backoff`.
    fn rto(&self, backoff: u64) -> Duration;

    /// The expiry of a timer that is set at `now`.
    fn deadline(&self, now: Time, backoff: u64) -> Time {
        now + self.rto(backoff)
    }

    /// Smoothed round-trip time; zero before the first sample.
    fn srtt(&self) -> Duration;
}
