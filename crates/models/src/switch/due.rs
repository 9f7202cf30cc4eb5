//! The trains under way at the inputs of a switch, in the order in which they must be looked at.
//!
//! This file may be written for speed.

use kernel::Time;

use crate::ties::Chance;

/// The order of inputs at one instant: the lowest rank first, and of equal ranks the lowest number.
pub trait Rank {
    /// The rank of an input at `time`.
    fn rank(&self, time: Time, input: usize) -> u32;
}

/// By number.
pub struct ByInput;

impl Rank for ByInput {
    #[inline]
    fn rank(&self, _time: Time, input: usize) -> u32 {
        input as u32
    }
}

impl Rank for Chance {
    fn rank(&self, time: Time, input: usize) -> u32 {
        Chance::rank(*self, time, input)
    }
}

/// The time at which each train must be looked at next, in order of time; of equal times the lowest
/// rank comes first.
///
/// That is the arrival of its next cell, or, where an output takes many cells in one step, the
/// arrival of its last cell: the cells before it move when the output is next looked at.
///
/// With links of equal rates, the next cell of the input just served is due after the cells of all
/// other inputs, so a search from the end of the ring finds its place in one step; with similar
/// rates a few steps suffice.
pub struct DueTrains<R> {
    /// A ring whose number of places is a power of two, or zero.
    ring: Box<[Entry]>,
    /// Place of the first entry, and the number of entries.
    first: usize,
    count: usize,
    ranks: R,
    /// Number of trains that are spread, or are looked at only when their last cell arrives.
    special: usize,
}

/// A time, and in the bits below it the rank of a train at that time, the place of the train in the
/// arrivals, whether its cells are spread, and whether it is looked at only when its last cell
/// arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry(u128);

/// Where the fields of an entry begin.
const TIME: u32 = 64;
const RANK: u32 = 32;
const PLACE: u32 = 2;
/// The lowest bits of an entry.
const SPREAD: u128 = 2;
const LAZY: u128 = 1;

/// Added to the rank of an input for the cells that are spread: they come after those that continue
/// a train, like the units that arrive at the same instant.
const UNIT: u32 = 1 << 31;

/// The rank of a unit that arrives at `input`.
pub fn rank_of_unit(input: usize) -> u32 {
    UNIT | input as u32
}

impl Entry {
    #[inline]
    fn new(time: Time, rank: u32, place: usize) -> Entry {
        Entry(u128::from(time.ps()) << TIME | u128::from(rank) << RANK | (place as u128) << PLACE)
    }

    /// Time at which the train must be looked at.
    #[inline]
    pub fn time(self) -> Time {
        Time::from_ps((self.0 >> TIME) as u64)
    }

    /// Rank of the train among those that are due at the same time; the lowest comes first.
    #[inline]
    pub fn rank(self) -> u32 {
        (self.0 >> RANK) as u32
    }

    /// Place of the train in the arrivals.
    #[inline]
    pub fn place(self) -> usize {
        (self.0 as u32 >> PLACE) as usize
    }

    /// True if the train is looked at only when its last cell arrives.
    #[inline]
    pub fn is_lazy(self) -> bool {
        self.0 & LAZY != 0
    }

    fn lazy(self) -> Entry {
        Entry(self.0 | LAZY)
    }

    /// A train of `input` whose cells are spread.
    fn spread(time: Time, input: usize, place: usize) -> Entry {
        Entry(Entry::new(time, rank_of_unit(input), place).0 | SPREAD)
    }

    /// True if the train is spread, or is looked at only when its last cell arrives.
    #[inline]
    fn is_special(self) -> bool {
        self.0 & (SPREAD | LAZY) != 0
    }

    /// True if the cells of the train are spread.
    #[inline]
    pub fn is_spread(self) -> bool {
        self.0 & SPREAD != 0
    }

    /// True if the cell comes before a unit that arrives at `input` at the same instant.
    #[inline]
    pub fn is_before(self, input: usize) -> bool {
        !self.is_spread() || ((self.rank() ^ UNIT) as usize) < input
    }
}

/// Number of special trains from which on no other is looked at only when its last cell arrives. All
/// of them are gone through whenever one is looked at, which would take longer than to look at each
/// cell if they were many.
const MOST_SPECIAL: usize = 16;

impl<R: Rank> DueTrains<R> {
    /// No trains, whose inputs have these ranks.
    pub fn new(ranks: R) -> DueTrains<R> {
        DueTrains {
            ring: Box::default(),
            first: 0,
            count: 0,
            ranks,
            special: 0,
        }
    }

    /// The first entry; without any, one at [`Time::NEVER`].
    #[inline]
    pub fn first(&self) -> Entry {
        if self.count == 0 {
            return Entry::new(Time::NEVER, 0, 0);
        }
        self.ring[self.first]
    }

    /// Number of entries.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// True if any train is spread, or is looked at only when its last cell arrives.
    #[inline]
    pub fn has_special(&self) -> bool {
        self.special > 0
    }

    /// The entries in their order.
    #[inline]
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let mask = self.ring.len().wrapping_sub(1);
        (0..self.count).map(move |index| self.ring[(self.first + index) & mask])
    }

    #[inline]
    fn place(&self, index: usize) -> usize {
        (self.first + index) & (self.ring.len() - 1)
    }

    /// Removes the first entry, which is `first`.
    #[inline]
    pub fn remove_first(&mut self, first: Entry) {
        self.special -= usize::from(first.is_special());
        self.remove_plain();
    }

    /// Removes the first entry, which is not special.
    #[inline]
    pub fn remove_plain(&mut self) {
        self.first = self.place(1);
        self.count -= 1;
    }

    /// Removes the train at a place in the arrivals.
    ///
    /// # Panics
    /// If there is no such train.
    pub fn remove(&mut self, place: usize) {
        // Searched from the end, since amended cells were mostly announced just before.
        let mut indices = (0..self.count).rev();
        let found = indices.find(|index| self.ring[self.place(*index)].place() == place);
        let index = found.expect("a cell is to come");
        self.special -= usize::from(self.ring[self.place(index)].is_special());
        for index in index..self.count - 1 {
            self.ring[self.place(index)] = self.ring[self.place(index + 1)];
        }
        self.count -= 1;
    }

    /// Inserts the train of an input, to be looked at when its next cell arrives.
    #[inline]
    pub fn insert(&mut self, arrival: Time, input: usize) {
        let rank = self.ranks.rank(arrival, input);
        self.insert_entry(Entry::new(arrival, rank, input));
    }

    /// Inserts the train of an input, to be looked at when its last cell arrives, at `end`, unless
    /// there are many such trains.
    pub fn insert_lazy(&mut self, arrival: Time, input: usize, end: Time) {
        if self.special >= MOST_SPECIAL {
            return self.insert(arrival, input);
        }
        self.special += 1;
        let rank = self.ranks.rank(end, input);
        self.insert_entry(Entry::new(end, rank, input).lazy());
    }

    /// Inserts a train whose cells are spread, to be looked at when its next cell arrives, or, if it
    /// is lazy, when its last cell arrives, at `end`.
    pub fn insert_spread(&mut self, arrival: Time, place: usize, input: usize, end: Option<Time>) {
        let entry = match end {
            Some(end) if self.special < MOST_SPECIAL => Entry::spread(end, input, place).lazy(),
            _ => Entry::spread(arrival, input, place),
        };
        self.special += 1;
        self.insert_entry(entry);
    }

    #[inline]
    fn insert_entry(&mut self, entry: Entry) {
        if self.count == self.ring.len() {
            self.grow();
        }
        self.count += 1;
        self.sift(self.count - 1, entry);
    }

    /// Moves an entry, which comes no later than the free place `index`, to its place in the order.
    #[inline]
    fn sift(&mut self, index: usize, next: Entry) {
        let mut free = self.place(index);
        let ring = &mut self.ring[..];
        let mask = ring.len() - 1;
        for _ in 0..index {
            let before = free.wrapping_sub(1) & mask;
            let entry = ring[before];
            if entry <= next {
                break;
            }
            ring[free & mask] = entry;
            free = before;
        }
        ring[free & mask] = next;
    }

    #[cold]
    fn grow(&mut self) {
        let mut ring = vec![Entry::default(); (2 * self.count).max(4)];
        for (index, entry) in ring.iter_mut().enumerate().take(self.count) {
            *entry = self.ring[self.place(index)];
        }
        (self.ring, self.first) = (ring.into(), 0);
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn trains_of_any_rates_are_due_in_order_of_time_and_then_of_inputs(
            spacings in prop::collection::vec(1u64..9, 1..20),
            changes in prop::collection::vec(0u64..40, 200),
        ) {
            let mut due = DueTrains::new(ByInput);
            let mut naive: Vec<(Time, usize)> = Vec::new();
            for input in 0..spacings.len() {
                due.insert(Time::from_ps(7), input);
                naive.push((Time::from_ps(7), input));
            }
            for (later, again) in changes.into_iter().zip(1usize..) {
                let next = *naive.iter().min().expect("a train");
                let first = due.first();
                prop_assert_eq!((first.time(), first.place()), next);
                let (now, input) = next;
                let then = now + Duration::from_ps(spacings[input]);
                due.remove_first(first);
                due.insert(then, input);
                naive[input].0 = then;
                // Another cell gets a new arrival time.
                let other = again % spacings.len();
                let then = now + Duration::from_ps(later);
                due.remove(other);
                due.insert(then, other);
                naive[other].0 = then;
            }
        }
    }
}
