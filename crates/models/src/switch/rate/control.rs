//! The allocator of an output, and what it has to do with each channel.

use kernel::Time;

use super::{Allocator, Other, Passing};
use crate::cell::Cell;
use crate::class::Class;
use crate::frame::{FrameId, Frames};
use crate::vc::Vc;

/// What an output that controls rates does beside forwarding.
pub struct Control {
    /// Its allocator.
    pub allocator: Box<dyn Allocator>,
    /// What the cells of each channel are to it; nothing for those that it controls.
    others: Box<[Option<Other>]>,
}

impl Control {
    /// For channels of these classes; with `priorities` those below ABR are served after it, else
    /// every other channel takes from it.
    pub fn new(allocator: Box<dyn Allocator>, classes: &[Class], priorities: bool) -> Control {
        let other = |class: &Class| match class {
            Class::Abr => None,
            class if priorities && *class > Class::Abr => Some(Other::After),
            _ => Some(Other::Before),
        };
        Control {
            allocator,
            others: classes.iter().map(other).collect(),
        }
    }

    /// A cell is offered to the output, where `queue` ABR cells wait; whether it is to be marked.
    #[inline]
    pub fn on_offer(&mut self, now: Time, cell: &Cell, queue: u64, cargo: &mut Frames) -> bool {
        let vc = cell.vc;
        if let Some(other) = self.others[vc.index()] {
            self.allocator.on_other(now, queue, other);
            return false;
        }
        let at = Passing { now, vc, queue };
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
    pub fn on_return(&mut self, at: Passing, contents: FrameId, cargo: &mut Frames) {
        let rm = cargo.rm_mut(contents);
        if rm.backward && self.controls(at.vc) {
            self.allocator.on_backward(at, rm);
        }
    }

    /// Whether the rate of a channel is controlled.
    fn controls(&self, vc: Vc) -> bool {
        self.others[vc.index()].is_none()
    }

    /// A cell that was offered starts, or will start, at `start`.
    pub fn on_start(&mut self, cell: &Cell, start: Time) {
        if self.controls(cell.vc) {
            self.allocator.on_start(start);
        }
    }
}
