//! The first units of scheduled queues, which a policy may drop before they start: RFC 8289, section
//! 5.5, and RFC 8290, section 4.1.

use std::cmp::Reverse;

use super::lists::QueueHead;
use super::queued::Queued;
use super::scheduled::ScheduledQueue;

impl<U: Queued> ScheduledQueue<U> {
    /// The queue whose first unit is sent next, and this unit; none if a credit or a check cell goes
    /// before all queues.
    pub fn head(&self) -> Option<(usize, QueueHead<'_, U>)> {
        let queue = self
            .scheduler
            .next()
            .filter(|_| self.urgent.is_empty() && !self.control_waits)?;
        Some((queue, self.queues.head(queue)))
    }

    /// Units of a queue that have not started.
    pub fn size_of(&self, queue: usize) -> u64 {
        self.queues.size(queue)
    }

    /// The longest queue, the first of several.
    pub fn longest(&self) -> usize {
        let sizes = (0..self.queues.count()).map(|queue| (self.queues.size(queue), Reverse(queue)));
        let (_, Reverse(longest)) = sizes.max().expect("an output has a queue");
        longest
    }

    /// The first unit of a queue, if others wait behind it.
    pub fn first_of_several(&self, queue: usize) -> Option<U> {
        let size = self.queues.size(queue);
        let several = size > 0 && size > self.queues.first_length(queue).space;
        several.then(|| *self.queues.first(queue))
    }

    /// Removes the first unit of a queue, without sending it. Only some schedulers drop from a queue
    /// that is not next.
    pub fn discard_first(&mut self, queue: usize) -> U {
        let taken = self.queues.pop(queue);
        let more = taken.more && self.opens_for_first(queue);
        let next = more.then(|| self.queues.first_length(queue).octets);
        self.scheduler.dropped(queue, next);
        self.ready -= usize::from(!more);
        let (unit, class) = (taken.unit, self.class(taken.unit.vc()));
        let size = unit.space(self.measure);
        self.waiting -= size;
        self.by_class[class.index()] -= size;
        unit
    }
}
