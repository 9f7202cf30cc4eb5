//! Strict priority: a cell of a class leaves only when no cell of a higher class waits.
//!
//! The order is our own: CBR, rt-VBR, nrt-VBR, ABR, UBR. Jain et al., "TCP/IP over ABR", 1996, give
//! VBR priority over ABR in the same way. No class is protected from the classes above it.

use parameters::parameters;

use super::{ClassDemand, ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};
use crate::output::choice::classes::{ClassScheduler, IntraClassOrder, scheduler};
use crate::wire::class::Class;

parameters! {
    /// CBR goes before rt-VBR, rt-VBR before nrt-VBR, nrt-VBR before ABR, and UBR takes the rest.
    #[alias("sp")]
    #[alias("priority")]
    pub struct StrictPriority {
        /// Order in which the cells of one service class leave.
        pub within: IntraClassOrder = "fifo",
    }
}

impl StrictPriority {
    /// The scheduler of one output.
    pub fn build(&self, vcs: &OutputVcs) -> Box<dyn Scheduler> {
        scheduler(State::default(), self.within, vcs)
    }
}

impl SchedulerKind for StrictPriority {
    fn queue_per(&self) -> QueuePer {
        self.within.queue_per()
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        Some(self)
    }
}

impl ClassDivision for StrictPriority {
    /// All arriving cells of the classes above `class`, as the published ERICA counts them.
    fn taken(&self, class: Class, _link: f64, demand: &ClassDemand) -> f64 {
        demand.arrival_rate(&Class::ALL[..class.index()])
    }

    fn guaranteed(&self, _class: Class) -> f64 {
        0.0
    }
}

#[derive(Default)]
struct State {
    /// A bit for each class that has cells waiting; the first class has the lowest bit.
    waiting: u8,
}

impl ClassScheduler for State {
    fn begin(&mut self, class: Class) {
        self.waiting |= 1 << class.index();
    }

    fn next(&self) -> Option<Class> {
        Class::ALL
            .get(self.waiting.trailing_zeros() as usize)
            .copied()
    }

    fn served(&mut self, class: Class, more: bool) {
        if !more {
            self.waiting &= !(1 << class.index());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_class_with_waiting_cells_is_served_next() {
        let mut state = State::default();
        assert_eq!(state.next(), None);
        for class in [Class::Ubr, Class::NrtVbr, Class::Cbr] {
            state.begin(class);
        }
        state.served(Class::Cbr, true);
        assert_eq!(state.next(), Some(Class::Cbr));
        state.served(Class::Cbr, false);
        assert_eq!(state.next(), Some(Class::NrtVbr));
        state.served(Class::NrtVbr, false);
        state.served(Class::Ubr, false);
        assert_eq!(state.next(), None);
    }
}
