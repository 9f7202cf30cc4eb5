//! A queue for each virtual channel, served as a scheduler chooses.
//!
//! All queues of an output are threaded through one pool, so that nothing is allocated once the
//! output has held as many cells as it ever will.

use kernel::{Duration, Time};

use crate::cell::Cell;
use crate::metrics::Backlog;
use crate::switch::scheduler::Scheduler;
use crate::vc::Vc;

/// The cells of one output, by virtual channel.
pub struct PerVc {
    scheduler: Box<dyn Scheduler>,
    pool: Vec<Entry>,
    /// The first of the entries that are free, which are threaded as queues are.
    free: u32,
    queues: Vec<Queue>,
    waiting: u64,
    /// When the last cell that was chosen has been sent.
    free_at: Time,
    /// Until when it has been told how long cells waited.
    told: Time,
}

/// No entry.
const NONE: u32 = u32::MAX;

/// A cell, and the entry that follows it.
#[derive(Clone, Copy)]
struct Entry {
    cell: Cell,
    next: u32,
}

#[derive(Clone, Copy)]
struct Queue {
    first: u32,
    last: u32,
    cells: u32,
}

impl PerVc {
    /// Empty queues for `vcs` virtual channels.
    pub fn new(scheduler: Box<dyn Scheduler>, vcs: usize) -> PerVc {
        let empty = Queue {
            first: NONE,
            last: NONE,
            cells: 0,
        };
        PerVc {
            scheduler,
            pool: Vec::new(),
            free: NONE,
            queues: vec![empty; vcs],
            waiting: 0,
            free_at: Time::ZERO,
            told: Time::ZERO,
        }
    }

    /// Takes a cell in at `now`; whether it starts at once instead of waiting.
    pub fn accept(&mut self, now: Time, cell: &Cell, cell_time: Duration) -> bool {
        if self.waiting == 0 && self.free_at <= now {
            self.scheduler.begin(cell.vc);
            self.scheduler.served(cell.vc, false);
            self.free_at = now + cell_time;
            return true;
        }
        self.push(cell);
        false
    }

    /// When the link is free for a cell that waits, [`Time::NEVER`] if none does.
    #[inline]
    pub fn next_service(&self) -> Time {
        if self.waiting > 0 {
            self.free_at
        } else {
            Time::NEVER
        }
    }

    /// Starts the cell that goes next, at `now`, which is [`PerVc::next_service`].
    pub fn serve(&mut self, now: Time, cell_time: Duration) -> Cell {
        let vc = self.scheduler.next().expect("a channel has a cell");
        let cell = self.pop(vc);
        let more = self.queues[vc.index()].cells > 0;
        self.scheduler.served(vc, more);
        self.free_at = now + cell_time;
        cell
    }

    /// Cells that wait at `now`: the one that starts at `now` has left the buffer.
    #[inline]
    pub fn waiting(&self, now: Time) -> u64 {
        self.waiting - u64::from(self.next_service() <= now)
    }

    /// Cells of one channel that wait at `now`.
    pub fn waiting_on(&self, vc: Vc, now: Time) -> u64 {
        let leaves = self.next_service() <= now && self.scheduler.next() == Some(vc);
        u64::from(self.queues[vc.index()].cells) - u64::from(leaves)
    }

    /// Number of channels.
    pub fn vcs(&self) -> usize {
        self.queues.len()
    }

    /// How long cells waited since this was last asked, all together, in picoseconds; to be asked
    /// before what waits changes.
    pub fn waited(&mut self, now: Time) -> u128 {
        let span = now.since(self.told);
        self.told = now;
        u128::from(span.ps()) * u128::from(self.waiting)
    }

    /// Cells that have not started.
    pub fn held(&self) -> u64 {
        self.waiting
    }

    /// What is there at `now`. How long it will wait is not known.
    pub fn backlog(&self, now: Time, cell_time: Duration) -> Backlog {
        let serving = if self.next_service() <= now {
            cell_time
        } else {
            self.free_at.since(now)
        };
        Backlog {
            waiting: self.waiting(now),
            rest: 0,
            serving,
        }
    }

    fn push(&mut self, cell: &Cell) {
        let entry = Entry {
            cell: *cell,
            next: NONE,
        };
        let place = if self.free == NONE {
            self.pool.push(entry);
            u32::try_from(self.pool.len() - 1).expect("fewer than 2^32 cells wait")
        } else {
            let place = self.free;
            self.free = std::mem::replace(&mut self.pool[place as usize], entry).next;
            place
        };
        let queue = &mut self.queues[cell.vc.index()];
        if queue.cells == 0 {
            queue.first = place;
            self.scheduler.begin(cell.vc);
        } else {
            self.pool[queue.last as usize].next = place;
        }
        queue.last = place;
        queue.cells += 1;
        self.waiting += 1;
    }

    fn pop(&mut self, vc: Vc) -> Cell {
        let queue = &mut self.queues[vc.index()];
        let place = queue.first;
        let entry = &mut self.pool[place as usize];
        queue.first = std::mem::replace(&mut entry.next, self.free);
        queue.cells -= 1;
        self.free = place;
        self.waiting -= 1;
        entry.cell
    }
}
