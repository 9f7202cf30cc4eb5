//! What links carry.

use kernel::Duration;

use crate::cell::{Cell, Kind, Train};
use crate::frame::FrameId;
use crate::vc::Vc;

/// A unit on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cells of one VC.
    Cells(Train),
    /// A whole packet.
    Packet(Packet),
    /// So many cells at the end of the train under way are not sent after all. It arrives when the
    /// first of them would at the earliest.
    Recall(u32),
    /// The cells that are still to come of the trains under way arrive at other times. It arrives when
    /// the first of them would at the earliest.
    Respace {
        /// From its own arrival to that of the first of them.
        after: Duration,
        /// From one to the next.
        spacing: Duration,
    },
}

impl Unit {
    /// Cells that it stands for.
    pub fn cells(&self) -> u64 {
        match self {
            Unit::Cells(train) => u64::from(train.cells),
            Unit::Packet(_) | Unit::Recall(_) | Unit::Respace { .. } => 0,
        }
    }

    /// Cells that it takes from those before it.
    pub fn recalled(&self) -> u64 {
        match self {
            Unit::Recall(cells) => u64::from(*cells),
            Unit::Cells(_) | Unit::Packet(_) | Unit::Respace { .. } => 0,
        }
    }
}

/// A packet that is not cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Flow label on this link: packets are forwarded by label, as cells are.
    pub vc: Vc,
    /// Its contents.
    pub frame: FrameId,
    /// Octets on the wire.
    pub octets: u32,
    /// It met congestion: the "congestion experienced" code point (CE) of RFC 3168.
    pub marked: bool,
}

impl From<&Packet> for Cell {
    /// A packet as one cell, which is a PDU of its own.
    fn from(packet: &Packet) -> Cell {
        Cell {
            vc: packet.vc,
            pdu: 0,
            frame: packet.frame,
            kind: Kind::Data,
            eom: true,
            marked: packet.marked,
            clp: false,
        }
    }
}

/// Outputs of a node that carries units.
pub type Outlet<'a> = kernel::Outlet<'a, Unit, crate::frame::Frames>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_stays_small() {
        assert!(size_of::<Packet>() <= 16 && size_of::<Unit>() <= 32);
    }
}
