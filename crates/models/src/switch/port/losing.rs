//! An output port whose link loses some of what is sent.

use kernel::Time;

use super::OutputPort;
use crate::cell::Cell;
use crate::loss::LossyEnd;
use crate::tap::Tap;
use crate::unit::Outlet;

/// What is there of a link only where somebody asked for it.
#[derive(Default)]
pub struct Beyond {
    /// Notes what is sent.
    pub tap: Option<Tap>,
    /// The lossy end of the link, if it loses what is sent.
    pub loss: Option<LossyEnd>,
}

impl OutputPort {
    /// From the start on, the link loses some of what is sent, when it is sent.
    pub fn lose(&mut self, end: LossyEnd) {
        self.beyond.get_or_insert_default().loss = Some(end);
        self.is_watched = true;
    }

    /// The lossy end of the link, if it loses what is sent.
    pub fn loss(&self) -> Option<&LossyEnd> {
        self.beyond.as_ref()?.loss.as_ref()
    }

    /// The same, mutable.
    pub fn loss_mut(&mut self) -> Option<&mut LossyEnd> {
        self.beyond.as_mut()?.loss.as_mut()
    }

    /// Whether the link loses a cell that starts at `start`, and all that belongs to it.
    pub(super) fn loses(&mut self, start: Time, cell: &Cell, out: &mut Outlet<'_>) -> bool {
        let end = self.loss_mut();
        let lost = end.is_some_and(|end| end.loses_cell(start, cell));
        if lost {
            cell.release(out.cargo);
        }
        lost
    }
}
