//! The destination of an ABR connection, which turns RM cells around.
//!
//! TM 4.0, section 5.10.5. A host is never congested here, so a destination neither lowers rates
//! (the second half of rule 2) nor generates RM cells (rule 5). Rules 3 and 4, on sending RM cells
//! that were turned around, are in the source of the opposite direction:
//! [`super::AbrSource::turn_around`].

use super::rm_cell::RmCell;

/// The destination end of one direction of a connection.
#[derive(Clone, Debug, Default)]
pub struct Destination {
    /// EFCI of the last data cell.
    efci: bool,
}

impl Destination {
    /// A data cell arrives; `efci` is its congestion mark.
    pub fn on_data(&mut self, efci: bool) {
        // Rule 1.
        self.efci = efci;
    }

    /// Turns a forward RM cell into a backward one.
    pub fn turn_around(&mut self, forward: RmCell) -> RmCell {
        RmCell {
            // Rule 2: DIR becomes backward and BN 0; CCR, MCR, ER and NI stay.
            backward: true,
            bn: false,
            // Rule 2: the saved EFCI becomes CI, and is cleared.
            ci: forward.ci || std::mem::take(&mut self.efci),
            // Rule 6 permits both: the cell is in rate, unless the source of the opposite direction
            // may send nothing in rate.
            clp: false,
            ..forward
        }
    }
}
