//! The limit of a buffer that counts packets, whatever their lengths, as `limit` of `pfifo` in Linux.

use std::collections::VecDeque;

use kernel::Time;

/// The packets that wait in a buffer, and the most that may.
///
/// A scheduled output reports that a packet leaves when it leaves. A FIFO output reports it when the
/// packet joins, because it then knows the time of the departure.
pub struct PacketLimit {
    most: u64,
    /// Packets that have joined, less those that have left.
    waiting: u64,
    /// Times at which packets leave that have not been subtracted yet; they never fall.
    leaving: VecDeque<Time>,
}

impl PacketLimit {
    /// An empty buffer for at most so many packets.
    pub fn new(most: u64) -> PacketLimit {
        PacketLimit {
            most,
            waiting: 0,
            leaving: VecDeque::new(),
        }
    }

    /// A packet joins the buffer.
    pub fn join(&mut self) {
        self.waiting += 1;
    }

    /// A packet leaves the buffer at `at`.
    pub fn leave(&mut self, at: Time) {
        self.leaving.push_back(at);
    }

    /// True if no packet may join at `now`.
    pub fn is_full(&mut self, now: Time) -> bool {
        while self.leaving.front().is_some_and(|at| *at <= now) {
            self.leaving.pop_front();
            self.waiting -= 1;
        }
        self.waiting >= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_that_are_to_leave_wait_until_then() {
        let [first, second] = [1, 2].map(Time::from_ps);
        let mut limit = PacketLimit::new(2);
        for at in [first, second] {
            assert!(!limit.is_full(Time::ZERO));
            limit.join();
            limit.leave(at);
        }
        assert!(limit.is_full(Time::ZERO));
        assert!(!limit.is_full(first));
        limit.join();
        assert!(limit.is_full(first));
        assert!(!limit.is_full(second));
    }
}
