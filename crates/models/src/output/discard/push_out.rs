//! Push-out: a cell of high priority takes the place of one of low priority in a full buffer.
//!
//! A cell with CLP = 0 that finds the buffer full pushes out the last waiting cell with CLP = 1,
//! and is dropped only if no such cell waits. A cell with CLP = 1 that finds the buffer full is
//! dropped. The last cell is pushed out, rather than the first, so that the cells that have waited
//! longest keep their places. Whole packets have no such priority: a packet that does not fit is
//! dropped.
//!
//! Kröner, Hébuterne, Boyer and Gravey, "Priority Management in ATM Switching Nodes", IEEE JSAC
//! 9(3), 1991, pages 418 to 427, compare it with partial buffer sharing.

use parameters::parameters;

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy};
use crate::wire::cell::Cell;

parameters! {
    /// Drops cells that find the buffer full, but lets a cell of high priority (CLP = 0) push out
    /// the last cell of low priority in the buffer.
    pub struct PushOut {}
}

impl PushOut {
    /// The policy for one buffer.
    pub fn build(&self, _buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(State)
    }
}

impl DiscardKind for PushOut {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        false
    }

    fn prefers_high_priority(&self) -> bool {
        true
    }

    fn pushes_out(&self) -> bool {
        true
    }
}

struct State;

impl Discard for State {
    fn admit(&mut self, _cell: &Cell, buffer: Occupancy) -> Decision {
        if buffer.fits() {
            Decision::Accept
        } else {
            Decision::Drop
        }
    }

    fn accepts_what_fits(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::decisions;
    use super::*;

    #[test]
    fn without_a_cell_of_low_priority_drops_the_cells_that_do_not_fit() {
        let mut policy = PushOut {}.build(&Buffer::of_cells(10, 53, 1));
        assert_eq!(decisions(&mut *policy, "9 9~ 10 10~ 0"), "++--+");
    }
}
