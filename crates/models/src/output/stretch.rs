//! The cells of a stretch, offered to an output in one step.
//!
//! Between two instants at which a PDU begins or ends, each train under way brings cells at a known
//! spacing. If the discard policy promises its decisions on these cells, and the buffer can neither
//! overflow nor run empty in between, then the departures, the counts and the waiting times follow
//! in closed form from Lindley's recursion, and no cell needs to be looked at. Results are the same
//! as cell by cell; what has no closed form here is refused, and then offered cell by cell.
//!
//! Of `k` trains with spacing `s`, which arrive at `a_1 <= ... <= a_k <= a_1 + s`, the j-th accepted
//! cell starts at `f + (j - 1) c`, where `c` is the cell time and `f` the start of the first cell, as
//! long as the output is never idle. Its waiting time is the start less the arrival, and the queue
//! that it leaves behind it is the waiting time over `c`, rounded up. The waiting times of cells
//! that are `k` places apart differ by `k c - s`, so the longest is among the first or the last `k`.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use super::control::AbrControl;
use super::decision::Promise;
use super::port::{Output, Queue};
use super::queue::FixedFifo;
use super::queued::FifoQueue;
use crate::cell::Cell;
use crate::metrics::DroppedUnit;
use crate::unit::Outlet;
use crate::vc::Vc;

/// The cells of one train within a stretch.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    /// Rank of the train among those whose cells arrive at the same instant.
    pub rank: u32,
    /// Arrival of the first of the cells.
    pub arrival: Time,
    /// Time from one cell to the next.
    pub spacing: Duration,
    /// Number of cells.
    pub cells: u32,
    /// Each of the cells: a part of a PDU, and neither its first nor its last.
    pub cell: Cell,
    /// True if the policy accepts the cells; set when they are offered.
    pub accepted: bool,
}

impl Middle {
    /// Arrival of the last of the cells.
    #[inline]
    pub fn last(&self) -> Time {
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
struct Accepted {
    /// Number of cells.
    cells: u64,
    /// Sum of their waiting times, in picoseconds.
    waited: u128,
    /// The longest waiting time, or an upper bound of it.
    longest: Duration,
    /// True if `longest` is no bound.
    is_exact: bool,
    /// Start of the first of them.
    start: Time,
    /// Number of cells of a train alone that wait.
    waiting: u32,
    /// Time at which the last of them will have been sent.
    free_at: Time,
}

impl<C: AbrControl<Cell>> Output<Cell, C> {
    /// True if the cells of a stretch may be offered together, and change nothing that another node
    /// can notice.
    #[inline]
    pub fn takes_stretches(&self) -> bool {
        self.promises() && self.transmitter.gathers()
    }

    /// True if the cells of a stretch may be offered together, and go on as trains.
    #[inline]
    pub fn sends_runs(&self) -> bool {
        self.transmitter.sends_runs && self.promises()
    }

    #[inline]
    fn promises(&self) -> bool {
        matches!(&self.queue, Queue::Fifo { gate, .. } if gate.promises())
    }

    /// The promise of the discard policy about a virtual channel.
    pub fn promise(&self, vc: Vc) -> Promise {
        match &self.queue {
            Queue::Fifo { gate, .. } => gate.promise(vc),
            Queue::Scheduled(_) => Promise::Ask,
        }
    }

    /// Time at which a cell that is offered at `now` will have been sent.
    #[inline]
    pub fn first_end(&self, now: Time) -> Time {
        match &self.queue {
            Queue::Fifo { queue, .. } => queue.free_at().max(now) + queue.cell_time(),
            Queue::Scheduled(_) => Time::NEVER,
        }
    }

    /// Takes the samples of the queue that are due at `now`; returns the time of the next.
    #[inline]
    pub fn next_sample(&mut self, now: Time) -> Time {
        self.catch_up_if_due(now);
        self.look_at
    }

    /// Time to send a cell.
    #[inline]
    pub fn unit_time(&self) -> Duration {
        self.pace
    }

    /// Offers each cell by itself from now on. Results are the same.
    pub fn look_at_each_cell(&mut self) {
        if let Queue::Fifo { gate, .. } = &mut self.queue {
            gate.look_at_each_cell();
        }
    }

    /// Offers the cells of a stretch, in order of the first arrival of each train. Returns false, and
    /// changes nothing, if there is no closed form.
    pub fn offer_stretch(&mut self, middles: &mut [Middle], out: &mut Outlet<'_>) -> bool {
        let Queue::Fifo { queue, gate } = &mut self.queue else {
            return false;
        };
        if self.transmitter.is_watched() {
            return false;
        }
        let (mut accepting, mut needs_space) = (0, false);
        for middle in &mut *middles {
            if middle.last() >= self.look_at {
                return false;
            }
            let vc = middle.cell.vc;
            middle.accepted = match gate.promise(vc) {
                Promise::Ask => return false,
                Promise::Accept => true,
                // Recorded drops have each its own time.
                Promise::Drop if self.meter.drops.is_some() => return false,
                Promise::Drop => false,
            };
            accepting += u64::from(middle.accepted);
            // The cause of a drop may depend on whether the cell would have fitted.
            needs_space |= !middle.accepted && !self.meter.has_cause(vc.index());
        }
        let Some(accepted) = accept(queue, accepting, middles) else {
            return false;
        };
        let longest = accepted.longest.ps().div_ceil(queue.cell_time().ps());
        let longest_before = if needs_space {
            queue.waiting(middles[0].arrival)
        } else {
            0
        };
        let gathers = self.transmitter.gathers();
        if longest.max(longest_before) + u64::from(needs_space) > gate.capacity()
            || !accepted.is_exact && (longest > self.meter.max_queue() || !gathers)
        {
            return false;
        }
        queue.accept_until(accepted.free_at);
        self.meter
            .accept_cells(accepted.cells, accepted.waited, longest);
        self.passage.offer(accepted.cells);
        self.passage.send(accepted.cells);
        for middle in &*middles {
            if !middle.accepted {
                self.drop_cells(middle);
            } else if gathers {
                self.transmitter.gather_cells(&middle.cell, middle.cells);
            }
        }
        if !gathers && accepting > 0 {
            self.send_trains(&accepted, accepting, middles, out);
        }
        true
    }

    /// Commits the accepted cells of a stretch to the link, as trains.
    fn send_trains(
        &mut self,
        accepted: &Accepted,
        accepting: u64,
        middles: &[Middle],
        out: &mut Outlet<'_>,
    ) {
        let cell_time = self.pace;
        let taken = || middles.iter().filter(|middle| middle.accepted);
        if let Some(first) = taken().next()
            && accepting == 1
            && first.spacing > cell_time
        {
            // The cells that wait follow one another; the others keep their spacing.
            let (begin, rest) = (accepted.waiting, first.cells - accepted.waiting);
            if begin > 0 {
                let end = accepted.start + cell_time;
                self.transmitter
                    .run(&first.cell, begin, end, cell_time, out);
            }
            if rest > 0 {
                let end = first.arrival + first.spacing * u64::from(begin) + cell_time;
                self.transmitter
                    .run(&first.cell, rest, end, first.spacing, out);
            }
            return;
        }
        // The trains take turns.
        let spacing = cell_time * accepting;
        let mut end = accepted.start;
        for middle in taken() {
            end += cell_time;
            self.transmitter
                .run(&middle.cell, middle.cells, end, spacing, out);
        }
    }

    /// Drops cells that find free buffer space.
    fn drop_cells(&mut self, middle: &Middle) {
        let unit = DroppedUnit {
            vc: middle.cell.vc.index(),
            pdu: middle.cell.part().map(|data| data.pdu),
            eom: false,
        };
        let cells = u64::from(middle.cells);
        self.passage.offer(cells);
        self.meter.note_room(unit.vc, true);
        self.meter.drop_unit(middle.arrival, unit, cells);
    }
}

/// The closed form for the cells of `accepting` trains among `middles`; none if there is none.
#[inline]
fn accept(queue: &FixedFifo, accepting: u64, middles: &[Middle]) -> Option<Accepted> {
    let cell_time = queue.cell_time();
    let middles = || middles.iter().filter(|middle| middle.accepted);
    let Some(first) = middles().next() else {
        return Some(Accepted {
            cells: 0,
            waited: 0,
            longest: Duration::ZERO,
            is_exact: true,
            start: queue.free_at(),
            waiting: 0,
            free_at: queue.free_at(),
        });
    };
    let start = queue.free_at().max(first.arrival);
    if accepting == 1 {
        return Some(alone(start, cell_time, first));
    }
    let cells = middles().map(|middle| u64::from(middle.cells)).sum();
    let spacing = first.spacing;
    let is_periodic = middles().all(|middle| {
        middle.spacing == spacing
            && middle.arrival <= first.arrival + spacing
            && middle.cells <= first.cells
            && middle.cells + 1 >= first.cells
    });
    let (longest, is_exact) = if is_periodic {
        let longest = longest_in_turn(start, cell_time, accepting, cells, middles)?;
        (longest, true)
    } else {
        (bound(start, cell_time, accepting, cells, middles)?, false)
    };
    let arrivals: u128 = middles().map(|middle| middle.arrivals(first.arrival)).sum();
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

/// The longest waiting time of `cells` cells of trains with the same spacing, which take turns;
/// none if the output may be idle.
#[inline]
fn longest_in_turn<'a, I: Iterator<Item = &'a Middle>>(
    start: Time,
    cell_time: Duration,
    trains: u64,
    cells: u64,
    middles: impl Fn() -> I,
) -> Option<Duration> {
    let wait = |place: u64, arrival: Time| {
        let start = start + cell_time * place;
        (start >= arrival).then(|| start.since(arrival))
    };
    let mut longest = Duration::ZERO;
    let (mut rounds, mut spacing) = (0, Duration::ZERO);
    for (place, middle) in (0..).zip(middles()) {
        longest = longest.max(wait(place, middle.arrival)?);
        (rounds, spacing) = (rounds.max(middle.cells), middle.spacing);
    }
    let grows = cell_time * trains >= spacing;
    // The last cell of each train: first those of the trains that have one cell less.
    let mut place = cells - trains;
    for fewer in [true, false] {
        for middle in middles().filter(|middle| (middle.cells < rounds) == fewer) {
            let wait = wait(place, middle.last())?;
            if grows {
                longest = longest.max(wait);
            }
            place += 1;
        }
    }
    Some(longest)
}

/// An upper bound of the waiting times of `cells` cells of trains with any spacings; none if the
/// output may be idle.
///
/// One train that is at least as fast as the output keeps it busy. From the first cell of that train
/// on the queue grows in the mean, and no cell finds more than the cells of all trains up to the
/// last arrival, and one of each train; before, it falls no faster than time passes.
#[inline]
fn bound<'a, I: Iterator<Item = &'a Middle>>(
    start: Time,
    cell_time: Duration,
    trains: u64,
    cells: u64,
    middles: impl Fn() -> I,
) -> Option<Duration> {
    let end = middles().map(Middle::last).max()?;
    let keeps_busy = |middle: &Middle| {
        middle.spacing <= cell_time
            && middle.arrival <= start + cell_time
            && middle.last() + cell_time >= end
    };
    let busy = middles().find(|middle| keeps_busy(middle))?;
    let before = busy.arrival.since(middles().next()?.arrival);
    Some((start + cell_time * (cells + trains - 1)).since(end) + before)
}

/// The closed form for the cells of one train, which may find the output idle.
#[inline]
fn alone(start: Time, cell_time: Duration, train: &Middle) -> Accepted {
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
    // Each cell waits for a shorter time than the one before, until a cell does not wait at all.
    let loss = Duration::from_ps(spacing.ps() - cell_time.ps());
    let waiting = wait.ps().div_ceil(loss.ps()).min(cells);
    Accepted {
        cells,
        waited: u128::from(wait.ps()) * u128::from(waiting) - series(loss, waiting),
        longest: wait,
        is_exact: true,
        start,
        waiting: waiting as u32,
        free_at: (start + cell_time * cells).max(train.last() + cell_time),
    }
}

/// The sum of 0, 1, ..., `terms - 1` times `step`, in picoseconds.
#[inline]
fn series(step: Duration, terms: u64) -> u128 {
    let terms = u128::from(terms);
    u128::from(step.ps()) * (terms * terms.saturating_sub(1) / 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::Data;
    use crate::contents::ContentsId;

    const CELL: Duration = Duration::from_ps(10);

    /// Trains in order of the first arrival, each with (arrival, spacing, cells).
    fn trains(of: &[(u64, u64, u32)]) -> Vec<Middle> {
        let mut trains: Vec<Middle> = (0..)
            .zip(of)
            .map(|(rank, (arrival, spacing, cells))| Middle {
                rank,
                arrival: Time::from_ps(1000 + arrival),
                spacing: Duration::from_ps(*spacing),
                cells: *cells,
                cell: Cell::data(Vc(0), Data::new(0, ContentsId(0), false)),
                accepted: true,
            })
            .collect();
        trains.sort_by_key(|train| (train.arrival, train.rank));
        trains
    }

    /// Trains with one spacing that bring all their cells before one instant.
    fn in_turn(spacing: u64, phases: &[u64], until: u64) -> Vec<(u64, u64, u32)> {
        let phases = phases.iter().map(|phase| phase % spacing);
        let cells = |phase| 1 + ((until - phase) / spacing) as u32;
        phases.map(|phase| (phase, spacing, cells(phase))).collect()
    }

    /// The queue after `backlog` picoseconds of cells that are accepted before the trains.
    fn queue(backlog: u64) -> FixedFifo {
        let mut queue = FixedFifo::new(CELL);
        queue.accept_until(Time::from_ps(1000 + backlog));
        queue
    }

    /// The same cell by cell, by Lindley's recursion: the sum of the waiting times, the longest, and
    /// the time at which the last cell will have been sent.
    fn one_by_one(backlog: u64, trains: &[Middle]) -> (u128, Duration, Time) {
        let cells = trains.iter().flat_map(|train| {
            let cells = 0..u64::from(train.cells);
            cells.map(|cell| (train.arrival + train.spacing * cell, train.rank))
        });
        let mut cells: Vec<(Time, u32)> = cells.collect();
        cells.sort_unstable();
        let (mut waited, mut longest) = (0, Duration::ZERO);
        let mut free_at = queue(backlog).free_at();
        for (arrival, _) in cells {
            let start = free_at.max(arrival);
            let wait = start.since(arrival);
            waited += u128::from(wait.ps());
            longest = longest.max(wait);
            free_at = start + CELL;
        }
        (waited, longest, free_at)
    }

    /// Compares the closed form with the cells one by one; returns true if there is one.
    fn agrees(backlog: u64, of: &[(u64, u64, u32)]) -> Result<bool, TestCaseError> {
        let trains = trains(of);
        let Some(found) = accept(&queue(backlog), trains.len() as u64, &trains) else {
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
