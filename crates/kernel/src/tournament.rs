//! A tournament: who of many is first, and who would be if it were not for that one.
//!
//! Each contestant's time is a leaf of a binary tree, each inner node names the earlier of the two
//! below it. When a time changes, only the matches on the way to the root are played again: fewer
//! and more predictable steps than a heap takes, and no entries that are out of date.

use std::hint::select_unpredictable;

use crate::time::Time;

/// Contestants by number, each with a time; of equal times the lower number comes first.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Of each seat; there is a power of two of them, and those beyond the contestants have
    /// [`Time::NEVER`].
    times: Box<[Time]>,
    /// Winners of the matches, the final at 1; beyond them the seats themselves.
    winners: Box<[u32]>,
}

impl Tournament {
    /// Everyone at [`Time::NEVER`].
    pub fn new(contestants: usize) -> Tournament {
        let seats = contestants.next_power_of_two();
        let seated = 0..seats as u32;
        let mut winners: Box<[u32]> = seated.clone().map(|_| 0).chain(seated).collect();
        for at in (1..seats).rev() {
            winners[at] = winners[2 * at];
        }
        Tournament {
            times: vec![Time::NEVER; seats].into(),
            winners,
        }
    }

    /// Gives a contestant another time.
    #[inline]
    pub fn set(&mut self, contestant: usize, time: Time) {
        self.times[contestant] = time;
        let (mut winner, mut best) = (contestant as u32, time);
        let mut at = self.times.len() + contestant;
        while at > 1 {
            let rival = self.winners[at ^ 1];
            let theirs = self.times[rival as usize];
            // Of equals the left one wins. Who does is anybody's guess, so nothing is guessed.
            let is_right = at & 1 == 1;
            let loses = select_unpredictable(is_right, theirs <= best, theirs < best);
            winner = select_unpredictable(loses, rival, winner);
            best = select_unpredictable(loses, theirs, best);
            at >>= 1;
            // Who lost this match before, and loses it again, was never heard of above.
            if winner == self.winners[at] && winner as usize != contestant {
                return;
            }
            self.winners[at] = winner;
        }
    }

    /// The time of a contestant.
    #[inline]
    pub fn time(&self, contestant: usize) -> Time {
        self.times[contestant]
    }

    /// The first contestant and its time.
    #[inline]
    pub fn first(&self) -> (Time, usize) {
        let winner = self.winners[1] as usize;
        (self.times[winner], winner)
    }

    /// The time of the one that would be first if `contestant` were not there.
    #[inline]
    pub fn first_but(&self, contestant: usize) -> Time {
        let mut earliest = Time::NEVER;
        let mut at = self.times.len() + contestant;
        while at > 1 {
            let rival = self.winners[at ^ 1];
            earliest = earliest.min(self.times[rival as usize]);
            at >>= 1;
        }
        earliest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_the_first_and_the_next(
            contestants in 1usize..20,
            changes in prop::collection::vec((0usize..20, 0u64..8), 1..60),
        ) {
            let mut tournament = Tournament::new(contestants);
            let mut times = vec![Time::NEVER; contestants];
            for (contestant, time) in changes {
                let contestant = contestant % contestants;
                times[contestant] = Time::from_ps(time);
                tournament.set(contestant, times[contestant]);
                let first = (0..contestants).min_by_key(|one| times[*one]).expect("someone");
                prop_assert_eq!(tournament.first(), (times[first], first));
                prop_assert_eq!(tournament.time(contestant), times[contestant]);
                let others = (0..contestants).filter(|one| *one != first).map(|one| times[one]);
                let next = others.min().unwrap_or(Time::NEVER);
                prop_assert_eq!(tournament.first_but(first), next);
            }
        }
    }
}
