//! Strict priority: a cell of a class leaves only when none of a class before it waits.
//!
//! The order is CBR, rt-VBR, nrt-VBR, ABR, UBR, as ATM switches served them: Jain et al., "TCP/IP
//! over ABR", 1996. Nothing protects the last from the first.

use parameters::parameters;

use super::{Channels, Discipline};
use crate::class::Class;
use crate::output::classes::{ClassScheduler, Within, discipline};

parameters! {
    /// CBR goes before rt-VBR, rt-VBR before nrt-VBR, nrt-VBR before ABR, and UBR takes the rest.
    pub struct StrictPriority {
        /// Order in which the cells of one service class leave.
        pub within: Within = "fifo",
    }
}

impl StrictPriority {
    /// The discipline of one output.
    pub fn build(&self, channels: &Channels) -> Discipline {
        discipline(State::default(), self.within, channels)
    }
}

#[derive(Default)]
struct State {
    /// A bit for each class that has cells, the first class lowest.
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
    fn the_first_class_that_waits_goes_next() {
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
