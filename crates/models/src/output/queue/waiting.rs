//! The waiting units of scheduled queues, as policies and meters read them.

use kernel::{Duration, Time};

use super::Queued;
use super::scheduled::ScheduledQueue;
use crate::metrics::{Backlog, Elapsed};
use crate::wire::class::{ByClass, Class};
use crate::wire::vc::Vc;

impl<U: Queued> ScheduledQueue<U> {
    /// Units that wait at `now`, without a unit that starts at `now`.
    #[inline]
    pub fn waiting(&self, now: Time) -> u64 {
        match U::fixed(self.measure) {
            Some(length) => self.waiting - length.space * u64::from(self.next_service() <= now),
            None => {
                self.waiting
                    - self
                        .starting(now)
                        .map_or(0, |unit| unit.space(self.measure))
            }
        }
    }

    /// Units of a VC that wait at `now`, if each VC has a queue of its own.
    pub fn waiting_on(&self, vc: Vc, now: Time) -> u64 {
        self.waiting_of(vc.index(), now)
    }

    /// Units of a queue that wait at `now`.
    pub fn waiting_of(&self, queue: usize, now: Time) -> u64 {
        let leaves = self.next_of_queues(now) == Some(queue);
        self.queues.size(queue) - self.first_size(queue, leaves)
    }

    /// Units of a class that wait at `now`.
    pub fn waiting_in(&self, class: Class, now: Time) -> u64 {
        let first = self
            .next_of_queues(now)
            .map(|queue| self.queues.first(queue));
        let leaves = first.filter(|unit| self.class(unit.vc()) == class);
        self.by_class[class.index()] - leaves.map_or(0, |unit| unit.space(self.measure))
    }

    /// Size of the first unit of a queue, or zero if `leaves` is false.
    fn first_size(&self, queue: usize, leaves: bool) -> u64 {
        if leaves {
            self.queues.first_length(queue).space
        } else {
            0
        }
    }

    /// Units that have not started, by class.
    pub fn queued_by_class(&self) -> &ByClass<u64> {
        &self.by_class
    }

    /// The queue whose first unit starts at `now`, if there is one.
    fn next_of_queues(&self, now: Time) -> Option<usize> {
        let is_next = self.next_service() <= now && self.urgent.is_empty() && !self.control_waits;
        self.scheduler.next().filter(|_| is_next)
    }

    /// The unit that starts at `now`, if there is one.
    fn starting(&self, now: Time) -> Option<&U> {
        if self.next_service() > now || self.control_waits {
            return None;
        }
        let queue = || self.scheduler.next().map(|queue| self.queues.first(queue));
        self.urgent.front().or_else(queue)
    }

    /// The waiting and the stalled time since the last call. The caller must report them before the
    /// queue changes.
    #[inline]
    pub fn elapsed(&mut self, now: Time) -> Elapsed {
        let since = std::mem::replace(&mut self.counted_until, now);
        Elapsed {
            waited: u128::from(now.since(since).ps()) * u128::from(self.waiting),
            stalled: match self.gate.as_deref() {
                Some(gate) if gate.needs_credit() => self.stalled(since, now),
                _ => Duration::ZERO,
            },
        }
    }

    /// Time after `since` in which units waited and none could be sent for want of credit.
    fn stalled(&self, since: Time, now: Time) -> Duration {
        if self.waiting > 0 && self.next_service() == Time::NEVER {
            now.since(since.max(self.start_at).min(now))
        } else {
            Duration::ZERO
        }
    }

    /// Units that have not started.
    pub fn queued(&self) -> u64 {
        self.waiting
    }

    /// Cells or packets that have not started, credits and check cells included.
    pub fn unstarted(&self) -> u64 {
        self.queues.sum(|_| 1) + self.urgent.len() as u64
    }

    /// Units that have not started, as meters count them: cells, or octets on the wire.
    pub fn counted(&self) -> u64 {
        self.queues.sum(U::size) + self.urgent.iter().map(U::size).sum::<u64>()
    }

    /// Octets on the wire of waiting packets that take `space` in the buffer.
    pub fn in_octets(&self, space: u64) -> u64 {
        if U::is_sent_as_stored(self.measure) {
            space
        } else {
            self.counted()
        }
    }

    /// Units of a class that have not started.
    pub fn queued_in(&self, class: Class) -> u64 {
        self.by_class[class.index()]
    }

    /// Octets of the unit that starts at `now`, if one does.
    pub fn starting_octets(&self, now: Time) -> Option<u32> {
        Some(self.starting(now)?.length(self.measure).octets)
    }

    /// Transmission time of the unit that starts at `now`, if one does.
    pub fn starts(&self, now: Time, pace: U::Pace) -> Option<Duration> {
        Some(self.starting(now)?.time(pace))
    }

    /// The waiting units and the transmission in progress at `now`. The remaining waiting times of
    /// the units are not known.
    pub fn backlog(&self, now: Time, pace: U::Pace) -> Backlog {
        let serving = match self.starting(now) {
            Some(unit) => unit.time(pace),
            None => self.start_at.since(now),
        };
        let queue = self.waiting(now);
        Backlog {
            waiting: if U::is_sent_as_stored(self.measure) {
                queue
            } else {
                self.counted() - self.starting(now).map_or(0, U::size)
            },
            queue,
            rest: 0,
            serving,
        }
    }
}
