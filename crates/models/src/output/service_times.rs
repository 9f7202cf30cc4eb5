//! When the ports of a switch act by themselves.

use std::collections::VecDeque;

use kernel::Time;

/// Ports that have something to do, by when; of equal times the lower number comes first.
///
/// Hardly more than a few ports of a switch have cells waiting at a time, and those of one rate take
/// turns: the one that has acted goes to the end of the line.
#[derive(Clone, Debug)]
pub struct ServiceTimes {
    order: VecDeque<(Time, usize)>,
    /// Of every port, [`Time::NEVER`] if it has nothing to do.
    times: Box<[Time]>,
}

impl ServiceTimes {
    /// So many ports, with nothing to do.
    pub fn new(ports: usize) -> ServiceTimes {
        ServiceTimes {
            order: VecDeque::new(),
            times: vec![Time::NEVER; ports].into(),
        }
    }

    /// When the first of them acts, [`Time::NEVER`] if none will.
    #[inline]
    pub fn next(&self) -> Time {
        self.order.front().map_or(Time::NEVER, |(time, _)| *time)
    }

    /// The first of them, if it acts at `now`.
    #[inline]
    pub fn due(&self, now: Time) -> Option<usize> {
        let first = self.order.front().filter(|(time, _)| *time == now);
        first.map(|(_, port)| *port)
    }

    /// Gives a port another time.
    #[inline]
    pub fn set(&mut self, port: usize, time: Time) {
        if self.times[port] != time {
            self.change(port, time);
        }
    }

    /// Gives another time to the first of them, which has acted.
    #[inline]
    pub fn set_first(&mut self, port: usize, time: Time) {
        if self.order.len() == 1 && time < Time::NEVER {
            self.order[0].0 = time;
            self.times[port] = time;
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
        let place = self.order.binary_search(&(was, port));
        self.order
            .remove(place.expect("what has a time is in line"));
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
        let place = self.order.partition_point(|other| *other < next);
        self.order.insert(place, next);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_the_first_and_no_other(
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
