//! The sending end of TCP: what is outstanding, what may be sent, and the retransmission timer.
//!
//! Which segments a loss makes the sender repeat is the congestion control's decision; keeping
//! count of them is done here. Sections: Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988;
//! Stevens, "TCP/IP Illustrated", volume 1, chapter 21.

use std::cmp::Ordering;

use kernel::Time;

use super::backoff::Backoff;
use super::congestion::{Ack, CongestionControl, Limits, Recovery};
use super::timers::{Clock, Timers};
use super::{Repeated, Tcp};
use crate::metrics::{Limit, SenderMeter};
use crate::transport::{Connection, Segment, Sender, SenderState, Transmit};

/// The sending end.
pub struct TcpSender {
    limits: Limits,
    header: u64,
    threshold: u32,
    guarded: bool,
    nagle: bool,
    control: Box<dyn CongestionControl>,
    timers: Box<dyn Timers>,
    backoff: Box<dyn Backoff>,
    /// Octets the application has handed over.
    written: u64,
    /// Oldest octet not acknowledged.
    una: u64,
    /// Next octet to send; goes back after a loss.
    nxt: u64,
    /// One more than the highest octet ever sent.
    max: u64,
    /// Duplicate acknowledgments in a row.
    duplicates: u32,
    /// What had been sent when the last loss was noticed ends here.
    recover: Option<u64>,
    /// The segment being timed: its end, and when it was sent. One at a time, as in BSD.
    timed: Option<(u64, Time)>,
    /// When the retransmission timer expires.
    deadline: Option<Time>,
    /// Expiries since the backoff last ended: `t_rxtshift` of BSD.
    expiries: u32,
    meter: SenderMeter,
}

impl TcpSender {
    /// A sender that has sent nothing yet.
    pub fn new(spec: &Tcp, connection: &Connection) -> TcpSender {
        let limits = spec.limits();
        let clock = Clock {
            random: connection
                .seed
                .stream(&connection.name, "phase of the clock"),
        };
        TcpSender {
            limits,
            header: spec.header.0,
            threshold: spec.duplicates,
            guarded: spec.repeated_fast_retransmit == Repeated::Guarded,
            nagle: spec.nagle,
            control: spec.congestion.build(&limits),
            timers: spec.timers.build(&clock),
            backoff: spec.backoff.build(&()),
            written: 0,
            una: 0,
            nxt: 0,
            max: 0,
            duplicates: 0,
            recover: None,
            timed: None,
            deadline: None,
            expiries: 0,
            meter: SenderMeter::default(),
        }
    }

    /// Sends as much as the windows and the application allow, and notes what set the limit.
    fn send_available(&mut self, now: Time, out: &mut dyn Transmit) {
        let cwnd = self.control.cwnd();
        let window = cwnd.min(self.limits.window);
        let limit = loop {
            let len = self.limits.mss.min(self.written - self.nxt);
            let waits = self.nagle && len < self.limits.mss && self.nxt > self.una;
            if len == 0 || waits {
                break Limit::Application;
            }
            if self.nxt + len > self.una + window {
                break if cwnd < self.limits.window {
                    Limit::Cwnd
                } else {
                    Limit::Window
                };
            }
            self.send_next(now, len, out);
        };
        self.meter.limited(now, limit);
    }

    /// Sends `len` octets from `nxt` on.
    fn send_next(&mut self, now: Time, len: u64, out: &mut dyn Transmit) {
        let seq = self.nxt;
        self.nxt += len;
        if seq >= self.max {
            if self.timed.is_none() {
                self.timed = Some((self.nxt, now));
            }
        } else if let Some((end, _)) = self.timed
            && seq < end
        {
            // Karn: an acknowledgment could not be told to be of one copy or the other.
            self.timed = None;
        }
        let first_time = self.nxt > self.max;
        self.max = self.max.max(self.nxt);
        self.meter.sent(now, len, first_time);
        if self.deadline.is_none() {
            self.arm(now);
        }
        out.transmit(now, Segment::data(seq, len as u32), len + self.header);
    }

    /// Sends the first unacknowledged segment again, without moving `nxt`.
    fn resend_first(&mut self, now: Time, out: &mut dyn Transmit) {
        let nxt = self.nxt;
        self.nxt = self.una;
        self.send_next(now, self.limits.mss.min(self.written - self.una), out);
        self.nxt = nxt.max(self.nxt);
    }

    fn arm(&mut self, now: Time) {
        self.deadline = Some(self.timers.deadline(now, self.backoff.factor()));
    }

    fn on_new_ack(&mut self, now: Time, ack: u64) {
        if let Some((end, sent)) = self.timed
            && ack >= end
        {
            self.timers.on_sample(sent, now);
            self.backoff.on_sample();
            self.meter.round_trip(now.since(sent));
            self.timed = None;
        }
        self.backoff.on_new_ack();
        if self.backoff.factor() == 1 {
            self.expiries = 0;
        }
        let octets = ack - self.una;
        self.una = ack;
        self.nxt = self.nxt.max(ack);
        self.duplicates = 0;
        self.control.on_ack(Ack { octets });
        self.deadline = None;
        if self.una < self.max {
            self.arm(now);
        }
    }

    fn on_duplicate(&mut self, now: Time, out: &mut dyn Transmit) {
        self.duplicates += 1;
        let recovery = match self.duplicates.cmp(&self.threshold) {
            Ordering::Less => return,
            Ordering::Equal if self.guarded && Some(self.una) <= self.recover => return,
            Ordering::Equal => {
                self.recover = Some(self.max);
                self.meter.fast_retransmitted(self.una, self.max);
                self.timed = None;
                self.control.on_loss()
            }
            Ordering::Greater => self.control.on_further_duplicate(),
        };
        match recovery {
            Recovery::Continue => {}
            Recovery::Resend => {
                self.deadline = None;
                self.resend_first(now, out);
            }
            Recovery::GoBack => {
                self.deadline = None;
                self.nxt = self.una;
            }
        }
    }
}

impl Sender for TcpSender {
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        self.written = self.written.saturating_add(octets);
        self.send_available(now, out);
    }

    fn receive(&mut self, now: Time, segment: &Segment, out: &mut dyn Transmit) {
        let ack = segment.ack;
        if ack > self.max {
            // Of what was never sent: RFC 9293, section 3.10.7.4.
            return;
        }
        if ack > self.una {
            self.on_new_ack(now, ack);
        } else if ack == self.una && self.max > self.una {
            self.on_duplicate(now, out);
        } else {
            self.duplicates = 0;
        }
        self.send_available(now, out);
    }

    fn next_wake(&self) -> Time {
        self.deadline.unwrap_or(Time::NEVER)
    }

    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.next_wake() > now {
            return;
        }
        self.meter.timed_out(now, self.una, self.max);
        self.expiries += 1;
        self.control.on_timeout();
        self.backoff.on_timeout();
        self.timers.on_timeout(self.expiries);
        self.recover = Some(self.max);
        self.timed = None;
        self.duplicates = 0;
        self.nxt = self.una;
        self.arm(now);
        self.send_available(now, out);
    }

    fn meter(&mut self) -> &mut SenderMeter {
        &mut self.meter
    }

    fn state(&self, _now: Time) -> SenderState {
        SenderState {
            cwnd: self.control.cwnd(),
            ssthresh: self.control.ssthresh(),
            srtt: self.timers.srtt(),
            rto: self.timers.rto(self.backoff.factor()),
        }
    }
}

#[cfg(test)]
#[path = "sender_tests.rs"]
mod tests;
