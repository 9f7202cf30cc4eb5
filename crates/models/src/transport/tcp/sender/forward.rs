//! Forward RTO-Recovery (F-RTO): after a timeout the sender retransmits one segment, and then sends
//! new data. If the next acknowledgment covers data that was sent once, the timeout was spurious.
//! RFC 5682, sections 2.1 and 3.1.
//!
//! Departs from section 3.1, step 1, which resets the scoreboard: SACK blocks are kept over a
//! timeout, as RFC 6675, section 5.1, permits.

use super::undo::Undo;
use crate::transport::tcp::congestion::CongestionControl;
use crate::transport::tcp::recovery::Outstanding;
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

impl Undo {
    /// Step 1: the timer expires.
    #[cold]
    pub(super) fn begin_forward(&mut self, data: &Outstanding) {
        if self.spec.f_rto != ForwardRto::Off {
            let end = data.una + data.segment(data.una);
            self.forward
                .on_timeout(data.una, end.min(data.max), data.max, self.is_enhanced);
        }
    }

    /// Takes an acknowledgment, before its data is taken; returns true if the timeout was spurious.
    pub(super) fn go_forward(
        &mut self,
        segment: &Segment,
        news: u64,
        data: &mut Outstanding,
        control: &mut dyn CongestionControl,
    ) -> bool {
        let (una, max) = (data.una, data.max);
        // An old acknowledgment says nothing: section 3.1, step 3.
        if segment.ack < una {
            return false;
        }
        let is_enhanced = self.is_enhanced;
        let forward = &mut self.forward;
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
                data.nxt = una;
                // At most three segments, the growth by this acknowledgment included.
                let segments = if segment.ack > una { 2 } else { 3 };
                control.resume_from((segments * data.mss).min(control.ssthresh()));
                false
            }
        }
    }

    /// The new segments that may be sent now, while nothing else may be: step 2. None outside.
    #[cold]
    pub(super) fn take_forward(&mut self) -> Option<u32> {
        match &mut self.forward.step {
            Step::Second { left } => Some(std::mem::take(left)),
            _ => None,
        }
    }

    /// Sending has stopped after at most `most` new segments. Returns true if there was no new data, or no
    /// window for it: recovery is conventional (step 2).
    #[cold]
    pub(super) fn ends_forward(&mut self, most: u32, data: &Outstanding) -> bool {
        let ends = most > 0 && !self.forward.has_sent(data.max);
        if ends {
            self.forward.step = Step::None;
        }
        ends
    }
}
