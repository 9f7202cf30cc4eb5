//! The order of arrival among the priorities of a link that may be paused: of those that are not
//! paused, the unit that arrived first leaves first. Our own choice: a link that is never paused then
//! sends in the order of `fifo`.

use std::collections::VecDeque;

use super::Scheduler;
use crate::wire::priority::{ByPriority, Priority, PrioritySet};

/// The queues of the priorities, each with the number of its priority.
#[derive(Default)]
pub struct ByArrival {
    /// The numbers of the waiting units of each queue, in the order of all units.
    waiting: ByPriority<VecDeque<u64>>,
    /// Number of units that have waited.
    arrived: u64,
    /// The queues that are not paused and not empty.
    begun: PrioritySet,
}

impl ByArrival {
    fn set(&mut self, queue: usize, has_begun: bool) {
        let priority = Priority::all().nth(queue);
        let priority = priority.expect("each queue has a priority");
        self.begun.set(priority, has_begun);
    }
}

impl Scheduler for ByArrival {
    fn begin(&mut self, queue: usize, _first: u32) {
        self.set(queue, true);
    }

    fn next(&self) -> Option<usize> {
        let queues = self.begun.iter().map(Priority::index);
        // A unit that begins before its wait is told of is the last that arrived.
        queues.min_by_key(|queue| *self.waiting[*queue].front().unwrap_or(&u64::MAX))
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        self.waiting[queue].pop_front();
        self.set(queue, next.is_some());
    }

    fn withdraw(&mut self, queue: usize) {
        self.set(queue, false);
    }

    fn wait(&mut self, queue: usize) {
        self.waiting[queue].push_back(self.arrived);
        self.arrived += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The queues in the order in which all units leave.
    fn order(scheduler: &mut ByArrival, mut left: [u32; Priority::COUNT]) -> Vec<usize> {
        let mut order = Vec::new();
        while let Some(queue) = scheduler.next() {
            left[queue] -= 1;
            scheduler.served(queue, (left[queue] > 0).then_some(100));
            order.push(queue);
        }
        order
    }

    /// A scheduler to which units of these queues come.
    fn of(queues: &[usize]) -> (ByArrival, [u32; Priority::COUNT]) {
        let mut scheduler = ByArrival::default();
        let mut left = [0; Priority::COUNT];
        for queue in queues {
            if left[*queue] == 0 {
                scheduler.begin(*queue, 100);
            }
            scheduler.wait(*queue);
            left[*queue] += 1;
        }
        (scheduler, left)
    }

    #[test]
    fn units_leave_in_order_of_arrival_whatever_their_priorities() {
        let (mut scheduler, left) = of(&[3, 0, 3, 7, 0]);
        assert_eq!(order(&mut scheduler, left), [3, 0, 3, 7, 0]);
    }

    #[test]
    fn a_withdrawn_queue_keeps_its_place() {
        let (mut scheduler, left) = of(&[3, 0, 3, 0]);
        scheduler.withdraw(3);
        assert_eq!(scheduler.next(), Some(0));
        scheduler.served(0, Some(100));
        scheduler.begin(3, 100);
        assert_eq!(order(&mut scheduler, [1, 0, 0, 2, 0, 0, 0, 0]), [3, 3, 0]);
        assert_eq!(left[3], 2);
    }

    #[test]
    fn a_unit_that_starts_at_once_leaves_no_trace() {
        let mut scheduler = ByArrival::default();
        scheduler.pass(5, 100);
        assert_eq!(scheduler.next(), None);
    }
}
