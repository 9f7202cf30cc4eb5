//! The SACK sender of Fall and Floyd ("Simulation-based Comparisons of Tahoe, Reno and SACK TCP",
//! Computer Communication Review 26(3), 1996, section 2.4) and of ns-2.
//!
//! `pipe` estimates the number of segments in flight: each duplicate subtracts one, each partial
//! acknowledgment two (the retransmission, and the packet lost before it), and each packet sent
//! adds one. Holes are filled before new data is sent.
//! one. Holes are filled before new data is sent.

use kernel::Time;

use super::{AckEffect, NextData, Outstanding, Recovery, RecoveryStart};
use crate::transport::ranges::Ranges;
use crate::transport::tcp::congestion::control::CongestionControl;

/// Recovery of one sender.
#[derive(Clone, Debug, Default)]
pub struct FallFloydRecovery {
    underway: bool,
    /// True from a timeout until new data is acknowledged; duplicates are ignored meanwhile.
    timed_out: bool,
    /// Estimate of the number of segments in flight.
    pipe: i64,
    /// Holes retransmitted in this recovery.
    repeated: Ranges,
}

impl FallFloydRecovery {
    /// The lowest hole that was not retransmitted in this recovery, at most one segment of it.
    fn hole(&self, out: &Outstanding) -> Option<(u64, u64)> {
        let highest = out.sacked.end()?;
        let mut from = out.una;
        while from < highest {
            let (start, end) = out.sacked.gap(from)?;
            match self.repeated.containing(start) {
                Some((_, repeated)) => from = repeated,
                None => return Some((start, end.min(start + out.segment(start)))),
            }
        }
        None
    }
}

impl Recovery for FallFloydRecovery {
    fn counts(&self, news: u64) -> bool {
        self.underway || (!self.timed_out && news > 0)
    }

    fn may_begin(&self, out: &Outstanding) -> bool {
        out.beyond_recover()
    }

    /// Departs from RFC 6675: this acknowledgment releases only the first segment, as in ns-2.
    fn begin(&mut self, out: &mut Outstanding) -> RecoveryStart {
        self.underway = true;
        // The first retransmission of the recovery follows at once and is not counted in `pipe`.
        self.pipe = (out.flight() / out.mss) as i64 - i64::from(out.duplicates) - 1;
        self.repeated = Ranges::default();
        self.repeated.insert(out.una, out.una + out.mss);
        RecoveryStart::FirstOnly
    }

    fn underway(&self) -> bool {
        self.underway
    }

    fn on_duplicate(&mut self, _out: &Outstanding) {
        self.pipe -= 1;
    }

    fn on_ack(
        &mut self,
        out: &mut Outstanding,
        _octets: u64,
        _control: &mut dyn CongestionControl,
    ) -> AckEffect {
        self.timed_out = false;
        if !self.underway {
            out.sacked = Ranges::default();
            return AckEffect::Grows;
        }
        if out.recovered() {
            self.underway = false;
            out.recover = 0;
            out.sacked = Ranges::default();
        } else {
            self.pipe -= 2;
        }
        AckEffect::Repairs
    }

    /// The receiver may have discarded reported data: RFC 2018, section 8.
    fn on_timeout(&mut self, _now: Time, out: &mut Outstanding) {
        self.underway = false;
        self.timed_out = true;
        out.sacked = Ranges::default();
    }

    fn undo(&mut self) {
        (self.underway, self.timed_out) = (false, false);
    }

    fn in_flight(&self, out: &Outstanding) -> u64 {
        if self.underway {
            self.pipe.max(0).cast_unsigned() * out.mss
        } else {
            out.nxt - out.una
        }
    }

    fn allowance(&mut self, out: &mut Outstanding, cwnd: u64) -> NextData {
        if !self.underway {
            return NextData::Window(cwnd);
        }
        if self.pipe >= (cwnd / out.mss) as i64 {
            return NextData::Nothing;
        }
        match self.hole(out) {
            Some((start, end)) => {
                self.repeated.insert(start, end);
                NextData::Hole(start, end)
            }
            None => NextData::New,
        }
    }

    fn on_sent(&mut self, _now: Time, _start: u64, _end: u64) {
        self.pipe += 1;
    }
}
