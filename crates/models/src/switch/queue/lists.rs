//! Lists of cells that wait.
//!
//! All lists of an output are threaded through one pool, so that nothing is allocated once the
//! output has held as many cells as it ever will.

use kernel::Time;

use crate::cell::Cell;

/// Lists of cells, each first in, first out.
pub struct Lists {
    pool: Vec<Entry>,
    /// The first of the entries that are free, which are threaded as lists are.
    free: u32,
    ends: Box<[List]>,
}

/// No entry.
const NONE: u32 = u32::MAX;

/// A cell, and the entry that follows it.
#[derive(Clone, Copy)]
struct Entry {
    cell: Cell,
    next: u32,
    /// When it came.
    since: Time,
}

#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
    cells: u32,
}

/// A cell that has been taken from its list.
#[derive(Clone, Copy)]
pub struct Taken {
    /// The cell.
    pub cell: Cell,
    /// When it came.
    pub since: Time,
    /// Whether another is in that list.
    pub more: bool,
}

impl Taken {
    /// A cell that was in no list.
    pub fn alone(cell: Cell, since: Time) -> Taken {
        Taken {
            cell,
            since,
            more: false,
        }
    }
}

impl Lists {
    /// So many empty lists.
    pub fn new(count: usize) -> Lists {
        let empty = List {
            first: NONE,
            last: NONE,
            cells: 0,
        };
        Lists {
            pool: Vec::new(),
            free: NONE,
            ends: vec![empty; count].into(),
        }
    }

    /// Adds a cell to a list; whether it is the only one in it.
    pub fn push(&mut self, list: usize, cell: &Cell, now: Time) -> bool {
        let place = self.place(Entry {
            cell: *cell,
            next: NONE,
            since: now,
        });
        let list = &mut self.ends[list];
        if list.cells == 0 {
            list.first = place;
        } else {
            self.pool[list.last as usize].next = place;
        }
        list.last = place;
        list.cells += 1;
        list.cells == 1
    }

    /// Takes the first cell of a list, which has one.
    pub fn pop(&mut self, list: usize) -> Taken {
        let list = &mut self.ends[list];
        let place = list.first;
        let entry = &mut self.pool[place as usize];
        list.first = std::mem::replace(&mut entry.next, self.free);
        list.cells -= 1;
        self.free = place;
        Taken {
            cell: entry.cell,
            since: entry.since,
            more: list.cells > 0,
        }
    }

    /// The first cell of a list that has one.
    pub fn first(&self, list: usize) -> &Cell {
        &self.pool[self.ends[list].first as usize].cell
    }

    /// Number of cells in a list.
    pub fn cells(&self, list: usize) -> u64 {
        u64::from(self.ends[list].cells)
    }

    /// A free place in the pool, with `entry` in it.
    fn place(&mut self, entry: Entry) -> u32 {
        if self.free == NONE {
            self.pool.push(entry);
            return u32::try_from(self.pool.len() - 1).expect("fewer than 2^32 cells wait");
        }
        let place = self.free;
        self.free = std::mem::replace(&mut self.pool[place as usize], entry).next;
        place
    }
}
