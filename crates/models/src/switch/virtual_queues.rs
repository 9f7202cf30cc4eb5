//! Virtual output queues: each input of a switch keeps a queue of its own for every output, so that
//! a cell waits only for cells of its own output.
//!
//! Tamir and Frazier, "High-Performance Multi-Queue Buffers for VLSI Communication Switches",
//! Proceedings of the 15th International Symposium on Computer Architecture, 1988.

use kernel::Time;

use crate::output::choice::number_set::NumberSet;
use crate::output::{Lists, Taken};
use crate::wire::cell::Cell;
use crate::wire::format::CellFormat;

/// The virtual output queues of all inputs of a switch. Inputs and outputs are numbered among those
/// that VCs use.
pub struct VirtualQueues {
    outputs: usize,
    cells: Lists<Cell>,
    /// Number of cells in all queues.
    waiting: u64,
    /// The outputs for which an input has a cell, by input.
    outputs_of: Box<[NumberSet]>,
    /// The inputs that have a cell for an output, by output.
    inputs_of: Box<[NumberSet]>,
}

impl VirtualQueues {
    /// Empty queues.
    pub fn new(inputs: usize, outputs: usize, cells: CellFormat) -> VirtualQueues {
        VirtualQueues {
            outputs,
            cells: Lists::new(inputs * outputs, cells),
            waiting: 0,
            outputs_of: vec![NumberSet::default(); inputs].into(),
            inputs_of: vec![NumberSet::default(); outputs].into(),
        }
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.outputs_of.len()
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The outputs for which an input has a cell.
    pub fn outputs_of(&self, input: usize) -> &NumberSet {
        &self.outputs_of[input]
    }

    /// The inputs that have a cell for an output.
    pub fn inputs_of(&self, output: usize) -> &NumberSet {
        &self.inputs_of[output]
    }

    /// True if an input has a cell for an output.
    pub fn requests(&self, input: usize, output: usize) -> bool {
        self.length(input, output) > 0
    }

    /// Number of cells in a queue.
    pub fn length(&self, input: usize, output: usize) -> u64 {
        self.cells.size(input * self.outputs + output)
    }

    /// Arrival of the first cell of a queue, which is not empty.
    pub fn oldest(&self, input: usize, output: usize) -> Time {
        self.cells.head(input * self.outputs + output).since
    }

    /// Number of cells in all queues.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Appends a cell to a queue.
    pub fn push(&mut self, input: usize, output: usize, cell: &Cell, arrival: Time) {
        self.waiting += 1;
        if self
            .cells
            .push(input * self.outputs + output, cell, arrival)
        {
            self.outputs_of[input].insert(output);
            self.inputs_of[output].insert(input);
        }
    }

    /// Removes the first cell of a queue, which is not empty.
    pub fn pop(&mut self, input: usize, output: usize) -> Taken<Cell> {
        self.waiting -= 1;
        let taken = self.cells.pop(input * self.outputs + output);
        if !taken.more {
            self.outputs_of[input].remove(output);
            self.inputs_of[output].remove(input);
        }
        taken
    }
}
