//! What an acknowledgment tells a sender: new data, a round-trip time, marks, and losses that were none.

use kernel::Time;

use super::TcpSender;
use super::mark_response::MarkResponse;
use crate::transport::tcp::congestion::{Ack, CongestionEvent, Echo};
use crate::transport::tcp::recovery::AckEffect;
use crate::transport::{Segment, Transmit};

impl TcpSender {
    /// Takes an acknowledgment of new data; the window does not grow if it `holds`.
    pub(super) fn on_new_ack(
        &mut self,
        now: Time,
        segment: &Segment,
        holds: bool,
        out: &mut dyn Transmit,
    ) {
        self.take_round_trip(now, segment);
        let ack = segment.ack;
        let samples = self.records.samples();
        let rtt = samples.and_then(|samples| samples.acknowledged(now, ack));
        let octets = ack - self.data.una;
        let (limited, is_paced) = (self.window.is_used(), self.records.pacing().is_some());
        self.data.acknowledge(ack);
        self.window.pass_reduction(ack);
        let holds = holds || self.window.is_reducing();
        let counted = self.window.counted(&self.data, octets);
        self.losses.forget_early();
        let control = &mut *self.window.control;
        let progress = self.losses.recovery.on_ack(&mut self.data, octets, control);
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
                counts_delivered: self.window.counts_delivered,
                is_paced,
            });
        }
        if self.records.samples().is_some() && !self.window.control.wants_samples() {
            self.records.forget_samples();
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

    /// `segment` acknowledges new data, or opens the connection, and may give a round-trip time.
    pub(super) fn take_round_trip(&mut self, now: Time, segment: &Segment) {
        let (flight, mss) = (self.data.flight(), self.data.mss);
        let expected = self.timer.timestamps().expected_samples(flight, mss);
        if let Some(rtt) = self.timer.acknowledged(now, segment, expected) {
            self.meter.round_trip(rtt);
            let undo = self.records.undo();
            if let Some(before) = undo.and_then(|undo| undo.raises(segment.ack)) {
                self.timer.raise(before, rtt);
            }
        }
    }

    /// Answers marks, unless the window was already reduced for this data: RFC 3168, section 6.1.2,
    /// and RFC 8257, section 3.3.
    pub(super) fn on_echo(&mut self, now: Time, before: u64, echoed: bool) {
        let (una, max) = (self.data.una, self.data.max);
        if una > before {
            self.window.control.on_echo(&Echo {
                octets: una - before,
                marked: echoed,
                una,
                max,
            });
        }
        let marks = self.rare.marks_mut();
        let marks = marks.filter(|marks| echoed && marks.reduces_at(una));
        if let Some(marks) = marks {
            let prior = self.window.control.cwnd();
            if prior <= self.data.mss {
                marks.begin_spacing();
            }
            marks.note_reduction(max);
            self.window.control.on_mark(&CongestionEvent {
                now,
                flight: max - before,
                again: false,
            });
            if let Some(undo) = self.records.undo() {
                undo.keep_reduction(max);
            }
            self.window.begin_reduction(prior, max);
        } else if echoed && let Some(undo) = self.records.undo() {
            undo.require_reduction(max);
        }
        if self.window.is_reducing() {
            self.window
                .reduce(&self.data, &*self.losses.recovery, before);
        }
        if self.is_spacing() && una > before {
            // Also where the acknowledgment of all data has stopped the timer.
            self.timer.restart(now);
        }
    }

    /// True if the next segment waits until the timer expires, after a mark.
    #[inline]
    pub(super) fn is_spacing(&self) -> bool {
        self.rare.marks().is_some_and(MarkResponse::is_spacing)
    }

    /// Records that a loss reduced the window, so that no mark in the data sent so far reduces it again.
    #[inline]
    pub(super) fn note_reduction(&mut self) {
        if let Some(marks) = self.rare.marks_mut() {
            marks.note_reduction(self.data.max);
        }
    }

    /// A SYN or a retransmission, which is not ECN-capable in most flows.
    #[inline]
    pub(super) fn unmarkable(&self, segment: Segment) -> Segment {
        let marks = self.rare.marks();
        marks.map_or(segment, |marks| marks.unmarkable(segment))
    }

    /// Hands the sample of the delivery rate to the congestion control, if there is one.
    #[inline]
    pub(super) fn hand_sample(&mut self) {
        if let Some(paced) = self.records.paced() {
            paced.hand_sample(
                &self.data,
                &mut *self.losses.recovery,
                &mut *self.window.control,
            );
        }
    }

    /// Looks for a sign in an acknowledgment that the last loss was spurious, and undoes its
    /// consequences; `news` is the number of octets that SACK blocks report for the first time.
    /// Returns true if it was.
    #[cold]
    pub(super) fn look_for_spurious(&mut self, now: Time, segment: &Segment, news: u64) -> bool {
        let Some(undo) = self.records.undo() else {
            return false;
        };
        let control = &mut *self.window.control;
        let (count, found) = undo.judge(segment, news, &mut self.data, control);
        self.meter.spurious += count;
        if !found || !undo.restore(segment, &self.data, &mut self.window, self.rare.marks_mut()) {
            return false;
        }
        self.losses.recovery.undo();
        self.data.nxt = self.data.max;
        self.data.recover = self.data.una;
        if let Some(paced) = self.records.paced() {
            paced.forget_recovery();
        }
        self.data.duplicates = 0;
        self.timer.undo();
        if segment.ack == self.data.una && self.data.flight() > 0 {
            self.timer.restart(now);
        }
        true
    }
}
