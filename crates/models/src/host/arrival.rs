//! Packets that arrive at a host, in cells or whole. A host reassembles cells itself: AAL5, ITU-T
//! Recommendation I.363.5.

use crate::link::tap::Fate;
use crate::wire::cell::{Data, Train};
use crate::wire::contents::ContentsId;
use crate::wire::format::CellFormat;
use crate::wire::unit::PacketUnit;
use crate::wire::vc::Vc;

/// A packet that arrives, and its size on the wire.
#[derive(Clone, Copy)]
pub struct Arrival {
    pub vc: Vc,
    pub contents: ContentsId,
    /// Octets on the wire.
    pub wire: u64,
    /// Number of cells of the packet, zero if they are of several PDUs; none for a whole packet.
    pub cells: Option<u32>,
    pub marked: bool,
    /// True if an output has trimmed the packet.
    pub trimmed: bool,
}

impl Arrival {
    /// The arrival of a train whose cells, of this format, carry `data`.
    pub fn gathered(train: &Train, data: &Data, format: CellFormat) -> Arrival {
        debug_assert!(
            data.eom && train.spacing.ps() == 0,
            "cells to a host are gathered"
        );
        Arrival {
            vc: train.vc,
            contents: data.contents,
            wire: u64::from(train.cells) * format.octets(),
            cells: Some(if train.uniform { train.cells } else { 0 }),
            marked: data.marked,
            trimmed: false,
        }
    }

    /// The condition of the packet at the host; `intact` is true if no cell of it is missing.
    pub fn fate(&self, intact: bool) -> Fate {
        match self.cells {
            Some(cells) if !intact => Fate::Damaged { cells },
            _ if self.trimmed => Fate::Trimmed {
                octets: self.wire as u32,
            },
            _ => Fate::Whole,
        }
    }
}

impl From<&PacketUnit> for Arrival {
    fn from(packet: &PacketUnit) -> Arrival {
        Arrival {
            vc: packet.vc,
            contents: packet.contents,
            wire: u64::from(packet.octets),
            cells: None,
            marked: packet.congestion.is_marked(),
            trimmed: packet.trimmed,
        }
    }
}
