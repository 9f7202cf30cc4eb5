//! The interface between an output, which has queues, and its scheduler, which chooses among them.

pub mod classes;
pub mod number_set;

use kernel::{Seed, Stream};

use crate::wire::class::Class;
use crate::wire::ecn::Codepoint;

/// The virtual channels of an output, as known before the run.
#[derive(Clone, Debug)]
pub struct OutputVcs {
    /// Service class of each virtual channel.
    pub classes: Box<[Class]>,
    /// ECN codepoint of the data of each virtual channel.
    pub ecn: Box<[Codepoint]>,
    /// True for each virtual channel that carries the answers of a receiver.
    pub answers: Box<[bool]>,
    /// Stream for random choices.
    pub random: Stream,
}

impl OutputVcs {
    /// Virtual channels of these classes, which carry data and are not ECN-capable.
    pub fn new(classes: Box<[Class]>) -> OutputVcs {
        let unused = Seed {
            seed: 0,
            replication: 0,
        };
        OutputVcs {
            ecn: vec![Codepoint::NotCapable; classes.len()].into(),
            answers: vec![false; classes.len()].into(),
            classes,
            random: unused.stream("", "scheduler"),
        }
    }
}

/// The owner of a queue; the queue has the number of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePer {
    /// The output, which has one queue.
    Output,
    /// A virtual channel.
    Vc,
    /// A service class.
    Class,
    /// A group of virtual channels.
    Group,
}

/// Chooses among the queues of an output in which cells, or packets of a router, wait.
///
/// Units of one queue leave in order of arrival, so the scheduler only chooses a queue. When the
/// link becomes free, the output asks the scheduler before it takes the arrivals of that instant.
pub trait Scheduler: Send {
    /// A queue that was empty, or lacked credit, now has a unit of `first` octets that may be sent.
    fn begin(&mut self, queue: usize, first: u32);

    /// The queue whose first unit is sent next, if any queue has a unit.
    fn next(&self) -> Option<usize>;

    /// The first unit of `queue` has started. `next` is the length in octets of the next unit of
    /// the queue; none if the queue has no unit, or no credit for it.
    fn served(&mut self, queue: usize, next: Option<u32>);

    /// The first unit of `queue`, which is next, is dropped instead of being sent; `next` is as above.
    /// By default the unit counts as sent.
    fn dropped(&mut self, queue: usize, next: Option<u32>) {
        self.served(queue, next);
    }

    /// `queue`, whose first unit may be sent, is paused, and begins again when it is resumed. Only the
    /// scheduler of an output that may be paused is told so.
    fn withdraw(&mut self, _queue: usize) {
        unreachable!("lowering gives outputs that may be paused a scheduler that withdraws queues")
    }

    /// A unit of `queue` has come, and waits. Only the scheduler of an output that may be paused is
    /// told so, after [`Scheduler::begin`].
    fn wait(&mut self, _queue: usize) {}

    /// The link becomes idle: all units that started have been sent, and no unit waits.
    fn idle(&mut self) {}

    /// A unit of `queue` finds the link idle and starts at once.
    fn pass(&mut self, queue: usize, octets: u32) {
        self.idle();
        self.begin(queue, octets);
        self.served(queue, None);
    }
}
