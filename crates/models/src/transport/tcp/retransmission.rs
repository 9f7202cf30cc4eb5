//! The retransmission timer: the segment that is timed, or the time stamps of all; the deadline;
//! and the backoff.
//!
//! RFC 6298, section 5, and section 3 for Karn's rule. The estimate and the backoff are members of
//! families; the rules here are common to all of them.

use kernel::{Duration, Time};

use super::Tcp;
use super::backoff::Backoff;
use super::timers::{Clock, RttEstimate, Timers};
use super::timestamps::Timestamps;
use crate::transport::{Connection, Segment};

/// The timer of one sender.
pub struct RetransmissionTimer {
    timers: Box<dyn Timers>,
    backoff: Box<dyn Backoff>,
    timestamps: Timestamps,
    /// End and send time of the segment being timed, one at a time as in BSD; with time stamps no
    /// segment is timed.
    timed: Timed,
    /// Time of expiry; [`Time::NEVER`] if the timer is not running.
    deadline: Time,
    /// The event for which the timer expires at `deadline`.
    purpose: Purpose,
    /// Time of the timeout, if the timer expires before for another purpose.
    timeout: Time,
    /// Number of expiries since the backoff last ended: `t_rxtshift` of BSD.
    expiries: u32,
    /// True if the timer has expired since the last acknowledgment of new data.
    expired: bool,
}

/// The purpose of the timer. One timer serves all purposes, since they exclude one another: RFC
/// 8985, section 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The retransmission timeout.
    Timeout,
    /// RACK's reordering timer: segments unacknowledged at its expiry may be lost.
    Detection,
    /// A loss probe.
    Probe,
    /// A probe of a closed window, or the end of the wait for more data, while nothing is outstanding.
    Persist,
}

/// The end of the timed segment, and the time it was sent; [`Time::NEVER`] if no segment is timed.
type Timed = (u64, Time);

/// No segment is timed.
const NONE: Timed = (0, Time::NEVER);

impl RetransmissionTimer {
    /// A timer that is not running.
    pub fn new(spec: &Tcp, connection: &Connection) -> RetransmissionTimer {
        let clock = Clock {
            random: connection
                .seed
                .stream(&connection.name, "phase of the clock"),
        };
        RetransmissionTimer {
            timers: spec.timers.build(&clock),
            backoff: spec.backoff.build(&()),
            timestamps: spec.timestamps,
            timed: NONE,
            deadline: Time::NEVER,
            purpose: Purpose::Timeout,
            timeout: Time::NEVER,
            expiries: 0,
            expired: false,
        }
    }

    /// `[seq, end)` is sent, after all octets below `max`; starts the timer if it is not running.
    pub fn sent(&mut self, now: Time, seq: u64, end: u64, max: u64) {
        if seq >= max {
            if self.timed == NONE {
                self.timed = (end, now);
            }
        } else if seq < self.timed.0 {
            // Karn's rule, RFC 6298, section 3: the acknowledgment could belong to either copy of a
            // retransmitted segment. As in BSD, the retransmission of an earlier segment also ends
            // the timing, because the acknowledgment of the timed segment waits for it.
            self.timed = NONE;
        }
        if self.deadline == Time::NEVER {
            self.restart(now);
        }
    }

    /// `segment` acknowledges new data, or opens the connection. Returns the round-trip time that
    /// it gives, if any. If a round trip gives `expected` such times, each moves the estimate by
    /// its share.
    pub fn acknowledged(
        &mut self,
        now: Time,
        segment: &Segment,
        expected: u64,
    ) -> Option<Duration> {
        self.expired = false;
        let sent = self.sent_at(segment);
        if let Some(sent) = sent {
            self.timers.on_one_of(expected, sent, now);
            self.backoff.on_sample();
            self.timed = NONE;
        }
        self.backoff.on_new_ack();
        if self.backoff.factor() == 1 {
            self.expiries = 0;
        }
        sent.map(|sent| now.since(sent))
    }

    /// Send time of the segment that `segment` acknowledges, if known: from the time stamp, which
    /// tells the copies of a retransmitted segment apart (RFC 7323, section 4.1), or because that
    /// segment is timed.
    fn sent_at(&self, segment: &Segment) -> Option<Time> {
        if self.timestamps.is_on() {
            return segment.stamp();
        }
        let (end, sent) = self.timed;
        (sent < Time::NEVER && segment.ack >= end).then_some(sent)
    }

    /// The timer expires at `now`: RFC 6298, sections 5.5 and 5.6.
    pub fn expired(&mut self, now: Time) {
        self.expiries += 1;
        self.expired = true;
        self.backoff.on_timeout();
        self.timers.on_timeout(self.expiries);
        self.timed = NONE;
        self.restart(now);
    }

    /// The timer expired too early, or a loss was none: the backoff ends.
    pub fn undo(&mut self) {
        self.backoff.on_sample();
        self.expiries = 0;
        self.expired = false;
    }

    /// The estimate of the round-trip time, if the estimator keeps one that can be raised.
    pub fn estimate(&self) -> Option<RttEstimate> {
        self.timers.estimate()
    }

    /// Raises the estimate to that `before` a spurious timeout and to `rtt`.
    pub fn raise(&mut self, before: RttEstimate, rtt: Duration) {
        self.timers.raise(before, rtt);
    }

    /// True if the timer has expired before for the first unacknowledged segment.
    pub fn has_expired(&self) -> bool {
        self.expired
    }

    /// The connection opens after its SYN was repeated.
    pub fn opened_late(&mut self) {
        if self.timers.on_late_opening() {
            self.backoff.on_sample();
            self.expiries = 0;
        }
    }

    /// Stops timing the present segment: after a fast retransmit its acknowledgment waits for the
    /// retransmission.
    pub fn forget_sample(&mut self) {
        self.timed = NONE;
    }

    /// Restarts the timer, as each acknowledgment of new data does: RFC 6298, section 5.3.
    pub fn restart(&mut self, now: Time) {
        self.deadline = self.timers.deadline(now, self.backoff.factor());
        self.purpose = Purpose::Timeout;
    }

    /// Lets the running timer expire at `at` for another purpose than the timeout. A probe is sent
    /// when the timeout is due, at the latest (RFC 8985, section 7.2); a detection that is due after
    /// the timeout is left to it.
    pub fn expire_for(&mut self, purpose: Purpose, at: Time) {
        if self.purpose == Purpose::Timeout {
            self.timeout = self.deadline;
        }
        if purpose == Purpose::Detection && at >= self.timeout {
            return self.end(self.purpose);
        }
        self.deadline = at.min(self.timeout);
        self.purpose = purpose;
    }

    /// Starts the timer, which is not running, to expire at `at` for [`Purpose::Persist`].
    pub fn persist_until(&mut self, at: Time) {
        self.deadline = at;
        self.purpose = Purpose::Persist;
    }

    /// Stops the timer if it runs for [`Purpose::Persist`]; returns the time at which it would have
    /// expired.
    pub fn stop_persisting(&mut self) -> Option<Time> {
        (self.purpose == Purpose::Persist).then(|| {
            let deadline = self.deadline;
            self.stop();
            deadline
        })
    }

    /// Lets the running timer expire at `at`, at the latest.
    pub fn expire_by(&mut self, at: Time) {
        self.deadline = self.deadline.min(at);
    }

    /// The timer expires for the timeout again, if it would expire for `purpose`.
    pub fn end(&mut self, purpose: Purpose) {
        if self.purpose == purpose && purpose != Purpose::Timeout {
            self.deadline = self.timeout;
            self.purpose = Purpose::Timeout;
        }
    }

    /// The purpose for which the timer runs.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Stops the timer, because no data is outstanding (RFC 6298, section 5.2) or a retransmission
    /// will start it again.
    pub fn stop(&mut self) {
        self.deadline = Time::NEVER;
        self.purpose = Purpose::Timeout;
    }

    /// Time of expiry; [`Time::NEVER`] if the timer is not running.
    pub fn deadline(&self) -> Time {
        self.deadline
    }

    /// The time stamps in segments.
    pub fn timestamps(&self) -> Timestamps {
        self.timestamps
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
