//! Forward RTO-Recovery (F-RTO): after a timeout the sender retransmits one segment, and then sends
//! new data. If the next acknowledgment covers data that was sent once, the timeout was spurious.
//! RFC 5682, sections 2.1 and 3.1.
//!
//! Departs from section 3.1, step 1, which resets the scoreboard: SACK blocks are kept over a
//! timeout, as RFC 6675, section 5.1, permits.

use kernel::Time;

use super::TcpSender;
use crate::metrics::Limit;
use crate::transport::Transmit;
use crate::transport::tcp::spurious::ForwardRto;
use crate::wire::segment::Segment;

/// State of F-RTO.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forward {
    step: Step,
    /// `recover` or `RecoveryPoint`: the end of the data sent, as far as a loss or a timeout has
    /// recorded it.
    recover: u64,
    /// End of the data sent at the last timeout.
    timed_out: u64,
}

/// The step of RFC 5682 that waits for an acknowledgment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    /// None: conventional recovery, or no timeout.
    #[default]
    None,
    /// Step 2: the acknowledgment of the retransmission.
    First {
        /// End of the retransmission.
        end: u64,
    },
    /// Step 3: the acknowledgment after it. Nothing else than `left` new segments is sent meanwhile.
    Second {
        /// New segments that may still be sent.
        left: u32,
    },
}

/// The decision upon an acknowledgment.
enum Decision {
    /// Nothing yet.
    Open,
    /// The timeout was spurious.
    Spurious,
    /// The timeout was due: conventional recovery, with a window of at most three segments.
    Genuine,
}

impl Forward {
    /// True if new data was sent in step 2; `max` is the end of all data sent.
    fn has_sent(&self, max: u64) -> bool {
        max > self.recover
    }

    /// A fast retransmit begins, when all data below `max` has been sent.
    pub(super) fn on_recovery(&mut self, max: u64) {
        (self.step, self.recover) = (Step::None, max);
    }

    /// Step 1: the timer expires for the segment `[una, end)`.
    fn on_timeout(&mut self, una: u64, end: u64, max: u64, is_enhanced: bool) {
        let may_be_basic = una >= self.timed_out;
        self.timed_out = max;
        let is_repaired = self.recover <= una;
        if is_repaired || (may_be_basic && !is_enhanced) {
            self.step = Step::First { end };
        } else {
            (self.step, self.recover) = (Step::None, max);
        }
    }

    /// Step 2, upon an acknowledgment of all data below `ack`.
    fn on_first(&mut self, end: u64, ack: u64, una: u64, max: u64, is_enhanced: bool) {
        self.step = if ack > una {
            self.recover = max;
            let is_open = ack < max && ack >= end;
            let forward = Step::Second { left: 2 };
            if is_open { forward } else { Step::None }
        } else if is_enhanced {
            self.step
        } else {
            Step::None
        };
    }

    /// Step 3.
    fn on_second(&self, segment: &Segment, una: u64, news: u64, is_enhanced: bool) -> Decision {
        let advances = segment.ack > una;
        let highest = segment.sacks().map(|(_, end)| end).max();
        let goes_beyond = segment.ack.max(highest.unwrap_or(0)) > self.recover;
        if is_enhanced && goes_beyond {
            Decision::Genuine
        } else if advances || (is_enhanced && news > 0) {
            Decision::Spurious
        } else {
            Decision::Genuine
        }
    }
}

impl TcpSender {
    /// Step 1: the timer expires.
    #[cold]
    pub(super) fn begin_forward(&mut self) {
        let (una, max) = (self.data.una, self.data.max);
        let end = una + self.data.segment(una);
        if let Some(undo) = self.undo_part()
            && undo.spec.f_rto != ForwardRto::Off
        {
            undo.forward
                .on_timeout(una, end.min(max), max, undo.is_enhanced);
        }
    }

    /// Takes an acknowledgment, before its data is taken; returns true if the timeout was spurious.
    #[cold]
    pub(super) fn go_forward(&mut self, segment: &Segment, news: u64) -> bool {
        let (una, max) = (self.data.una, self.data.max);
        // An old acknowledgment says nothing: section 3.1, step 3.
        if segment.ack < una {
            return false;
        }
        let Some(undo) = self.undo_part() else {
            return false;
        };
        let is_enhanced = undo.is_enhanced;
        let forward = &mut undo.forward;
        let decision = match forward.step {
            Step::None => Decision::Open,
            Step::First { end } => {
                forward.on_first(end, segment.ack, una, max, is_enhanced);
                Decision::Open
            }
            Step::Second { .. } => forward.on_second(segment, una, news, is_enhanced),
        };
        match decision {
            Decision::Open => false,
            Decision::Spurious => {
                forward.step = Step::None;
                forward.recover = una;
                true
            }
            Decision::Genuine => {
                forward.step = Step::None;
                self.data.nxt = una;
                // At most three segments, the growth by this acknowledgment included.
                let segments = if segment.ack > una { 2 } else { 3 };
                let resumed = (segments * self.data.mss).min(self.window.control.ssthresh());
                self.window.control.resume_from(resumed);
                false
            }
        }
    }

    /// The new segments that may be sent now, while nothing else may be: step 2. None outside.
    #[inline]
    pub(super) fn take_forward(&mut self) -> Option<u32> {
        self.records.as_mut()?.undo.as_mut()?;
        self.take_left()
    }

    #[cold]
    fn take_left(&mut self) -> Option<u32> {
        let Step::Second { left } = &mut self.undo_part()?.forward.step else {
            return None;
        };
        let left = std::mem::take(left);
        self.data.nxt = self.data.max;
        self.stop_pacing();
        Some(left)
    }

    /// Sending has stopped after at most `most` new segments. If there was no new data, or no window
    /// for it, recovery is conventional: step 2.
    #[cold]
    pub(super) fn end_forward(&mut self, now: Time, most: u32, out: &mut dyn Transmit) {
        self.limit = Limit::CongestionWindow;
        let (una, max) = (self.data.una, self.data.max);
        let Some(undo) = self.undo_part() else {
            return;
        };
        let has_sent = undo.forward.has_sent(max);
        if most > 0 && !has_sent {
            undo.forward.step = Step::None;
            self.data.nxt = una;
            self.send_available(now, out);
        }
    }
}
