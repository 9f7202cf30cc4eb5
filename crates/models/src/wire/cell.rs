//! The cell, and the train of cells that a link carries. Its octets are those of a format.
//!
//! Cells: ITU-T Recommendation I.361.
//!
//! Our own technique: a train of cells is one unit, which takes one event in place of one for each
//! cell and gives its cells the same times (decisions 3 and 14 in `docs/decisions`). The word is
//! that of Jain and Routhier, "Packet Trains", IEEE JSAC 4(6), 1986.

use kernel::{Duration, Time};

use super::contents::{Cargo, ContentsId, RmId};
use super::vc::Vc;

/// The payload of a cell; the payload type in its header tells the kinds apart (ITU-T
/// Recommendation I.361).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// A part of a PDU.
    Data(Data),
    /// Resource management: rates, and no part of any PDU.
    Rm {
        /// Contents of the RM cell.
        id: RmId,
        /// Cell loss priority (CLP).
        clp: bool,
    },
    /// A credit, which the credit receiver of a link returns to the credit sender.
    Credit {
        /// Number of cells of the VC that the credit receiver has forwarded, modulo 2^32.
        forwarded: u32,
    },
    /// A check cell, by which the credit sender of a link asks the credit receiver for a credit.
    Check {
        /// Number of cells of the VC that the credit sender has sent, modulo 2^32.
        sent: u32,
    },
}

/// A part of a PDU.
// They are bits of one header, and each is asked for by itself.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Number of the PDU on its virtual channel, counted by the sender.
    pub pdu: u32,
    /// Contents of the PDU; they travel with, and belong to, the last cell.
    pub contents: ContentsId,
    /// True for the end of the PDU: the ATM-layer-user-to-user bit that AAL5 sets.
    pub eom: bool,
    /// True if the part met congestion: explicit forward congestion indication (EFCI), or CE of a whole
    /// packet.
    pub marked: bool,
    /// True if the part is a whole packet that is not ECN-capable although its flow is.
    pub not_ect: bool,
    /// Cell loss priority (CLP): a cell with CLP = 1 is dropped before others.
    pub clp: bool,
}

impl Data {
    /// A part of a PDU, without a congestion mark and with high priority.
    pub fn new(pdu: u32, contents: ContentsId, eom: bool) -> Data {
        Data {
            pdu,
            contents,
            eom,
            marked: false,
            not_ect: false,
            clp: false,
        }
    }
}

/// One cell, as a switch sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Virtual channel, by its number on the outgoing link.
    pub vc: Vc,
    /// Data, or the contents of a control cell.
    pub payload: Payload,
}

impl Cell {
    /// A cell that carries a part of a PDU.
    #[inline]
    pub fn data(vc: Vc, data: Data) -> Cell {
        Cell {
            vc,
            payload: Payload::Data(data),
        }
    }

    /// An RM cell of high priority.
    pub fn rm(vc: Vc, id: RmId) -> Cell {
        Cell {
            vc,
            payload: Payload::Rm { id, clp: false },
        }
    }

    /// A credit for a VC.
    pub fn credit(vc: Vc, forwarded: u32) -> Cell {
        Cell {
            vc,
            payload: Payload::Credit { forwarded },
        }
    }

    /// A check cell of a VC.
    pub fn check(vc: Vc, sent: u32) -> Cell {
        Cell {
            vc,
            payload: Payload::Check { sent },
        }
    }

    /// The part of a PDU that the cell carries; none for other cells.
    #[inline]
    pub fn part(&self) -> Option<&Data> {
        match &self.payload {
            Payload::Data(data) => Some(data),
            _ => None,
        }
    }

    /// True if the cell is an RM cell.
    #[inline]
    pub fn is_rm(&self) -> bool {
        matches!(self.payload, Payload::Rm { .. })
    }

    /// True if the cell ends a PDU.
    #[inline]
    pub fn ends_pdu(&self) -> bool {
        matches!(self.payload, Payload::Data(Data { eom: true, .. }))
    }

    /// Cell loss priority (CLP): true if the cell is dropped before others.
    #[inline]
    pub fn clp(&self) -> bool {
        matches!(
            self.payload,
            Payload::Data(Data { clp: true, .. }) | Payload::Rm { clp: true, .. }
        )
    }

    /// Sets CLP = 1. Credits and check cells have no priority.
    pub fn tag(&mut self) {
        match &mut self.payload {
            Payload::Data(Data { clp, .. }) | Payload::Rm { clp, .. } => *clp = true,
            Payload::Credit { .. } | Payload::Check { .. } => {}
        }
    }

    /// Sets the EFCI, which only data cells have.
    #[inline]
    pub fn mark(&mut self) {
        if let Payload::Data(data) = &mut self.payload {
            data.marked = true;
        }
    }

    /// Removes the contents of a dropped cell from the network.
    pub fn release(&self, cargo: &mut Cargo) {
        match self.payload {
            Payload::Data(Data {
                contents,
                eom: true,
                ..
            }) => {
                cargo.take(contents);
            }
            Payload::Rm { id, .. } => {
                cargo.take_rm(id);
            }
            _ => {}
        }
    }
}

/// The order of the cells of a train among the other units of its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainOrder {
    /// No other cell of the link comes between the cells of the train; the unit arrives with its
    /// first cell.
    Contiguous,
    /// No other cell comes between the cells of the train, and the unit arrives before them: the
    /// first cell arrives a `spacing` after the last cell before the train on the link. The host
    /// can recall these announced cells.
    Announced,
    /// Cells of other trains may come between the cells of the train. Only switches send such
    /// trains. At one instant each cell is ordered like a unit that arrives by itself, as if the
    /// switch had sent the cells one by one.
    Interleaved,
}

/// Cells of one VC on a link, with the same time from each to the next.
///
/// A host knows all cells of a PDU when its transmission starts, and commits them as one train; the
/// last cell may end the PDU. A switch joins cells that neither begin nor end a PDU. A host needs
/// to know only that a PDU has ended, so towards a host cells are *gathered* instead: the unit then
/// stands for all cells of the VC since the end of the last PDU, and arrives with the last of these
/// cells (`spacing` is zero).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train {
    /// Virtual channel on this link.
    pub vc: Vc,
    /// The payload of the cells; only trains of data cells have more than one cell. A PDU ends with
    /// the last cell. A gathered train has EFCI set if any of its cells had, and its CLP means
    /// nothing.
    pub payload: Payload,
    /// Number of cells.
    pub cells: u32,
    /// Time from the arrival of one cell to the arrival of the next.
    pub spacing: Duration,
    /// For a forward RM cell on a link that gathers cells: EFCI of the last data cell since the RM
    /// cell before; false if there was no data cell.
    pub efci: bool,
    /// True if all cells belong to one PDU; false only for gathered trains in which the loss of a
    /// last cell has joined two PDUs.
    pub uniform: bool,
    /// Order of the cells among the other units of the link.
    pub order: TrainOrder,
}

impl Train {
    /// A train of data cells of one PDU; its last cell ends the PDU if `data.eom` is true.
    pub fn data(vc: Vc, data: Data, cells: u32, spacing: Duration) -> Train {
        Train {
            cells,
            spacing,
            ..Train::from(Cell::data(vc, data))
        }
    }

    /// The `index`-th cell, as it enters virtual channel `vc` of an output.
    #[inline]
    pub fn cell(&self, index: u32, vc: Vc) -> Cell {
        let mut payload = self.payload;
        if let Payload::Data(data) = &mut payload {
            data.eom &= index + 1 == self.cells;
        }
        Cell { vc, payload }
    }

    /// The part of a PDU that the cells of the train carry; none for other cells.
    #[inline]
    pub fn part(&self) -> Option<&Data> {
        match &self.payload {
            Payload::Data(data) => Some(data),
            _ => None,
        }
    }

    /// Appends the cells of `next`, whose first arrives at `arrival`, to this train, whose first cell
    /// arrives at `at`. Returns false, and changes nothing, if the cells differ in VC or payload, or
    /// if the times from each cell to the next would not be equal.
    #[inline]
    pub fn join(&mut self, at: Time, next: &Train, arrival: Time) -> bool {
        let Payload::Data(Data { eom: false, .. }) = self.payload else {
            return false;
        };
        if self.vc != next.vc || self.payload != next.payload || self.order == TrainOrder::Announced
        {
            return false;
        }
        let spacing = match (self.cells, next.cells) {
            (1, 1) => arrival.since(at),
            (1, _) => next.spacing,
            _ => self.spacing,
        };
        let is_next = arrival == at + spacing * u64::from(self.cells);
        let is_interleaved = self.order == TrainOrder::Interleaved;
        let is_one =
            self.cells == 1 || is_interleaved && (next.cells == 1 || next.spacing == spacing);
        if is_next && is_one {
            self.cells += next.cells;
            self.spacing = spacing;
            self.order = TrainOrder::Interleaved;
        }
        is_next && is_one
    }

    /// The first `cells` cells of the train, which do not end the PDU.
    pub fn without_end(mut self, cells: u32) -> Train {
        self.cells = cells;
        if let Payload::Data(data) = &mut self.payload {
            data.eom = false;
        }
        self
    }
}

impl From<Cell> for Train {
    #[inline]
    fn from(cell: Cell) -> Train {
        Train {
            vc: cell.vc,
            payload: cell.payload,
            cells: 1,
            spacing: Duration::ZERO,
            efci: false,
            uniform: true,
            order: TrainOrder::Contiguous,
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
