//! What schedulers have in common that tell service classes apart.

use parameters::choices;

use super::numbers::Turns;
use super::scheduler::{Channels, Discipline, QueuePer, Scheduler, Scheduling};
use crate::class::Class;

choices! {
    /// Order in which the cells of one service class leave.
    pub enum Within {
        /// First in, first out, across all virtual channels of the class.
        fifo => Fifo,
        /// Each virtual channel has a queue of its own, and sends one cell in turn.
        round_robin => RoundRobin,
    }
}

/// Chooses among the classes of which cells wait at an output.
pub trait ClassScheduler {
    /// A class of which no cell waited has one now.
    fn begin(&mut self, class: Class);

    /// Whose cell goes next, if any wait.
    fn next(&self) -> Option<Class>;

    /// A cell of `class` has gone; `more` tells whether another of the class waits.
    fn served(&mut self, class: Class, more: bool);
}

/// The discipline of one output whose classes are served as `scheduler` says.
pub fn discipline(
    scheduler: impl ClassScheduler + 'static,
    within: Within,
    channels: &Channels,
) -> Discipline {
    Discipline::Scheduled(match within {
        Within::Fifo => Scheduling::by_class(Together(scheduler), QueuePer::Class),
        Within::RoundRobin => Scheduling::by_class(InTurn::new(scheduler, channels), QueuePer::Vc),
    })
}

/// A queue for each class.
struct Together<S>(S);

impl<S: ClassScheduler> Scheduler for Together<S> {
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

/// A queue for each virtual channel; those of a class take turns.
struct InTurn<S> {
    classes: S,
    class_of: Box<[Class]>,
    /// The channels of each class that have cells.
    turns: [Turns; Class::ALL.len()],
}

impl<S> InTurn<S> {
    fn new(classes: S, channels: &Channels) -> InTurn<S> {
        let class_of = channels.classes.clone();
        let turns = Class::ALL.map(|_| Turns::default());
        InTurn {
            classes,
            class_of,
            turns,
        }
    }
}

impl<S: ClassScheduler> Scheduler for InTurn<S> {
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
