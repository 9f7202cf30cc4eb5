//! Reductions of the congestion window that no loss causes: after marks, and after an idle time.

use kernel::Time;

use super::TcpSender;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::congestion::{CongestionEvent, Echo};
use crate::transport::tcp::ecn::{Ecn, MarkAtOneSegment};
use crate::wire::ecn::Codepoint;
use crate::wire::segment::Segment;

/// The spacing of segments by the retransmission timer, after marks that find a window of one
/// segment: RFC 3168, section 6.1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spacing {
    /// Segments are never spaced.
    Off,
    /// The next such mark lets the next segment wait.
    Ready,
    /// The next segment waits until the timer expires.
    Waits,
}

impl Spacing {
    /// The spacing of a sender with these parameters, before the first mark.
    pub(super) fn of(spec: &Tcp) -> Spacing {
        let waits = spec.mark_at_one_segment == MarkAtOneSegment::Wait;
        if waits && spec.echo() == Ecn::Classic {
            Spacing::Ready
        } else {
            Spacing::Off
        }
    }
}

impl TcpSender {
    /// The congestion event of a mark or a loss at `now`. Its flight size is without the data that
    /// limited transmit sent.
    pub(super) fn congestion(&self, now: Time) -> CongestionEvent {
        CongestionEvent {
            now,
            flight: self.data.flight().saturating_sub(self.ahead.into()),
            again: false,
        }
    }

    /// True if the receiver echoes marks.
    pub(super) fn hears_marks(&self) -> bool {
        self.codepoint != Codepoint::NotCapable
    }

    /// A SYN or a retransmission, which is not ECN-capable (RFC 3168, sections 6.1.1 and 6.1.5) unless
    /// the control answers the share of marks (RFC 8311, section 4.3; Linux).
    pub(super) fn unmarkable(&self, segment: Segment) -> Segment {
        if self.codepoint == Codepoint::Classic {
            segment.without_ect()
        } else {
            segment
        }
    }

    /// Records that the window was reduced, so that no mark or loss in the data sent so far reduces
    /// it again, and notifies the receiver by CWR: RFC 3168, section 6.1.2.
    pub(super) fn note_reduction(&mut self) {
        self.answered = self.data.max;
        self.reduced = self.hears_marks();
    }

    /// Answers marks, unless the window was already reduced for this data: RFC 3168, section 6.1.2,
    /// and RFC 8257, section 3.3.
    pub(super) fn on_echo(&mut self, now: Time, before: u64, echoed: bool) {
        if self.data.una > before {
            self.window.control.on_echo(&Echo {
                octets: self.data.una - before,
                marked: echoed,
                una: self.data.una,
                max: self.data.max,
            });
        }
        if echoed && self.data.una > self.answered {
            let prior = self.window.control.cwnd();
            let is_least = prior <= self.data.mss;
            if is_least && self.spacing == Spacing::Ready {
                self.spacing = Spacing::Waits;
            }
            self.window.control.on_mark(&CongestionEvent {
                now,
                flight: self.data.max - before,
                again: false,
            });
            self.note_reduction();
            if self.records.is_some() {
                self.keep_reduction();
            }
            self.window.begin_reduction(prior, self.data.max);
        } else if echoed && self.records.is_some() {
            self.require_reduction();
        }
        if self.window.is_reducing() {
            self.window.reduce(&self.data, &*self.recovery, before);
        }
        if self.spacing == Spacing::Waits && self.data.una > before {
            // Also where the acknowledgment of all data has stopped the timer.
            self.timer.restart(now);
        }
    }

    /// The timer expires at a sender whose segments it may space. Returns true if it only spaced
    /// them: no data is outstanding that may be lost.
    pub(super) fn ends_spacing(&mut self) -> bool {
        if self.spacing != Spacing::Waits {
            return false;
        }
        self.spacing = Spacing::Ready;
        let is_alone = self.data.flight() == 0;
        if is_alone {
            self.timer.stop();
        }
        is_alone
    }
}
