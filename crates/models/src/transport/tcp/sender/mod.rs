//! The sending end of TCP: the order of events, and the segments sent for each.
//!
//! The congestion control decides the amount of data that may be outstanding, the recovery the
//! segments to retransmit, and the timer the end of waiting; the sender combines them. Jacobson,
//! "Congestion Avoidance and Control", SIGCOMM 1988; RFC 5681; Stevens, "TCP/IP Illustrated",
//! volume 1, chapter 21.

mod cap;
mod delivery;
mod forward;
mod losses;
mod opening;
mod paced;
mod pacing;
mod records;
mod reduction;
mod samples;
mod stamping;
mod timed;
mod undo;

use kernel::Time;

use self::opening::Opening;
use self::records::Records;
use self::reduction::Spacing;
use self::timed::Evidence;
use super::congestion::{Ack, CongestionControl};
use super::recovery::proportional::ReductionBound;
use super::recovery::{AckEffect, NextData, Outstanding, Recovery};
use super::retransmission::{Purpose, RetransmissionTimer};
use super::{Idle, Repeated, Tcp};
use crate::metrics::{Limit, SenderMeter};
use crate::transport::{
    Connection, Segment, Sender, SenderState, StateValue, Transmit, TransportKind, WindowCap,
};
use crate::wire::ecn::Codepoint;

/// The sending end.
pub struct TcpSender {
    /// Octets of a packet that are not user data.
    overhead: u32,
    /// Congestion window at the start, in segments.
    initial: u32,
    repeated: Repeated,
    nagle: bool,
    limited_transmit: bool,
    idle: Idle,
    /// ECN codepoint of the data of this flow.
    codepoint: Codepoint,
    spacing: Spacing,
    control: Box<dyn CongestionControl>,
    /// Cap of the congestion window in octets; equal to the receiver's window, unless a run is
    /// steered.
    cap: u64,
    recovery: Box<dyn Recovery>,
    evidence: Evidence,
    opening: Opening,
    data: Outstanding,
    timer: RetransmissionTimer,
    /// Records of segments, if an algorithm needs any.
    records: Option<Box<Records>>,
    /// Octets sent by limited transmit: RFC 3042. A window has fewer than 2^30 octets.
    ahead: u32,
    /// End of the data that had been sent when a mark or a loss last reduced the window.
    answered: u64,
    /// True if the next new segment carries CWR, which reports a reduction of the window.
    reduced: bool,
    limit: Limit,
    meter: SenderMeter,
}

impl TcpSender {
    /// A sender before its first segment.
    pub fn new(spec: &Tcp, connection: &Connection) -> TcpSender {
        let limits = spec.limits(connection.over.cells());
        let mut control = spec.congestion.build(&limits);
        control.use_stream(
            connection
                .seed
                .stream(&connection.name, "congestion control"),
        );
        let mut recovery = spec.congestion.recovery();
        TcpSender {
            overhead: spec.overhead() as u32,
            initial: spec.initial_window,
            repeated: spec.repeated_fast_retransmit,
            nagle: spec.nagle,
            limited_transmit: spec.limited_transmit,
            idle: spec.idle_restart,
            codepoint: spec.codepoint(),
            spacing: Spacing::of(spec),
            records: Records::of(spec, &*control),
            evidence: Evidence::of(&mut *recovery),
            recovery,
            control,
            cap: limits.window,
            opening: Opening::new(spec.handshake),
            data: Outstanding {
                mss: limits.mss,
                window: limits.window,
                threshold: spec.duplicates,
                grows_when_safe: spec.reduction_bound == ReductionBound::WhenSafe,
                ..Outstanding::default()
            },
            timer: RetransmissionTimer::new(spec, connection),
            ahead: 0,
            answered: 0,
            reduced: false,
            limit: Limit::default(),
            meter: SenderMeter::default(),
        }
    }

    /// Sends as much as the windows and the application allow, and records which of them limits the
    /// sender.
    fn send_available(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.spacing == Spacing::Waits {
            self.limit = Limit::Timeout;
            // A segment that pacing held waits for this timer too.
            self.stop_pacing();
            // A fast retransmit has stopped the timer for a segment that waits too.
            if self.timer.deadline() == Time::NEVER {
                self.timer.restart(now);
            }
            return;
        }
        let is_paced = self.is_paced();
        let forward = self.take_forward();
        let mut left = forward.unwrap_or_else(|| self.recovery.burst());
        let cwnd = self.cwnd();
        let limit = loop {
            if left == 0 {
                break Limit::CongestionWindow;
            }
            left -= 1;
            if is_paced && forward.is_none() && !self.pace_allows(now) {
                break Limit::CongestionWindow;
            }
            let next = match forward {
                None => self.recovery.allowance(&mut self.data, cwnd),
                Some(_) => NextData::New,
            };
            let octets = match next {
                NextData::Window(octets) => octets,
                NextData::New => u64::MAX,
                NextData::Hole(start, end) => {
                    self.send(now, start, end - start, out);
                    continue;
                }
                NextData::Nothing => break Limit::CongestionWindow,
            };
            if let Err(limit) = self.send_within(now, octets, out) {
                break limit;
            }
        };
        if let Some(most) = forward {
            return self.end_forward(now, most, out);
        }
        if is_paced && limit == Limit::Application {
            self.note_application_limit();
        }
        self.limit = match limit {
            Limit::CongestionWindow if self.is_in_slow_start(cwnd) => Limit::SlowStart,
            limit => limit,
        };
        if self.evidence == Evidence::Times {
            self.schedule_probe(now);
        }
    }

    /// Sends the next segment if at most `allowed` octets, and at most the receiver's window, are
    /// outstanding afterwards; otherwise returns the limit that forbids the segment.
    fn send_within(
        &mut self,
        now: Time,
        allowed: u64,
        out: &mut dyn Transmit,
    ) -> Result<(), Limit> {
        let data = &self.data;
        let len = data.segment(data.nxt);
        // Nagle's algorithm: RFC 896; RFC 9293, section 3.7.4. A retransmission does not wait, as
        // in BSD.
        let is_new = data.nxt == data.max;
        let waits = self.nagle && is_new && len < data.mss && data.nxt > data.una;
        if len == 0 || waits {
            return Err(Limit::Application);
        }
        let end = data.nxt + len;
        if end > data.una + data.window {
            return Err(if allowed < data.window {
                Limit::CongestionWindow
            } else {
                Limit::ReceiverWindow
            });
        }
        let early = if is_new { self.early() } else { 0 };
        if end > data.una.saturating_add(allowed).saturating_add(early) {
            return Err(Limit::CongestionWindow);
        }
        if early > 0 && end > data.una + self.cwnd() {
            self.ahead += len as u32;
        }
        let seq = data.nxt;
        // A segment is never cut to fit the rest of a window: RFC 9293, section 3.8.6.2.1, avoids
        // the silly window syndrome in the same way.
        self.data.nxt = end;
        self.send(now, seq, len, out);
        Ok(())
    }

    /// Sends octets `[seq, seq + len)`.
    fn send(&mut self, now: Time, seq: u64, len: u64, out: &mut dyn Transmit) {
        let end = seq + len;
        self.timer.sent(now, seq, end, self.data.max);
        if self.records.is_some() {
            self.note_sent(now, seq, end);
        }
        let mut segment = Segment::data(seq, len as u32);
        let first_time = end > self.data.max;
        if first_time {
            self.data.max = end;
            segment.flags.cwr = std::mem::take(&mut self.reduced);
        } else {
            segment = self.unmarkable(segment);
        }
        self.recovery.on_sent(now, seq, end);
        self.meter.sent(now, len, first_time);
        self.transmit(now, segment, out);
    }

    /// Takes an acknowledgment of new data; the window does not grow if it `holds`.
    fn on_new_ack(&mut self, now: Time, segment: &Segment, holds: bool, out: &mut dyn Transmit) {
        self.take_round_trip(now, segment);
        let ack = segment.ack;
        let samples = self.samples();
        let rtt = samples.and_then(|samples| samples.acknowledged(now, ack));
        let octets = ack - self.data.una;
        self.data.acknowledge(ack);
        self.ahead = 0;
        let control = &mut *self.control;
        let progress = self.recovery.on_ack(&mut self.data, octets, control);
        // RFC 3168, section 6.1.2: no growth upon an echo; and none upon what restores the window.
        if progress == AckEffect::Grows && !holds {
            control.on_ack(&Ack {
                now,
                octets,
                una: ack,
                max: self.data.max,
                srtt: self.timer.srtt(),
                rtt,
                limited: matches!(self.limit, Limit::SlowStart | Limit::CongestionWindow),
            });
        }
        if self.samples().is_some() && !self.control.wants_samples() {
            self.forget_samples();
        }
        // RFC 6298, sections 5.2 and 5.3, but partial acknowledgments follow RFC 6582.
        if self.data.flight() == 0 {
            self.timer.stop();
        } else if progress
            != (AckEffect::NextHole {
                restarts_timer: false,
            })
        {
            self.timer.restart(now);
        }
        // A partial acknowledgment keeps the count of duplicates, as in ns-2: RFC 6582 leaves this
        // open.
        match progress {
            AckEffect::NextHole { .. } => self.resend_first(now, out),
            AckEffect::Grows | AckEffect::Repairs => self.data.duplicates = 0,
        }
    }
}

impl Sender for TcpSender {
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        self.restart_if_idle(now);
        self.data.written = self.data.written.saturating_add(octets);
        match self.opening {
            Opening::Done => self.send_available(now, out),
            Opening::Closed => self.open(now, out),
            Opening::Asked { .. } => {}
        }
    }

    fn receive(&mut self, now: Time, segment: &Segment, out: &mut dyn Transmit) {
        if self.opening != Opening::Done {
            if !segment.flags.syn {
                return;
            }
            self.on_open(now, segment);
        } else if !segment.flags.syn && segment.ack <= self.data.max {
            let before = self.data.una;
            let echoed = segment.flags.ece && self.hears_marks();
            let news = self.data.report(segment);
            let mut goes_on = true;
            if self.is_paced() {
                self.sample_delivery(now, segment);
            }
            if self.evidence == Evidence::Times {
                self.report_times(now, segment);
            }
            let undone = self.records.is_some() && self.look_for_spurious(now, segment, news);
            if segment.ack > before {
                self.on_new_ack(now, segment, echoed || undone, out);
                if news > 0 && self.recovery.counts_progress() {
                    goes_on = self.on_duplicate(now, news, out);
                }
            } else if segment.ack == before && self.data.flight() > 0 {
                // RFC 5681, section 2. Its other conditions for a duplicate always hold here,
                // because the receiver sends no data and its window never changes.
                goes_on = self.on_duplicate(now, news, out);
            } else {
                // As in BSD, an old acknowledgment ends a row of duplicates; RFC 5681 leaves this
                // open.
                self.data.duplicates = 0;
            }
            if self.evidence == Evidence::Times {
                self.detect_losses(now, out);
            }
            if self.is_paced() {
                self.hand_delivery();
            }
            self.on_echo(now, before, echoed);
            if !goes_on {
                return;
            }
        }
        self.send_available(now, out);
    }

    fn next_wake(&self) -> Time {
        let deadline = self.timer.deadline();
        match self.paced_part() {
            None => deadline,
            Some(paced) => deadline.min(paced.pacing.wake()),
        }
    }

    /// Pacing is no timer that ends a silence.
    fn awaits_timer(&self) -> bool {
        self.timer.deadline() < Time::NEVER
    }

    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.timer.deadline() > now {
            if self.has_paced_segment(now) {
                self.send_available(now, out);
            }
            return;
        }
        if self.timer.purpose() != Purpose::Timeout {
            return self.on_early_expiry(now, out);
        }
        if self.opening == Opening::Done {
            self.on_timeout(now);
            self.send_available(now, out);
        } else {
            self.meter.timed_out(now, self.data.una, self.data.max);
            self.timer.expired(now);
            self.open(now, out);
        }
    }

    fn meter(&mut self) -> &mut SenderMeter {
        &mut self.meter
    }

    fn acknowledged(&self) -> u64 {
        self.data.una
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn limits(&self) -> &'static [Limit] {
        &[
            Limit::SlowStart,
            Limit::CongestionWindow,
            Limit::ReceiverWindow,
            Limit::Handshake,
            Limit::Application,
            Limit::Timeout,
        ]
    }

    fn window_cap(&mut self) -> Option<WindowCap<'_>> {
        Some(self.cap_within())
    }

    fn state(&self, _now: Time) -> Option<SenderState> {
        Some(SenderState([
            ("cwnd", StateValue::Octets(self.cwnd())),
            ("ssthresh", StateValue::Octets(self.control.ssthresh())),
            ("srtt", StateValue::Time(self.timer.srtt())),
            ("rto", StateValue::Time(self.timer.rto())),
        ]))
    }
}

#[cfg(test)]
mod tests;
