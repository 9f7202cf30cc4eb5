//! Several queues, served as a scheduler chooses.

use kernel::{Duration, Time};

use super::lists::{Lists, Taken};
use crate::cell::Cell;
use crate::class::Class;
use crate::metrics::Backlog;
use crate::switch::scheduler::{Division, Scheduler};
use crate::vc::Vc;

/// The cells of one output, in several queues.
pub struct Chosen {
    scheduler: Box<dyn Scheduler>,
    division: Division,
    queues: Lists,
    /// By virtual channel.
    places: Box<[Place]>,
    waiting: u64,
    /// The same by class.
    by_class: [u64; Class::ALL.len()],
    /// When the last cell that was chosen has been sent.
    free_at: Time,
    /// Until when it has been told how long cells waited.
    told: Time,
}

/// Where the cells of a virtual channel wait.
#[derive(Clone, Copy)]
struct Place {
    queue: u32,
    class: Class,
}

impl Chosen {
    /// Empty queues for virtual channels of these classes.
    pub fn new(scheduler: Box<dyn Scheduler>, division: Division, classes: &[Class]) -> Chosen {
        let places = (0u32..).zip(classes).map(|(vc, &class)| Place {
            queue: match division {
                Division::Channels => vc,
                Division::Classes => class.index() as u32,
            },
            class,
        });
        let queues = match division {
            Division::Channels => classes.len(),
            Division::Classes => Class::ALL.len(),
        };
        Chosen {
            scheduler,
            division,
            queues: Lists::new(queues),
            places: places.collect(),
            waiting: 0,
            by_class: [0; Class::ALL.len()],
            free_at: Time::ZERO,
            told: Time::ZERO,
        }
    }

    /// Takes a cell in at `now`; whether it starts at once instead of waiting.
    pub fn accept(&mut self, now: Time, cell: &Cell, cell_time: Duration) -> bool {
        let Place { queue, class } = self.places[cell.vc.index()];
        let queue = queue as usize;
        if self.waiting == 0 && self.free_at <= now {
            self.scheduler.begin(queue);
            self.scheduler.served(queue, false);
            self.free_at = now + cell_time;
            return true;
        }
        if self.queues.push(queue, cell, now) {
            self.scheduler.begin(queue);
        }
        self.waiting += 1;
        self.by_class[class.index()] += 1;
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

    /// Starts the cell that goes next, at `now`, which is [`Chosen::next_service`].
    pub fn serve(&mut self, now: Time, cell_time: Duration) -> Taken {
        let queue = self.scheduler.next().expect("a queue has a cell");
        let taken = self.queues.pop(queue);
        self.scheduler.served(queue, taken.more);
        self.waiting -= 1;
        let class = self.places[taken.cell.vc.index()].class;
        self.by_class[class.index()] -= 1;
        self.free_at = now + cell_time;
        taken
    }

    /// Cells that wait at `now`: the one that starts at `now` has left the buffer.
    #[inline]
    pub fn waiting(&self, now: Time) -> u64 {
        self.waiting - u64::from(self.next_service() <= now)
    }

    /// Cells of one channel that wait at `now`, where each channel has a queue of its own.
    pub fn waiting_on(&self, vc: Vc, now: Time) -> u64 {
        let queue = vc.index();
        let leaves = self.next_service() <= now && self.scheduler.next() == Some(queue);
        self.queues.cells(queue) - u64::from(leaves)
    }

    /// Cells of one class that wait at `now`.
    pub fn waiting_in(&self, class: Class, now: Time) -> u64 {
        let leaves = self.next_service() <= now && {
            let queue = self.scheduler.next().expect("a queue has a cell");
            self.places[self.queues.first(queue).vc.index()].class == class
        };
        self.by_class[class.index()] - u64::from(leaves)
    }

    /// Channels that have a queue of their own: all of them, or none.
    pub fn divided(&self) -> usize {
        match self.division {
            Division::Channels => self.places.len(),
            Division::Classes => 0,
        }
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

    /// Cells of one class that have not started.
    pub fn held_in(&self, class: Class) -> u64 {
        self.by_class[class.index()]
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
}
