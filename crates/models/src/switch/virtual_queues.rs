//! Virtual output queues: each input of a switch keeps a queue of its own for every output, so that
//! a cell waits only for cells of its own output. A queue may be divided by service class; then the
//! first cell of the highest class leaves first.
//!
//! Tamir and Frazier, "High-Performance Multi-Queue Buffers for VLSI Communication Switches",
//! Proceedings of the 15th International Symposium on Computer Architecture, 1988.

use std::ops::Range;

use kernel::Time;

use crate::output::choice::number_set::NumberSet;
use crate::output::{Lists, Taken};
use crate::wire::cell::Cell;
use crate::wire::class::Class;
use crate::wire::format::CellFormat;
use crate::wire::vc::Vc;

/// The virtual output queues of all inputs of a switch. Inputs and outputs are numbered among those
/// that VCs use.
pub struct VirtualQueues {
    outputs: usize,
    /// The class of each VC, by output; none if the queues are not divided.
    classes: Option<Box<[Box<[Class]>]>>,
    /// The queues by input, by output and, if they are divided, by class.
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
            classes: None,
            cells: Lists::new(inputs * outputs, cells),
            waiting: 0,
            outputs_of: vec![NumberSet::default(); inputs].into(),
            inputs_of: vec![NumberSet::default(); outputs].into(),
        }
    }

    /// Empty queues, each divided by class; `classes` are those of the VCs of each output.
    pub fn per_class(
        inputs: usize,
        classes: Box<[Box<[Class]>]>,
        cells: CellFormat,
    ) -> VirtualQueues {
        let outputs = classes.len();
        VirtualQueues {
            cells: Lists::new(inputs * outputs * Class::ALL.len(), cells),
            classes: Some(classes),
            ..VirtualQueues::new(inputs, outputs, cells)
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

    /// Number of cells in a queue, of all classes.
    pub fn length(&self, input: usize, output: usize) -> u64 {
        let parts = self.parts(input, output);
        parts.map(|part| self.cells.size(part)).sum()
    }

    /// Arrival of the oldest cell of a queue, which is not empty.
    pub fn oldest(&self, input: usize, output: usize) -> Time {
        let used = self
            .parts(input, output)
            .filter(|part| self.cells.size(*part) > 0);
        let oldest = used.map(|part| self.cells.head(part).since).min();
        oldest.expect("the queue is not empty")
    }

    /// The parts of a queue, by class; one if the queues are not divided.
    fn parts(&self, input: usize, output: usize) -> Range<usize> {
        let parts = if self.classes.is_some() {
            Class::ALL.len()
        } else {
            1
        };
        let first = (input * self.outputs + output) * parts;
        first..first + parts
    }

    /// The part of a queue that holds the cells of a VC.
    fn part_of(&self, input: usize, output: usize, vc: Vc) -> usize {
        let classes = self.classes.as_ref();
        let class = classes.map_or(0, |classes| classes[output][vc.index()].index());
        self.parts(input, output).start + class
    }

    /// Number of cells in all queues.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Appends a cell to a queue.
    pub fn push(&mut self, input: usize, output: usize, cell: &Cell, arrival: Time) {
        self.waiting += 1;
        let part = self.part_of(input, output, cell.vc);
        if self.cells.push(part, cell, arrival) {
            self.outputs_of[input].insert(output);
            self.inputs_of[output].insert(input);
        }
    }

    /// Removes the first cell of a queue, which is not empty: of the class of the VC `after`, if it is
    /// given, or else of the highest class with a cell.
    pub fn pop(&mut self, input: usize, output: usize, after: Option<Vc>) -> Taken<Cell> {
        self.waiting -= 1;
        let mut parts = self.parts(input, output);
        let part = if let Some(vc) = after {
            self.part_of(input, output, vc)
        } else {
            let first = parts.find(|part| self.cells.size(*part) > 0);
            first.expect("the queue is not empty")
        };
        let taken = self.cells.pop(part);
        if !taken.more && !self.requests(input, output) {
            self.outputs_of[input].remove(output);
            self.inputs_of[output].remove(input);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;

    fn cell(vc: u32, pdu: u32) -> Cell {
        Cell::data(Vc(vc), Data::new(pdu, ContentsId(0), false))
    }

    #[test]
    fn the_highest_class_leaves_first_unless_a_packet_is_crossing() {
        let classes = vec![vec![Class::Ubr, Class::Cbr].into()].into();
        let mut queues = VirtualQueues::per_class(2, classes, CellFormat::ATM);
        let cells = [cell(0, 1), cell(0, 2), cell(1, 1), cell(1, 2)];
        for (at, cell) in (0..).zip(&cells) {
            queues.push(1, 0, cell, Time::from_ps(at));
        }
        assert_eq!((queues.length(1, 0), queues.length(0, 0)), (4, 0));
        assert_eq!(queues.oldest(1, 0), Time::ZERO);
        let mut left = |after| queues.pop(1, 0, after).unit;
        assert_eq!(left(None), cells[2]);
        assert_eq!(left(Some(Vc(0))), cells[0]);
        assert_eq!(left(None), cells[3]);
        assert_eq!(left(None), cells[1]);
        assert!(!queues.requests(1, 0) && queues.inputs_of(0).is_empty());
    }
}
