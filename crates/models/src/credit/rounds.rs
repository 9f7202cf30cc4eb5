//! Times at which the ends of a link compare their counts.

use kernel::{Duration, Time};

/// Channels in turn, in rounds of a given time, spread evenly over it.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    every: Duration,
    channels: u32,
    /// Start of the present round, and the next channel in it.
    began: Time,
    channel: u32,
}

impl Rounds {
    /// Rounds of length `every`; the first starts after `every`.
    pub fn new(every: Duration, channels: usize) -> Rounds {
        Rounds {
            every,
            channels: u32::try_from(channels).expect("channels have numbers"),
            began: Time::ZERO + every,
            channel: 0,
        }
    }

    /// Time of the next channel's turn; [`Time::NEVER`] without channels.
    pub fn next(&self) -> Time {
        if self.channels == 0 {
            return Time::NEVER;
        }
        let part = u128::from(self.every.ps()) * u128::from(self.channel);
        let part = u64::try_from(part / u128::from(self.channels)).expect("less than a round");
        self.began + Duration::from_ps(part)
    }

    /// Takes the channel whose turn it is.
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
        let mut rounds = Rounds::new(Duration::from_ps(100), 3);
        let turns: Vec<(u64, usize)> = (0..5)
            .map(|_| (rounds.next().ps(), rounds.take()))
            .collect();
        assert_eq!(turns, [(100, 0), (133, 1), (166, 2), (200, 0), (233, 1)]);
        assert_eq!(Rounds::new(Duration::from_ps(100), 0).next(), Time::NEVER);
    }
}
