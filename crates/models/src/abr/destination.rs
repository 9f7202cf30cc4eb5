//! The destination of an ABR connection: it turns RM cells around.
//!
//! TM 4.0, section 5.10.5. A host is never congested here, so that a destination neither lowers rates
//! (the second half of rule 2) nor makes RM cells of its own (rule 5). What waits to leave is the
//! business of the source of the other direction, [`super::Source::turn_around`]: rules 3 and 4.

use super::rm_cell::RmCell;

/// The destination end of one direction of a connection.
#[derive(Clone, Debug, Default)]
pub struct Destination {
    /// EFCI of the last data cell.
    efci: bool,
}

impl Destination {
    /// A data cell has come; `efci` tells whether it had met congestion.
    pub fn on_data(&mut self, efci: bool) {
        // Rule 1.
        self.efci = efci;
    }

    /// Makes a backward RM cell of a forward one.
    pub fn turn_around(&mut self, forward: RmCell) -> RmCell {
        RmCell {
            // The direction is changed and BN is 0; CCR, MCR, ER and NI stay: rule 2.
            backward: true,
            bn: false,
            // What was saved becomes CI, and is forgotten: rule 2.
            ci: forward.ci || std::mem::take(&mut self.efci),
            // In rate, unless its source may send nothing in rate: rule 6.
            clp: false,
            ..forward
        }
    }
}
