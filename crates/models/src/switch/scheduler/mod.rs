//! Schedulers: in what order an output sends what waits.
//!
//! Where cells leave as they came, the departure of each is known when it is accepted, and it is
//! committed to its link at once ([`Service::InOrder`]). Any other order has to be chosen cell by
//! cell, when the link becomes free: [`Service::Chosen`].

use crate::switch::discard::Buffer;
use crate::vc::Vc;

parameters::registry! {
    /// In what order an output sends the cells that wait.
    pub enum SchedulerSpec builds Service, for Buffer {
        fifo => Fifo,
        round_robin => RoundRobin,
    } default fifo
}

impl SchedulerSpec {
    /// Whether cells leave in the order in which they came, from one queue.
    pub fn is_in_order(&self) -> bool {
        match self {
            SchedulerSpec::Fifo(_) => true,
            SchedulerSpec::RoundRobin(_) => false,
        }
    }
}

/// How an output serves its cells.
pub enum Service {
    /// In the order in which they were accepted.
    InOrder,
    /// From a queue for each virtual channel, as a scheduler chooses.
    Chosen(Box<dyn Scheduler>),
}

/// Chooses among the virtual channels of an output that have cells waiting.
///
/// The cells of one channel stay in order, so all that is left to decide is whose first cell goes
/// next. That is decided when the link becomes free, before cells that arrive at that instant.
pub trait Scheduler {
    /// A channel of which no cell waited has one now.
    fn begin(&mut self, vc: Vc);

    /// Whose cell goes next, if some channel has one.
    fn next(&self) -> Option<Vc>;

    /// The first cell of `vc` has gone; `more` tells whether another waits.
    fn served(&mut self, vc: Vc, more: bool);
}
