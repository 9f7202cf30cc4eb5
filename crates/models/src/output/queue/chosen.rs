//! Several queues, served as a scheduler chooses.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::lists::{Lists, Spot, Taken};
use crate::cell::{CELL_OCTETS, Cell};
use crate::class::{ByClass, Class};
use crate::credit::{Allowance, Grants, Room};
use crate::metrics::{Backlog, Elapsed};
use crate::output::scheduler::{Division, Scheduler};
use crate::vc::Vc;

/// Octets of a cell, as schedulers count.
const CELL: u32 = CELL_OCTETS as u32;

/// The cells of one output, in several queues.
pub struct Chosen {
    scheduler: Box<dyn Scheduler>,
    division: Division,
    queues: Lists<Cell>,
    /// By virtual channel.
    places: Box<[Place]>,
    /// Credit of each virtual channel, where the link is controlled.
    grants: Option<Box<Grants>>,
    /// What goes before all others: credits and checks.
    urgent: VecDeque<Cell>,
    /// Queues that have a cell which may go, and cells that go before all others.
    ready: usize,
    waiting: u64,
    /// The same by class.
    by_class: ByClass<u64>,
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
                Division::Together => 0,
                Division::Channels => vc,
                Division::Classes => class.index() as u32,
            },
            class,
        });
        let queues = match division {
            Division::Together => 1,
            Division::Channels => classes.len(),
            Division::Classes => Class::ALL.len(),
        };
        Chosen {
            scheduler,
            division,
            queues: Lists::new(queues),
            places: places.collect(),
            grants: None,
            urgent: VecDeque::new(),
            ready: 0,
            waiting: 0,
            by_class: [0; Class::ALL.len()],
            free_at: Time::ZERO,
            told: Time::ZERO,
        }
    }

    /// From the start on, a cell goes only if the far end of the link has room for it.
    ///
    /// Each channel has a queue of its own: lowering sees to that.
    pub fn control(&mut self, room: Room) {
        self.grants = Some(Box::new(Grants::new(room, self.places.len())));
    }

    #[inline]
    fn is_open(&self, queue: usize) -> bool {
        let grants = self.grants.as_ref();
        grants.is_none_or(|grants| grants.is_open(queue))
    }

    /// Uses up the credit for a cell; whether there is more.
    #[inline]
    fn spend(&mut self, queue: usize) -> bool {
        let grants = self.grants.as_mut();
        grants.is_none_or(|grants| grants.spend(queue))
    }

    /// A credit arrives at `now`: so many cells of a channel have been forwarded.
    pub fn learn(&mut self, now: Time, vc: Vc, forwarded: u32) {
        if self.is_idle(now) {
            self.scheduler.idle();
        }
        let Some(grants) = &mut self.grants else {
            return;
        };
        grants.learn(vc.index(), forwarded, |queue| {
            if self.queues.count(queue) > 0 {
                self.scheduler.begin(queue, CELL);
                self.ready += 1;
                self.free_at = self.free_at.max(now);
            }
        });
    }

    /// Cells sent of a channel, unless the far end has told that it has forwarded them all.
    pub fn unsettled(&self, vc: Vc) -> Option<u32> {
        self.grants.as_ref()?.unsettled(vc.index())
    }

    /// What an observer may see of the credit of a channel, if the link is controlled.
    pub fn allowance(&self, vc: Vc) -> Option<Allowance> {
        let grants = self.grants.as_ref()?;
        Some(grants.allowance(vc.index()))
    }

    /// The credit of every channel, to be recorded, if the link is controlled.
    pub fn grants_mut(&mut self) -> Option<&mut Grants> {
        self.grants.as_deref_mut()
    }

    /// Takes in, at `now`, a cell that goes before all others; whether it starts at once.
    pub fn urge(&mut self, now: Time, cell: &Cell, cell_time: Duration) -> bool {
        if self.is_idle(now) {
            self.free_at = now + cell_time;
            return true;
        }
        self.urgent.push_back(*cell);
        self.ready += 1;
        self.waiting += 1;
        false
    }

    /// Whether nothing can go and nothing is being sent.
    fn is_idle(&self, now: Time) -> bool {
        self.next_service() == Time::NEVER && self.free_at <= now
    }

    /// Takes a cell in at `now`; whether it starts at once instead of waiting.
    pub fn accept(&mut self, now: Time, cell: &Cell, cell_time: Duration) -> bool {
        let Place { queue, class } = self.places[cell.vc.index()];
        let queue = queue as usize;
        let is_open = self.is_open(queue);
        if is_open && self.is_idle(now) {
            self.scheduler.pass(queue, CELL);
            self.spend(queue);
            self.free_at = now + cell_time;
            return true;
        }
        if self.queues.push(queue, cell, now) && is_open {
            self.scheduler.begin(queue, CELL);
            self.ready += 1;
        }
        self.waiting += 1;
        self.by_class[class.index()] += 1;
        false
    }

    /// When the link is free for a cell that may go, [`Time::NEVER`] if none may.
    #[inline]
    pub fn next_service(&self) -> Time {
        if self.ready > 0 {
            self.free_at
        } else {
            Time::NEVER
        }
    }

    /// Starts the cell that goes next, at `now`, which is [`Chosen::next_service`].
    pub fn serve(&mut self, now: Time, cell_time: Duration) -> Taken<Cell> {
        self.waiting -= 1;
        if let Some(cell) = self.urgent.pop_front() {
            self.ready -= 1;
            self.free_at = now + cell_time;
            return Taken::alone(cell, now);
        }
        let queue = self.scheduler.next().expect("a queue has a cell");
        let taken = self.queues.pop(queue);
        let more = self.spend(queue) && taken.more;
        self.scheduler.served(queue, more.then_some(CELL));
        self.ready -= usize::from(!more);
        let class = self.places[taken.unit.vc.index()].class;
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
        let leaves = self.next_of_queues(now) == Some(queue);
        self.queues.count(queue) - u64::from(leaves)
    }

    /// Cells of one class that wait at `now`.
    pub fn waiting_in(&self, class: Class, now: Time) -> u64 {
        let leaves = self
            .next_of_queues(now)
            .is_some_and(|queue| self.places[self.queues.first(queue).vc.index()].class == class);
        self.by_class[class.index()] - u64::from(leaves)
    }

    /// Cells that have not started, by class.
    pub fn held_by_class(&self) -> &ByClass<u64> {
        &self.by_class
    }

    /// The queue whose first cell starts at `now`, if one does.
    fn next_of_queues(&self, now: Time) -> Option<usize> {
        let is_next = self.next_service() <= now && self.urgent.is_empty();
        self.scheduler.next().filter(|_| is_next)
    }

    /// The service class of a channel.
    #[inline]
    pub fn class(&self, vc: Vc) -> Class {
        self.places[vc.index()].class
    }

    /// The numbers of the classes of which there are channels.
    pub fn classes(&self) -> Vec<usize> {
        let is_present = |class: &Class| self.places.iter().any(|place| place.class == *class);
        let present = Class::ALL.into_iter().filter(is_present);
        present.map(Class::index).collect()
    }

    /// Channels that have a queue of their own: all of them, or none.
    pub fn divided(&self) -> usize {
        match self.division {
            Division::Channels => self.places.len(),
            Division::Together | Division::Classes => 0,
        }
    }

    /// Whether all channels are in one queue.
    pub fn is_one(&self) -> bool {
        self.division == Division::Together
    }

    /// Where the last cell waits, of all that are in one queue.
    pub fn last_place(&self) -> u32 {
        self.queues.last_place(0)
    }

    /// Takes back a cell that waits among all in one queue, the last that is taken back to come.
    pub fn withdraw(&mut self, spot: Spot) -> Cell {
        let Taken { unit, more, .. } = self.queues.withdraw(0, spot);
        if !more {
            self.scheduler.served(0, None);
            self.ready -= 1;
        }
        self.waiting -= 1;
        self.by_class[self.class(unit.vc).index()] -= 1;
        unit
    }

    /// What has passed since this was last asked; to be asked before what waits changes.
    #[inline]
    pub fn elapsed(&mut self, now: Time) -> Elapsed {
        let told = std::mem::replace(&mut self.told, now);
        Elapsed {
            waited: u128::from(now.since(told).ps()) * u128::from(self.waiting),
            stalled: match self.grants {
                None => Duration::ZERO,
                Some(_) => self.stalled(told, now),
            },
        }
    }

    /// How long nothing could go since `told`, though something waited.
    fn stalled(&self, told: Time, now: Time) -> Duration {
        if self.waiting > 0 && self.next_service() == Time::NEVER {
            now.since(told.max(self.free_at).min(now))
        } else {
            Duration::ZERO
        }
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

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::cell::Kind;
    use crate::output::scheduler::{Channels, SchedulerSpec, Service};

    #[test]
    fn the_cell_that_starts_at_an_instant_waits_no_longer() {
        let classes = [Class::Ubr; 2];
        let spec: SchedulerSpec = understand(&value!({ round_robin = {} })).unwrap();
        let channels = Channels {
            classes: classes.into(),
        };
        let Service::Chosen {
            scheduler,
            division,
            ..
        } = spec.build(&channels)
        else {
            panic!("round robin chooses");
        };
        let mut queue = Chosen::new(scheduler, division, &classes);
        let cell_time = Duration::from_us(1);
        let [first, second] = [Vc(0), Vc(1)];
        let cell = |vc| Cell::telling(Kind::Data, vc, 0);
        for vc in [first, first, second] {
            queue.accept(Time::ZERO, &cell(vc), cell_time);
        }
        let waiting = |now| [first, second].map(|vc| queue.waiting_on(vc, now));
        assert_eq!(waiting(Time::ZERO), [1, 1]);
        assert_eq!(waiting(Time::ZERO + cell_time), [1, 0]);
        assert_eq!(queue.waiting(Time::ZERO + cell_time), 1);
    }
}
