//! Schedulers: in what order an output sends what waits.
//!
//! Where cells leave as they came, the departure of each is known when it is accepted, and it is
//! committed to its link at once ([`Service::InOrder`]). Any other order has to be chosen cell by
//! cell, when the link becomes free: [`Service::Chosen`].

use crate::class::Class;

parameters::registry! {
    /// In what order an output sends the cells that wait.
    pub enum SchedulerSpec builds Service, for Channels {
        fifo => Fifo,
        round_robin => RoundRobin,
        strict_priority => StrictPriority,
        multiclass => Multiclass,
    } default fifo
}

impl SchedulerSpec {
    /// Whether cells leave in the order in which they came, from one queue.
    pub fn is_in_order(&self) -> bool {
        match self {
            SchedulerSpec::Fifo(_) => true,
            SchedulerSpec::RoundRobin(_)
            | SchedulerSpec::StrictPriority(_)
            | SchedulerSpec::Multiclass(_) => false,
        }
    }

    /// Whether it tells service classes apart.
    pub fn knows_classes(&self) -> bool {
        match self {
            SchedulerSpec::Fifo(_) | SchedulerSpec::RoundRobin(_) => false,
            SchedulerSpec::StrictPriority(_) | SchedulerSpec::Multiclass(_) => true,
        }
    }

    /// Share of the link that a class is guaranteed.
    pub fn share(&self, class: Class) -> f64 {
        match self {
            SchedulerSpec::Fifo(_)
            | SchedulerSpec::RoundRobin(_)
            | SchedulerSpec::StrictPriority(_) => 0.0,
            SchedulerSpec::Multiclass(multiclass) => multiclass.share(class),
        }
    }
}

/// The virtual channels of an output, as known before the run.
#[derive(Clone, Debug)]
pub struct Channels {
    /// Service class of each.
    pub classes: Box<[Class]>,
}

/// How an output serves its cells.
pub enum Service {
    /// In the order in which they were accepted.
    InOrder,
    /// From several queues, as a scheduler chooses.
    Chosen {
        /// It chooses.
        scheduler: Box<dyn Scheduler>,
        /// What has a queue of its own.
        division: Division,
        /// Whether it tells service classes apart.
        by_class: bool,
    },
}

/// What has a queue of its own; its number is that of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Each virtual channel.
    Channels,
    /// Each service class.
    Classes,
}

/// Chooses among the queues of an output that have cells.
///
/// The cells of one queue stay in order, so all that is left to decide is whose first cell goes
/// next. That is decided when the link becomes free, before cells that arrive at that instant.
pub trait Scheduler {
    /// A queue in which no cell waited has one now.
    fn begin(&mut self, queue: usize);

    /// Whose cell goes next, if some queue has one.
    fn next(&self) -> Option<usize>;

    /// The first cell of `queue` has gone; `more` tells whether another waits.
    fn served(&mut self, queue: usize, more: bool);
}
