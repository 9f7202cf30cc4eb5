//! The retransmission timer: one segment timed at a time, one deadline, and its backoff.

use kernel::{Duration, Time};

use super::Tcp;
use super::backoff::Backoff;
use super::timers::{Clock, Timers};
use crate::transport::Connection;

/// The timer of one sender.
pub struct Retransmission {
    timers: Box<dyn Timers>,
    backoff: Box<dyn Backoff>,
    /// The segment being timed: its end, and when it was sent. One at a time, as in BSD.
    timed: Option<(u64, Time)>,
    /// [`Time::NEVER`] if it is not running.
    deadline: Time,
    /// Expiries since the backoff last ended: `t_rxtshift` of BSD.
    expiries: u32,
}

impl Retransmission {
    /// A timer that is not running.
    pub fn new(spec: &Tcp, connection: &Connection) -> Retransmission {
        let clock = Clock {
            random: connection
                .seed
                .stream(&connection.name, "phase of the clock"),
        };
        Retransmission {
            timers: spec.timers.build(&clock),
            backoff: spec.backoff.build(&()),
            timed: None,
            deadline: Time::NEVER,
            expiries: 0,
        }
    }

    /// `[seq, end)` is sent, where all below `max` had been sent before; starts if not running.
    pub fn sent(&mut self, now: Time, seq: u64, end: u64, max: u64) {
        if seq >= max {
            self.timed = self.timed.or(Some((end, now)));
        } else if let Some((timed, _)) = self.timed
            && seq < timed
        {
            // Karn: an acknowledgment could not be told to be of one copy or the other.
            self.timed = None;
        }
        if self.deadline == Time::NEVER {
            self.restart(now);
        }
    }

    /// Everything below `ack` was acknowledged; returns a round-trip time if that gave one.
    pub fn acknowledged(&mut self, now: Time, ack: u64) -> Option<Duration> {
        let timed = self.timed.filter(|(end, _)| ack >= *end);
        if let Some((_, sent)) = timed {
            self.timers.on_sample(sent, now);
            self.backoff.on_sample();
            self.timed = None;
        }
        self.backoff.on_new_ack();
        if self.backoff.factor() == 1 {
            self.expiries = 0;
        }
        timed.map(|(_, sent)| now.since(sent))
    }

    /// The timer expired at `now`: it backs off and starts again.
    pub fn expired(&mut self, now: Time) {
        self.expiries += 1;
        self.backoff.on_timeout();
        self.timers.on_timeout(self.expiries);
        self.timed = None;
        self.restart(now);
    }

    /// The connection is open, but only after its opening was repeated.
    pub fn opened_late(&mut self) {
        if self.timers.on_late_opening() {
            self.backoff.on_sample();
            self.expiries = 0;
        }
    }

    /// What is being timed is given up.
    pub fn forget_sample(&mut self) {
        self.timed = None;
    }

    /// Starts again at `now`.
    pub fn restart(&mut self, now: Time) {
        self.deadline = self.timers.deadline(now, self.backoff.factor());
    }

    /// Stops; the next segment starts it.
    pub fn stop(&mut self) {
        self.deadline = Time::NEVER;
    }

    /// When it expires; [`Time::NEVER`] if it is not running.
    pub fn deadline(&self) -> Time {
        self.deadline
    }

    /// Smoothed round-trip time; zero before the first sample.
    pub fn srtt(&self) -> Duration {
        self.timers.srtt()
    }

    /// The present timeout, backoff included.
    pub fn rto(&self) -> Duration {
        self.timers.rto(self.backoff.factor())
    }
}
