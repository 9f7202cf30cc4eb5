//! The common part of the schedulers that serve the service classes of TM 4.0, section 2,
//! differently.

use parameters::choices;

use super::number_set::Turns;
use super::{OutputVcs, QueuePer, Scheduler};
use crate::wire::class::Class;

choices! {
    /// Order in which the cells of one service class leave.
    pub enum IntraClassOrder {
        /// First in, first out, across all virtual channels of the class.
        fifo => Fifo,
        /// Each virtual channel has a queue of its own, and sends one cell in turn.
        round_robin => RoundRobin,
    }
}

impl IntraClassOrder {
    /// The queues that this order needs.
    pub fn queue_per(self) -> QueuePer {
        match self {
            IntraClassOrder::Fifo => QueuePer::Class,
            IntraClassOrder::RoundRobin => QueuePer::Vc,
        }
    }
}

/// Chooses among the service classes whose cells wait at an output.
pub trait ClassScheduler: Send {
    /// A cell arrives for a class that had no waiting cells.
    fn begin(&mut self, class: Class);

    /// The class whose cell is sent next, if any cell waits.
    fn next(&self) -> Option<Class>;

    /// A cell of `class` has started; `more` is true if another cell of the class waits.
    fn served(&mut self, class: Class, more: bool);
}

/// The scheduler of one output. It chooses a class by `classes`, and a queue of this class in the
/// order `within`.
pub fn scheduler(
    classes: impl ClassScheduler + 'static,
    within: IntraClassOrder,
    vcs: &OutputVcs,
) -> Box<dyn Scheduler> {
    match within {
        IntraClassOrder::Fifo => Box::new(QueuePerClass(classes)),
        IntraClassOrder::RoundRobin => Box::new(QueuePerVc::new(classes, vcs)),
    }
}

/// A queue for each class.
struct QueuePerClass<S>(S);

impl<S: ClassScheduler> Scheduler for QueuePerClass<S> {
    fn begin(&mut self, queue: usize, _first: u32) {
        self.0.begin(Class::ALL[queue]);
    }

    fn next(&self) -> Option<usize> {
        self.0.next().map(Class::index)
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        self.0.served(Class::ALL[queue], next.is_some());
    }
}

/// A queue for each virtual channel; the queues of a class take turns.
struct QueuePerVc<S> {
    classes: S,
    class_of: Box<[Class]>,
    /// The virtual channels of each class that have cells waiting.
    turns: [Turns; Class::ALL.len()],
}

impl<S> QueuePerVc<S> {
    fn new(classes: S, vcs: &OutputVcs) -> QueuePerVc<S> {
        let class_of = vcs.classes.clone();
        let turns = Class::ALL.map(|_| Turns::default());
        QueuePerVc {
            classes,
            class_of,
            turns,
        }
    }
}

impl<S: ClassScheduler> Scheduler for QueuePerVc<S> {
    fn begin(&mut self, queue: usize, _first: u32) {
        let class = self.class_of[queue];
        let turns = &mut self.turns[class.index()];
        if turns.is_empty() {
            self.classes.begin(class);
        }
        turns.insert(queue);
    }

    fn next(&self) -> Option<usize> {
        let class = self.classes.next()?;
        self.turns[class.index()].next()
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        let class = self.class_of[queue];
        let turns = &mut self.turns[class.index()];
        turns.served(queue, next.is_some());
        let more_of_class = !turns.is_empty();
        self.classes.served(class, more_of_class);
    }
}
