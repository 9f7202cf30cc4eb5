//! A queue that is served in order, kept as a few numbers.
//!
//! Service is first in, first out and every cell takes the same time, so when a cell is accepted its
//! departure is known (Lindley's recursion), and nothing can overtake it or take it back. What waits
//! at any later instant follows from when the oldest waiting cell starts.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use crate::metrics::Backlog;

/// The cells of one output, in order.
#[derive(Clone, Debug, Default)]
pub struct InOrder {
    /// When the last accepted cell has been sent.
    free_at: Time,
    waiting: u64,
    /// When the first of the waiting cells starts; they follow one cell time apart.
    first_start: Time,
}

impl InOrder {
    /// Takes a cell in at `now`, when [`InOrder::waiting`] has been asked; returns when it starts, and
    /// how many wait then.
    #[inline]
    pub fn accept(&mut self, now: Time, cell_time: Duration) -> (Time, u64) {
        let start = self.free_at.max(now);
        if start > now {
            if self.waiting == 0 {
                self.first_start = start;
            }
            self.waiting += 1;
        }
        self.free_at = start + cell_time;
        (start, self.waiting)
    }

    /// Cells that wait at `now`: the one that starts at `now` has left the buffer.
    #[inline]
    pub fn waiting(&mut self, now: Time, cell_time: Duration) -> u64 {
        while self.waiting > 0 && self.first_start <= now {
            self.waiting -= 1;
            self.first_start += cell_time;
        }
        self.waiting
    }

    /// What is there at `now`.
    pub fn backlog(&mut self, now: Time, cell_time: Duration) -> Backlog {
        let waiting = self.waiting(now, cell_time);
        let next = if waiting > 0 {
            self.first_start
        } else {
            self.free_at
        };
        let serving = next.since(now);
        // They start one cell time apart: an arithmetic series.
        let [first, each] = [serving, cell_time].map(|span| u128::from(span.ps()));
        let count = u128::from(waiting);
        Backlog {
            waiting,
            rest: first * count + each * (count * count.saturating_sub(1) / 2),
            serving,
        }
    }
}
