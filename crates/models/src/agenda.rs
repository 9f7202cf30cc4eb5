//! An event list: the next timer of each owner, in a heap whose entries may be outdated. The owners
//! are the ends of flows at a host, or the connections of one end.
//!
//! A retransmission timer moves with every acknowledgment and almost never fires. An owner
//! therefore gets a new entry only if its next event becomes earlier than its present entry; an
//! entry that is due too early is replaced by one at the time of the owner's next event. Our own
//! rule, because an entry for each move of a timer would cost more than the few outdated entries.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::Time;

/// Timers, earliest first, each with its owner.
#[derive(Clone, Debug)]
pub enum Agenda {
    /// The time of the entry of the only owner, which needs no heap; [`Time::NEVER`] if there is
    /// none.
    Single(Time),
    /// Any number of owners.
    // Boxed: most hosts have a single owner, and stay small.
    Several(Box<Entries>),
}

/// The entries of several owners.
#[derive(Clone, Debug)]
pub struct Entries {
    heap: BinaryHeap<Reverse<(Time, usize)>>,
    /// The earliest entry of each owner on the heap.
    armed: Box<[Time]>,
    /// Number of pushes and pops of the heap.
    operations: u64,
}

impl Agenda {
    /// An agenda with an entry for each owner's time, unless the time is [`Time::NEVER`].
    pub fn new(times: impl Iterator<Item = Time>) -> Agenda {
        let armed: Box<[Time]> = times.collect();
        if let [time] = *armed {
            return Agenda::Single(time);
        }
        let owners = armed.iter().copied().zip(0..);
        let mut heap: BinaryHeap<_> = owners
            .filter(|(time, _)| *time < Time::NEVER)
            .map(Reverse)
            .collect();
        heap.shrink_to_fit();
        Agenda::Several(Box::new(Entries {
            operations: heap.len() as u64,
            heap,
            armed,
        }))
    }

    /// Adds `owner`, and those before it, unless they are known.
    pub fn add_owner(&mut self, owner: usize) {
        match self {
            Agenda::Single(_) if owner == 0 => {}
            Agenda::Single(time) => {
                let times = [*time, Time::NEVER];
                *self = Agenda::new(times.into_iter());
                self.add_owner(owner);
            }
            Agenda::Several(entries) => entries.add_owner(owner),
        }
    }

    /// Time of the first entry, which may be out of date.
    #[inline]
    pub fn next(&self) -> Time {
        match self {
            Agenda::Single(time) => *time,
            Agenda::Several(entries) => entries.next(),
        }
    }

    /// Makes sure that `owner` has an entry at `time` or before.
    #[inline]
    pub fn arm(&mut self, owner: usize, time: Time) {
        match self {
            Agenda::Single(entry) => *entry = time.min(*entry),
            Agenda::Several(entries) => entries.arm(owner, time),
        }
    }

    /// The next owner whose entry is due at `now`: the one with the earliest entry; of equal times, the
    /// one with the lowest number.
    #[inline]
    pub fn pop(&mut self, now: Time) -> Option<usize> {
        match self {
            Agenda::Single(time) if *time <= now => {
                *time = Time::NEVER;
                Some(0)
            }
            Agenda::Single(_) => None,
            Agenda::Several(entries) => entries.pop(now),
        }
    }

    /// Number of pushes and pops of the heap, for benchmarks.
    pub fn operations(&self) -> u64 {
        match self {
            Agenda::Single(_) => 0,
            Agenda::Several(entries) => entries.operations,
        }
    }
}

impl Entries {
    fn add_owner(&mut self, owner: usize) {
        if owner >= self.armed.len() {
            let mut armed = std::mem::take(&mut self.armed).into_vec();
            armed.resize((owner + 1).next_power_of_two(), Time::NEVER);
            self.armed = armed.into();
        }
    }

    fn next(&self) -> Time {
        self.heap
            .peek()
            .map_or(Time::NEVER, |Reverse((time, _))| *time)
    }

    fn arm(&mut self, owner: usize, time: Time) {
        if time < self.armed[owner] {
            self.armed[owner] = time;
            self.operations += 1;
            self.heap.push(Reverse((time, owner)));
        }
    }

    fn pop(&mut self, now: Time) -> Option<usize> {
        while let Some(Reverse((time, owner))) = self.heap.peek().copied()
            && time <= now
        {
            self.operations += 1;
            self.heap.pop();
            if self.armed[owner] == time {
                self.armed[owner] = Time::NEVER;
                return Some(owner);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ps: u64) -> Time {
        Time::from_ps(ps)
    }

    #[test]
    fn calls_each_owner_once_at_the_earliest_instant() {
        let mut agenda = Agenda::new([at(20), at(30), Time::NEVER].into_iter());
        assert_eq!(agenda.operations(), 2);
        agenda.arm(1, at(10));
        agenda.arm(1, at(40));
        assert_eq!(agenda.next(), at(10));
        assert_eq!(agenda.pop(at(10)), Some(1));
        assert_eq!(agenda.pop(at(10)), None);
        assert_eq!(agenda.pop(at(50)), Some(0));
        assert_eq!(agenda.pop(at(50)), None);
        assert_eq!(agenda.next(), Time::NEVER);
    }

    #[test]
    fn calls_a_single_owner_as_one_of_several() {
        let mut single = Agenda::new([at(20)].into_iter());
        single.arm(0, at(10));
        single.arm(0, at(40));
        assert_eq!(single.next(), at(10));
        assert_eq!(single.pop(at(9)), None);
        assert_eq!(single.pop(at(10)), Some(0));
        assert_eq!(single.pop(at(50)), None);
        single.arm(0, at(60));
        single.add_owner(0);
        assert_eq!(single.operations(), 0);
        single.add_owner(2);
        single.arm(2, at(55));
        assert_eq!(single.pop(at(60)), Some(2));
        assert_eq!(single.pop(at(60)), Some(0));
        assert_eq!(single.pop(at(60)), None);
    }

    #[test]
    fn of_equal_times_the_lowest_number_is_first() {
        let mut agenda = Agenda::new([Time::NEVER; 3].into_iter());
        for owner in [2, 0, 1] {
            agenda.arm(owner, at(50));
        }
        let order: Vec<usize> = std::iter::from_fn(|| agenda.pop(at(50))).collect();
        assert_eq!(order, [0, 1, 2]);
    }
}
