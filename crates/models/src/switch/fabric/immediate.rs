//! Immediate fabric: a cell reaches its output the instant it arrives.
//!
//! Cells that arrive at the same instant move in this order: cells that continue a train, by input;
//! then cells that begin a train, by input. If ties are decided at random, each of the two groups
//! moves in random order.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Fabric, Gate, Inputs};
use crate::output::stretch::Middle;
use crate::switch::arrivals::{Arrivals, NextCell};
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

/// The time at which the next cell of each train arrives, in order of time; of equal times the
/// lowest input comes first, or a random one.
///
/// With links of equal rates the input that was served is the next time the last that is due, so a
/// search from the end of the ring finds its place in one step; with similar rates, in a few.
struct Due<R> {
    /// A ring whose number of places is a power of two, or zero.
    ring: Box<[Entry]>,
    /// Place of the first entry, and the number of entries.
    first: usize,
    count: usize,
    ranks: R,
    /// Time before which cells move one by one, since a stretch would not pay or has no closed
    /// form.
    one_by_one: Time,
    /// The cells of a stretch, kept so that nothing is allocated.
    middles: Vec<Middle>,
}

/// The number of spacings that a stretch is worth finding for.
const SHORTEST: u64 = 3;

/// A time, and in the bits below it the rank of an input at that time and the input.
type Entry = u128;

/// The input of an entry.
fn input_of(entry: Entry) -> usize {
    entry as u32 as usize
}

impl<R: Rank> Due<R> {
    fn new(ranks: R) -> Due<R> {
        Due {
            ring: Box::default(),
            first: 0,
            count: 0,
            ranks,
            one_by_one: Time::ZERO,
            middles: Vec::new(),
        }
    }

    /// Time at which the first entry is due, and its input; none for an empty ring.
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
        u128::from(time.ps()) << 64 | u128::from(rank) << 32 | input as u128
    }

    #[inline]
    fn place(&self, index: usize) -> usize {
        (self.first + index) & (self.ring.len() - 1)
    }

    #[inline]
    fn remove_first(&mut self) {
        self.first = self.place(1);
        self.count -= 1;
    }

    fn remove(&mut self, input: usize) {
        for index in self.find(input)..self.count - 1 {
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

    #[inline]
    fn insert(&mut self, arrival: Time, input: usize) {
        if self.count == self.ring.len() {
            self.grow();
        }
        self.count += 1;
        self.settle(self.count - 1, self.entry(arrival, input));
    }

    /// Moves an entry, which comes no later than the free place `index`, to its place in the order.
    #[inline]
    fn settle(&mut self, index: usize, next: Entry) {
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

    /// Moves the cells of a stretch that begins with the first entry, at `now`; returns false if
    /// cells must move one by one.
    ///
    /// A stretch ends before the last cell of any train, and before the fabric must stop. Its cells
    /// all go to one output: those to others concern that output in nothing.
    fn stretch(&mut self, now: Time, gate: &mut Gate<'_, '_>) -> bool {
        let Gate {
            arrivals, outputs, ..
        } = gate;
        let first = arrivals.train(input_of(self.ring[self.first]));
        let (output, spacing) = (first.output, first.spacing);
        let mut until = gate.out.through() + Duration::from_ps(1);
        self.one_by_one = until;
        let Some(port) = outputs.stretched(output as usize) else {
            return false;
        };
        until = until.min(port.looks_at());
        for index in 0..self.count {
            let input = input_of(self.ring[self.place(index)]);
            until = until.min(arrivals.train(input).end());
        }
        self.one_by_one = until;
        if until < now + spacing * SHORTEST {
            return false;
        }
        self.collect(output, until, arrivals)
            && port.offer_stretch(spacing, &mut self.middles)
            && self.skip(arrivals)
    }

    /// Collects the cells to `output` that arrive before `until`; returns false if the trains have
    /// different spacings.
    fn collect(&mut self, output: u32, until: Time, arrivals: &Arrivals) -> bool {
        self.middles.clear();
        let mut rounds = 0;
        let (mut first, mut spacing) = (Time::ZERO, Duration::ZERO);
        for index in 0..self.count {
            let input = input_of(self.ring[self.place(index)]);
            let train = arrivals.train(input);
            if train.output != output || train.arrival >= until {
                continue;
            }
            if rounds == 0 {
                (first, spacing) = (train.arrival, train.spacing);
                rounds = (until.just_before().since(first).ps() / spacing.ps().max(1) + 1) as u32;
            }
            if train.spacing != spacing || train.arrival > first + spacing {
                return false;
            }
            let last = train.arrival + spacing * u64::from(rounds - 1);
            let cells = if last < until { rounds } else { rounds - 1 };
            if cells > 0 {
                self.middles.push(Middle {
                    input,
                    arrival: train.arrival,
                    cells,
                    cell: train.cell,
                    accepted: false,
                });
            }
        }
        true
    }

    /// Removes the collected cells from the arrivals, and expects those behind them.
    fn skip(&mut self, arrivals: &mut Arrivals) -> bool {
        let collected = self.middles.len();
        // The entries of the other trains keep their order.
        let mut kept = self.count;
        let mut next = collected;
        for index in (0..self.count).rev() {
            let entry = self.ring[self.place(index)];
            if next > 0 && self.middles[next - 1].input == input_of(entry) {
                next -= 1;
            } else {
                kept -= 1;
                let place = self.place(kept);
                self.ring[place] = entry;
            }
        }
        self.first = self.place(collected);
        self.count -= collected;
        let rounds = self.middles[0].cells;
        // In order of the next cells: first those of the trains that moved one cell less.
        let fewer = self.middles.partition_point(|middle| middle.cells == rounds);
        for index in (fewer..collected).chain(0..fewer) {
            let Middle { input, cells, .. } = self.middles[index];
            let arrival = arrivals.skip(input, cells);
            self.insert(arrival, input);
        }
        true
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
        self.one_by_one = Time::ZERO;
        self.insert(next.arrival, input);
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
            if now >= self.one_by_one && self.stretch(now, gate) {
                continue;
            }
            let next = gate.pass(now, input);
            self.remove_first();
            if let Some(next) = next {
                self.insert(next.arrival, input);
            }
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
                // Another is spaced anew.
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
