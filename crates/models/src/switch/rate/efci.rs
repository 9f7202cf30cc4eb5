//! EFCI marking: data cells tell the destination that the queue is long.
//!
//! The least that a switch has to do. The destination remembers the mark of the last data cell and
//! sets CI in the next resource management cell that it turns around, upon which the source slows
//! down. ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, sections 5.10.5 and
//! 5.10.6.

use parameters::{Amount, Conflict, parameters};

use super::{Allocator, Hysteresis, Passing, Supply};
use crate::abr::RmCell;

parameters! {
    /// Marks the data cells of ABR channels while their queue is long.
    #[check(check)]
    pub struct Efci {
        /// Queue length beyond which marking begins.
        pub high: Amount,
        /// Queue length at which marking ends.
        pub low: Amount,
    }
}

impl Efci {
    /// The rule for one output.
    pub fn build(&self, supply: &Supply) -> Box<dyn Allocator> {
        let high = supply.buffer.units("high", self.high);
        let low = supply.buffer.units("low", self.low);
        Box::new(State(Hysteresis::new(high, low)))
    }

    fn check(&self) -> Option<Conflict> {
        super::thresholds(self.high, self.low)
    }
}

struct State(Hysteresis);

impl Allocator for State {
    fn on_cell(&mut self, at: Passing) -> bool {
        self.0.is_congested(at.queue)
    }

    fn marks(&self) -> bool {
        true
    }

    fn on_forward(&mut self, at: Passing, _rm: &mut RmCell) {
        self.0.is_congested(at.queue);
    }

    fn on_backward(&mut self, at: Passing, _rm: &mut RmCell) {
        self.0.is_congested(at.queue);
    }
}
