//! Recovery of RFC 6675, "A Conservative Loss Recovery Algorithm Based on SACK", 2012.
//!
//! The names of the RFC are kept: `IsLost`, `SetPipe`, `NextSeg`, `HighRxt`, `RescueRxt`. Reported
//! data survives a timeout (section 5.1), and is not sent again.

use kernel::Time;

use super::phase::Phase;
use super::{AckEffect, NextData, Outstanding, Recovery, RecoveryStart};
use crate::transport::tcp::congestion::control::CongestionControl;

/// Recovery of one sender.
#[derive(Clone, Debug, Default)]
pub struct Rfc6675Recovery {
    phase: Phase,
    /// `HighRxt`: all holes below this octet have been retransmitted in this recovery.
    high_rxt: u64,
    /// `RescueRxt`: once an octet beyond this one is acknowledged, the last segment may be
    /// retransmitted although no SACK block shows that it is lost.
    rescue_rxt: u64,
    /// End of the data that had been sent when the latest acknowledgment arrived.
    sent_before: u64,
    /// Octets below which the latest acknowledgment left no doubt about losses; kept for proportional
    /// rate reduction only.
    known_lost: u64,
    /// Octets below which [`Recovery::newly_lost`] has counted losses.
    counted_lost: u64,
}

impl Rfc6675Recovery {
    /// A sender before its first loss, with proportional rate reduction.
    pub fn proportional() -> Rfc6675Recovery {
        Rfc6675Recovery {
            phase: Phase::proportional(),
            ..Rfc6675Recovery::default()
        }
    }

    /// `SetPipe`: estimate of the octets in flight.
    fn pipe(&self, out: &Outstanding) -> u64 {
        let lost = lost_below(out);
        let gaps = out.sacked.gaps(out.una, out.max);
        gaps.map(|(start, end)| {
            let not_lost = end.saturating_sub(start.max(lost));
            let repeated = end.min(self.high_rxt).saturating_sub(start);
            not_lost + repeated
        })
        .sum()
    }

    /// Tells the proportional rate reduction, if there is one, that the latest acknowledgment shows
    /// further losses, if it does.
    fn note_losses(&mut self, out: &Outstanding) {
        if let Some(proportional) = &mut self.phase.proportional {
            let lost = lost_below(out);
            let mut further = out.sacked.gaps(self.known_lost.max(out.una), lost);
            if further.next().is_some() {
                proportional.found_losses();
            }
            self.known_lost = self.known_lost.max(lost);
        }
    }

    /// Section 5, step C, or the rule of RFC 6937 in its place.
    fn in_recovery(&mut self, out: &Outstanding, cwnd: u64) -> NextData {
        let pipe = self.pipe(out);
        let allowed = match &mut self.phase.proportional {
            None => cwnd.saturating_sub(pipe),
            Some(proportional) => proportional.allowed(pipe, cwnd, out),
        };
        if allowed < out.mss {
            return NextData::Nothing;
        }
        let next = self.next_segment(out);
        if let Some(proportional) = &mut self.phase.proportional {
            proportional.sent(match next {
                NextData::Hole(start, end) => end - start,
                NextData::New => out.segment(out.nxt),
                NextData::Window(_) | NextData::Nothing => 0,
            });
        }
        next
    }

    /// Rules 1 to 4 of `NextSeg`.
    fn next_segment(&mut self, out: &Outstanding) -> NextData {
        let lost = lost_below(out);
        let highest = out.sacked.end().unwrap_or(out.una);
        let hole = out.sacked.gap(out.una.max(self.high_rxt));
        let hole = hole.filter(|(start, _)| *start < highest);
        if let Some((start, end)) = hole
            && start < lost
        {
            return self.repeat(out, start, end);
        }
        if out.nxt < out.written && out.nxt + out.segment(out.nxt) <= out.una + out.window {
            return NextData::New;
        }
        if let Some((start, end)) = hole {
            return self.repeat(out, start, end);
        }
        self.rescue(out)
    }

    fn repeat(&mut self, out: &Outstanding, start: u64, end: u64) -> NextData {
        let end = end.min(start + out.segment(start));
        self.high_rxt = end;
        NextData::Hole(start, end)
    }

    /// Rule 4: the last segment, if it is not known to have arrived; `HighRxt` stays.
    ///
    /// Departs from RFC 6675, section 4, rule 4 of `NextSeg`: a segment that was retransmitted in
    /// this recovery is not sent again, because the loss of a retransmission is left to the timer.
    fn rescue(&mut self, out: &Outstanding) -> NextData {
        let last = out.sacked.gaps(out.una, out.max).last();
        match last {
            Some((start, end))
                if out.una > self.rescue_rxt
                    && (self.high_rxt + 1..=self.sent_before).contains(&end) =>
            {
                self.rescue_rxt = out.max;
                NextData::Hole(start.max(out.last_before(end)), end)
            }
            _ => NextData::Nothing,
        }
    }
}

/// The octet below which `IsLost` is true for every octet that no SACK block reports.
///
/// An octet is lost if `DupThresh` ranges above it are reported, or more octets than `DupThresh` -
/// 1 segments would carry.
fn lost_below(out: &Outstanding) -> u64 {
    let enough = out.threshold;
    let mut octets = 0;
    for (count, (start, end)) in (1..).zip(out.sacked.iter().rev()) {
        octets += end - start;
        if count >= enough || octets > u64::from(enough - 1) * out.mss {
            return start;
        }
    }
    out.una
}

impl Recovery for Rfc6675Recovery {
    /// Section 2: a duplicate reports octets that were not known to have arrived.
    fn counts(&self, news: u64) -> bool {
        self.phase.underway || news > 0
    }

    /// Section 2: an acknowledgment of new data counts as a duplicate if it also reports octets
    /// beyond a hole.
    fn counts_progress(&self) -> bool {
        !self.phase.underway
    }

    /// Section 5: "regardless of its status as a cumulative acknowledgment".
    fn counts_old(&self) -> bool {
        true
    }

    fn finds_loss(&self, out: &Outstanding) -> bool {
        lost_below(out) > out.una
    }

    fn early(&self, out: &Outstanding) -> u64 {
        self.phase.early(out)
    }

    /// Section 5.1: after a timeout no recovery begins before `RecoveryPoint` is acknowledged.
    fn may_begin(&self, out: &Outstanding) -> bool {
        out.recovered()
    }

    fn begin(&mut self, out: &mut Outstanding) -> RecoveryStart {
        self.phase.begin(out);
        self.phase.timed_out = false;
        self.high_rxt = out.una + out.segment(out.una);
        self.rescue_rxt = self.high_rxt;
        self.sent_before = out.max;
        self.known_lost = lost_below(out);
        RecoveryStart::First
    }

    fn go_on_reducing(&mut self, counts: [u64; 3]) {
        self.phase.go_on_reducing(counts);
    }

    fn underway(&self) -> bool {
        self.phase.underway
    }

    fn on_duplicate(&mut self, out: &Outstanding) {
        self.sent_before = out.max;
        self.phase.acknowledged(out);
        self.note_losses(out);
    }

    fn on_ack(
        &mut self,
        out: &mut Outstanding,
        _octets: u64,
        control: &mut dyn CongestionControl,
    ) -> AckEffect {
        self.sent_before = out.max;
        let effect = self.phase.on_ack(out, control);
        self.note_losses(out);
        effect
    }

    fn on_timeout(&mut self, _now: Time, _out: &mut Outstanding) {
        self.phase.on_timeout();
    }

    fn undo(&mut self) {
        self.phase.undo();
    }

    fn in_flight(&self, out: &Outstanding) -> u64 {
        if self.phase.timed_out {
            // Section 5.1: what was sent before the timeout is to be sent again.
            out.nxt - out.una - out.sacked.octets(out.una, out.nxt)
        } else {
            self.pipe(out)
        }
    }

    fn newly_lost(&mut self, out: &Outstanding) -> u64 {
        let lost = lost_below(out);
        let further = out.sacked.gaps(self.counted_lost.max(out.una), lost);
        let octets = further.map(|(start, end)| end - start).sum();
        self.counted_lost = self.counted_lost.max(lost);
        octets
    }

    fn allowance(&mut self, out: &mut Outstanding, cwnd: u64) -> NextData {
        if self.phase.underway {
            return self.in_recovery(out, cwnd);
        }
        if !self.phase.timed_out {
            return NextData::Window(cwnd);
        }
        // Section 5.1: after a timeout, reported data is passed over.
        if let Some((_, end)) = out.sacked.containing(out.nxt) {
            out.nxt = end;
        }
        // Data that has arrived beyond a hole is not in flight.
        NextData::Window(cwnd + out.sacked.octets(out.una, out.nxt))
    }
}
