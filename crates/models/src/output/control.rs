//! What an output must know of a control of ABR rates, which belongs to a switch.

use kernel::Time;

use crate::class::{ByClass, Class};
use crate::frame::{FrameId, Frames};
use crate::metrics::AllocationMeter;
use crate::vc::Vc;

/// The state of an output when a unit passes.
#[derive(Clone, Copy, Debug)]
pub struct Passing<'a> {
    /// When it passes.
    pub now: Time,
    /// Its virtual channel on the output.
    pub vc: Vc,
    /// What waits there, without the unit that passes.
    pub queues: Queues<'a>,
}

/// What waits at an output.
#[derive(Clone, Copy, Debug)]
pub struct Queues<'a> {
    /// ABR cells; all cells, where they wait in one queue.
    pub abr: u64,
    /// Cells that have not started, by class; none, where they wait in one queue.
    pub by_class: &'a ByClass<u64>,
}

impl Queues<'static> {
    /// So many ABR cells, or cells in one queue.
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
    fn marks(&self) -> bool;

    /// True if [`AbrControl::on_start`] must be called.
    fn counts_starts(&self) -> bool;

    /// When it next acts by itself, [`Time::NEVER`] if it does not.
    fn due(&self) -> Time;

    /// Acts at [`AbrControl::due`], when `queues` wait; returns when it acts next. Until `now` it is
    /// not asked again.
    fn act(&mut self, queues: Queues<'_>, now: Time) -> Time;

    /// A unit is offered to the output; true if it is to be marked.
    fn on_offer(&mut self, at: Passing<'_>, unit: &U, cargo: &mut Frames) -> bool;

    /// An RM cell with these contents comes back by the input beside the output.
    fn on_return(&mut self, at: Passing<'_>, contents: FrameId, cargo: &mut Frames);

    /// A unit that was offered starts, or will start, at `start`.
    fn on_start(&mut self, unit: &U, start: Time);

    /// What it measures, if it measures anything.
    fn meter(&self) -> Option<&AllocationMeter>;

    /// What it measures, mutable.
    fn meter_mut(&mut self) -> Option<&mut AllocationMeter>;
}

/// No control of rates: no value of this type exists.
pub enum Uncontrolled {}

impl<U> AbrControl<U> for Uncontrolled {
    fn marks(&self) -> bool {
        match *self {}
    }

    fn counts_starts(&self) -> bool {
        match *self {}
    }

    fn due(&self) -> Time {
        match *self {}
    }

    fn act(&mut self, _queues: Queues<'_>, _now: Time) -> Time {
        match *self {}
    }

    fn on_offer(&mut self, _at: Passing<'_>, _unit: &U, _cargo: &mut Frames) -> bool {
        match *self {}
    }

    fn on_return(&mut self, _at: Passing<'_>, _contents: FrameId, _cargo: &mut Frames) {
        match *self {}
    }

    fn on_start(&mut self, _unit: &U, _start: Time) {
        match *self {}
    }

    fn meter(&self) -> Option<&AllocationMeter> {
        match *self {}
    }

    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        match *self {}
    }
}
