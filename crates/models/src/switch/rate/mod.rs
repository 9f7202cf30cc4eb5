//! Rate allocators: what an output tells the sources of ABR channels.
//!
//! The ATM Forum leaves to the switch how it controls ABR sources: it may mark data cells (EFCI), set
//! the bits CI and NI of resource management cells, or write the rate that it can carry into them
//! (ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, section 5.10.6). An
//! allocator belongs to an output. It sees the cells that are offered there and the resource
//! management cells of the same channels that come back, which enter the switch by the input beside
//! that output, and it writes into the latter.

mod control;

use kernel::{Rate, Time};
use parameters::{Amount, Conflict};

use crate::abr::RmCell;
use crate::cell::CELL_BITS;
use crate::class::Class;
use crate::metrics::AllocationMeter;
pub use crate::output::control::{Passing, Queues};
use crate::output::discard::Buffer;
use crate::output::scheduler::{ClassDemand, SchedulerSpec};
pub use control::Control;

parameters::registry! {
    /// Rate allocator of an output, which controls the rates of ABR sources.
    pub enum AllocatorSpec builds Box<dyn Allocator>, for Supply {
        efci => Efci,
        binary => Binary,
        erica => Erica,
    }
}

/// What an allocator may give away, as known before the run.
#[derive(Clone, Debug)]
pub struct Supply {
    /// The buffer of the output.
    pub buffer: Buffer,
    /// Cells that the link carries in a second.
    pub link: f64,
    /// Who else takes part of that.
    pub scheduler: SchedulerSpec,
}

impl Supply {
    /// What there is at an output with this buffer for ABR cells, link and scheduler.
    pub fn new(buffer: Buffer, link: Rate, scheduler: &SchedulerSpec) -> Supply {
        let link = link.bits_per_second() as f64 / CELL_BITS as f64;
        Supply {
            buffer,
            link,
            scheduler: scheduler.clone(),
        }
    }

    /// Cells a second that ABR channels get whatever others send.
    pub fn guaranteed(&self) -> f64 {
        self.scheduler.guaranteed(Class::Abr) * self.link
    }

    /// Cells a second that others take from them.
    pub fn taken(&self, demand: &ClassDemand) -> f64 {
        self.scheduler.taken(Class::Abr, self.link, demand)
    }
}

/// Controls the ABR channels of one output.
pub trait Allocator {
    /// A data cell is offered to the output; whether it is to be marked.
    fn on_cell(&mut self, at: Passing<'_>) -> bool;

    /// Whether it ever marks a data cell.
    fn marks(&self) -> bool {
        false
    }

    /// A resource management cell on its way to the destination is offered to the output.
    fn on_forward(&mut self, at: Passing<'_>, rm: &mut RmCell);

    /// A resource management cell passes on its way back to the source.
    fn on_backward(&mut self, at: Passing<'_>, rm: &mut RmCell);

    /// A cell of another class is offered to the output.
    fn on_other(&mut self, _at: Passing<'_>, _class: Class) {}

    /// Whether [`Allocator::on_start`] has to be called.
    fn counts_starts(&self) -> bool {
        false
    }

    /// An ABR cell starts on the link, or will start, at `start`; these never go back in time.
    fn on_start(&mut self, _start: Time) {}

    /// When [`Allocator::act`] has to be called next, before anything else at that instant.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// It is [`Allocator::due`], and so much waits; returns when it is due next.
    ///
    /// Nothing comes through `until`: where no ABR cell waits, it may do all that is due as far as that,
    /// if this changes nothing that it tells.
    fn act(&mut self, _queues: Queues<'_>, _until: Time) -> Time {
        Time::NEVER
    }

    /// What it measures, if it does.
    fn meter(&self) -> Option<&AllocationMeter> {
        None
    }

    /// The same, to be changed.
    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        None
    }
}

/// Whether an output is congested: from when its queue is longer than one threshold until it is no
/// longer than another.
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

    /// Whether it is congested now that so many cells wait.
    ///
    /// Between arrivals queues only fall, so it suffices to ask when a cell passes.
    #[inline]
    pub fn is_congested(&mut self, queue: u64) -> bool {
        let threshold = if self.congested { self.low } else { self.high };
        self.congested = queue > threshold;
        self.congested
    }
}

/// Reports thresholds of [`Hysteresis`] that are in the wrong order; those given in different units
/// cannot be compared.
fn thresholds(high: Amount, low: Amount) -> Option<Conflict> {
    let is_wrong = match (high, low) {
        (Amount::Share(high), Amount::Share(low)) => low > high,
        (Amount::Cells(high), Amount::Cells(low)) | (Amount::Bytes(high), Amount::Bytes(low)) => {
            low > high
        }
        _ => false,
    };
    is_wrong.then(|| Conflict {
        name: "low",
        problem: "`low` is above `high`".to_string(),
        hint: "write at most `high`: the queue counts as long from `high` until it has fallen to \
               `low`"
            .to_string(),
    })
}
