//! The times at which a credit sender sends check cells, which restore the credit for cells lost on
//! the link.
//!
//! The protocol of FCVC resynchronises the counts of both ends. The times are ours: one VC after
//! another at equal intervals, so that check cells do not come in bursts.

use kernel::{Duration, Time};

/// The times of the check cells of a link. In each round every VC gets one, at equal intervals.
#[derive(Clone, Copy, Debug)]
pub struct CheckTimer {
    every: Duration,
    channels: u32,
    /// Start of the present round, and the VC whose turn is next.
    began: Time,
    channel: u32,
}

impl CheckTimer {
    /// A timer with rounds of length `every`; the first starts after `every`.
    pub fn new(every: Duration, channels: usize) -> CheckTimer {
        CheckTimer {
            every,
            channels: u32::try_from(channels).expect("VCs have numbers"),
            began: Time::ZERO + every,
            channel: 0,
        }
    }

    /// Time of the next VC's turn; [`Time::NEVER`] without VCs.
    pub fn next(&self) -> Time {
        if self.channels == 0 {
            return Time::NEVER;
        }
        let part = u128::from(self.every.ps()) * u128::from(self.channel);
        let part = u64::try_from(part / u128::from(self.channels)).expect("less than a round");
        self.began + Duration::from_ps(part)
    }

    /// Returns the VC whose check cell is due, and selects the next VC.
    pub fn take(&mut self) -> usize {
        let channel = self.channel;
        self.channel += 1;
        if self.channel == self.channels {
            self.channel = 0;
            self.began += self.every;
        }
        channel as usize
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
