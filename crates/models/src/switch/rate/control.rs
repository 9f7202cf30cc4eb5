//! The rate control of an output: it passes the cells of ABR VCs to the rate allocator, and the
//! feedback of the allocator to backward RM cells (TM 4.0, section 5.10.6).

use kernel::Time;

use super::Allocator;
use crate::metrics::AllocationMeter;
use crate::output::control::{AbrControl, Queues, UnitPassage};
use crate::wire::cell::{Cell, Payload};
use crate::wire::class::Class;
use crate::wire::contents::{Cargo, RmId};
use crate::wire::vc::Vc;

/// The rate control of an output.
pub struct OutputRateControl {
    allocator: Box<dyn Allocator>,
    /// Service class of each VC; the rates of ABR VCs are controlled.
    classes: Box<[Class]>,
}

impl OutputRateControl {
    /// The rate control of an output whose VCs have these classes.
    pub fn new(allocator: Box<dyn Allocator>, classes: &[Class]) -> OutputRateControl {
        OutputRateControl {
            allocator,
            classes: classes.into(),
        }
    }

    /// True if the allocator controls the rate of a VC.
    fn controls(&self, vc: Vc) -> bool {
        self.classes[vc.index()] == Class::Abr
    }
}

impl AbrControl<Cell> for OutputRateControl {
    fn marks(&self) -> bool {
        self.allocator.marks()
    }

    fn counts_starts(&self) -> bool {
        self.allocator.counts_starts()
    }

    fn due(&self) -> Time {
        self.allocator.due()
    }

    fn act(&mut self, queues: Queues<'_>, now: Time) -> Time {
        self.allocator.act(queues, now)
    }

    #[inline]
    fn on_offer(&mut self, at: UnitPassage<'_>, cell: &Cell, cargo: &mut Cargo) -> bool {
        let class = self.classes[at.vc.index()];
        if class != Class::Abr {
            self.allocator.on_other(at, class);
            return false;
        }
        if let Payload::Rm { id, .. } = cell.payload {
            let rm = cargo.rm_mut(id);
            // A backward RM cell belongs to the ABR loop of the opposite direction: at this output
            // it only takes capacity, as a data cell does.
            if !rm.backward {
                self.allocator.on_forward(at, rm);
                return false;
            }
            self.allocator.on_cell(at);
            return false;
        }
        self.allocator.on_cell(at)
    }

    fn on_return(&mut self, at: UnitPassage<'_>, contents: RmId, cargo: &mut Cargo) {
        let rm = cargo.rm_mut(contents);
        if rm.backward && self.controls(at.vc) {
            self.allocator.on_backward(at, rm);
        }
    }

    fn on_start(&mut self, cell: &Cell, start: Time) {
        if self.controls(cell.vc) {
            self.allocator.on_start(start);
        }
    }

    fn meter(&self) -> Option<&AllocationMeter> {
        self.allocator.meter()
    }

    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        self.allocator.meter_mut()
    }
}
