//! Rate allocators: the feedback that an output gives to ABR sources.
//!
//! The ATM Forum lets the switch choose how it controls ABR sources: it may mark data cells (EFCI),
//! set the bits CI and NI of RM cells, or write the rate that it can carry into RM cells (ATM
//! Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, section 5.10.6). An
//! allocator belongs to an output. It sees the cells that are offered there and the backward RM
//! cells of the same VCs, which enter the switch by the input from the same link, and it writes
//! into these RM cells.

mod control;

use kernel::{Rate, Time};
use parameters::{Amount, Conflict, Parameter};

use crate::abr::RmCell;
use crate::metrics::AllocationMeter;
pub use crate::output::control::{Queues, UnitPassage};
use crate::output::discard::Buffer;
use crate::output::scheduler::{ClassDemand, SchedulerSpec};
use crate::wire::class::Class;
pub use control::OutputRateControl;

parameters::registry! {
    /// Rate allocator of an output, which controls the rates of ABR sources.
    pub enum AllocatorSpec builds Box<dyn Allocator>, for Supply {
        efci => Efci,
        binary => Binary,
        erica => Erica,
    }
}

/// The resources of an output that a rate allocator divides, as known before the run.
#[derive(Clone, Debug)]
pub struct Supply {
    /// The buffer of the output.
    pub buffer: Buffer,
    /// Cells that the link carries in a second.
    pub link: f64,
    /// Scheduler, which gives part of the link to other service classes.
    pub scheduler: SchedulerSpec,
}

impl Supply {
    /// The resources of an output with this buffer for ABR cells, link rate and scheduler.
    pub fn new(buffer: Buffer, link: Rate, scheduler: &SchedulerSpec) -> Supply {
        let link = link.bits_per_second() as f64 / buffer.cells.bits() as f64;
        Supply {
            buffer,
            link,
            scheduler: scheduler.clone(),
        }
    }

    /// Rate that the scheduler guarantees to ABR VCs together, in cells per second.
    pub fn guaranteed(&self) -> f64 {
        self.scheduler.guaranteed(Class::Abr) * self.link
    }

    /// Rate that other classes take from ABR VCs, in cells per second.
    pub fn taken(&self, demand: &ClassDemand) -> f64 {
        self.scheduler.taken(Class::Abr, self.link, demand)
    }
}

/// Controls the ABR VCs of one output.
pub trait Allocator: Send {
    /// A data cell is offered to the output; true if the output must mark it.
    fn on_cell(&mut self, at: UnitPassage<'_>) -> bool;

    /// True if the allocator may mark data cells.
    fn marks(&self) -> bool {
        false
    }

    /// A resource management cell on its way to the destination is offered to the output.
    fn on_forward(&mut self, at: UnitPassage<'_>, rm: &mut RmCell);

    /// A resource management cell passes the switch on its way back to the source.
    fn on_backward(&mut self, at: UnitPassage<'_>, rm: &mut RmCell);

    /// A cell of another class is offered to the output.
    fn on_other(&mut self, _at: UnitPassage<'_>, _class: Class) {}

    /// True if [`Allocator::on_start`] must be called.
    fn counts_starts(&self) -> bool {
        false
    }

    /// The transmission of an ABR cell starts at `start`, now or later. Starts are reported in
    /// their order.
    fn on_start(&mut self, _start: Time) {}

    /// Time at which [`Allocator::act`] must be called next, before other events of that instant.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Acts at [`Allocator::due`], with these queues; returns the time of the next call.
    ///
    /// No cell arrives up to and including `until`. If no ABR cell waits and the feedback stays the
    /// same, the allocator may handle all intervals until then in one call.
    fn act(&mut self, _queues: Queues<'_>, _until: Time) -> Time {
        Time::NEVER
    }

    /// The measurements, if the allocator measures anything.
    fn meter(&self) -> Option<&AllocationMeter> {
        None
    }

    /// The measurements, mutable.
    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        None
    }
}

/// The congestion state of an output: congested from the time at which its queue exceeds the high
/// threshold until the queue has fallen to the low threshold.
#[derive(Clone, Copy, Debug)]
pub struct Hysteresis {
    high: u64,
    low: u64,
    congested: bool,
}

impl Hysteresis {
    /// An output that is not congested.
    pub fn new(high: u64, low: u64) -> Hysteresis {
        Hysteresis {
            high,
            low: low.min(high),
            congested: false,
        }
    }

    /// Updates the state for a queue of `queue` cells; returns true if the output is congested.
    ///
    /// The queue only falls between arrivals, so one call for each arriving cell suffices.
    #[inline]
    pub fn update(&mut self, queue: u64) -> bool {
        let threshold = if self.congested { self.low } else { self.high };
        self.congested = queue > threshold;
        self.congested
    }
}

/// The conflict of thresholds of [`Hysteresis`] in the wrong order; thresholds in different units
/// cannot be compared.
fn thresholds(high: Amount, low: Amount) -> Option<Conflict> {
    (low > high).then(|| Conflict {
        name: "low",
        problem: "`low` is above `high`".to_string(),
        hint: format!(
            "write at most `{}`: the queue counts as long from `high` until it has fallen to `low`",
            high.write()
        ),
    })
}
