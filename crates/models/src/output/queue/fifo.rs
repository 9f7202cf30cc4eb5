//! The FIFO queue of cells, kept as one number.
//!
//! Every cell takes the same time and no cell overtakes another, so the departure of a cell is
//! known when it is accepted (Lindley's recursion, 1952). The queue length at any later instant follows
//! from the time at which the last cell will have been sent.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use super::{Departure, FifoQueue};
use crate::link::line::Line;
use crate::metrics::Backlog;
use crate::wire::cell::Cell;

/// The FIFO queue of the cells of one output.
#[derive(Clone, Debug)]
pub struct FixedFifo {
    line: Line,
    /// Time to send a cell.
    cell_time: Duration,
    /// 2^64 divided by the cell time, rounded up: a multiplication by it replaces a division.
    inverse: u64,
    /// The last instant at which [`FixedFifo::before_departures`] found the link idle.
    idle_at: Time,
}

impl FixedFifo {
    /// Time at which the last accepted cell has been sent.
    pub fn free_at(&self) -> Time {
        self.line.free_at()
    }

    /// Accepts cells; the last of them will have been sent at `free_at`.
    pub fn accept_until(&mut self, free_at: Time) {
        self.line.end_at(free_at);
    }

    /// The instant at which the waiting cells are those that an arrival at `now` finds, if arrivals
    /// come before the departures of `now`. It must be asked before each such arrival. The cell that
    /// starts at `now` still waits then, unless it came at `now` to an idle link: such a cell starts
    /// as it comes, and never waits.
    pub fn before_departures(&mut self, now: Time) -> Time {
        if self.line.free_at() <= now {
            self.idle_at = now;
        }
        if self.idle_at == now {
            now
        } else {
            now.just_before()
        }
    }
}

impl FifoQueue<Cell> for FixedFifo {
    /// An empty queue of cells; `cell_time` is longer than a picosecond.
    fn new(cell_time: Duration) -> FixedFifo {
        FixedFifo {
            line: Line::default(),
            cell_time,
            inverse: u64::MAX / cell_time.ps() + 1,
            idle_at: Time::NEVER,
        }
    }

    #[inline]
    fn accept(&mut self, now: Time, waiting: u64, _cell: &Cell, _cell_time: Duration) -> Departure {
        let [start, end] = self.line.commit(now, self.cell_time);
        Departure {
            start,
            end,
            waiting: waiting + u64::from(start > now),
        }
    }

    // Branch-free, because whether a cell has started since the last call is unpredictable.
    #[inline]
    fn waiting(&mut self, now: Time) -> u64 {
        // Cells start one cell time apart, the last accepted one a cell time before `free_at`.
        let span = self.line.free_at().since(now).ps().saturating_sub(1);
        let quotient = ((u128::from(span) * u128::from(self.inverse)) >> 64) as u64;
        // The inverse was rounded up, so the quotient may be one too large.
        quotient - u64::from(quotient * self.cell_time.ps() > span)
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        let waiting = self.waiting(now);
        let rest = self.line.free_at().since(now);
        let serving = Duration::from_ps(rest.ps() - waiting * self.cell_time.ps());
        // Cells start one cell time apart, so their waiting times are an arithmetic series.
        let [first, each] = [serving, self.cell_time].map(|span| u128::from(span.ps()));
        let count = u128::from(waiting);
        Backlog {
            waiting,
            queue: waiting,
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
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;
    use crate::wire::vc::Vc;

    proptest! {
        #[test]
        fn the_waiting_cells_are_those_accepted_that_have_not_started(
            cell_time in prop_oneof![2u64..50, 2_000_000u64..3_000_000, 1u64 << 40..1 << 50],
            gaps in prop::collection::vec((0u64..40, 0u64..4), 1..60),
        ) {
            let mut queue = FixedFifo::new(Duration::from_ps(cell_time));
            let mut starts: VecDeque<Time> = VecDeque::new();
            let mut now = Time::ZERO;
            for (tenths, beyond) in gaps {
                // Most gaps are nearly a whole number of cell times, where rounding errors show.
                let gap = cell_time * tenths / 20 + beyond;
                now += Duration::from_ps(gap);
                starts.retain(|start| *start > now);
                prop_assert_eq!(queue.waiting(now), starts.len() as u64);
                let cell = Cell::data(Vc(0), Data::new(0, ContentsId(0), false));
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

        #[test]
        fn a_cell_before_the_departures_finds_those_that_waited_until_now(
            cell_time in 2u64..50,
            instants in prop::collection::vec((1u64..8, 1u64..5), 1..60),
        ) {
            let mut queue = FixedFifo::new(Duration::from_ps(cell_time));
            let mut starts: VecDeque<Time> = VecDeque::new();
            let mut now = Time::ZERO;
            for (halves, cells) in instants {
                now += Duration::from_ps(cell_time * halves / 2);
                starts.retain(|start| *start >= now);
                for _ in 0..cells {
                    let before = queue.before_departures(now);
                    let found = queue.waiting(before);
                    prop_assert_eq!(found, starts.len() as u64);
                    let cell = Cell::data(Vc(0), Data::new(0, ContentsId(0), false));
                    let Departure { start, waiting, .. } =
                        queue.accept(now, found, &cell, Duration::ZERO);
                    if start > now {
                        starts.push_back(start);
                    }
                    prop_assert_eq!(waiting, starts.len() as u64);
                }
            }
        }
    }
}
