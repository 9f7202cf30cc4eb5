//! Schedulers: in what order an output sends what waits.
//!
//! Where cells leave as they came, the departure of each is known when it is accepted, and it is
//! committed to its link at once ([`Discipline::Fifo`]). Any other order has to be chosen cell by
//! cell, when the link becomes free: [`Discipline::Scheduled`].

use crate::class::{ByClass, Class};
use crate::credit::Room;
use crate::output::classes::Within;
use multiclass::Multiclass;
use strict_priority::StrictPriority;

parameters::registry! {
    /// Scheduler: the order in which an output sends the cells or packets that wait.
    pub enum SchedulerSpec builds Discipline, for Channels {
        fifo => Fifo,
        round_robin => RoundRobin,
        strict_priority => StrictPriority,
        multiclass => Multiclass,
        deficit_round_robin => DeficitRoundRobin,
        self_clocked => SelfClocked,
    } default fifo
}

impl SchedulerSpec {
    /// Whether cells leave in the order in which they came, from one queue.
    pub fn is_in_order(&self) -> bool {
        match self {
            SchedulerSpec::Fifo(_) => true,
            SchedulerSpec::RoundRobin(_)
            | SchedulerSpec::StrictPriority(_)
            | SchedulerSpec::Multiclass(_)
            | SchedulerSpec::DeficitRoundRobin(_)
            | SchedulerSpec::SelfClocked(_) => false,
        }
    }

    /// Whether each channel has a queue of its own.
    pub fn has_queues_of_channels(&self) -> bool {
        match self {
            SchedulerSpec::Fifo(_) => false,
            SchedulerSpec::StrictPriority(StrictPriority { within })
            | SchedulerSpec::Multiclass(Multiclass { within, .. }) => *within == Within::RoundRobin,
            SchedulerSpec::RoundRobin(_)
            | SchedulerSpec::DeficitRoundRobin(_)
            | SchedulerSpec::SelfClocked(_) => true,
        }
    }

    /// Whether it tells service classes apart.
    pub fn knows_classes(&self) -> bool {
        match self {
            SchedulerSpec::Fifo(_)
            | SchedulerSpec::RoundRobin(_)
            | SchedulerSpec::DeficitRoundRobin(_)
            | SchedulerSpec::SelfClocked(_) => false,
            SchedulerSpec::StrictPriority(_) | SchedulerSpec::Multiclass(_) => true,
        }
    }

    /// Cells a second that other classes take from `class` of a link of so many, when it always has
    /// cells.
    ///
    /// Of classes that go before it all that came counts, as ERICA was published; where several have
    /// a share, so does what waits of them, since they send it in their own time.
    pub fn taken(&self, class: Class, link: f64, asked: &Asked) -> f64 {
        match self {
            SchedulerSpec::Fifo(_)
            | SchedulerSpec::RoundRobin(_)
            | SchedulerSpec::DeficitRoundRobin(_)
            | SchedulerSpec::SelfClocked(_) => asked.rate_of(&Class::ALL),
            SchedulerSpec::StrictPriority(_) => asked.rate_of(&Class::ALL[..class.index()]),
            SchedulerSpec::Multiclass(multiclass) => multiclass.taken(class, link, asked),
        }
    }

    /// Share of the link that a class is guaranteed.
    pub fn share(&self, class: Class) -> f64 {
        match self {
            SchedulerSpec::Fifo(_)
            | SchedulerSpec::RoundRobin(_)
            | SchedulerSpec::StrictPriority(_)
            | SchedulerSpec::DeficitRoundRobin(_)
            | SchedulerSpec::SelfClocked(_) => 0.0,
            SchedulerSpec::Multiclass(multiclass) => multiclass.share(class),
        }
    }
}

/// What the classes at an output asked for in some time.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Cells that came meanwhile.
    pub came: ByClass<u64>,
    /// Cells that waited when it began.
    pub waited: ByClass<u64>,
    /// How long it was, in seconds.
    pub seconds: f64,
}

impl Asked {
    /// Nobody asked for anything, however long it was.
    pub const NOTHING: Asked = Asked {
        came: [0; Class::ALL.len()],
        waited: [0; Class::ALL.len()],
        seconds: 1.0,
    };

    /// Cells a second that came of some classes.
    fn rate_of(&self, classes: &[Class]) -> f64 {
        let came = classes.iter().map(|class| self.came[class.index()]);
        came.sum::<u64>() as f64 / self.seconds
    }

    /// Cells a second of each class that could have gone: those that came and those that waited.
    fn rates(&self) -> ByClass<f64> {
        Class::ALL.map(|class| {
            let cells = self.came[class.index()] + self.waited[class.index()];
            cells as f64 / self.seconds
        })
    }
}

/// The virtual channels of an output, as known before the run.
#[derive(Clone, Debug)]
pub struct Channels {
    /// Service class of each.
    pub classes: Box<[Class]>,
}

/// In what order an output serves its queues.
pub enum Discipline {
    /// First in, first out, from one queue.
    Fifo,
    /// As a scheduler chooses.
    Scheduled(Scheduling),
}

/// A scheduler, and the queues that it chooses from.
pub struct Scheduling {
    /// It chooses.
    pub scheduler: Box<dyn Scheduler>,
    /// What has a queue of its own.
    pub queue_per: QueuePer,
    /// True if it tells service classes apart.
    pub by_class: bool,
    /// The room at the far end of the link, if a cell waits until there is some for it.
    pub credit: Option<Room>,
}

impl Scheduling {
    /// A scheduler that tells no classes apart.
    pub fn new(scheduler: impl Scheduler + 'static, queue_per: QueuePer) -> Scheduling {
        Scheduling {
            scheduler: Box::new(scheduler),
            queue_per,
            by_class: false,
            credit: None,
        }
    }

    /// A scheduler that tells service classes apart.
    pub fn by_class(scheduler: impl Scheduler + 'static, queue_per: QueuePer) -> Scheduling {
        Scheduling {
            by_class: true,
            ..Scheduling::new(scheduler, queue_per)
        }
    }

    /// This scheduler of cells that wait for credit.
    ///
    /// # Panics
    /// If a virtual channel has no queue of its own: then one that has no credit would hold up others.
    pub fn with_credit(self, room: Room) -> Scheduling {
        assert_eq!(
            self.queue_per,
            QueuePer::Vc,
            "each channel that waits for credit has a queue"
        );
        Scheduling {
            credit: Some(room),
            ..self
        }
    }
}

/// What has a queue of its own; its number is that of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePer {
    /// The output: there is one queue.
    Output,
    /// Each virtual channel.
    Vc,
    /// Each service class.
    Class,
}

/// Chooses among the queues of an output in which something waits: cells, or packets of a router.
///
/// What is in one queue stays in order, so all that is left to decide is whose first goes next. That
/// is decided when the link becomes free, before what arrives at that instant.
pub trait Scheduler {
    /// A queue in which nothing waited has something now, the first of it of so many octets.
    fn begin(&mut self, queue: usize, first: u32);

    /// Whose first goes next, if some queue has one.
    fn next(&self) -> Option<usize>;

    /// The first of `queue` has gone; `next` tells how many octets that has which follows, if
    /// anything does.
    fn served(&mut self, queue: usize, next: Option<u32>);

    /// All that went has been sent, and nothing waits: what begins now finds the link idle.
    fn idle(&mut self) {}

    /// What finds the link idle goes at once, without waiting in `queue`.
    fn pass(&mut self, queue: usize, octets: u32) {
        self.idle();
        self.begin(queue, octets);
        self.served(queue, None);
    }
}

/// Scripts for the tests of the schedulers.
#[cfg(test)]
pub(crate) mod script {
    use super::Scheduler;

    /// In what order packets leave that are all there from the start on, in octets by queue: the
    /// queue of each, and its octets.
    pub fn order(scheduler: &mut dyn Scheduler, queues: &[&[u32]]) -> Vec<(usize, u32)> {
        let mut rest = queues.to_vec();
        for (queue, packets) in rest.iter().enumerate() {
            scheduler.begin(queue, packets[0]);
        }
        let mut sent = Vec::new();
        while let Some(queue) = scheduler.next() {
            let (first, others) = rest[queue].split_first().expect("something waits");
            sent.push((queue, *first));
            rest[queue] = others;
            scheduler.served(queue, others.first().copied());
        }
        sent
    }
}

#[cfg(test)]
mod tests {
    use super::fifo::OneByOne;
    use super::*;

    const ROOM: Room = Room {
        cells: 4,
        batch: 2,
        pool: None,
        check: None,
    };

    #[test]
    fn cells_of_channels_with_a_queue_each_may_wait_for_credit() {
        let scheduling = Scheduling::new(OneByOne::default(), QueuePer::Vc);
        assert_eq!(scheduling.with_credit(ROOM).credit, Some(ROOM));
    }

    #[test]
    #[should_panic(expected = "each channel that waits for credit has a queue")]
    fn channels_that_share_a_queue_cannot_wait_for_credit() {
        OneByOne::scheduling().with_credit(ROOM);
    }
}
