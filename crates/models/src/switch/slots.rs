//! The slots of a fabric that keeps queues at its inputs, and the cells that join them at the end of
//! the slot in which they arrive.
//!
//! A cell that arrives exactly at the end of a slot waits for the end of the next, because a node's
//! own events come before the arrivals of the same instant.

use kernel::{Duration, Time};

use super::arrivals::NextCell;
use super::crossing::Crossing;
use crate::wire::cell::Cell;

/// The slots, and the next cell of each input.
pub struct Slots {
    slot: Duration,
    /// The next cell of each input, which has not joined a queue.
    heads: Box<[Option<NextCell>]>,
    /// Earliest arrival of the cells in `heads`.
    next_arrival: Time,
    /// The last end of a slot at which cells joined queues or moved.
    last: Time,
}

impl Slots {
    /// Slots of this length, and so many inputs.
    pub fn new(slot: Duration, inputs: usize) -> Slots {
        Slots {
            slot,
            heads: vec![None; inputs].into(),
            next_arrival: Time::NEVER,
            last: Time::ZERO,
        }
    }

    /// Length of a slot.
    pub fn length(&self) -> Duration {
        self.slot
    }

    /// The next end of a slot at which cells join queues or move; `any_waits` is true if a cell is in
    /// a queue.
    pub fn next_wake(&self, any_waits: bool) -> Time {
        if any_waits {
            return self.last + self.slot;
        }
        if self.next_arrival == Time::NEVER {
            return Time::NEVER;
        }
        self.end_of(self.next_arrival)
    }

    /// Expects the next cell of an input that has no expected cell.
    pub fn expect(&mut self, input: usize, next: NextCell) {
        self.heads[input] = Some(next);
        self.next_arrival = self.next_arrival.min(next.arrival);
    }

    /// Cancels the expected cell of an input.
    pub fn forget(&mut self, input: usize) {
        self.heads[input] = None;
        self.find_next_arrival();
    }

    /// A slot ends at `now`. Returns true if cells arrived in it; the fabric then takes all of them,
    /// and calls [`Slots::find_next_arrival`].
    pub fn end(&mut self, now: Time) -> bool {
        self.last = now;
        self.next_arrival < now
    }

    /// Takes the next cell of an input that arrived before `now`, with its arrival and its output.
    pub fn take(
        &mut self,
        input: usize,
        now: Time,
        crossing: &mut Crossing<'_, '_>,
    ) -> Option<(Cell, NextCell)> {
        let head = self.heads[input].filter(|head| head.arrival < now)?;
        let (cell, next) = crossing.take(input);
        self.heads[input] = next;
        Some((cell, head))
    }

    /// Looks for the earliest arrival, after cells have been taken.
    pub fn find_next_arrival(&mut self) {
        let arrivals = self.heads.iter().flatten().map(|head| head.arrival);
        self.next_arrival = arrivals.min().unwrap_or(Time::NEVER);
    }

    /// Time for which a cell has waited at `now`, from the end of the slot in which it arrived.
    pub fn waited(&self, arrival: Time, now: Time) -> Duration {
        now.since(self.end_of(arrival))
    }

    /// The end of the slot in which a cell arrives.
    fn end_of(&self, arrival: Time) -> Time {
        let slots = arrival.ps() / self.slot.ps() + 1;
        Time::from_ps(slots * self.slot.ps())
    }
}
