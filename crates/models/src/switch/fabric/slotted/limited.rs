//! The slotted fabric with limited inputs: each input keeps its cells in a queue, first in, first
//! out, which a discard policy guards.
//!
//! At the end of a slot the cells that arrived during the slot come to their queues, lowest input
//! first; then the first cells of the queues contend, as they do without a limit.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::Slotted;
use super::contention::Contention;
use crate::metrics::{CrossingMeter, CrossingReading};
use crate::switch::arrivals::NextCell;
use crate::switch::crossing::Crossing;
use crate::switch::fabric::{Fabric, Inputs};
use crate::switch::input_buffer::InputSpec;
use crate::switch::limited_inputs::LimitedInputs;
use crate::switch::slots::Slots;
use crate::wire::cell::Cell;

/// The state of the fabric.
pub struct LimitedState {
    slots: Slots,
    contention: Contention,
    limits: LimitedInputs,
    queues: Box<[VecDeque<Waiting>]>,
    /// The inputs whose first cell moved in this slot.
    moved: Vec<usize>,
    /// Number of cells in all queues.
    waiting: u64,
    /// Counts by output.
    meters: Box<[CrossingMeter]>,
}

/// A cell in the queue of its input.
struct Waiting {
    cell: Cell,
    arrival: Time,
    output: usize,
}

impl LimitedState {
    /// Empty inputs.
    pub fn new(spec: &Slotted, input: &InputSpec, slot: Duration, inputs: &Inputs) -> LimitedState {
        LimitedState {
            slots: Slots::new(slot, inputs.inputs),
            contention: Contention::new(spec, inputs),
            limits: LimitedInputs::new(input, inputs, false),
            queues: (0..inputs.inputs).map(|_| VecDeque::new()).collect(),
            moved: Vec::with_capacity(inputs.inputs),
            waiting: 0,
            meters: vec![CrossingMeter::default(); inputs.outputs].into(),
        }
    }

    /// Lets the cells that arrived before `now` come to their queues.
    fn admit(&mut self, now: Time, crossing: &mut Crossing<'_, '_>) {
        for input in 0..self.queues.len() {
            while let Some((cell, NextCell { arrival, output })) =
                self.slots.take(input, now, crossing)
            {
                let output = output as usize;
                if !self.limits.admit(now, input, output, &cell, crossing) {
                    continue;
                }
                if self.queues[input].is_empty() {
                    self.contention.enter(input, output);
                }
                self.queues[input].push_back(Waiting {
                    cell,
                    arrival,
                    output,
                });
                self.waiting += 1;
                self.meters[output].join(now);
            }
        }
    }

    /// Moves up to `speedup` cells into `output`. A cell behind them contends in the next slot.
    fn serve(&mut self, now: Time, output: usize, crossing: &mut Crossing<'_, '_>) {
        let LimitedState {
            slots,
            contention,
            limits,
            queues,
            moved,
            waiting,
            meters,
        } = self;
        contention.serve(output, |contention, input| {
            let first = queues[input].pop_front();
            let Waiting { cell, arrival, .. } = first.expect("a cell contends");
            *waiting -= 1;
            contention.leave(input, output);
            meters[output].cross(now, slots.waited(arrival, now));
            limits.leave(input, output, &cell, crossing);
            crossing.offer(now, arrival, output, cell);
            moved.push(input);
        });
    }

    /// Lets the cells behind those that moved in this slot contend.
    fn follow(&mut self) {
        while let Some(input) = self.moved.pop() {
            if let Some(Waiting { output, .. }) = self.queues[input].front() {
                self.contention.enter(input, *output);
            }
        }
    }
}

impl Fabric for LimitedState {
    fn next_wake(&self) -> Time {
        self.slots.next_wake(self.waiting > 0)
    }

    fn expect(&mut self, input: usize, next: NextCell) {
        self.slots.expect(input, next);
    }

    fn forget(&mut self, input: usize) {
        self.slots.forget(input);
    }

    fn advance(&mut self, crossing: &mut Crossing<'_, '_>) {
        loop {
            let now = self.next_wake();
            if crossing.is_closed(now) {
                return;
            }
            if self.slots.end(now) {
                self.admit(now, crossing);
                self.slots.find_next_arrival();
            }
            let mut output = 0;
            while let Some(next) = self.contention.busy.first_from(output) {
                self.serve(now, next, crossing);
                output = next + 1;
            }
            self.follow();
        }
    }

    fn cells(&self) -> u64 {
        self.waiting
    }

    fn begin_counting(&mut self, now: Time) {
        self.meters.iter_mut().for_each(|meter| meter.begin(now));
    }

    fn read(&self, output: usize, now: Time) -> Option<CrossingReading> {
        Some(self.meters[output].read(now))
    }
}
