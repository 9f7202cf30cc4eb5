//! Arrivals of a closed loop: each of several users opens a connection, waits until it is
//! completed, thinks, and opens the next.
//!
//! The finite population of Kleinrock, "Queueing Systems", volume 2, 1976, section 4.12. That a
//! user whose connection is refused thinks again is ours.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::{Stream, Time};
use parameters::{RandomTime, parameters};

use super::{Arrivals, ArrivalsKind, Opening};

parameters! {
    /// Users who each wait for the completion of a connection, and think before the next.
    pub struct Closed {
        /// Number of users.
        #[range(1, 65_536)]
        pub users: u32,
        /// Time from the completion of a connection to the next of the same user; also the time
        /// before the first.
        pub think: RandomTime = { exponential = { mean = "1 s" } },
    }
}

impl Closed {
    /// The arrivals of one flow.
    pub fn build(&self, opening: &Opening) -> Box<dyn Arrivals> {
        let mut arrivals = State {
            think: self.think,
            random: opening.stream("think"),
            thinking: BinaryHeap::with_capacity(self.users as usize),
        };
        for _ in 0..self.users {
            arrivals.on_completed(opening.start);
        }
        Box::new(arrivals)
    }
}

impl ArrivalsKind for Closed {}

struct State {
    think: RandomTime,
    random: Stream,
    /// Times at which the thinking users open their next connections.
    thinking: BinaryHeap<Reverse<Time>>,
}

impl Arrivals for State {
    fn next(&self) -> Time {
        self.thinking
            .peek()
            .map_or(Time::NEVER, |Reverse(time)| *time)
    }

    fn take(&mut self) -> Option<u64> {
        self.thinking.pop();
        None
    }

    fn on_completed(&mut self, now: Time) {
        let think = self.think.draw(&mut self.random);
        self.thinking.push(Reverse(now + think));
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::arrivals::tests::opening;

    #[test]
    fn a_user_waits_for_the_completion_and_thinks() {
        let spec: Closed = understand(&value!({ users = 2, think = "3 ms" })).expect("arrivals");
        let mut arrivals = spec.build(&opening());
        let at = |ms| Time::ZERO + Duration::from_ms(ms);
        for _ in 0..2 {
            assert_eq!(arrivals.next(), at(3));
            arrivals.take();
        }
        assert_eq!(arrivals.next(), Time::NEVER);
        arrivals.on_completed(at(5));
        arrivals.on_completed(at(4));
        assert_eq!(arrivals.next(), at(7));
    }
}
