//! The phase of a sender with SACK reports: whether a recovery is in progress, or a timeout is being
//! repaired. RFC 6675 and RACK-TLP differ in how they find losses and choose segments, not in this.

use super::proportional::Proportional;
use super::{AckEffect, Outstanding};
use crate::transport::tcp::congestion::control::CongestionControl;

/// The phase of one sender.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    /// True during a recovery.
    pub underway: bool,
    /// True after a timeout until all data outstanding at the timeout is acknowledged.
    pub timed_out: bool,
    /// Proportional rate reduction; without it the window shrinks at the start of the recovery.
    pub proportional: Option<Box<Proportional>>,
}

impl Phase {
    /// A sender before its first loss, with proportional rate reduction.
    pub fn proportional() -> Phase {
        Phase {
            proportional: Some(Box::default()),
            ..Phase::default()
        }
    }

    /// RFC 6675, section 5, step 3: new segments may replace octets that have arrived beyond a hole.
    pub fn early(&self, out: &Outstanding) -> u64 {
        if self.timed_out {
            return 0;
        }
        out.sacked.octets(out.una, out.nxt)
    }

    /// A recovery begins.
    pub fn begin(&mut self, out: &Outstanding) {
        self.underway = true;
        if let Some(proportional) = &mut self.proportional {
            **proportional = Proportional::begin(out);
        }
    }

    /// The recovery goes on with a reduction that a mark began.
    pub fn go_on_reducing(&mut self, counts: [u64; 3]) {
        if let Some(proportional) = &mut self.proportional {
            proportional.go_on(counts);
        }
    }

    /// An acknowledgment arrives during a recovery.
    pub fn acknowledged(&mut self, out: &Outstanding) {
        if let Some(proportional) = &mut self.proportional {
            proportional.acknowledged(out);
        }
    }

    /// New data is acknowledged; `out.una` is the octet after it.
    pub fn on_ack(&mut self, out: &Outstanding, control: &mut dyn CongestionControl) -> AckEffect {
        let recovered = out.recovered();
        self.timed_out &= !recovered;
        if !self.underway {
            return AckEffect::Grows;
        }
        if recovered {
            self.underway = false;
            control.resume_from(self.last_window(out, control));
        }
        self.acknowledged(out);
        AckEffect::Repairs
    }

    /// The window at the end of a recovery: ssthresh with proportional rate reduction (RFC 6937,
    /// section 3; RFC 9937, section 6.4).
    ///
    /// Departs from RFC 6675, section 5, where the window stays at ssthresh as well: without
    /// proportional rate reduction the rule of RFC 6582 avoids a burst.
    fn last_window(&self, out: &Outstanding, control: &dyn CongestionControl) -> u64 {
        let ssthresh = control.ssthresh();
        match self.proportional {
            // A control that answers no loss keeps its first ssthresh, and so its window.
            Some(_) => ssthresh.min(control.cwnd()),
            None => out.without_burst(ssthresh),
        }
    }

    /// Ends the recovery of a loss, or of a timeout, that was spurious.
    pub fn undo(&mut self) {
        (self.underway, self.timed_out) = (false, false);
    }

    /// The retransmission timer expires.
    pub fn on_timeout(&mut self) {
        self.underway = false;
        self.timed_out = true;
    }
}
