//! The allocator of an output, and what it has to do with each channel.

use kernel::Time;

use super::{Allocator, Passing};
use crate::cell::Cell;
use crate::class::Class;
use crate::frame::{FrameId, Frames};
use crate::vc::Vc;

/// What an output that controls rates does beside forwarding.
pub struct Control {
    /// Its allocator.
    pub allocator: Box<dyn Allocator>,
    /// Service class of each channel; those of ABR are controlled.
    classes: Box<[Class]>,
}

impl Control {
    /// For channels of these classes.
    pub fn new(allocator: Box<dyn Allocator>, classes: &[Class]) -> Control {
        Control {
            allocator,
            classes: classes.into(),
        }
    }

    /// A cell is offered to the output; whether it is to be marked.
    #[inline]
    pub fn on_offer(&mut self, at: Passing<'_>, cell: &Cell, cargo: &mut Frames) -> bool {
        let class = self.classes[at.vc.index()];
        if class != Class::Abr {
            self.allocator.on_other(at, class);
            return false;
        }
        if cell.is_rm() {
            let rm = cargo.rm_mut(cell.frame);
            // What the destination of the other direction turned around is a cell like any here.
            if !rm.backward {
                self.allocator.on_forward(at, rm);
                return false;
            }
            self.allocator.on_cell(at);
            return false;
        }
        self.allocator.on_cell(at)
    }

    /// An RM cell with these contents comes back by the input beside the output.
    pub fn on_return(&mut self, at: Passing<'_>, contents: FrameId, cargo: &mut Frames) {
        let rm = cargo.rm_mut(contents);
        if rm.backward && self.controls(at.vc) {
            self.allocator.on_backward(at, rm);
        }
    }

    /// Whether the rate of a channel is controlled.
    fn controls(&self, vc: Vc) -> bool {
        self.classes[vc.index()] == Class::Abr
    }

    /// A cell that was offered starts, or will start, at `start`.
    pub fn on_start(&mut self, cell: &Cell, start: Time) {
        if self.controls(cell.vc) {
            self.allocator.on_start(start);
        }
    }
}
