//! The first arrival at each input of a node, as a binary heap.
//!
//! Only inputs with a unit in flight are in the heap; at most instants they are few. The heap
//! changes when a unit enters an empty link and when the earliest unit is taken. Neither change
//! looks up an input, so the heap stores no position for each input, unlike [`crate::Tournament`].
//!
//! This file may be written for speed.

use std::hint::select_unpredictable;

use crate::time::Time;
use crate::tournament::{Entry, entry, time};

/// The inputs with a unit in flight, in the order of their first arrivals; of equal times, the
/// lower input number comes first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals {
    /// A binary min-heap: entry `i` comes before entries `2 i + 1` and `2 i + 2`.
    heap: Vec<Entry>,
}

impl Arrivals {
    /// The time of the earliest arrival and its input; without one, [`Time::NEVER`] and
    /// `usize::MAX`.
    #[inline]
    pub fn first(&self) -> (Time, usize) {
        let first = self.heap.first();
        first.map_or((Time::NEVER, usize::MAX), |first| {
            (time(*first), *first as u64 as usize)
        })
    }

    /// The time of the earliest arrival at any input except that of [`Arrivals::first`].
    #[inline]
    pub fn second(&self) -> Time {
        let others = self.heap.iter().take(3).skip(1);
        others.min().map_or(Time::NEVER, |entry| time(*entry))
    }

    /// Adds an input that had no unit in flight, with the time of its first arrival.
    #[inline]
    pub fn add(&mut self, input: usize, arrival: Time) {
        let entry = entry(arrival, input);
        let mut at = self.heap.len();
        self.heap.push(entry);
        while at > 0 {
            let above = (at - 1) / 2;
            if self.heap[above] < entry {
                break;
            }
            self.heap[at] = self.heap[above];
            at = above;
        }
        self.heap[at] = entry;
    }

    /// Gives the input of the earliest arrival the time of its next arrival; [`Time::NEVER`]
    /// removes the input from the heap.
    #[inline]
    pub fn replace_first(&mut self, input: usize, next: Time) {
        debug_assert_eq!(self.first().1, input, "the first unit is taken first");
        let entry = if next == Time::NEVER {
            match self.heap.pop() {
                Some(last) if !self.heap.is_empty() => last,
                _ => return,
            }
        } else {
            entry(next, input)
        };
        self.sink(entry);
    }

    /// Replaces the root of the heap by `entry`, and moves `entry` down to its place.
    #[inline]
    fn sink(&mut self, entry: Entry) {
        let heap = &mut self.heap[..];
        let mut at = 0;
        loop {
            let left = 2 * at + 1;
            let Some(&one) = heap.get(left) else {
                break;
            };
            let (mut below, mut least) = (left, one);
            if let Some(&other) = heap.get(left + 1) {
                // Branch-free, because the earlier of two arrivals is unpredictable.
                let is_right = other < one;
                below += usize::from(is_right);
                least = select_unpredictable(is_right, other, one);
            }
            if entry < least {
                break;
            }
            heap[at] = least;
            at = below;
        }
        heap[at] = entry;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::Duration;

    proptest! {
        #[test]
        fn finds_the_first_and_the_second(
            inputs in 1usize..20,
            changes in prop::collection::vec((0usize..20, 0u64..8, any::<bool>()), 1..80),
        ) {
            let mut arrivals = Arrivals::default();
            let mut times = vec![Time::NEVER; inputs];
            for (input, ahead, takes) in changes {
                let (now, first) = arrivals.first();
                let input = input % inputs;
                if takes && now < Time::NEVER {
                    let next = if ahead == 0 { Time::NEVER } else { now + Duration::from_ps(ahead - 1) };
                    times[first] = next;
                    arrivals.replace_first(first, next);
                } else if times[input] == Time::NEVER {
                    times[input] = Time::from_ps(ahead);
                    arrivals.add(input, times[input]);
                }
                let earliest = (0..inputs).min_by_key(|one| times[*one]).expect("an input");
                if times[earliest] < Time::NEVER {
                    prop_assert_eq!(arrivals.first(), (times[earliest], earliest));
                } else {
                    prop_assert_eq!(arrivals.first().0, Time::NEVER);
                }
                let others = (0..inputs).filter(|one| *one != earliest).map(|one| times[one]);
                prop_assert_eq!(arrivals.second(), others.min().unwrap_or(Time::NEVER));
            }
        }
    }
}
