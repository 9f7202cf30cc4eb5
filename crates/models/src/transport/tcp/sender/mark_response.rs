//! The response of a sender to marks: which of them reduce the window, and what the receiver is told.
//!
//! RFC 3168, section 6.1; RFC 8311, section 4.3.

use crate::transport::Segment;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::ecn::{Ecn, MarkAtOneSegment};
use crate::wire::ecn::Codepoint;

/// The response to marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkResponse {
    /// End of the data that had been sent when a mark or a loss last reduced the window.
    answered: u64,
    /// True if the next new segment carries CWR, which reports a reduction of the window.
    reports: bool,
    /// ECN codepoint of the data of this flow.
    codepoint: Codepoint,
    spacing: Spacing,
}

/// The spacing of segments by the retransmission timer, after marks that find a window of one
/// segment: RFC 3168, section 6.1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spacing {
    /// Segments are never spaced.
    Off,
    /// The next such mark lets the next segment wait.
    Ready,
    /// The next segment waits until the timer expires.
    Waits,
}

impl MarkResponse {
    /// The response of a sender before the first mark; none if its receiver echoes no marks.
    pub(super) fn of(spec: &Tcp) -> Option<MarkResponse> {
        let waits = spec.mark_at_one_segment == MarkAtOneSegment::Wait;
        let spacing = if waits && spec.echo() == Ecn::Classic {
            Spacing::Ready
        } else {
            Spacing::Off
        };
        let codepoint = spec.codepoint();
        (codepoint != Codepoint::NotCapable).then_some(MarkResponse {
            answered: 0,
            reports: false,
            codepoint,
            spacing,
        })
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

    /// A new segment, which reports the reduction of the window if there was one.
    pub(super) fn report(&mut self, segment: Segment) -> Segment {
        if std::mem::take(&mut self.reports) {
            segment.with_cwr()
        } else {
            segment
        }
    }

    /// True if a mark that is echoed when all data below `una` is acknowledged reduces the window: it was
    /// not reduced for this data before.
    pub(super) fn reduces_at(&self, una: u64) -> bool {
        una > self.answered
    }

    /// Records that the window was reduced, so that no mark or loss in the data sent so far, up to
    /// `max`, reduces it again, and notifies the receiver by CWR: RFC 3168, section 6.1.2.
    pub(super) fn note_reduction(&mut self, max: u64) {
        self.answered = max;
        self.reports = true;
    }

    /// The last reduction was that of a spurious loss, before which the state was `before`. The next mark
    /// in this window of data finds no reduction any more, so it is answered; the reduction of a mark
    /// before the loss may still have to be told.
    pub(super) fn undo_reduction(&mut self, before: &MarkResponse) {
        self.answered = before.answered;
        self.reports &= before.reports;
    }

    /// A mark finds a window of one segment: the next segment waits, if the sender spaces segments.
    pub(super) fn begin_spacing(&mut self) {
        if self.spacing == Spacing::Ready {
            self.spacing = Spacing::Waits;
        }
    }

    /// True if the next segment waits until the timer expires.
    pub(super) fn is_spacing(&self) -> bool {
        self.spacing == Spacing::Waits
    }

    /// The timer expires; returns true if a segment has waited for it.
    pub(super) fn end_spacing(&mut self) -> bool {
        let waited = self.is_spacing();
        if waited {
            self.spacing = Spacing::Ready;
        }
        waited
    }
}
