//! Whole packets on links.

use super::cell::{Cell, Data};
use super::contents::ContentsId;
use super::ecn::CongestionField;
use super::vc::Vc;

/// A packet that is not cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketUnit {
    /// Flow label on this link: like cells, packets are forwarded by a label.
    pub vc: Vc,
    /// Contents of the packet.
    pub contents: ContentsId,
    /// Octets on the wire.
    pub octets: u32,
    /// The congestion field of the header.
    pub congestion: CongestionField,
    /// True if an output has cut the packet to its first octets.
    pub trimmed: bool,
    /// Number of the input by which the packet came to the router that holds it, if the router
    /// counts what each input holds; zero elsewhere.
    pub input: u16,
}

impl From<&PacketUnit> for Cell {
    /// A packet as a PDU of one cell, for discard policies.
    #[inline]
    fn from(packet: &PacketUnit) -> Cell {
        let data = Data {
            marked: packet.congestion == CongestionField::Marked,
            not_ect: packet.congestion == CongestionField::NotEct,
            ..Data::new(0, packet.contents, true)
        };
        Cell::data(packet.vc, data)
    }
}
