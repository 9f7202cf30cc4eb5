//! RACK-TLP: losses are found by the times at which segments were sent, not by the number of
//! duplicates, and a probe reveals losses at the end of a burst.
//!
//! Cheng, Cardwell, Dukkipati and Jha, "The RACK-TLP Loss Detection Algorithm for TCP", RFC 8985,
//! 2021, the default of Linux. Compared with RFC 6675, a lost retransmission is found without the
//! retransmission timer, reordering within a quarter of a round trip causes no retransmission, and
//! the last segments of a burst are repaired after two round trips.
//!
//! The data in flight is that of RFC 6675, section 4, with this notion of a loss: what was sent and
//! is neither acknowledged, reported nor considered lost. The loss of a retransmission reduces the
//! window once more only after the recovery, as in Linux; RFC 8985, section 9.3, leaves this open.

#[cfg(test)]
mod completeness;
mod detection;
mod probe;
mod segments;

use kernel::{Duration, Time};

use self::detection::Detection;
use self::probe::Probes;
use self::segments::Segments;
use super::phase::Phase;
use super::{AckEffect, Found, NextData, Outstanding, Recovery, RecoveryStart, TimeBasedRecovery};
use crate::transport::tcp::congestion::control::CongestionControl;
use crate::wire::segment::{MOST_SACKS, Segment};

/// Recovery of one sender.
#[derive(Clone, Debug, Default)]
pub struct RackRecovery {
    segments: Segments,
    detection: Detection,
    probes: Probes,
    phase: Phase,
    /// Octets that are considered lost since the latest report.
    newly_lost: u64,
    /// True if the next retransmission does not wait for the window: the first of a recovery.
    is_first: bool,
}

impl RackRecovery {
    /// A sender before its first loss, with proportional rate reduction.
    pub fn proportional() -> RackRecovery {
        RackRecovery {
            phase: Phase::proportional(),
            ..RackRecovery::default()
        }
    }

    /// Octets that may be sent in a recovery.
    fn allowed(&mut self, out: &Outstanding, cwnd: u64) -> u64 {
        let pipe = self.in_flight(out);
        match &mut self.phase.proportional {
            Some(proportional) if self.phase.underway => proportional.allowed(pipe, cwnd, out),
            _ => cwnd.saturating_sub(pipe),
        }
    }

    fn note_sent(&mut self, octets: u64) {
        if let Some(proportional) = &mut self.phase.proportional
            && self.phase.underway
        {
            proportional.sent(octets);
        }
    }

    fn repeat(&mut self, out: &Outstanding, cwnd: u64, (start, end): (u64, u64)) -> NextData {
        let end = end.min(start + out.mss);
        // The proportional reduction has counted the first retransmission.
        if !std::mem::take(&mut self.is_first) {
            if self.allowed(out, cwnd) < end - start {
                return NextData::Nothing;
            }
            self.note_sent(end - start);
        }
        NextData::Hole(start, end)
    }

    fn new_data(&mut self, out: &Outstanding, cwnd: u64) -> NextData {
        let arrived = out.sacked.octets(out.una, out.max);
        if !self.phase.underway && !self.phase.timed_out {
            return NextData::Window(cwnd);
        }
        if !self.phase.underway || self.phase.proportional.is_none() {
            return NextData::Window(cwnd + arrived);
        }
        let octets = out.segment(out.nxt);
        if self.allowed(out, cwnd) < out.mss {
            return NextData::Nothing;
        }
        if octets > 0 && out.nxt + octets <= out.una + out.window {
            self.note_sent(octets);
        }
        NextData::New
    }
}

impl Recovery for RackRecovery {
    fn timed(&mut self) -> Option<&mut dyn TimeBasedRecovery> {
        Some(self)
    }

    fn counts(&self, _news: u64) -> bool {
        self.phase.underway
    }

    /// As Linux does: `tcp_ack`, `old_ack`.
    fn counts_old(&self) -> bool {
        true
    }

    fn early(&self, out: &Outstanding) -> u64 {
        self.phase.early(out)
    }

    /// The number of duplicates alone begins no recovery.
    fn may_begin(&self, _out: &Outstanding) -> bool {
        false
    }

    fn begin(&mut self, out: &mut Outstanding) -> RecoveryStart {
        self.phase.begin(out);
        self.is_first = true;
        self.probes.reset();
        RecoveryStart::Chosen
    }

    fn go_on_reducing(&mut self, counts: [u64; 3]) {
        self.phase.go_on_reducing(counts);
    }

    fn underway(&self) -> bool {
        self.phase.underway
    }

    fn on_duplicate(&mut self, out: &Outstanding) {
        self.phase.acknowledged(out);
    }

    fn on_ack(
        &mut self,
        out: &mut Outstanding,
        _octets: u64,
        control: &mut dyn CongestionControl,
    ) -> AckEffect {
        let was_repairing = self.phase.underway || self.phase.timed_out;
        let progress = self.phase.on_ack(out, control);
        if was_repairing && !self.phase.underway && !self.phase.timed_out {
            self.detection.on_recovered();
        }
        progress
    }

    /// `RACK_mark_losses_on_RTO`: section 6.3.
    fn on_timeout(&mut self, now: Time, out: &mut Outstanding) {
        self.phase.on_timeout();
        self.is_first = true;
        self.probes.reset();
        let detection = &self.detection;
        let una = out.una;
        self.segments
            .lose(|segment| segment.start == una || detection.due(segment) <= now);
    }

    fn in_flight(&self, out: &Outstanding) -> u64 {
        let arrived = out.sacked.octets(out.una, out.max);
        out.flight().saturating_sub(arrived + self.segments.lost())
    }

    fn newly_lost(&mut self, _out: &Outstanding) -> u64 {
        std::mem::take(&mut self.newly_lost)
    }

    fn has_lost(&self) -> bool {
        self.segments.has_lost()
    }

    fn undo(&mut self) {
        self.phase.undo();
        self.is_first = false;
        self.segments.find_again();
    }

    /// Lost segments before new data: RFC 6675, section 4, rules 1 and 2 of `NextSeg`.
    fn allowance(&mut self, out: &mut Outstanding, cwnd: u64) -> NextData {
        // Lost segments are chosen one by one, so that sending never goes back.
        out.nxt = out.max;
        match self.segments.first_lost() {
            Some(lost) => self.repeat(out, cwnd, (lost.start, lost.end)),
            None => self.new_data(out, cwnd),
        }
    }

    fn on_sent(&mut self, now: Time, start: u64, end: u64) {
        self.segments.sent(now, start, end);
    }
}

impl TimeBasedRecovery for RackRecovery {
    fn on_report(&mut self, now: Time, out: &Outstanding, segment: &Segment) -> bool {
        let RackRecovery {
            segments,
            detection,
            probes,
            ..
        } = self;
        let mut deliver = |delivered: &_| {
            if detection.on_delivery(now, segment.stamp(), delivered) {
                probes.on_round_trip();
            }
        };
        segments.acknowledge(segment.ack, &mut deliver);
        // In the order of their octets, so that one acknowledgment shows no reordering.
        let mut blocks = [(0, 0); MOST_SACKS];
        for (block, (start, end)) in blocks.iter_mut().zip(segment.sacks()) {
            // With what earlier blocks have reported of the same range.
            let (start, end) = out.sacked.containing(start).unwrap_or((start, end));
            *block = (start.max(segment.ack.max(out.una)), end.min(out.max));
        }
        blocks.sort_unstable();
        for (start, end) in blocks {
            segments.report(start, end, &mut deliver);
        }
        self.newly_lost = 0;
        if segment.duplicate().is_some() {
            self.detection.on_duplicate(out.una, out.max);
        }
        self.probes.on_ack(segment, out.una) && !self.phase.underway && !self.phase.timed_out
    }

    fn detect(&mut self, now: Time, out: &Outstanding, srtt: Duration) -> Found {
        if !self.detection.may_find(&self.segments) {
            return Found::default();
        }
        let in_recovery = self.phase.underway || self.phase.timed_out;
        let is_evident = in_recovery || self.segments.arrived() >= out.threshold as usize;
        self.detection.update_window(is_evident, srtt);
        let (octets, next) = self.detection.detect(now, &mut self.segments);
        let lost = octets > 0;
        self.newly_lost += octets;
        if let Some(proportional) = self.phase.proportional.as_mut().filter(|_| lost) {
            proportional.found_losses();
        }
        Found {
            begins: lost && !in_recovery,
            next,
        }
    }

    /// Section 7.2: no probe in a recovery, or while SACK blocks report losses.
    fn probe_at(&mut self, now: Time, out: &Outstanding, srtt: Duration) -> Option<Time> {
        let at = self.probes.schedule(now, out, srtt);
        let is_quiet =
            !self.phase.underway && !self.phase.timed_out && self.segments.arrived() == 0;
        at.filter(|_| is_quiet)
    }

    fn may_probe(&self) -> bool {
        self.probes.may_be_sent()
    }

    fn last(&self) -> Option<(u64, u64)> {
        self.segments.last().map(|last| (last.start, last.end))
    }

    fn on_probe(&mut self, out: &Outstanding, is_retransmission: bool) {
        self.probes.on_sent(out, is_retransmission);
    }
}
