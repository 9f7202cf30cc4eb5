//! Immediate fabric: a cell reaches its output the instant it arrives.
//!
//! Cells that arrive at the same instant move in this order: cells that continue a train, by input;
//! then cells that begin a train, by input. If ties are decided at random, each of the two groups
//! moves in random order.
//!
//! This file may be written for speed.

use kernel::Time;
use parameters::parameters;

use super::stretch::{Stretches, Until};
use super::{Fabric, Gate, Inputs};
use crate::switch::arrivals::NextCell;
use crate::ties::Chance;

parameters! {
    /// Cells reach the output as they arrive; the switch adds no clock of its own.
    pub struct Immediate {}
}

impl Immediate {
    /// The fabric of one switch.
    pub fn build(&self, inputs: &Inputs) -> Box<dyn Fabric> {
        match inputs.chance {
            None => Box::new(Due::new(ByInput)),
            Some(chance) => Box::new(Due::new(chance)),
        }
    }
}

/// The order of inputs at one instant: the lowest rank first, and of equal ranks the lowest number.
trait Rank {
    fn rank(&self, time: Time, input: usize) -> u32;
}

/// By number.
struct ByInput;

impl Rank for ByInput {
    #[inline]
    fn rank(&self, _time: Time, _input: usize) -> u32 {
        0
    }
}

impl Rank for Chance {
    fn rank(&self, time: Time, input: usize) -> u32 {
        Chance::rank(*self, time, input)
    }
}

/// The time at which each train must be looked at next, in order of time; of equal times the lowest
/// input comes first, or a random one.
///
/// That is the arrival of its next cell, or, where an output takes many cells in one step, of the
/// next cell that may begin or end a PDU: the cells before it move when the output is next looked
/// at.
///
/// With links of equal rates, the next cell of the input just served is due after the cells of all
/// other inputs, so a search from the end of the ring finds its place in one step; with similar
/// rates a few steps suffice.
struct Due<R> {
    /// A ring whose number of places is a power of two, or zero.
    ring: Box<[Entry]>,
    /// Place of the first entry, and the number of entries.
    first: usize,
    count: usize,
    ranks: R,
    /// Number of trains that are looked at only at a boundary.
    lazy: usize,
    stretches: Stretches,
}

/// A time, and in the bits below it the rank of an input at that time, the input, and whether its
/// train is looked at only at a boundary.
type Entry = u128;

/// The input of an entry.
fn input_of(entry: Entry) -> usize {
    (entry as u32 >> 1) as usize
}

/// True if the train of an entry is looked at only at a boundary.
fn is_lazy(entry: Entry) -> bool {
    entry & 1 == 1
}

/// Most trains that are looked at only at a boundary. All of them are gone through at each boundary,
/// which would take longer than to look at each cell if they were many.
const MOST_LAZY: usize = 16;

impl<R: Rank> Due<R> {
    fn new(ranks: R) -> Due<R> {
        Due {
            ring: Box::default(),
            first: 0,
            count: 0,
            ranks,
            lazy: 0,
            stretches: Stretches::default(),
        }
    }

    /// Due time and input of the first entry; none for an empty ring.
    #[inline]
    fn first(&self) -> (Time, usize) {
        if self.count == 0 {
            return (Time::NEVER, 0);
        }
        let first = self.ring[self.first];
        (Time::from_ps((first >> 64) as u64), input_of(first))
    }

    #[inline]
    fn entry(&self, time: Time, input: usize) -> Entry {
        let rank = self.ranks.rank(time, input);
        u128::from(time.ps()) << 64 | u128::from(rank) << 32 | (input as u128) << 1
    }

    #[inline]
    fn place(&self, index: usize) -> usize {
        (self.first + index) & (self.ring.len() - 1)
    }

    #[inline]
    fn remove_first(&mut self) {
        self.lazy -= usize::from(is_lazy(self.ring[self.first]));
        self.first = self.place(1);
        self.count -= 1;
    }

    fn remove(&mut self, input: usize) {
        let index = self.find(input);
        self.lazy -= usize::from(is_lazy(self.ring[self.place(index)]));
        for index in index..self.count - 1 {
            self.ring[self.place(index)] = self.ring[self.place(index + 1)];
        }
        self.count -= 1;
    }

    /// Index of an input; searched from the end, since amended cells were mostly announced just
    /// before.
    fn find(&self, input: usize) -> usize {
        let mut indices = (0..self.count).rev();
        let found = indices.find(|index| input_of(self.ring[self.place(*index)]) == input);
        found.expect("a cell is to come")
    }

    /// Inserts a train that is looked at when its next cell arrives.
    #[inline]
    fn insert(&mut self, arrival: Time, input: usize) {
        self.insert_entry(self.entry(arrival, input));
    }

    /// Inserts a train whose next cell arrives at `arrival`, and its last at `end`.
    fn insert_stretch(&mut self, arrival: Time, input: usize, end: Time) {
        if self.lazy == MOST_LAZY {
            return self.insert(arrival, input);
        }
        self.lazy += 1;
        self.insert_entry(self.entry(end, input) | 1);
    }

    #[inline]
    fn insert_entry(&mut self, entry: Entry) {
        if self.count == self.ring.len() {
            self.grow();
        }
        self.count += 1;
        self.place_entry(self.count - 1, entry);
    }

    /// Moves an entry, which comes no later than the free place `index`, to its place in the order.
    #[inline]
    fn place_entry(&mut self, index: usize, next: Entry) {
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

    /// Moves the cells to `output` that came before `until`, as far as they have not moved.
    #[inline(never)]
    fn settle_output(&mut self, output: usize, until: Until, gate: &mut Gate<'_, '_>) {
        let Due {
            ring,
            first,
            count,
            stretches,
            ..
        } = self;
        let mask = ring.len() - 1;
        let entries = (0..*count).map(|index| ring[(*first + index) & mask]);
        let inputs = entries.filter(|entry| is_lazy(*entry)).map(input_of);
        stretches.settle(output, inputs, until, gate);
    }

    #[cold]
    fn grow(&mut self) {
        let mut ring = vec![0; (2 * self.count).max(4)];
        for (index, entry) in ring.iter_mut().enumerate().take(self.count) {
            *entry = self.ring[self.place(index)];
        }
        (self.ring, self.first) = (ring.into(), 0);
    }
}

impl<R: Rank> Fabric for Due<R> {
    #[inline]
    fn next_wake(&self) -> Time {
        self.first().0
    }

    fn moves_at_once(&self) -> bool {
        true
    }

    fn expect(&mut self, input: usize, next: NextCell) {
        self.insert(next.arrival, input);
    }

    fn expect_stretch(&mut self, input: usize, next: NextCell, end: Time) {
        self.insert_stretch(next.arrival, input, end);
    }

    fn forget(&mut self, input: usize) {
        self.remove(input);
    }

    fn advance(&mut self, gate: &mut Gate<'_, '_>) {
        loop {
            let (now, input) = self.first();
            if gate.is_closed(now) {
                return;
            }
            if self.lazy > 0 {
                let output = gate.arrivals.train(input).output as usize;
                if gate.outputs.takes_stretches(output) {
                    self.settle_output(output, Until::before(now, input), gate);
                }
            }
            let next = gate.pass(now, input);
            self.remove_first();
            if let Some(next) = next {
                self.insert(next.arrival, input);
            }
        }
    }

    fn settle(&mut self, now: Time, output: usize, gate: &mut Gate<'_, '_>) {
        if self.lazy > 0 {
            self.settle_output(output, Until::through(now), gate);
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use proptest::prelude::*;

    use super::super::FabricSpec;
    use super::super::script::order;
    use super::*;

    proptest! {
        #[test]
        fn trains_of_any_rates_are_due_in_order_of_time_and_then_of_inputs(
            spacings in prop::collection::vec(1u64..9, 1..20),
            changes in prop::collection::vec(0u64..40, 200),
        ) {
            let mut due = Due::new(ByInput);
            let mut naive: Vec<(Time, usize)> = Vec::new();
            for input in 0..spacings.len() {
                due.insert(Time::from_ps(7), input);
                naive.push((Time::from_ps(7), input));
            }
            for (later, again) in changes.into_iter().zip(1usize..) {
                let next = *naive.iter().min().expect("a train");
                prop_assert_eq!(due.first(), next);
                let (now, input) = next;
                let then = now + Duration::from_ps(spacings[input]);
                due.remove_first();
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

    #[test]
    fn cells_leave_in_the_order_in_which_they_arrive() {
        let fabric = FabricSpec::Immediate(Immediate {});
        let left = order(&fabric, &[&[(13, 2)], &[(11, 2)], &[(30, 1)]]);
        assert_eq!(left, [(11, 1), (21, 0), (31, 1), (41, 0), (51, 2)]);
    }

    #[test]
    fn what_continues_a_train_goes_before_what_begins_one_and_low_inputs_before_high() {
        let fabric = FabricSpec::Immediate(Immediate {});
        let left = order(&fabric, &[&[(20, 1)], &[(10, 2)], &[(10, 2)]]);
        let inputs: Vec<u32> = left.iter().map(|(_, input)| *input).collect();
        assert_eq!(inputs, [1, 2, 1, 2, 0]);
    }
}
