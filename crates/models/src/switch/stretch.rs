//! The cells of a stretch, which the immediate fabric moves to an output together.
//!
//! A *stretch* is the cells that arrive for one output between two instants at which a PDU may
//! begin or end; `event_list.rs` shows one in a drawing.
//!
//! Towards a host, these cells change nothing that another node can notice, since cells are
//! gathered until their PDU ends. So they move just before the next cell that may begin or end a
//! PDU reaches the same output: in one step if the output has a closed form, else one by one.
//! Towards another switch, they move before they arrive, as soon as the fabric knows that no other
//! cell can come between them, and go on as interleaved trains.
//!
//! Our own technique: see `docs/decisions/0016-stretches.md`.
//!
//! This file may be written for speed.

use kernel::Time;

use super::arrivals::ArrivingCells;
use super::crossing::Crossing;
use super::event_list::{TrainEvent, tie_order_of_unit};
use crate::output::stretch::closed_form::TrainPart;

/// The end of a stretch: the first instant after it, and the first position in the tie order of
/// that instant (see [`super::event_list`]) that does not belong to the stretch.
#[derive(Clone, Copy, Debug)]
pub struct StretchEnd {
    now: Time,
    tie_order: u32,
}

impl StretchEnd {
    /// The end just before the cell with this position in the tie order of `now`.
    #[inline]
    pub fn before(now: Time, tie_order: u32) -> StretchEnd {
        StretchEnd { now, tie_order }
    }

    /// The end just before the unit that arrives at an input at `now`.
    #[inline]
    pub fn unit(now: Time, input: usize) -> StretchEnd {
        StretchEnd::before(now, tie_order_of_unit(input))
    }

    /// The end after all cells that arrive at `now`.
    #[inline]
    pub fn through(now: Time) -> StretchEnd {
        StretchEnd::before(now, u32::MAX)
    }

    /// The last instant at which a cell with this position in the tie order belongs to the stretch.
    #[inline]
    fn last(self, tie_order: u32) -> Time {
        if tie_order < self.tie_order {
            self.now
        } else {
            self.now.just_before()
        }
    }
}

/// Fewest cells that move in one step: a single cell takes fewer instructions by itself.
const FEWEST_CELLS: u64 = 2;

/// Largest number of parts into which [`Stretches::align`] divides the trains of a stretch.
const MOST_ALIGNED: u64 = 32;

/// The part of a train that moves in a stretch.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// Train index: see [`ArrivingCells`].
    pub train_index: usize,
    /// Number of cells.
    pub cells: u32,
    /// True if the train is interleaved.
    pub is_interleaved: bool,
}

/// The cells of a stretch, in vectors that are kept so that no stretch allocates.
#[derive(Debug, Default)]
pub struct Stretches {
    moved: Vec<Moved>,
    parts: Vec<TrainPart>,
    /// The cells that arrive at or after the next sample of the queue.
    later: Vec<TrainPart>,
}

impl Stretches {
    /// The cells of the last stretch, by train.
    pub fn moved(&self) -> &[Moved] {
        &self.moved
    }

    /// Collects the cells for `output` that come before `until` from the trains of `events`.
    #[inline]
    pub fn collect(
        &mut self,
        output: usize,
        events: impl Iterator<Item = TrainEvent>,
        until: StretchEnd,
        arrivals: &ArrivingCells,
    ) {
        self.parts.clear();
        self.moved.clear();
        for event in events {
            let (train_index, tie_order) = (event.train_index(), event.tie_order());
            let train = arrivals.train(train_index);
            let last = until.last(tie_order);
            if train.output as usize != output || train.arrival > last {
                continue;
            }
            let later = last.since(train.arrival).ps() / train.spacing.ps().max(1);
            let cells = later as u32 + 1;
            self.moved.push(Moved {
                train_index,
                cells,
                is_interleaved: event.is_interleaved(),
            });
            self.add(TrainPart {
                tie_order,
                arrival: train.arrival,
                spacing: train.spacing,
                cells,
                cell: train.cell,
                accepted: false,
            });
        }
    }

    /// Adds a part; parts are in the order of their first arrivals, and then in tie order.
    #[inline]
    fn add(&mut self, part: TrainPart) {
        let mut index = self.parts.len();
        self.parts.push(part);
        while index > 0 && arrival_order(&self.parts[index - 1]) > arrival_order(&part) {
            self.parts.swap(index - 1, index);
            index -= 1;
        }
    }

    /// Gives all parts one spacing, for which the closed form is exact. If the longest spacing is a
    /// multiple of all others, a train with a shorter spacing is divided into several with the
    /// longest.
    fn align(&mut self) {
        let spacings = || self.parts.iter().map(|part| part.spacing.ps());
        let longest = spacings().max().unwrap_or(0);
        if spacings().all(|spacing| spacing == longest)
            || spacings().any(|spacing| spacing == 0 || longest % spacing != 0)
            || spacings().map(|spacing| longest / spacing).sum::<u64>() > MOST_ALIGNED
        {
            return;
        }
        for index in 0..self.parts.len() {
            let whole = self.parts[index];
            let factor = (longest / whole.spacing.ps()) as u32;
            for offset in 0..factor.min(whole.cells) {
                let part = TrainPart {
                    arrival: whole.arrival + whole.spacing * u64::from(offset),
                    spacing: whole.spacing * u64::from(factor),
                    cells: (whole.cells - offset).div_ceil(factor),
                    ..whole
                };
                if offset == 0 {
                    self.parts[index] = part;
                } else {
                    self.parts.push(part);
                }
            }
        }
        self.parts.sort_unstable_by_key(arrival_order);
    }

    fn cells(&self) -> u64 {
        self.parts.iter().map(|part| u64::from(part.cells)).sum()
    }

    /// Moves the collected cells to an output towards a host, which gathers cells.
    pub fn settle(&mut self, output: usize, crossing: &mut Crossing<'_, '_>) {
        for moved in &self.moved {
            crossing.arrivals.skip(moved.train_index, moved.cells);
        }
        if self.parts.len() > 1 {
            self.align();
        }
        while let Some(first) = self.parts.first() {
            let port = &mut crossing.outputs.ports[output];
            let sample = port.next_sample(first.arrival);
            if sample != Time::NEVER {
                self.split(sample);
            }
            let is_offered =
                self.cells() >= FEWEST_CELLS && port.offer_stretch(&mut self.parts, crossing.out);
            if !is_offered {
                self.offer_one_by_one(output, crossing);
            } else if self.later.is_empty() {
                return;
            } else {
                self.parts.clear();
            }
            if !self.later.is_empty() {
                self.parts.append(&mut self.later);
                self.parts.sort_unstable_by_key(arrival_order);
            }
        }
    }

    /// Moves the cells that arrive at or after `sample` from `parts` to `later`.
    #[inline]
    fn split(&mut self, sample: Time) {
        if self.parts.iter().all(|part| part.last_arrival() < sample) {
            return;
        }
        for part in &mut self.parts {
            let before = sample.since(part.arrival).ps();
            let cells = before.div_ceil(part.spacing.ps()) as u32;
            if cells < part.cells {
                self.later.push(TrainPart {
                    arrival: part.arrival + part.spacing * u64::from(cells),
                    cells: part.cells - cells,
                    ..*part
                });
                part.cells = cells;
            }
        }
        self.parts.retain(|part| part.cells > 0);
    }

    /// Offers the collected cells to an output towards a switch, which commits them as trains; the
    /// caller then removes them from the arrivals. Returns false, and changes nothing, if the cells
    /// must move one by one.
    pub fn send(&mut self, output: usize, crossing: &mut Crossing<'_, '_>) -> bool {
        if self.parts.len() > 1 {
            self.align();
        }
        if self.cells() < FEWEST_CELLS.max(2 * self.parts.len() as u64) {
            return false;
        }
        let port = &mut crossing.outputs.ports[output];
        port.offer_stretch(&mut self.parts, crossing.out)
    }

    /// Offers as many cells as there are trains, in order of arrival.
    fn offer_one_by_one(&mut self, output: usize, crossing: &mut Crossing<'_, '_>) {
        for _ in 0..self.parts.len() {
            let Some(first) = self.parts.first_mut() else {
                return;
            };
            let (now, cell) = (first.arrival, first.cell);
            first.arrival += first.spacing;
            first.cells -= 1;
            let next = *first;
            self.parts.remove(0);
            if next.cells > 0 {
                self.add(next);
            }
            crossing.outputs.offer(now, now, output, cell, crossing.out);
        }
    }
}

/// The key by which the parts of a stretch are sorted.
fn arrival_order(part: &TrainPart) -> (Time, u32) {
    (part.arrival, part.tie_order)
}
