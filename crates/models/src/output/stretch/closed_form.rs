//! The closed form of Lindley's recursion for the cells of a stretch.
//!
//! The recursion gives the start of each cell from that of the cell before: Lindley, "The theory of
//! queues with a single server", Proceedings of the Cambridge Philosophical Society 48(2), 1952.
//! Our own result: the sum of the recursion over trains (`docs/decisions/0016-stretches.md`).
//!
//! Let `k` trains with spacing `s` arrive at `a_1 <= ... <= a_k <= a_1 + s`. As long as the output
//! is never idle, their j-th accepted cell starts at `f + (j - 1) c`, where `c` is the cell time
//! and `f` the start of the first cell. The waiting time of a cell is its start less its arrival,
//! and the queue right after its arrival is the waiting time over `c`, rounded up. The waiting
//! times of two consecutive cells of a train differ by `k c - s`, so the longest waiting time is
//! that of one of the first `k` cells or of the last `k`.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use crate::wire::cell::Cell;

/// The cells of one train within a stretch.
#[derive(Clone, Copy, Debug)]
pub struct TrainPart {
    /// Position of the train among the trains whose cells arrive at the same instant.
    pub tie_order: u32,
    /// Arrival of the first of the cells.
    pub arrival: Time,
    /// Time from one cell to the next.
    pub spacing: Duration,
    /// Number of cells.
    pub cells: u32,
    /// One of the cells, which are all equal: a part of a PDU, and neither its first nor its last.
    pub cell: Cell,
    /// True if the policy accepts the cells; set when they are offered.
    pub accepted: bool,
}

impl TrainPart {
    /// Arrival of the last of the cells.
    #[inline]
    pub fn last_arrival(&self) -> Time {
        self.arrival + self.spacing * u64::from(self.cells - 1)
    }

    /// The sum of the arrivals of the cells since `origin`, in picoseconds.
    #[inline]
    fn arrivals(&self, origin: Time) -> u128 {
        let first = u128::from(self.arrival.since(origin).ps()) * u128::from(self.cells);
        first + series(self.spacing, self.cells.into())
    }
}

/// The accepted cells of a stretch.
pub struct Accepted {
    /// Number of cells.
    pub cells: u64,
    /// Sum of the waiting times of the cells, in picoseconds.
    pub waited: u128,
    /// The longest waiting time, or an upper bound of it.
    pub longest: Duration,
    /// True if `longest` is the longest waiting time itself.
    pub is_exact: bool,
    /// Start of the first of the cells.
    pub start: Time,
    /// If there is only one train, the number of its cells that wait.
    pub waiting: u32,
    /// Time at which the last of the cells will have been sent.
    pub free_at: Time,
}

/// The closed form for the `accepting` trains among `parts` whose cells the policy accepts, at an
/// output that is busy until `free_at`. None if no closed form holds.
#[inline]
pub fn accept(
    free_at: Time,
    cell_time: Duration,
    accepting: u64,
    parts: &[TrainPart],
) -> Option<Accepted> {
    let parts = || parts.iter().filter(|part| part.accepted);
    let Some(first) = parts().next() else {
        return Some(Accepted {
            cells: 0,
            waited: 0,
            longest: Duration::ZERO,
            is_exact: true,
            start: free_at,
            waiting: 0,
            free_at,
        });
    };
    let start = free_at.max(first.arrival);
    if accepting == 1 {
        return Some(alone(start, cell_time, first));
    }
    let cells = parts().map(|part| u64::from(part.cells)).sum();
    let spacing = first.spacing;
    let is_periodic = parts().all(|part| {
        part.spacing == spacing
            && part.arrival <= first.arrival + spacing
            && part.cells <= first.cells
            && part.cells + 1 >= first.cells
    });
    let (longest, is_exact) = if is_periodic {
        let longest = longest_in_turn(start, cell_time, accepting, cells, parts)?;
        (longest, true)
    } else {
        (bound(start, cell_time, accepting, cells, parts)?, false)
    };
    let arrivals: u128 = parts().map(|part| part.arrivals(first.arrival)).sum();
    let before = u128::from(start.since(first.arrival).ps()) * u128::from(cells);
    Some(Accepted {
        cells,
        waited: before + series(cell_time, cells) - arrivals,
        longest,
        is_exact,
        start,
        waiting: 0,
        free_at: start + cell_time * cells,
    })
}

/// The longest waiting time of the `cells` cells of trains with one spacing, which take turns; none
/// if the output may become idle.
#[inline]
fn longest_in_turn<'a, I: Iterator<Item = &'a TrainPart>>(
    start: Time,
    cell_time: Duration,
    trains: u64,
    cells: u64,
    parts: impl Fn() -> I,
) -> Option<Duration> {
    let wait = |index: u64, arrival: Time| {
        let start = start + cell_time * index;
        (start >= arrival).then(|| start.since(arrival))
    };
    let mut longest = Duration::ZERO;
    let (mut rounds, mut spacing) = (0, Duration::ZERO);
    for (index, part) in (0..).zip(parts()) {
        longest = longest.max(wait(index, part.arrival)?);
        (rounds, spacing) = (rounds.max(part.cells), part.spacing);
    }
    let grows = cell_time * trains >= spacing;
    // The last cells of the trains: first those of the trains with one cell less.
    let mut index = cells - trains;
    for fewer in [true, false] {
        for part in parts().filter(|part| (part.cells < rounds) == fewer) {
            let wait = wait(index, part.last_arrival())?;
            if grows {
                longest = longest.max(wait);
            }
            index += 1;
        }
    }
    Some(longest)
}

/// An upper bound of the waiting times of the `cells` cells of trains with any spacings; none if
/// the output may become idle.
///
/// A train that is at least as fast as the output keeps it busy. From the first cell of that train
/// on, cells arrive at least as fast as they leave, so the queue is longest at the end, to within
/// one cell of each train. Before that first cell the queue may have been longer, but by no more
/// than the cells that left since the first arrival.
#[inline]
fn bound<'a, I: Iterator<Item = &'a TrainPart>>(
    start: Time,
    cell_time: Duration,
    trains: u64,
    cells: u64,
    parts: impl Fn() -> I,
) -> Option<Duration> {
    let end = parts().map(TrainPart::last_arrival).max()?;
    let keeps_busy = |part: &TrainPart| {
        part.spacing <= cell_time
            && part.arrival <= start + cell_time
            && part.last_arrival() + cell_time >= end
    };
    let busy = parts().find(|part| keeps_busy(part))?;
    let before = busy.arrival.since(parts().next()?.arrival);
    Some((start + cell_time * (cells + trains - 1)).since(end) + before)
}

/// The closed form for the cells of a single train, which may find the output idle.
#[inline]
fn alone(start: Time, cell_time: Duration, train: &TrainPart) -> Accepted {
    let spacing = train.spacing;
    let cells = u64::from(train.cells);
    let wait = start.since(train.arrival);
    if spacing <= cell_time {
        let gain = Duration::from_ps(cell_time.ps() - spacing.ps());
        return Accepted {
            cells,
            waited: u128::from(wait.ps()) * u128::from(cells) + series(gain, cells),
            longest: wait + gain * (cells - 1),
            is_exact: true,
            start,
            waiting: train.cells,
            free_at: start + cell_time * cells,
        };
    }
    // Each cell waits for a shorter time than the cell before, until one does not wait at all.
    let loss = Duration::from_ps(spacing.ps() - cell_time.ps());
    let waiting = wait.ps().div_ceil(loss.ps()).min(cells);
    Accepted {
        cells,
        waited: u128::from(wait.ps()) * u128::from(waiting) - series(loss, waiting),
        longest: wait,
        is_exact: true,
        start,
        waiting: waiting as u32,
        free_at: (start + cell_time * cells).max(train.last_arrival() + cell_time),
    }
}

/// The sum of the first `terms` multiples of `step`, from zero on, in picoseconds.
#[inline]
fn series(step: Duration, terms: u64) -> u128 {
    let terms = u128::from(terms);
    u128::from(step.ps()) * (terms * terms.saturating_sub(1) / 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;
    use crate::wire::vc::Vc;

    const CELL: Duration = Duration::from_ps(10);

    /// Trains in order of the first arrival, each with (arrival, spacing, cells).
    fn trains(of: &[(u64, u64, u32)]) -> Vec<TrainPart> {
        let mut trains: Vec<TrainPart> = (0..)
            .zip(of)
            .map(|(tie_order, (arrival, spacing, cells))| TrainPart {
                tie_order,
                arrival: Time::from_ps(1000 + arrival),
                spacing: Duration::from_ps(*spacing),
                cells: *cells,
                cell: Cell::data(Vc(0), Data::new(0, ContentsId(0), false)),
                accepted: true,
            })
            .collect();
        trains.sort_by_key(|train| (train.arrival, train.tie_order));
        trains
    }

    /// Trains with one spacing; all their cells arrive before `until`.
    fn in_turn(spacing: u64, phases: &[u64], until: u64) -> Vec<(u64, u64, u32)> {
        let phases = phases.iter().map(|phase| phase % spacing);
        let cells = |phase| 1 + ((until - phase) / spacing) as u32;
        phases.map(|phase| (phase, spacing, cells(phase))).collect()
    }

    /// The time until which the output is busy with `backlog` picoseconds of earlier cells.
    fn busy_until(backlog: u64) -> Time {
        Time::from_ps(1000 + backlog)
    }

    /// Lindley's recursion cell by cell: the sum of the waiting times, the longest, and the time at
    /// which the last cell will have been sent.
    fn one_by_one(backlog: u64, trains: &[TrainPart]) -> (u128, Duration, Time) {
        let cells = trains.iter().flat_map(|train| {
            let cells = 0..u64::from(train.cells);
            cells.map(|cell| (train.arrival + train.spacing * cell, train.tie_order))
        });
        let mut cells: Vec<(Time, u32)> = cells.collect();
        cells.sort_unstable();
        let (mut waited, mut longest) = (0, Duration::ZERO);
        let mut free_at = busy_until(backlog);
        for (arrival, _) in cells {
            let start = free_at.max(arrival);
            let wait = start.since(arrival);
            waited += u128::from(wait.ps());
            longest = longest.max(wait);
            free_at = start + CELL;
        }
        (waited, longest, free_at)
    }

    /// Compares the closed form with the recursion; returns false if there is no closed form.
    fn agrees(backlog: u64, of: &[(u64, u64, u32)]) -> Result<bool, TestCaseError> {
        let trains = trains(of);
        let Some(found) = accept(busy_until(backlog), CELL, trains.len() as u64, &trains) else {
            return Ok(false);
        };
        let (waited, longest, free_at) = one_by_one(backlog, &trains);
        prop_assert_eq!((found.waited, found.free_at), (waited, free_at));
        if found.is_exact {
            prop_assert_eq!(found.longest, longest);
        } else {
            prop_assert!(found.longest >= longest);
        }
        Ok(true)
    }

    proptest! {
        #[test]
        fn a_train_alone_always_has_a_closed_form(
            backlog in 0u64..300,
            train in (0u64..40, 1u64..40, 1u32..30),
        ) {
            prop_assert!(agrees(backlog, &[train])?);
        }

        #[test]
        fn trains_with_one_spacing_agree_with_their_cells(
            backlog in 0u64..300,
            spacing in 1u64..40,
            phases in prop::collection::vec(0u64..40, 2..6),
            until in 40u64..400,
        ) {
            let trains = in_turn(spacing, &phases, until);
            let fills = spacing <= CELL.ps();
            prop_assert!(agrees(backlog, &trains)? || !fills);
        }

        #[test]
        fn any_trains_agree_with_their_cells_where_there_is_a_closed_form(
            backlog in 0u64..300,
            trains in prop::collection::vec((0u64..60, 1u64..40, 1u32..30), 1..6),
        ) {
            agrees(backlog, &trains)?;
        }
    }
}
