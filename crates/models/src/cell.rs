//! The ATM cell, and the train of cells that a link carries.

use kernel::Duration;

use crate::frame::{FrameId, Frames};
use crate::vc::Vc;

/// Octets of a cell on the wire: ITU-T Recommendation I.361.
pub const CELL_OCTETS: u64 = 53;
/// Bits of a cell on the wire.
pub const CELL_BITS: u64 = CELL_OCTETS * 8;
/// Octets of a cell that AAL5 may use.
pub const PAYLOAD_OCTETS: u64 = 48;

/// What a cell is for: the payload type in its header says so (ITU-T Recommendation I.361).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It carries a part of a PDU.
    Data,
    /// Resource management: it is no part of any PDU, and tells about rates.
    Rm,
    /// Between neighbours: it tells how many cells of the channel, in the other direction, have been
    /// forwarded; that count stands in place of the number of a PDU.
    Credit,
    /// Between neighbours: it tells how many cells of the channel have been sent, likewise, and asks for
    /// a credit.
    Check,
}

/// One cell, as a switch sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Virtual channel, numbered on the link that it leaves by.
    pub vc: Vc,
    /// Which PDU of the VC it belongs to, counted by the sender.
    pub pdu: u32,
    /// Contents of that PDU; they travel with, and belong to, the last cell. Of an RM cell: its own.
    pub frame: FrameId,
    /// What it is for.
    pub kind: Kind,
    /// Last cell of its PDU: the ATM-layer-user-to-user bit that AAL5 sets.
    pub eom: bool,
    /// It met congestion: the explicit forward congestion indication (EFCI), which RM cells have not.
    pub marked: bool,
    /// Cell loss priority (CLP): it goes first where there is not room for all.
    pub clp: bool,
}

impl Cell {
    /// A cell of a channel between neighbours, which tells a count.
    pub fn telling(kind: Kind, vc: Vc, count: u32) -> Cell {
        Cell {
            vc,
            pdu: count,
            frame: FrameId(0),
            kind,
            eom: false,
            marked: false,
            clp: false,
        }
    }

    /// Whether it is an RM cell.
    #[inline]
    pub fn is_rm(&self) -> bool {
        self.kind == Kind::Rm
    }

    /// Takes from the network what belongs to a cell that goes no further.
    pub fn release(&self, cargo: &mut Frames) {
        if self.is_rm() {
            cargo.take_rm(self.frame);
        } else if self.eom {
            cargo.take(self.frame);
        }
    }
}

/// Cells of one VC that follow one another on a link, the last of them possibly ending a PDU.
///
/// A host knows all cells of a PDU when its transmission starts, and commits them at once. The unit
/// arrives when its first cell does, unless it `follows` another. Towards a host, which cares only for the end of a PDU, cells
/// are *gathered* instead: the unit then stands for all cells of the VC since the last end, and
/// arrives with the last of them (`spacing` is zero).
// What is true or false of cells, and is known by these names.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train {
    /// Virtual channel on this link.
    pub vc: Vc,
    /// PDU of its cells.
    pub pdu: u32,
    /// Contents of the PDU, or of an RM cell.
    pub frame: FrameId,
    /// What its cells are for; an RM cell is alone.
    pub kind: Kind,
    /// Number of cells.
    pub cells: u32,
    /// From the arrival of one cell to that of the next.
    pub spacing: Duration,
    /// The last cell ends a PDU.
    pub eom: bool,
    /// Its cells met congestion; of a gathered train, at least one did. Where cells are gathered, a
    /// forward RM cell says here whether the last data cell did, if any came since the one before.
    pub marked: bool,
    /// Their cell loss priority (CLP); of a gathered train it is not told.
    pub clp: bool,
    /// All cells belong to one PDU; false only for gathered trains in which frames were glued.
    pub uniform: bool,
    /// The unit arrives ahead of its cells: the first comes a `spacing` after the last cell before it
    /// on the link. What is announced so can be recalled.
    pub follows: bool,
}

impl Train {
    /// The `index`-th cell, as it enters virtual channel `vc` of an output.
    #[inline]
    pub fn cell(&self, index: u32, vc: Vc) -> Cell {
        Cell {
            vc,
            pdu: self.pdu,
            frame: self.frame,
            kind: self.kind,
            eom: self.eom && index + 1 == self.cells,
            marked: self.marked,
            clp: self.clp,
        }
    }
}

impl From<Cell> for Train {
    fn from(cell: Cell) -> Train {
        Train {
            vc: cell.vc,
            pdu: cell.pdu,
            frame: cell.frame,
            kind: cell.kind,
            cells: 1,
            spacing: Duration::ZERO,
            eom: cell.eom,
            marked: cell.marked,
            clp: cell.clp,
            uniform: true,
            follows: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stays_small() {
        assert!(
            size_of::<Cell>() <= 16,
            "cells are copied through every queue"
        );
        assert!(size_of::<Train>() <= 32);
    }
}
