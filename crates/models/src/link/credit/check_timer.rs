//! The times at which a credit sender sends check cells, which restore the credit for cells lost on
//! the link.
//!
//! The protocol of FCVC resynchronises the counts of both ends. Our own rule for the times: one VC
//! after another at equal intervals, so that check cells do not come in bursts.

use kernel::{Duration, Time};

/// The times of the check cells of a link. In each round every VC gets one, at equal intervals.
#[derive(Clone, Copy, Debug)]
pub struct CheckTimer {
    every: Duration,
    vcs: u32,
    /// Start of the present round, and the VC whose turn is next.
    began: Time,
    vc: u32,
}

impl CheckTimer {
    /// A timer with rounds of length `every`; the first starts after `every`.
    pub fn new(every: Duration, vcs: usize) -> CheckTimer {
        CheckTimer {
            every,
            vcs: u32::try_from(vcs).expect("VCs have numbers"),
            began: Time::ZERO + every,
            vc: 0,
        }
    }

    /// Time of the next VC's turn; [`Time::NEVER`] without VCs.
    pub fn next(&self) -> Time {
        if self.vcs == 0 {
            return Time::NEVER;
        }
        let part = u128::from(self.every.ps()) * u128::from(self.vc);
        let part = u64::try_from(part / u128::from(self.vcs)).expect("less than a round");
        self.began + Duration::from_ps(part)
    }

    /// Returns the VC whose check cell is due, and selects the next VC.
    pub fn take(&mut self) -> usize {
        let vc = self.vc;
        self.vc += 1;
        if self.vc == self.vcs {
            self.vc = 0;
            self.began += self.every;
        }
        vc as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_spread_evenly_over_a_round() {
        let mut timer = CheckTimer::new(Duration::from_ps(100), 3);
        let turns: Vec<(u64, usize)> = (0..5).map(|_| (timer.next().ps(), timer.take())).collect();
        assert_eq!(turns, [(100, 0), (133, 1), (166, 2), (200, 0), (233, 1)]);
        assert_eq!(
            CheckTimer::new(Duration::from_ps(100), 0).next(),
            Time::NEVER
        );
    }
}
