//! Push-out: a cell that finds the buffer full takes the place of one that may go first.
//!
//! A cell with CLP = 0 that finds no room pushes out the last cell with CLP = 1 that waits, which a
//! policer has tagged or which was sent so; it is refused only if none waits. A cell with CLP = 1 that
//! finds no room is refused. The last goes, so that those that have waited longest keep their places.
//! Whole packets have no such priority: each is refused if it does not fit.
//!
//! Kröner, Hébuterne, Boyer and Gravey, "Priority Management in ATM Switching Nodes", IEEE JSAC 9(3),
//! 1991.

use parameters::parameters;

use super::{Buffer, Discard, Occupancy, Verdict};
use crate::cell::Cell;

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

struct State;

impl Discard for State {
    fn admit(&mut self, _cell: &Cell, buffer: Occupancy) -> Verdict {
        if buffer.fits() {
            Verdict::Accept
        } else {
            Verdict::Refuse
        }
    }

    fn pushes_out(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::verdicts;
    use super::*;

    #[test]
    fn where_nobody_makes_room_refuses_what_does_not_fit() {
        let mut policy = PushOut {}.build(&Buffer::of_cells(10, 53, 1));
        assert_eq!(verdicts(&mut *policy, "9 9~ 10 10~ 0"), "++--+");
    }
}
