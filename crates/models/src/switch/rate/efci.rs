//! EFCI marking: data cells report a long queue to the destination.
//!
//! EFCI marking is the least that a switch must do for ABR. The destination remembers the mark of
//! the last data cell and sets CI in the next RM cell that it turns around; the source then lowers
//! its rate. ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, sections
//! 5.10.5 and 5.10.6.

use parameters::{Amount, Conflict, parameters};

use super::{Allocator, Hysteresis, Supply, UnitPassage};
use crate::abr::RmCell;

parameters! {
    /// Sets the congestion mark (EFCI) of data cells of ABR VCs while the queue of ABR cells is
    /// long.
    #[check(check)]
    pub struct Efci {
        /// Queue length beyond which marking begins.
        pub high: Amount,
        /// Queue length down to which marking lasts.
        pub low: Amount,
    }
}

impl Efci {
    /// The rule for one output.
    pub fn build(&self, supply: &Supply) -> Box<dyn Allocator> {
        let high = supply.buffer.units(self.high);
        let low = supply.buffer.units(self.low);
        Box::new(State(Hysteresis::new(high, low)))
    }

    fn check(&self) -> Option<Conflict> {
        super::thresholds(self.high, self.low)
    }
}

struct State(Hysteresis);

impl Allocator for State {
    fn on_cell(&mut self, at: UnitPassage<'_>) -> bool {
        self.0.update(at.queues.abr)
    }

    fn marks(&self) -> bool {
        true
    }

    fn on_forward(&mut self, at: UnitPassage<'_>, _rm: &mut RmCell) {
        self.0.update(at.queues.abr);
    }

    fn on_backward(&mut self, at: UnitPassage<'_>, _rm: &mut RmCell) {
        self.0.update(at.queues.abr);
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;

    use super::*;
    use crate::switch::rate::Queues;
    use crate::wire::vc::Vc;

    #[test]
    fn marks_from_when_the_queue_is_long_until_it_is_short() {
        let mut rule = State(Hysteresis::new(10, 4));
        let marked = [0, 10, 11, 5, 4, 10, 12, 3].map(|queue| {
            rule.on_cell(UnitPassage {
                now: Time::ZERO,
                vc: Vc(0),
                queues: Queues::of(queue),
            })
        });
        assert_eq!(
            marked,
            [false, false, true, true, false, false, true, false]
        );
    }

    #[test]
    fn a_queue_that_fell_while_no_data_came_is_short() {
        let mut rule = State(Hysteresis::new(10, 4));
        let at = |queue| UnitPassage {
            now: Time::ZERO,
            vc: Vc(0),
            queues: Queues::of(queue),
        };
        assert!(rule.on_cell(at(11)));
        rule.on_backward(at(4), &mut RmCell::default());
        assert!(!rule.on_cell(at(9)));
    }
}
