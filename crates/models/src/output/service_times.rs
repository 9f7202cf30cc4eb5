//! The times at which the outputs of a node next act by themselves: our own sorted list.
//!
//! This file may be written for speed.

use std::collections::VecDeque;

use kernel::Time;

/// The outputs that have a unit to send or a check to make, in order of the time at which they next
/// act; of equal times, the lowest output comes first.
///
/// Our own design: a sorted list suffices, because few outputs of a switch have waiting cells at a
/// time, and outputs of equal rates act in turn, so an output that has acted joins the end of the
/// list.
#[derive(Clone, Debug)]
pub struct ServiceTimes {
    order: VecDeque<(Time, usize)>,
    /// Earliest time at which any output acts; [`Time::NEVER`] if none will act.
    // Kept apart from the list, because it is read before each cell that a fabric moves.
    next: Time,
    /// Time at which each output next acts; [`Time::NEVER`] if it will not.
    times: Box<[Time]>,
}

impl ServiceTimes {
    /// The service times of `ports` outputs; no output has one yet.
    pub fn new(ports: usize) -> ServiceTimes {
        ServiceTimes {
            order: VecDeque::new(),
            next: Time::NEVER,
            times: vec![Time::NEVER; ports].into(),
        }
    }

    /// Earliest time at which any output acts; [`Time::NEVER`] if none will act.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// The output that acts first, if it acts at `now`.
    #[inline]
    pub fn due(&self, now: Time) -> Option<usize> {
        let first = self.order.front().filter(|(time, _)| *time == now);
        first.map(|(_, port)| *port)
    }

    /// Sets the time at which an output acts.
    #[inline]
    pub fn set(&mut self, port: usize, time: Time) {
        if self.times[port] != time {
            self.change(port, time);
        }
    }

    /// Sets the time at which the first output acts again; it has just acted.
    #[inline]
    pub fn set_first(&mut self, port: usize, time: Time) {
        if self.order.len() == 1 && time < Time::NEVER {
            self.order[0].0 = time;
            self.times[port] = time;
            self.next = time;
        } else {
            self.change(port, time);
        }
    }

    #[inline(never)]
    fn change(&mut self, port: usize, time: Time) {
        let was = std::mem::replace(&mut self.times[port], time);
        if was < Time::NEVER {
            self.remove(port, was);
        }
        if time < Time::NEVER {
            self.insert(port, time);
        }
        let first = self.order.front();
        self.next = first.map_or(Time::NEVER, |(time, _)| *time);
    }

    #[inline]
    fn remove(&mut self, port: usize, was: Time) {
        match self.order.front() {
            Some((_, first)) if *first == port => {
                self.order.pop_front();
            }
            _ => self.remove_behind(port, was),
        }
    }

    #[cold]
    fn remove_behind(&mut self, port: usize, was: Time) {
        let index = self.order.binary_search(&(was, port));
        self.order
            .remove(index.expect("an output with a time is in the list"));
    }

    #[inline]
    fn insert(&mut self, port: usize, time: Time) {
        let next = (time, port);
        match self.order.back() {
            Some(last) if *last > next => self.insert_before_last(next),
            _ => self.order.push_back(next),
        }
    }

    #[inline(never)]
    fn insert_before_last(&mut self, next: (Time, usize)) {
        let index = self.order.partition_point(|other| *other < next);
        self.order.insert(index, next);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_the_first_output_and_no_other(
            ports in 1usize..20,
            changes in prop::collection::vec((0usize..20, 0u64..8), 1..60),
        ) {
            let mut services = ServiceTimes::new(ports);
            let mut times = vec![Time::NEVER; ports];
            for (port, time) in changes {
                let port = port % ports;
                times[port] = if time == 0 { Time::NEVER } else { Time::from_ps(time) };
                services.set(port, times[port]);
                let first = (0..ports).min_by_key(|one| times[*one]).expect("a port");
                let next = times[first];
                prop_assert_eq!(services.next(), next);
                prop_assert_eq!(services.due(next), (next < Time::NEVER).then_some(first));
                prop_assert_eq!(services.due(Time::ZERO), None);
            }
        }
    }
}
