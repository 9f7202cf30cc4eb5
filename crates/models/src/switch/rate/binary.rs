//! Relative rate marking: resource management cells report a long queue to the source.
//!
//! The source learns of the queue sooner than by `efci`, since the bits are set in RM cells, which
//! the source receives: CI (congestion indication) lowers its rate, and NI (no increase) keeps its
//! rate from rising. ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996,
//! section 5.10.6.

use parameters::{Amount, Conflict, choices, parameters};

use super::{Allocator, Hysteresis, Supply, UnitPassage};
use crate::abr::RmCell;

parameters! {
    /// Sets a bit of resource management cells while the queue of ABR cells is long.
    #[check(check)]
    pub struct Binary {
        /// Queue length beyond which the bit is set.
        pub high: Amount,
        /// Queue length down to which the bit is set.
        pub low: Amount,
        /// Bit that is set.
        pub set: Bit = "ci",
        /// Direction of the RM cells in which the bit is set.
        pub in_cells: Direction = "backward",
    }
}

choices! {
    /// Bit by which a switch slows a source.
    pub enum Bit {
        /// Congestion indication (CI): the source lowers its rate.
        ci => Ci,
        /// No increase (NI): the source does not raise its rate.
        ni => Ni,
    }
}

choices! {
    /// Direction of the resource management cells that a switch changes.
    pub enum Direction {
        /// RM cells on their way to the destination.
        forward => Forward,
        /// RM cells on their way back, which reach the source sooner.
        backward => Backward,
    }
}

impl Binary {
    /// The rule for one output.
    pub fn build(&self, supply: &Supply) -> Box<dyn Allocator> {
        let high = supply.buffer.units(self.high);
        let low = supply.buffer.units(self.low);
        Box::new(State {
            spec: self.clone(),
            queue: Hysteresis::new(high, low),
        })
    }

    fn check(&self) -> Option<Conflict> {
        super::thresholds(self.high, self.low)
    }
}

struct State {
    spec: Binary,
    queue: Hysteresis,
}

impl State {
    fn pass(&mut self, at: UnitPassage<'_>, rm: &mut RmCell, direction: Direction) {
        let congested = self.queue.update(at.queues.abr);
        if congested && self.spec.in_cells == direction {
            match self.spec.set {
                Bit::Ci => rm.ci = true,
                Bit::Ni => rm.ni = true,
            }
        }
    }
}

impl Allocator for State {
    fn on_cell(&mut self, at: UnitPassage<'_>) -> bool {
        self.queue.update(at.queues.abr);
        false
    }

    fn on_forward(&mut self, at: UnitPassage<'_>, rm: &mut RmCell) {
        self.pass(at, rm, Direction::Forward);
    }

    fn on_backward(&mut self, at: UnitPassage<'_>, rm: &mut RmCell) {
        self.pass(at, rm, Direction::Backward);
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;

    use super::*;
    use crate::switch::rate::Queues;
    use crate::wire::vc::Vc;

    /// The values of CI and NI that are set in forward and in backward RM cells while the queue is
    /// long.
    fn set(set: Bit, in_cells: Direction) -> [(bool, bool); 2] {
        let spec = Binary {
            high: Amount::Cells(10),
            low: Amount::Cells(4),
            set,
            in_cells,
        };
        let mut rule = State {
            spec,
            queue: Hysteresis::new(10, 4),
        };
        let at = |queue| UnitPassage {
            now: Time::ZERO,
            vc: Vc(0),
            queues: Queues::of(queue),
        };
        assert!(!rule.on_cell(at(11)), "data cells are not marked");
        let [mut forward, mut backward] = [RmCell::default(); 2];
        rule.on_forward(at(5), &mut forward);
        rule.on_backward(at(5), &mut backward);
        let bits = [forward, backward].map(|rm| (rm.ci, rm.ni));
        let mut later = RmCell::default();
        rule.on_forward(at(4), &mut later);
        rule.on_backward(at(10), &mut later);
        assert_eq!(later, RmCell::default(), "the queue is short");
        bits
    }

    #[test]
    fn sets_one_bit_one_way_while_the_queue_is_long() {
        let (neither, ci, ni) = ((false, false), (true, false), (false, true));
        assert_eq!(set(Bit::Ci, Direction::Forward), [ci, neither]);
        assert_eq!(set(Bit::Ci, Direction::Backward), [neither, ci]);
        assert_eq!(set(Bit::Ni, Direction::Forward), [ni, neither]);
        assert_eq!(set(Bit::Ni, Direction::Backward), [neither, ni]);
    }
}
