//! Control of ABR rates: the interface between an output and its rate allocator, which TM 4.0,
//! section 5.10.6, leaves to the switch.

use kernel::Time;

use crate::metrics::AllocationMeter;
use crate::wire::class::{ByClass, Class};
use crate::wire::contents::{Cargo, RmId};
use crate::wire::vc::Vc;

/// A unit that passes through an output: the time, the VC, and the queues at that time.
#[derive(Clone, Copy, Debug)]
pub struct UnitPassage<'a> {
    /// Time at which the unit passes.
    pub now: Time,
    /// VC of the unit on the output.
    pub vc: Vc,
    /// The queues of the output, without this unit.
    pub queues: Queues<'a>,
}

/// Lengths of the queues of an output, in cells.
#[derive(Clone, Copy, Debug)]
pub struct Queues<'a> {
    /// Waiting ABR cells; all waiting cells if the output has one queue.
    pub abr: u64,
    /// Cells that have not started, by class; zeros if the output has one queue.
    pub by_class: &'a ByClass<u64>,
}

impl Queues<'static> {
    /// The queues of an output with `abr` ABR cells, or with `abr` cells in one queue for all
    /// classes.
    pub fn of(abr: u64) -> Queues<'static> {
        Queues {
            abr,
            by_class: &[0; Class::ALL.len()],
        }
    }
}

/// Controls the rates of the ABR VCs of an output that queues units `U`.
pub trait AbrControl<U> {
    /// True if the control may mark units.
    fn marks(&self) -> bool {
        false
    }

    /// True if [`AbrControl::on_start`] must be called.
    fn counts_starts(&self) -> bool {
        false
    }

    /// Time at which the control next acts by itself; [`Time::NEVER`] if there is none.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Acts at [`AbrControl::due`], given the queue lengths of the output; returns the next such
    /// time. The output calls no other method of the control for an instant before `now`.
    fn act(&mut self, _queues: Queues<'_>, _now: Time) -> Time {
        Time::NEVER
    }

    /// A unit is offered to the output; true if the output must mark it.
    fn on_offer(&mut self, _at: UnitPassage<'_>, _unit: &U, _cargo: &mut Cargo) -> bool {
        false
    }

    /// An RM cell with these contents arrives from the link to which the output leads.
    fn on_return(&mut self, _at: UnitPassage<'_>, _contents: RmId, _cargo: &mut Cargo) {}

    /// A unit that was offered to the output starts at `start`, which may lie in the future.
    fn on_start(&mut self, _unit: &U, _start: Time) {}

    /// The measurements of the rate allocator; none for a control without a rate allocator.
    fn meter(&self) -> Option<&AllocationMeter> {
        None
    }

    /// The measurements, mutable.
    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        None
    }
}

/// The type of outputs without rate control; no value of this type exists.
pub enum Uncontrolled {}

impl<U> AbrControl<U> for Uncontrolled {}
