//! The contention of inputs for outputs in the slots of a slotted fabric.

use kernel::Stream;

use super::{Order, Slotted};
use crate::output::choice::number_set::NumberSet;
use crate::switch::fabric::Inputs;

/// The inputs that contend for each output, and those that send.
pub struct Contention {
    speedup: usize,
    order: Order,
    random: Stream,
    outputs: Vec<Output>,
    /// Outputs for which inputs contend.
    pub busy: NumberSet,
    /// The inputs that send in this slot.
    chosen: Vec<usize>,
}

#[derive(Clone)]
struct Output {
    /// Inputs whose first cell has arrived and goes to this output.
    contenders: NumberSet,
    /// Input at which the round robin continues.
    turn: usize,
}

impl Contention {
    /// No contention yet.
    pub fn new(spec: &Slotted, inputs: &Inputs) -> Contention {
        let output = Output {
            contenders: NumberSet::default(),
            turn: 0,
        };
        Contention {
            speedup: spec.speedup.map_or(usize::MAX, |speedup| speedup as usize),
            order: spec.order,
            random: inputs.random.clone(),
            outputs: vec![output; inputs.outputs],
            busy: NumberSet::default(),
            chosen: Vec::with_capacity(inputs.inputs),
        }
    }

    /// Lets an input contend for an output.
    #[inline]
    pub fn enter(&mut self, input: usize, output: usize) {
        self.outputs[output].contenders.insert(input);
        self.busy.insert(output);
    }

    /// Ends the contention of an input for an output.
    // Not inlined, so that the path of a cell behind which another follows stays short.
    #[inline(never)]
    pub fn leave(&mut self, input: usize, output: usize) {
        let contenders = &mut self.outputs[output].contenders;
        contenders.remove(input);
        if contenders.is_empty() {
            self.busy.remove(output);
        }
    }

    /// Chooses the contenders that send, and calls `send` for each in the order in which their cells
    /// enter the output.
    // Each fabric has a copy of this function, which is inlined there, because `send` is generic.
    #[inline]
    pub fn serve(&mut self, output: usize, mut send: impl FnMut(&mut Contention, usize)) {
        let Output { contenders, turn } = &mut self.outputs[output];
        self.chosen.clear();
        match self.order {
            Order::RoundRobin => {
                contenders.cycle_from(*turn, self.speedup, &mut self.chosen);
                *turn = self.chosen.last().map_or(0, |last| last + 1);
                let entering = self.chosen.len();
                self.random.shuffle(&mut self.chosen, entering);
            }
            Order::Random => {
                contenders.cycle_from(0, usize::MAX, &mut self.chosen);
                let sending = self.chosen.len().min(self.speedup);
                self.random.shuffle(&mut self.chosen, sending);
                self.chosen.truncate(sending);
            }
            Order::Input => contenders.cycle_from(0, self.speedup, &mut self.chosen),
        }
        for index in 0..self.chosen.len() {
            let input = self.chosen[index];
            send(self, input);
        }
    }
}
