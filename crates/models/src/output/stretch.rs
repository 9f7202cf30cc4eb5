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

/// The cells of one train within a stretch.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    /// Input of the train.
    pub input: usize,
    /// Arrival of the first of the cells.
    pub arrival: Time,
    /// Number of cells.
    pub cells: u32,
    /// Each of the cells: a part of a PDU, and neither its first nor its last.
    pub cell: Cell,
    /// True if the policy accepts the cells; set when they are offered.
    pub accepted: bool,
}

/// The accepted cells of a stretch.
struct Accepted {
    /// Number of cells.
    cells: u64,
    /// Sum of their waiting times, in picoseconds.
    waited: u128,
    /// The longest waiting time.
    longest: Duration,
    /// Time at which the last of them will have been sent.
    free_at: Time,
}

impl<C: AbrControl<Cell>> Output<Cell, C> {
    /// True if cells may be offered by [`Output::offer_stretch`] at all: units leave in order of
    /// arrival towards a host, and nothing looks at each of them.
    #[inline]
    pub fn takes_stretches(&self) -> bool {
        matches!(self.queue, Queue::Fifo { .. })
            && self.control.is_none()
            && self.transmitter.gathers()
            && !self.transmitter.is_watched()
            && self.meter.drops.is_none()
    }

    /// The time of the next sample of the queue; cells of one stretch arrive before it.
    #[inline]
    pub fn looks_at(&self) -> Time {
        self.look_at
    }

    /// Offers the cells of a stretch, in order of the first arrival of each train; the trains have
    /// the spacing `spacing`, and the first arrivals lie no further apart than that. Returns false,
    /// and changes nothing, if there is no closed form.
    pub fn offer_stretch(&mut self, spacing: Duration, middles: &mut [Middle]) -> bool {
        let Queue::Fifo { queue, gate } = &mut self.queue else {
            return false;
        };
        let (mut accepting, mut needs_space) = (0, false);
        for middle in &mut *middles {
            let vc = middle.cell.vc;
            middle.accepted = match gate.promise(vc) {
                Promise::Ask => return false,
                Promise::Accept => true,
                Promise::Drop => false,
            };
            accepting += u64::from(middle.accepted);
            // The cause of a drop may depend on whether the cell would have fitted.
            needs_space |= !middle.accepted && !self.meter.has_cause(vc.index());
        }
        let Some(accepted) = accept(queue, spacing, accepting, middles) else {
            return false;
        };
        let longest = accepted.longest.ps().div_ceil(queue.cell_time().ps());
        let longest_before = if needs_space {
            queue.waiting(middles[0].arrival)
        } else {
            0
        };
        if longest.max(longest_before) + u64::from(needs_space) > gate.capacity() {
            return false;
        }
        queue.accept_until(accepted.free_at);
        self.meter.accept_cells(accepted.cells, accepted.waited, longest);
        self.passage.offer(accepted.cells);
        self.passage.send(accepted.cells);
        for middle in middles {
            if middle.accepted {
                self.transmitter.gather_cells(&middle.cell, middle.cells);
            } else {
                self.drop_cells(middle);
            }
        }
        true
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
fn accept(
    queue: &FixedFifo,
    spacing: Duration,
    accepting: u64,
    middles: &[Middle],
) -> Option<Accepted> {
    let cell_time = queue.cell_time();
    let middles = || middles.iter().filter(|middle| middle.accepted);
    let Some(first) = middles().next() else {
        return Some(Accepted {
            cells: 0,
            waited: 0,
            longest: Duration::ZERO,
            free_at: queue.free_at(),
        });
    };
    let start = queue.free_at().max(first.arrival);
    if accepting == 1 {
        return Some(alone(start, cell_time, spacing, first));
    }
    // The queue grows over a spacing, or it stays as it is or falls.
    let grows = cell_time * accepting >= spacing;
    // Starts less arrivals, relative to the first arrival.
    let origin = first.arrival;
    let mut cells = 0;
    let mut arrivals = 0;
    let mut longest = Duration::ZERO;
    for (place, middle) in (0..).zip(middles()) {
        let begins = start + cell_time * place;
        if begins < middle.arrival {
            return None;
        }
        longest = longest.max(begins.since(middle.arrival));
        cells += u64::from(middle.cells);
        arrivals += u128::from(middle.arrival.since(origin).ps()) * u128::from(middle.cells)
            + series(spacing, middle.cells.into());
    }
    // The last cell of each train: first those of the trains that have one cell less.
    let rounds = first.cells;
    let mut place = cells - accepting;
    for fewer in [true, false] {
        for middle in middles().filter(|middle| (middle.cells < rounds) == fewer) {
            let arrival = middle.arrival + spacing * u64::from(middle.cells - 1);
            let begins = start + cell_time * place;
            if begins < arrival {
                return None;
            }
            if grows {
                longest = longest.max(begins.since(arrival));
            }
            place += 1;
        }
    }
    let starts = u128::from(start.since(origin).ps()) * u128::from(cells) + series(cell_time, cells);
    Some(Accepted {
        cells,
        waited: starts - arrivals,
        longest,
        free_at: start + cell_time * cells,
    })
}

/// The closed form for the cells of one train, which may find the output idle.
#[inline]
fn alone(start: Time, cell_time: Duration, spacing: Duration, train: &Middle) -> Accepted {
    let cells = u64::from(train.cells);
    let wait = start.since(train.arrival);
    if spacing <= cell_time {
        let gain = Duration::from_ps(cell_time.ps() - spacing.ps());
        return Accepted {
            cells,
            waited: u128::from(wait.ps()) * u128::from(cells) + series(gain, cells),
            longest: wait + gain * (cells - 1),
            free_at: start + cell_time * cells,
        };
    }
    // Each cell waits for a shorter time than the one before, until a cell does not wait at all.
    let loss = Duration::from_ps(spacing.ps() - cell_time.ps());
    let waiting = wait.ps().div_ceil(loss.ps()).min(cells);
    let last = train.arrival + spacing * (cells - 1);
    Accepted {
        cells,
        waited: u128::from(wait.ps()) * u128::from(waiting) - series(loss, waiting),
        longest: wait,
        free_at: (start + cell_time * cells).max(last + cell_time),
    }
}

/// The sum of 0, 1, ..., `terms - 1` times `step`, in picoseconds.
#[inline]
fn series(step: Duration, terms: u64) -> u128 {
    let terms = u128::from(terms);
    u128::from(step.ps()) * (terms * terms.saturating_sub(1) / 2)
}
