//! The cells of a stretch, which a fabric moves together.
//!
//! A cell that neither begins nor ends a PDU, and goes to an output that gathers cells towards a
//! host, changes nothing that another node can notice. So nothing needs to be done when it arrives.
//! It moves before the next cell that may begin or end a PDU reaches the same output, together with
//! all cells that came in between: in one step if the output has a closed form, else one by one.
//!
//! Towards another switch, cells move as soon as nothing can come between them, and go on as trains.
//!
//! This file may be written for speed.

use kernel::Time;

use super::arrivals::Arrivals;
use super::due::{Entry, rank_of_unit};
use super::gate::Gate;
use crate::output::closed_form::TrainPart;

/// The end of a stretch: cells up to this instant, and up to this rank at this instant.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    now: Time,
    rank: u32,
}

impl Until {
    /// Before the cell of this rank that moves at `now`.
    #[inline]
    pub fn before(now: Time, rank: u32) -> Until {
        Until { now, rank }
    }

    /// Before the unit that arrives at an input at `now`.
    #[inline]
    pub fn unit(now: Time, input: usize) -> Until {
        Until::before(now, rank_of_unit(input))
    }

    /// After all cells that arrive at `now`.
    #[inline]
    pub fn through(now: Time) -> Until {
        Until::before(now, u32::MAX)
    }

    /// The last instant at which a cell of this rank belongs to the stretch.
    #[inline]
    fn last(self, rank: u32) -> Time {
        if rank < self.rank {
            self.now
        } else {
            self.now.just_before()
        }
    }
}

/// Fewest cells that are worth a closed form.
const FEWEST_CELLS: u64 = 2;

/// Most trains of one spacing that trains of several spacings are taken for.
const MOST_ALIGNED: u64 = 32;

/// The cells of one train that move.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// Place of the train in the arrivals.
    pub place: usize,
    /// Number of cells.
    pub cells: u32,
    /// True if the cells are spread.
    pub is_spread: bool,
}

/// The cells of a stretch, kept so that nothing is allocated.
#[derive(Debug, Default)]
pub struct Stretches {
    moved: Vec<Moved>,
    parts: Vec<TrainPart>,
    /// Cells that arrive after the next sample of the queue.
    later: Vec<TrainPart>,
}

impl Stretches {
    /// The cells collected last, by train.
    pub fn moved(&self) -> &[Moved] {
        &self.moved
    }

    /// Collects the cells to `output` that come before `until`, from the trains of these entries.
    #[inline]
    pub fn collect(
        &mut self,
        output: usize,
        entries: impl Iterator<Item = Entry>,
        until: Until,
        arrivals: &Arrivals,
    ) {
        self.parts.clear();
        self.moved.clear();
        for entry in entries {
            let (place, rank) = (entry.place(), entry.rank());
            let train = arrivals.train(place);
            let last = until.last(rank);
            if train.output as usize != output || train.arrival > last {
                continue;
            }
            let later = last.since(train.arrival).ps() / train.spacing.ps().max(1);
            let cells = later as u32 + 1;
            self.moved.push(Moved {
                place,
                cells,
                is_spread: entry.is_spread(),
            });
            self.add(TrainPart {
                rank,
                arrival: train.arrival,
                spacing: train.spacing,
                cells,
                cell: train.cell,
                accepted: false,
            });
        }
    }

    /// Adds cells, in order of the first arrival, and of ranks.
    #[inline]
    fn add(&mut self, part: TrainPart) {
        let mut place = self.parts.len();
        self.parts.push(part);
        while place > 0 && order(&self.parts[place - 1]) > order(&part) {
            self.parts.swap(place - 1, place);
            place -= 1;
        }
    }

    /// Takes trains of several spacings for more trains of the longest spacing, if that is a
    /// multiple of all others.
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
            let turns = (longest / whole.spacing.ps()) as u32;
            for turn in 0..turns.min(whole.cells) {
                let part = TrainPart {
                    arrival: whole.arrival + whole.spacing * u64::from(turn),
                    spacing: whole.spacing * u64::from(turns),
                    cells: (whole.cells - turn).div_ceil(turns),
                    ..whole
                };
                if turn == 0 {
                    self.parts[index] = part;
                } else {
                    self.parts.push(part);
                }
            }
        }
        self.parts.sort_unstable_by_key(order);
    }

    fn cells(&self) -> u64 {
        self.parts.iter().map(|part| u64::from(part.cells)).sum()
    }

    /// Moves the collected cells to an output that gathers cells.
    pub fn settle(&mut self, output: usize, gate: &mut Gate<'_, '_>) {
        for moved in &self.moved {
            gate.arrivals.skip(moved.place, moved.cells);
        }
        if self.parts.len() > 1 {
            self.align();
        }
        while let Some(first) = self.parts.first() {
            let port = &mut gate.outputs.ports[output];
            let sample = port.next_sample(first.arrival);
            if sample != Time::NEVER {
                self.split(sample);
            }
            let is_offered =
                self.cells() >= FEWEST_CELLS && port.offer_stretch(&mut self.parts, gate.out);
            if !is_offered {
                self.offer_one_by_one(output, gate);
            } else if self.later.is_empty() {
                return;
            } else {
                self.parts.clear();
            }
            if !self.later.is_empty() {
                self.parts.append(&mut self.later);
                self.parts.sort_unstable_by_key(order);
            }
        }
    }

    /// Puts the cells that arrive at `sample` or after it aside.
    #[inline]
    fn split(&mut self, sample: Time) {
        if self.parts.iter().all(|part| part.last() < sample) {
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

    /// Moves the collected cells to an output that commits them to a link, but not yet out of the
    /// arrivals; returns false if they must move one by one.
    pub fn send(&mut self, output: usize, gate: &mut Gate<'_, '_>) -> bool {
        if self.parts.len() > 1 {
            self.align();
        }
        if self.cells() < FEWEST_CELLS.max(2 * self.parts.len() as u64) {
            return false;
        }
        let port = &mut gate.outputs.ports[output];
        port.offer_stretch(&mut self.parts, gate.out)
    }

    /// Offers one cell for each train, in order of arrival.
    fn offer_one_by_one(&mut self, output: usize, gate: &mut Gate<'_, '_>) {
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
            gate.outputs.offer(now, now, output, cell, gate.out);
        }
    }
}

/// The order of trains.
fn order(part: &TrainPart) -> (Time, u32) {
    (part.arrival, part.rank)
}
