//! The sending end of TCP: the order of events, and the segments sent for each.
//!
//! The congestion window decides the amount of data that may be outstanding, the detection of losses the
//! segments to retransmit, and the timer the end of waiting. Each of these parts owns its state and knows
//! the others only as arguments; the sender combines them. Jacobson, "Congestion Avoidance and Control",
//! SIGCOMM 1988; RFC 5681; Stevens, "TCP/IP Illustrated", volume 1, chapter 21.

mod acknowledgment;
mod delivery;
mod detection;
mod expiry;
mod flow_control;
mod forward;
mod losses;
mod mark_response;
mod opening;
mod paced;
mod pacing;
mod patience;
mod rare;
mod records;
mod samples;
mod sending;
mod spread;
mod undo;
mod usage;
mod window;

use kernel::Time;

use self::detection::LossDetection;
use self::opening::Opening;
use self::rare::Rare;
use self::records::Records;
use self::window::CongestionWindow;
use super::Tcp;
use super::recovery::Outstanding;
use super::recovery::proportional::ReductionBound;
use super::retransmission::RetransmissionTimer;
use crate::metrics::{Limit, SenderMeter};
use crate::transport::{
    Connection, Following, Segment, Sender, SenderState, StateValue, Transmit, WindowCap,
};

/// The sending end.
pub struct TcpSender {
    opening: Opening,
    /// What was written, sent and acknowledged.
    data: Outstanding,
    window: CongestionWindow,
    losses: LossDetection,
    timer: RetransmissionTimer,
    records: Records,
    rare: Rare,
    /// End of the last segment sent that was not full: the lower half of its number.
    small_end: u32,
    /// Octets of a packet that are not user data.
    overhead: u16,
    /// What limits the sender at present.
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
        TcpSender {
            opening: Opening::new(spec.handshake),
            data: Outstanding {
                mss: limits.mss,
                window: spec.first_window(),
                threshold: spec.duplicates as u16,
                nagle: spec.nagle.0,
                grows_when_safe: spec.reduction_bound == ReductionBound::WhenSafe,
                ..Outstanding::default()
            },
            records: Records::of(spec, &*control),
            window: CongestionWindow::new(spec, control),
            losses: LossDetection::of(spec),
            timer: RetransmissionTimer::new(spec, connection),
            rare: Rare::of(spec),
            small_end: 0,
            overhead: spec.overhead() as u16,
            limit: Limit::default(),
            meter: SenderMeter::default(),
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
            let echoed = segment.flags.ece && self.rare.marks().is_some();
            let news = self.data.report(segment);
            let mut goes_on = true;
            if let Some(paced) = self.records.paced() {
                paced.sample(now, segment);
            }
            if self.losses.is_timed() {
                self.report_times(now, segment);
            }
            let undone = self.records.are_kept() && self.look_for_spurious(now, segment, news);
            if segment.ack > before {
                self.on_new_ack(now, segment, echoed || undone, out);
                if news > 0 && self.losses.recovery.counts_progress() {
                    goes_on = self.on_duplicate(now, news, out);
                }
            } else if self
                .losses
                .is_duplicate(&self.data, segment.ack, news, updates)
            {
                goes_on = self.on_duplicate(now, news, out);
            } else {
                // As in BSD, an old acknowledgment ends a row of duplicates; RFC 5681 leaves this
                // open.
                self.data.duplicates = 0;
            }
            if self.losses.is_timed() {
                self.detect_losses(now, out);
            }
            self.hand_sample();
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
        &all[..all.len() - usize::from(self.records.pacing().is_none())]
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
