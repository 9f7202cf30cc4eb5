//! Control of ABR rates at an output, as the output sees it; the allocators belong to switches.

use kernel::Time;

use crate::class::{ByClass, Class};
use crate::frame::{Frames, RmId};
use crate::metrics::AllocationMeter;
use crate::vc::Vc;

/// The state of an output when a unit passes.
#[derive(Clone, Copy, Debug)]
pub struct Passing<'a> {
    /// When it passes.
    pub now: Time,
    /// Its virtual channel on the output.
    pub vc: Vc,
    /// The queues of the output, without the unit that passes.
    pub queues: Queues<'a>,
}

/// Lengths of the queues of an output, in cells.
#[derive(Clone, Copy, Debug)]
pub struct Queues<'a> {
    /// ABR cells; all cells, where they wait in one queue.
    pub abr: u64,
    /// Cells that have not started, by class; none, where they wait in one queue.
    pub by_class: &'a ByClass<u64>,
}

impl Queues<'static> {
    /// The queues of an output with `abr` ABR cells, or with that many cells in one queue.
    pub fn of(abr: u64) -> Queues<'static> {
        Queues {
            abr,
            by_class: &[0; Class::ALL.len()],
        }
    }
}

/// Controls the rates of the ABR channels of an output that queues units `U`.
pub trait AbrControl<U> {
    /// True if it ever marks a unit.
    fn marks(&self) -> bool {
        false
    }

    /// True if [`AbrControl::on_start`] must be called.
    fn counts_starts(&self) -> bool {
        false
    }

    /// When it next acts by itself, [`Time::NEVER`] if it does not.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Acts at [`AbrControl::due`], when `queues` wait; returns when it acts next. Until `now` it is
    /// not asked again.
    fn act(&mut self, _queues: Queues<'_>, _now: Time) -> Time {
        Time::NEVER
    }

    /// A unit is offered to the output; true if it is to be marked.
    fn on_offer(&mut self, _at: Passing<'_>, _unit: &U, _cargo: &mut Frames) -> bool {
        false
    }

    /// An RM cell with these contents comes back by the input beside the output.
    fn on_return(&mut self, _at: Passing<'_>, _contents: RmId, _cargo: &mut Frames) {}

    /// A unit that was offered starts, or will start, at `start`.
    fn on_start(&mut self, _unit: &U, _start: Time) {}

    /// What it measures, if it measures anything.
    fn meter(&self) -> Option<&AllocationMeter> {
        None
    }

    /// What it measures, mutable.
    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        None
    }
}

/// No control of rates: no value of this type exists.
pub enum Uncontrolled {}

impl<U> AbrControl<U> for Uncontrolled {}
