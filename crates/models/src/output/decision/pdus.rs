//! The common part of the discard policies that decide about whole PDUs: the state of the present
//! PDU on each VC, as Romanow and Floyd, 1995, sections 4 and 5, describe it for PPD and EPD.

use parameters::{choices, parameters};

use super::{Decision, Occupancy, Promise};
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;

parameters! {
    /// The parameter of all discard policies that drop whole PDUs.
    pub struct WholePdus {
        /// Treatment of an accepted PDU when one of its cells finds the buffer full.
        pub overflow: Overflow = "partial_packet",
    }
}

parameters! {
    /// The parameter of all queue management, which speaks of packets.
    pub struct WholePackets {
        /// Treatment of an accepted packet when one of its cells finds the buffer full.
        pub overflow: Overflow = "partial_packet",
    }
}

choices! {
    /// Treatment of an accepted PDU when one of its cells finds the buffer full.
    pub enum Overflow {
        /// The rest of the PDU is dropped, except its last cell.
        partial_packet => PartialPacket,
        /// Each later cell is accepted if it fits.
        tail_drop => TailDrop,
    }
}

/// The state of the present PDU on each virtual channel.
pub struct Pdus {
    overflow: Overflow,
    pdus: Box<[Pdu]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pdu {
    Unbegun,
    Accepted,
    Dropped,
    /// The PDU was accepted, but one of its cells found the buffer full.
    Damaged,
}

impl Pdus {
    /// The state of `vcs` virtual channels before their first PDU.
    pub fn new(vcs: usize, overflow: Overflow) -> Pdus {
        Pdus {
            overflow,
            pdus: vec![Pdu::Unbegun; vcs].into(),
        }
    }

    /// The decision on a cell that finds `buffer`; `may_begin` decides about a cell that begins a
    /// PDU. It is asked about every such cell, also about one that does not fit. That cell is
    /// dropped in any case; if `may_begin` returns true, the PDU then counts as accepted and
    /// damaged, and `overflow` says which of its other cells are accepted.
    #[inline]
    pub fn decision(
        &mut self,
        cell: &Cell,
        buffer: &Occupancy,
        may_begin: impl FnOnce() -> bool,
    ) -> Decision {
        let pdu = &mut self.pdus[cell.vc.index()];
        if *pdu == Pdu::Unbegun {
            *pdu = if may_begin() {
                Pdu::Accepted
            } else {
                Pdu::Dropped
            };
        }
        let decision = match *pdu {
            Pdu::Dropped => Decision::Drop,
            // The last cell of a damaged PDU separates it from the next one.
            Pdu::Damaged if !cell.ends_pdu() => Decision::Drop,
            _ if buffer.fits() => Decision::Accept,
            _ => Decision::Drop,
        };
        if cell.ends_pdu() {
            *pdu = Pdu::Unbegun;
        } else if decision == Decision::Drop
            && *pdu == Pdu::Accepted
            && self.overflow == Overflow::PartialPacket
        {
            *pdu = Pdu::Damaged;
        }
        decision
    }

    /// True if the next cell of a virtual channel is the first of a PDU.
    pub fn begins(&self, vc: Vc) -> bool {
        self.pdus[vc.index()] == Pdu::Unbegun
    }

    /// The [`Promise`] about a virtual channel: the decision on its present PDU stands.
    #[inline]
    pub fn promise(&self, vc: Vc) -> Promise {
        match self.pdus[vc.index()] {
            Pdu::Unbegun => Promise::Ask,
            Pdu::Accepted => Promise::Accept,
            Pdu::Dropped | Pdu::Damaged => Promise::Drop,
        }
    }
}
