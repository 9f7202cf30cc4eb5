//! A tournament tree: it finds the earliest of many contestants, and the second earliest.
//!
//! Each contestant's time is a leaf of a binary tree, and each inner node names the earlier of the
//! two below it. When a time changes, only the matches on the way to the root are played again:
//! fewer and more predictable steps than a heap takes, and no outdated entries. It is the tree
//! selection of Knuth, "The Art of Computer Programming", volume 3, section 5.2.3.
//!
//! This file may be written for speed.

use std::hint::select_unpredictable;

use crate::time::Time;

/// Contestants by number, each with a time; of equal times the lower number comes first.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Winners of the matches, the final at 1, with their times; the second half has the
    /// contestants.
    winners: Box<[Entry]>,
}

/// A time and, in the lower bits, the number of a contestant: the smaller of two entries wins.
pub(crate) type Entry = u128;

pub(crate) fn entry(time: Time, contestant: usize) -> Entry {
    u128::from(time.ps()) << 64 | contestant as u128
}

pub(crate) fn time(entry: Entry) -> Time {
    Time::from_ps((entry >> 64) as u64)
}

impl Tournament {
    /// All contestants at [`Time::NEVER`].
    pub fn new(contestants: usize) -> Tournament {
        let mut winners = vec![entry(Time::NEVER, 0); 2 * contestants.max(1)];
        for contestant in 0..contestants {
            winners[contestants + contestant] = entry(Time::NEVER, contestant);
        }
        for at in (1..contestants).rev() {
            winners[at] = winners[2 * at].min(winners[2 * at + 1]);
        }
        Tournament {
            winners: winners.into(),
        }
    }

    /// Sets the time of a contestant.
    #[inline]
    pub fn set(&mut self, contestant: usize, time: Time) {
        let mut best = entry(time, contestant);
        let mut at = self.winners.len() / 2 + contestant;
        // The contestant that came first has won every match up to the root, so all these matches
        // have a new winner.
        let was_first = self.first().1 == contestant;
        self.winners[at] = best;
        while at > 1 {
            let opponent = self.winners[at ^ 1];
            // Branch-free, because the winner is unpredictable.
            best = select_unpredictable(opponent < best, opponent, best);
            at >>= 1;
            // An unchanged winner ends the update: the matches above it are unchanged too.
            if !was_first && self.winners[at] == best {
                return;
            }
            self.winners[at] = best;
        }
    }

    /// The time of a contestant.
    #[inline]
    pub fn time(&self, contestant: usize) -> Time {
        time(self.winners[self.winners.len() / 2 + contestant])
    }

    /// The first contestant and its time.
    #[inline]
    pub fn first(&self) -> (Time, usize) {
        let winner = self.winners[1];
        (time(winner), winner as u64 as usize)
    }

    /// The time of the first contestant other than `contestant`.
    #[inline]
    pub fn first_but(&self, contestant: usize) -> Time {
        let mut earliest = Time::NEVER;
        let mut at = self.winners.len() / 2 + contestant;
        while at > 1 {
            earliest = earliest.min(time(self.winners[at ^ 1]));
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
