//! The SACK sender of Fall and Floyd ("Simulation-based Comparisons of Tahoe, Reno and SACK TCP",
//! Computer Communication Review 26(3), 1996, section 2.4) and of ns.
//!
//! `pipe` estimates, in segments, what is on its way: each duplicate takes one from it, each partial
//! acknowledgment two (the repeated packet and the one that was lost before it), each packet sent
//! adds one. Holes go before new data.

use super::{Allowance, Answer, Outstanding, Progress, Recovery};
use crate::transport::ranges::Ranges;
use crate::transport::tcp::congestion::CongestionControl;

/// Recovery of one sender.
#[derive(Clone, Debug, Default)]
pub struct FallFloydRecovery {
    underway: bool,
    /// After a timeout, duplicates say nothing until there is a new acknowledgment.
    timed_out: bool,
    /// Segments on their way.
    pipe: i64,
    /// Holes repeated in this recovery.
    repeated: Ranges,
}

impl FallFloydRecovery {
    /// The lowest hole that is not repeated yet, at most a segment of it.
    fn hole(&self, out: &Outstanding) -> Option<(u64, u64)> {
        let highest = out.sacked.end()?;
        let mut from = out.una;
        while from < highest {
            let (start, end) = out.sacked.gap(from)?;
            match self.repeated.containing(start) {
                Some((_, repeated)) => from = repeated,
                None => return Some((start, end.min(start + out.mss))),
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

    fn begin(&mut self, out: &mut Outstanding) -> Answer {
        self.underway = true;
        // The repetition that follows at once is not counted.
        self.pipe = (out.flight() / out.mss) as i64 - i64::from(out.duplicates) - 1;
        self.repeated = Ranges::default();
        self.repeated.insert(out.una, out.una + out.mss);
        Answer::FirstOnly
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
    ) -> Progress {
        self.timed_out = false;
        if !self.underway {
            out.sacked = Ranges::default();
            return Progress::Grows;
        }
        if out.recovered() {
            self.underway = false;
            out.recover = 0;
            out.sacked = Ranges::default();
        } else {
            self.pipe -= 2;
        }
        Progress::Repairs
    }

    /// The receiver may have thrown away what it reported: RFC 2018, section 8.
    fn on_timeout(&mut self, out: &mut Outstanding) {
        self.underway = false;
        self.timed_out = true;
        out.sacked = Ranges::default();
    }

    fn allowance(&mut self, out: &mut Outstanding, cwnd: u64) -> Allowance {
        if !self.underway {
            return Allowance::Window(cwnd);
        }
        if self.pipe >= (cwnd / out.mss) as i64 {
            return Allowance::Nothing;
        }
        match self.hole(out) {
            Some((start, end)) => {
                self.repeated.insert(start, end);
                Allowance::Hole(start, end)
            }
            None => Allowance::New,
        }
    }

    fn on_sent(&mut self) {
        self.pipe += 1;
    }
}
