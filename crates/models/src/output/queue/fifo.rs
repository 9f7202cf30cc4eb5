//! A queue that is served in order, kept as one number.
//!
//! Service is first in, first out and every cell takes the same time, so when a cell is accepted its
//! departure is known (Lindley's recursion), and nothing can overtake it or take it back. What waits
//! at any later instant follows from when the last of them will have been sent.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use super::{Departure, FifoQueue};
use crate::cell::Cell;
use crate::metrics::Backlog;

/// The cells of one output, in order.
#[derive(Clone, Debug)]
pub struct FixedFifo {
    /// When the last accepted cell has been sent.
    free_at: Time,
    /// Time to send a cell.
    cell_time: Duration,
    /// 2^64 over that, rounded up, by which it can be divided without a division.
    inverse: u64,
}

impl FifoQueue<Cell> for FixedFifo {
    /// An empty queue of cells; `cell_time` is longer than a picosecond.
    fn new(cell_time: Duration) -> FixedFifo {
        FixedFifo {
            free_at: Time::ZERO,
            cell_time,
            inverse: u64::MAX / cell_time.ps() + 1,
        }
    }

    #[inline]
    fn accept(&mut self, now: Time, waiting: u64, _cell: &Cell, _cell_time: Duration) -> Departure {
        let start = self.free_at.max(now);
        self.free_at = start + self.cell_time;
        Departure {
            start,
            end: self.free_at,
            waiting: waiting + u64::from(start > now),
        }
    }

    // Branch-free: whether any cell has started since the last call is unpredictable.
    #[inline]
    fn waiting(&mut self, now: Time) -> u64 {
        // They start one cell time apart, the last of them a cell time before all have been sent.
        let span = self.free_at.since(now).ps().saturating_sub(1);
        let quotient = ((u128::from(span) * u128::from(self.inverse)) >> 64) as u64;
        // As the inverse was rounded up, this may be one too many.
        quotient - u64::from(quotient * self.cell_time.ps() > span)
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        let waiting = self.waiting(now);
        let rest = self.free_at.since(now);
        let serving = Duration::from_ps(rest.ps() - waiting * self.cell_time.ps());
        // They start one cell time apart: an arithmetic series.
        let [first, each] = [serving, self.cell_time].map(|span| u128::from(span.ps()));
        let count = u128::from(waiting);
        Backlog {
            waiting,
            rest: first * count + each * (count * count.saturating_sub(1) / 2),
            serving,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;
    use crate::cell::Data;
    use crate::frame::FrameId;
    use crate::vc::Vc;

    proptest! {
        #[test]
        fn what_waits_is_what_was_accepted_and_has_not_started(
            cell_time in prop_oneof![2u64..50, 2_000_000u64..3_000_000, 1u64 << 40..1 << 50],
            gaps in prop::collection::vec((0u64..40, 0u64..4), 1..60),
        ) {
            let mut queue = FixedFifo::new(Duration::from_ps(cell_time));
            let mut starts: VecDeque<Time> = VecDeque::new();
            let mut now = Time::ZERO;
            for (tenths, beyond) in gaps {
                // Often a whole number of cell times, or nearly.
                let gap = cell_time * tenths / 20 + beyond;
                now += Duration::from_ps(gap);
                starts.retain(|start| *start > now);
                prop_assert_eq!(queue.waiting(now), starts.len() as u64);
                let cell = Cell::data(Vc(0), Data::new(0, FrameId(0), false));
                let Departure { start, waiting, .. } =
                    queue.accept(now, starts.len() as u64, &cell, Duration::ZERO);
                if start > now {
                    starts.push_back(start);
                }
                prop_assert_eq!(waiting, starts.len() as u64);
                let rest = starts.iter().map(|start| u128::from(start.since(now).ps())).sum();
                let first = starts.front().copied().unwrap_or(start + Duration::from_ps(cell_time));
                let backlog = queue.backlog(now);
                prop_assert_eq!((backlog.waiting, backlog.rest), (waiting, rest));
                prop_assert_eq!(backlog.serving, first.since(now));
            }
        }
    }
}
