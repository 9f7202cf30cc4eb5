//! Fast recovery of NewReno: RFC 6582, section 3.2.
//!
//! An acknowledgment that does not cover all data outstanding at the loss indicates the next hole,
//! which is retransmitted at once: one loss is repaired in each round trip, without further
//! duplicates.

use kernel::Time;
use parameters::choices;

use super::{AckEffect, NextData, Outstanding, Recovery, RecoveryStart};
use crate::transport::tcp::congestion::control::CongestionControl;

choices! {
    /// Arithmetic of the window at partial acknowledgments.
    pub enum Flavour {
        /// The window shrinks by the octets acknowledged and regains one segment: RFC 6582.
        rfc6582 => Rfc6582,
        /// All inflation is removed, and at most two packets leave at once: ns-2 before 2002.
        ns => Ns,
    }
}

choices! {
    /// Partial acknowledgments that restart the retransmission timer: RFC 3782, section 4; RFC 6582,
    /// section 3.2, step 3, has the first only.
    pub enum PartialTimer {
        /// Only the first partial acknowledgment of a recovery ("impatient"): after many losses in
        /// one window the timer expires.
        first => First,
        /// Every partial acknowledgment ("slow but steady").
        every => Every,
    }
}

choices! {
    /// Window at the end of a recovery: RFC 6582, section 3.2, step 3.
    pub enum Exit {
        /// The outstanding data and one segment more, at most ssthresh, so that no burst follows.
        flight => Flight,
        /// The slow-start threshold.
        ssthresh => Ssthresh,
    }
}

choices! {
    /// Effect of duplicates after a recovery that may not begin another one: RFC 6582, section 6.
    pub enum LateDuplicates {
        /// None: only the duplicates of a recovery inflate the window (RFC 5681, section 3.2, step
        /// 4).
        ignored => Ignored,
        /// From the fourth on, each inflates the window by a segment, if no duplicate followed the
        /// last partial acknowledgment of the recovery: ns-2, which notes the end of a recovery only
        /// while the window is inflated. Without effect unless `flavour` is `ns`.
        inflate => Inflate,
    }
}

/// Fast recovery of one sender.
#[derive(Clone, Debug)]
pub struct NewRenoRecovery {
    flavour: Flavour,
    timer: PartialTimer,
    exit: Exit,
    late_duplicates: LateDuplicates,
    underway: bool,
    /// True after a recovery whose end ns-2 has not noted.
    unnoted: bool,
    /// True if a partial acknowledgment has arrived.
    partial: bool,
    /// Octets by which the window is inflated; negative after large partial acknowledgments.
    inflation: i64,
}

impl Default for NewRenoRecovery {
    fn default() -> NewRenoRecovery {
        NewRenoRecovery {
            flavour: Flavour::Rfc6582,
            timer: PartialTimer::First,
            exit: Exit::Flight,
            late_duplicates: LateDuplicates::Ignored,
            underway: false,
            unnoted: false,
            partial: false,
            inflation: 0,
        }
    }
}

impl NewRenoRecovery {
    /// A sender before its first loss.
    pub fn new(
        flavour: Flavour,
        timer: PartialTimer,
        exit: Exit,
        late_duplicates: LateDuplicates,
    ) -> NewRenoRecovery {
        NewRenoRecovery {
            flavour,
            timer,
            exit,
            late_duplicates,
            ..NewRenoRecovery::default()
        }
    }

    fn end(&mut self, out: &Outstanding, control: &mut dyn CongestionControl) -> AckEffect {
        self.underway = false;
        self.unnoted = self.inflation == 0
            && self.flavour == Flavour::Ns
            && self.late_duplicates == LateDuplicates::Inflate;
        self.inflation = 0;
        let ssthresh = control.ssthresh();
        control.resume_from(match self.exit {
            Exit::Flight => out.without_burst(ssthresh),
            Exit::Ssthresh => ssthresh,
        });
        match self.flavour {
            Flavour::Rfc6582 => AckEffect::Repairs,
            // Departs from RFC 6582: in ns-2 this acknowledgment grows the window too.
            Flavour::Ns => AckEffect::Grows,
        }
    }

    /// Octets by which duplicates after a recovery inflate the window, if they do.
    fn late(out: &Outstanding) -> u64 {
        u64::from(out.duplicates.saturating_sub(out.threshold.into())) * out.mss
    }

    fn go_on(&mut self, out: &Outstanding, octets: u64) -> AckEffect {
        match self.flavour {
            Flavour::Rfc6582 => {
                let regained = if octets >= out.mss { out.mss } else { 0 };
                self.inflation += regained as i64 - octets as i64;
            }
            Flavour::Ns => self.inflation = 0,
        }
        let first = !std::mem::replace(&mut self.partial, true);
        AckEffect::NextHole {
            restarts_timer: first || self.timer == PartialTimer::Every,
        }
    }
}

impl Recovery for NewRenoRecovery {
    fn may_begin(&self, out: &Outstanding) -> bool {
        out.beyond_recover()
    }

    fn begin(&mut self, out: &mut Outstanding) -> RecoveryStart {
        self.underway = true;
        self.unnoted = false;
        self.partial = false;
        self.inflation = (u64::from(out.duplicates) * out.mss) as i64;
        RecoveryStart::First
    }

    fn underway(&self) -> bool {
        self.underway
    }

    fn on_duplicate(&mut self, out: &Outstanding) {
        self.inflation += out.mss as i64;
    }

    fn on_ack(
        &mut self,
        out: &mut Outstanding,
        octets: u64,
        control: &mut dyn CongestionControl,
    ) -> AckEffect {
        if !self.underway {
            self.unnoted &= Self::late(out) == 0;
            AckEffect::Grows
        } else if out.recovered() {
            self.end(out, control)
        } else {
            self.go_on(out, octets)
        }
    }

    fn on_timeout(&mut self, _now: Time, _out: &mut Outstanding) {
        self.underway = false;
        self.unnoted = false;
        self.inflation = 0;
    }

    fn undo(&mut self) {
        self.underway = false;
        self.unnoted = false;
        self.inflation = 0;
    }

    /// Each duplicate shows that a segment has left the network: RFC 5681, section 3.2.
    fn in_flight(&self, out: &Outstanding) -> u64 {
        (out.nxt - out.una).saturating_sub(self.inflation.max(0).cast_unsigned())
    }

    fn allowance(&mut self, out: &mut Outstanding, cwnd: u64) -> NextData {
        let late = if self.unnoted { Self::late(out) } else { 0 };
        let stretched = cwnd.saturating_add_signed(self.inflation) + late;
        // Our own rule: at least one segment. RFC 6582 leaves the window open after a large partial
        // acknowledgment.
        NextData::Window(stretched.max(out.mss))
    }

    fn burst(&self) -> u32 {
        match self.flavour {
            Flavour::Ns if self.underway => 2,
            _ => u32::MAX,
        }
    }
}
