//! Fast recovery as in 4.3BSD-Reno: each duplicate releases another segment, and any acknowledgment
//! of new data ends the recovery.
//!
//! After a partial acknowledgment, only three further duplicates reveal the next hole, and often
//! fewer arrive: several losses in one window usually end in a timeout. `tcp_input.c` 7.25
//! (4.3BSD-Reno, June 1990); RFC 5681, section 3.2.

use kernel::Time;
use parameters::choices;

use super::{AckEffect, NextData, Outstanding, Recovery, RecoveryStart};
use crate::transport::tcp::congestion::control::CongestionControl;

choices! {
    /// Window at the end of a fast recovery.
    pub enum Deflation {
        /// The window returns to ssthresh.
        clean => Clean,
        /// The window returns to ssthresh only if there were more duplicates than the threshold;
        /// with exactly as many, the window stays inflated, as in 4.3BSD-Reno.
        bsd => Bsd,
    }
}

/// Fast recovery of one sender.
#[derive(Clone, Debug)]
pub struct RenoRecovery {
    deflation: Deflation,
    /// Octets by which the window is inflated, during a recovery.
    inflation: Option<u64>,
    /// True if a duplicate came after the start of the recovery.
    further: bool,
}

impl RenoRecovery {
    /// A sender before its first loss.
    pub fn new(deflation: Deflation) -> RenoRecovery {
        RenoRecovery {
            deflation,
            inflation: None,
            further: false,
        }
    }
}

impl Recovery for RenoRecovery {
    fn begin(&mut self, out: &mut Outstanding) -> RecoveryStart {
        self.inflation = Some(u64::from(out.duplicates) * out.mss);
        self.further = false;
        RecoveryStart::First
    }

    fn underway(&self) -> bool {
        self.inflation.is_some()
    }

    fn on_duplicate(&mut self, out: &Outstanding) {
        self.further = true;
        self.inflation = self.inflation.map(|inflation| inflation + out.mss);
    }

    fn on_ack(
        &mut self,
        _out: &mut Outstanding,
        _octets: u64,
        control: &mut dyn CongestionControl,
    ) -> AckEffect {
        if let Some(inflation) = self.inflation.take()
            && self.deflation == Deflation::Bsd
            && !self.further
        {
            control.resume_from(control.cwnd() + inflation);
        }
        // Departs from RFC 5681, section 3.2, step 6, where this acknowledgment only sets the
        // window to ssthresh: in BSD it grows the window too.
        AckEffect::Grows
    }

    fn on_timeout(&mut self, _now: Time, _out: &mut Outstanding) {
        self.inflation = None;
    }

    fn undo(&mut self) {
        self.inflation = None;
    }

    /// Each duplicate shows that a segment has left the network: RFC 5681, section 3.2.
    fn in_flight(&self, out: &Outstanding) -> u64 {
        let left = self.inflation.unwrap_or(0);
        (out.nxt - out.una).saturating_sub(left)
    }

    fn allowance(&mut self, _out: &mut Outstanding, cwnd: u64) -> NextData {
        NextData::Window(cwnd + self.inflation.unwrap_or(0))
    }
}
