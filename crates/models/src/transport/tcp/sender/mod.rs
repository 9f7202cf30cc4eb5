//! The sending end of TCP: the order of events, and the segments sent for each.
//!
//! The congestion control decides the amount of data that may be outstanding, the recovery the
//! segments to retransmit, and the timer the end of waiting; the sender combines them. Jacobson,
//! "Congestion Avoidance and Control", SIGCOMM 1988; RFC 5681; Stevens, "TCP/IP Illustrated",
//! volume 1, chapter 21.

mod delivery;
mod expiry;
mod flow_control;
mod forward;
mod losses;
mod opening;
mod paced;
mod pacing;
mod patience;
mod rare;
mod records;
mod reduction;
mod samples;
mod sending;
mod spread;
mod stamping;
mod timed;
mod undo;
mod usage;
mod window;

use kernel::Time;

use self::opening::Opening;
use self::rare::Rare;
use self::records::Records;
use self::reduction::Spacing;
use self::timed::Evidence;
use self::window::CongestionWindow;
use super::congestion::Ack;
use super::nagle::NagleRule;
use super::recovery::proportional::ReductionBound;
use super::recovery::{AckEffect, Outstanding, Recovery};
use super::retransmission::RetransmissionTimer;
use super::{Repeated, Tcp};
use crate::metrics::{Limit, SenderMeter};
use crate::transport::{
    Connection, Following, Segment, Sender, SenderState, StateValue, Transmit, WindowCap,
};
use crate::wire::ecn::Codepoint;

/// The sending end.
pub struct TcpSender {
    /// Octets of a packet that are not user data.
    overhead: u16,
    repeated: Repeated,
    nagle: NagleRule,
    /// End of the last segment sent that was not full: the lower half of its number.
    small_end: u32,
    limited_transmit: bool,
    /// ECN codepoint of the data of this flow.
    codepoint: Codepoint,
    spacing: Spacing,
    window: CongestionWindow,
    recovery: Box<dyn Recovery>,
    evidence: Evidence,
    opening: Opening,
    data: Outstanding,
    timer: RetransmissionTimer,
    /// Records of segments, if an algorithm needs any.
    records: Option<Box<Records>>,
    /// State that few senders have.
    rare: Option<Box<Rare>>,
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
            overhead: spec.overhead() as u16,
            repeated: spec.repeated_fast_retransmit,
            nagle: spec.nagle.0,
            small_end: 0,
            limited_transmit: spec.limited_transmit,
            codepoint: spec.codepoint(),
            spacing: Spacing::of(spec),
            records: Records::of(spec, &*control),
            evidence: Evidence::of(&mut *recovery),
            recovery,
            window: CongestionWindow::new(spec, control),
            opening: Opening::new(spec.handshake),
            data: Outstanding {
                mss: limits.mss,
                window: spec.first_window(),
                threshold: spec.duplicates as u16,
                grows_when_safe: spec.reduction_bound == ReductionBound::WhenSafe,
                ..Outstanding::default()
            },
            timer: RetransmissionTimer::new(spec, connection),
            rare: Rare::of(spec),
            ahead: 0,
            answered: 0,
            reduced: false,
            limit: Limit::default(),
            meter: SenderMeter::default(),
        }
    }

    /// Takes an acknowledgment of new data; the window does not grow if it `holds`.
    fn on_new_ack(&mut self, now: Time, segment: &Segment, holds: bool, out: &mut dyn Transmit) {
        self.take_round_trip(now, segment);
        let ack = segment.ack;
        let samples = self.samples();
        let rtt = samples.and_then(|samples| samples.acknowledged(now, ack));
        let octets = ack - self.data.una;
        let (limited, is_paced) = (self.window.is_used(), self.is_paced());
        self.data.acknowledge(ack);
        self.window.pass_reduction(ack);
        let holds = holds || self.window.is_reducing();
        let counted = self.window.counted(&self.data, octets);
        self.ahead = 0;
        let control = &mut *self.window.control;
        let progress = self.recovery.on_ack(&mut self.data, octets, control);
        // RFC 3168, section 6.1.2: no growth upon an echo; and none upon what restores the window.
        if progress == AckEffect::Grows && !holds {
            self.window.acknowledged(&Ack {
                now,
                octets: counted,
                una: ack,
                max: self.data.max,
                srtt: self.timer.srtt(),
                rtt,
                limited,
                is_paced,
                ..Ack::default()
            });
        }
        if self.samples().is_some() && !self.window.control.wants_samples() {
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
        self.take_octets(now, octets);
        self.go_on(now, out);
    }

    fn write_before(&mut self, now: Time, octets: u64, what: Following, out: &mut dyn Transmit) {
        self.take_write(now, octets, what, out);
    }

    fn push(&mut self, now: Time, out: &mut dyn Transmit) {
        self.go_on(now, out);
    }

    fn receive(&mut self, now: Time, segment: &Segment, out: &mut dyn Transmit) {
        if self.opening != Opening::Done {
            if !segment.flags.syn || self.opening == Opening::GivenUp {
                return;
            }
            self.on_open(now, segment);
        } else if !segment.flags.syn && segment.ack <= self.data.max {
            let before = self.data.una;
            let updates = self.hear_window(now, segment);
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
            } else if self.is_duplicate(segment.ack, news, updates) {
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
        self.next_expiry()
    }

    fn awaits_timer(&self) -> bool {
        self.awaits_timeout()
    }

    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        self.on_expiry(now, out);
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
        // The last one is that of paced senders only.
        let all = &[
            Limit::SlowStart,
            Limit::CongestionWindow,
            Limit::ReceiverWindow,
            Limit::Handshake,
            Limit::Application,
            Limit::Timeout,
            Limit::Pacing,
        ];
        &all[..all.len() - usize::from(!self.is_paced())]
    }

    fn window_cap(&mut self) -> Option<WindowCap<'_>> {
        Some(self.window.cap_within(self.data.mss))
    }

    fn state(&self, _now: Time) -> Option<SenderState> {
        Some(SenderState([
            ("cwnd", StateValue::Octets(self.window.octets())),
            (
                "ssthresh",
                StateValue::Octets(self.window.control.ssthresh()),
            ),
            ("srtt", StateValue::Time(self.timer.srtt())),
            ("rto", StateValue::Time(self.timer.rto())),
        ]))
    }
}

#[cfg(test)]
mod tests;
