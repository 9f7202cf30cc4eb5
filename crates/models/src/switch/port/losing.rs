//! An output port whose link loses some of what is sent.

use kernel::Time;

use super::OutputPort;
use crate::cell::Cell;
use crate::loss::LossyEnd;
use crate::unit::Outlet;

impl OutputPort {
    /// From the start on, the link loses some of what is sent, when it is sent.
    pub fn lose(&mut self, end: LossyEnd) {
        self.loss = Some(Box::new(end));
        self.is_watched = true;
    }

    /// What the link loses of what is sent.
    pub fn loss(&self) -> Option<&LossyEnd> {
        self.loss.as_deref()
    }

    /// The same, to be changed.
    pub fn loss_mut(&mut self) -> Option<&mut LossyEnd> {
        self.loss.as_deref_mut()
    }

    /// Whether the link loses a cell that starts at `start`, and all that belongs to it.
    pub(super) fn loses(&mut self, start: Time, cell: &Cell, out: &mut Outlet<'_>) -> bool {
        let end = self.loss.as_mut();
        let lost = end.is_some_and(|end| end.loses_cell(start, cell));
        if lost {
            cell.release(out.cargo);
        }
        lost
    }
}
