//! The cells that a fabric leaves at the inputs until their output is looked at.
//!
//! A cell that neither begins nor ends a PDU, and goes to an output that gathers cells towards a
//! host, changes nothing that another node can notice. So nothing needs to be done when it arrives.
//! It moves before the next cell that may begin or end a PDU reaches the same output, together with
//! all cells that came in between: in one step if the output has a closed form, else one by one.
//!
//! This file may be written for speed.

use kernel::Time;

use super::Gate;
use crate::output::stretch::Middle;

/// The end of a stretch: cells up to this instant, and up to this input at this instant.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    now: Time,
    input: usize,
}

impl Until {
    /// Before the cell of `input` that moves at `now`.
    #[inline]
    pub fn before(now: Time, input: usize) -> Until {
        Until { now, input }
    }

    /// After all cells that arrive at `now`.
    #[inline]
    pub fn through(now: Time) -> Until {
        Until {
            now,
            input: usize::MAX,
        }
    }

    /// The last instant at which a cell of `input` belongs to the stretch.
    #[inline]
    fn last(self, input: usize) -> Time {
        if input < self.input {
            self.now
        } else {
            self.now.just_before()
        }
    }
}

/// Fewest cells that are worth a closed form.
const FEWEST: u64 = 3;

/// The cells of a stretch, kept so that nothing is allocated.
#[derive(Debug, Default)]
pub struct Stretches {
    middles: Vec<Middle>,
}

impl Stretches {
    /// Moves the cells to `output` that came before `until`, from the trains under way at these
    /// inputs.
    #[inline]
    pub fn settle(
        &mut self,
        output: usize,
        inputs: impl Iterator<Item = usize>,
        until: Until,
        gate: &mut Gate<'_, '_>,
    ) {
        self.middles.clear();
        for input in inputs {
            let train = gate.arrivals.train(input);
            let last = until.last(input);
            if train.output as usize == output && train.arrival <= last {
                let rounds = last.since(train.arrival).ps() / train.spacing.ps().max(1);
                self.add(Middle {
                    input,
                    arrival: train.arrival,
                    spacing: train.spacing,
                    cells: rounds as u32 + 1,
                    cell: train.cell,
                    accepted: false,
                });
            }
        }
        if !self.middles.is_empty() {
            self.offer(output, gate);
        }
    }

    /// Adds cells, in order of the first arrival, and of inputs.
    #[inline]
    fn add(&mut self, middle: Middle) {
        let key = |middle: &Middle| (middle.arrival, middle.input);
        let mut place = self.middles.len();
        self.middles.push(middle);
        while place > 0 && key(&self.middles[place - 1]) > key(&middle) {
            self.middles.swap(place - 1, place);
            place -= 1;
        }
    }

    /// Offers the collected cells to `output`.
    fn offer(&mut self, output: usize, gate: &mut Gate<'_, '_>) {
        for middle in &self.middles {
            gate.arrivals.skip(middle.input, middle.cells);
        }
        while !self.middles.is_empty() {
            let cells: u64 = self
                .middles
                .iter()
                .map(|middle| u64::from(middle.cells))
                .sum();
            let port = &mut gate.outputs.ports[output];
            if cells >= FEWEST && port.offer_stretch(&mut self.middles) {
                return;
            }
            self.offer_one_by_one(output, gate);
        }
    }

    /// Offers one cell for each train, in order of arrival.
    fn offer_one_by_one(&mut self, output: usize, gate: &mut Gate<'_, '_>) {
        for _ in 0..self.middles.len() {
            let Some(first) = self.middles.first_mut() else {
                return;
            };
            let (now, cell) = (first.arrival, first.cell);
            first.arrival += first.spacing;
            first.cells -= 1;
            let next = *first;
            self.middles.remove(0);
            if next.cells > 0 {
                self.add(next);
            }
            gate.outputs.offer(now, now, output, cell, gate.out);
        }
    }
}
