//! Linked lists of waiting cells or packets.
//!
//! All lists of an output share one pool, which grows only when more units wait than ever before, so
//! that no cell allocates memory.

use std::iter::successors;

use kernel::Time;

use super::{Queued, UnitLength};

/// Lists of cells or packets, each first in, first out.
pub struct Lists<T: Queued> {
    measure: T::Measure,
    pool: Vec<Entry<T>>,
    /// First entry of the free list.
    free: u32,
    ends: Box<[List]>,
}

/// No entry.
const NONE: u32 = u32::MAX;

/// A cell or packet, and the entry that follows it.
#[derive(Clone, Copy)]
struct Entry<T> {
    unit: T,
    next: u32,
    /// Time at which the unit arrived.
    since: Time,
}

#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
    /// Total size of the units of the list: cells, or octets of memory.
    size: u64,
}

/// The position of a cell that may be withdrawn from the middle of its list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// Index of the entry of the pool that holds the cell.
    pub index: u32,
    /// The entry that preceded the cell when it was queued; the unit of that entry may have left
    /// since.
    pub before: u32,
}

/// A cell or packet that has been taken from its list.
#[derive(Clone, Copy)]
pub struct Taken<T> {
    /// The cell or packet.
    pub unit: T,
    /// Time at which the unit arrived.
    pub since: Time,
    /// True if the list has another unit.
    pub more: bool,
}

/// The first cell or packet of a list.
#[derive(Clone, Copy)]
pub struct QueueHead<'a, T> {
    /// The cell or packet.
    pub unit: &'a T,
    /// Time at which the unit arrived.
    pub since: Time,
}

impl<T> Taken<T> {
    /// A unit that never waited in a list.
    pub fn alone(unit: T, since: Time) -> Taken<T> {
        Taken {
            unit,
            since,
            more: false,
        }
    }
}

impl<T: Queued> Lists<T> {
    /// `count` empty lists of units with this measure.
    pub fn new(count: usize, measure: T::Measure) -> Lists<T> {
        let empty = List {
            first: NONE,
            last: NONE,
            size: 0,
        };
        Lists {
            measure,
            pool: Vec::new(),
            free: NONE,
            ends: vec![empty; count].into(),
        }
    }

    /// Appends a unit to a list; returns true if it is the only one.
    // Inlined: a call for each cell would cost as much as this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn push(&mut self, list: usize, unit: &T, now: Time) -> bool {
        let index = self.store(Entry {
            unit: *unit,
            next: NONE,
            since: now,
        });
        let list = &mut self.ends[list];
        let is_only = list.size == 0;
        if is_only {
            list.first = index;
        } else {
            self.pool[list.last as usize].next = index;
        }
        list.last = index;
        list.size += unit.space(self.measure);
        is_only
    }

    /// Removes the first unit of a list, which is not empty.
    pub fn pop(&mut self, list: usize) -> Taken<T> {
        let list = &mut self.ends[list];
        let index = list.first;
        let entry = &mut self.pool[index as usize];
        list.first = std::mem::replace(&mut entry.next, self.free);
        list.size -= entry.unit.space(self.measure);
        self.free = index;
        Taken {
            unit: entry.unit,
            since: entry.since,
            more: list.size > 0,
        }
    }

    /// The entry of the last unit of a list, which is not empty.
    pub fn last_index(&self, list: usize) -> u32 {
        self.ends[list].last
    }

    /// Removes a unit from the middle of a list. Units must be withdrawn in the reverse order of
    /// their arrival: the unit that preceded the withdrawn unit at its arrival then still precedes
    /// it, or has been sent.
    pub fn withdraw(&mut self, list: usize, spot: Spot) -> Taken<T> {
        let Spot { index, before } = spot;
        let list = &mut self.ends[list];
        let next = std::mem::replace(&mut self.pool[index as usize].next, self.free);
        if list.first == index {
            list.first = next;
        } else {
            self.pool[before as usize].next = next;
        }
        if list.last == index {
            list.last = before;
        }
        self.free = index;
        let entry = &self.pool[index as usize];
        list.size -= entry.unit.space(self.measure);
        Taken {
            unit: entry.unit,
            since: entry.since,
            more: list.size > 0,
        }
    }

    /// The first unit of a list, which is not empty.
    pub fn first(&self, list: usize) -> &T {
        &self.pool[self.ends[list].first as usize].unit
    }

    /// The first unit of a list, which is not empty, with its arrival.
    pub fn head(&self, list: usize) -> QueueHead<'_, T> {
        let entry = &self.pool[self.ends[list].first as usize];
        QueueHead {
            unit: &entry.unit,
            since: entry.since,
        }
    }

    /// The length of the first unit of a list, which is not empty.
    #[inline]
    pub fn first_length(&self, list: usize) -> UnitLength {
        T::fixed(self.measure).unwrap_or_else(|| self.first(list).length(self.measure))
    }

    /// The sum of `number` over the units of all lists.
    pub fn sum(&self, number: impl Fn(&T) -> u64) -> u64 {
        self.units().map(number).sum()
    }

    /// The units of all lists.
    pub fn units(&self) -> impl Iterator<Item = &T> {
        let entry = |index: u32| self.pool.get(index as usize);
        let filled = self.ends.iter().filter(|list| list.size > 0);
        let entries =
            filled.flat_map(move |list| successors(entry(list.first), move |one| entry(one.next)));
        entries.map(|one| &one.unit)
    }

    /// Number of lists.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The total size of the units of a list: cells, or octets of memory.
    pub fn size(&self, list: usize) -> u64 {
        self.ends[list].size
    }

    /// Stores `entry` in the pool; returns its index.
    fn store(&mut self, entry: Entry<T>) -> u32 {
        if self.free == NONE {
            self.pool.push(entry);
            return u32::try_from(self.pool.len() - 1).expect("fewer than 2^32 units wait");
        }
        let index = self.free;
        self.free = std::mem::replace(&mut self.pool[index as usize], entry).next;
        index
    }
}
