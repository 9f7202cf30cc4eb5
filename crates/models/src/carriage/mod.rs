//! Carriage: how the packets of a flow travel. One table of a scenario changes it.

use kernel::{Rate, Time};
use parameters::Cells;

use crate::aal5;
use crate::cell::CELL_OCTETS;
use crate::class::Class;
use crate::frame::Frame;
use crate::gcra::{Descriptor, Sustained};
use crate::segment::Segment;

parameters::registry! {
    /// How the packets of a flow are carried.
    pub enum CarriageSpec {
        ubr => Ubr,
        cbr => Cbr,
        vbr => Vbr,
        abr => Abr,
        packet => Packet,
    } default ubr
}

impl CarriageSpec {
    /// Whether packets are cut into cells.
    pub fn is_cells(&self) -> bool {
        !matches!(self, CarriageSpec::Packet(_))
    }

    /// Whether the network tells the hosts at which rate cells may leave.
    pub fn is_abr(&self) -> bool {
        matches!(self, CarriageSpec::Abr(_))
    }

    /// Whether RM cells are sent back at once, beside a direction that no rate is set for.
    pub fn answers_at_once(&self) -> bool {
        matches!(self, CarriageSpec::Abr(abr) if !abr.controls_reverse())
    }

    /// Whether hosts hold packets back, and let their cells leave one by one.
    pub fn is_paced(&self) -> bool {
        self.is_abr() || self.peak().is_some()
    }

    /// The service class of the virtual channels that carry the flow; packets have none, and whoever
    /// asks is told the least.
    pub fn class(&self) -> Class {
        match self {
            CarriageSpec::Cbr(_) => Class::Cbr,
            CarriageSpec::Vbr(vbr) if vbr.realtime => Class::RtVbr,
            CarriageSpec::Vbr(_) => Class::NrtVbr,
            CarriageSpec::Abr(_) => Class::Abr,
            CarriageSpec::Ubr(_) | CarriageSpec::Packet(_) => Class::Ubr,
        }
    }

    /// What a host keeps to on a channel of its own accord, if anything: it shapes what it sends.
    pub fn descriptor(&self) -> Option<Descriptor> {
        let (peak, cdvt, sustained) = match self {
            CarriageSpec::Cbr(cbr) => (cbr.rate, cbr.cdvt, None),
            CarriageSpec::Vbr(vbr) => (vbr.peak, vbr.cdvt, vbr.sustained.zip(vbr.burst)),
            CarriageSpec::Ubr(ubr) => (ubr.peak?, ubr.cdvt, None),
            CarriageSpec::Abr(_) | CarriageSpec::Packet(_) => return None,
        };
        Some(Descriptor {
            peak,
            cdvt,
            sustained: sustained.map(|(rate, Cells(burst))| Sustained { rate, burst }),
        })
    }

    /// The highest rate of cells, in bits, that a host then sends.
    pub fn peak(&self) -> Option<Rate> {
        self.descriptor().map(|agreed| agreed.peak)
    }

    /// The highest that it keeps up for long.
    pub fn sustained(&self) -> Option<Rate> {
        let agreed = self.descriptor()?;
        Some(
            agreed
                .sustained
                .map_or(agreed.peak, |sustained| sustained.rate),
        )
    }

    /// Octets handed to the layer below for a packet, and the cells it is cut into (none if whole).
    pub fn wrap(&self, octets: u64) -> (u64, u32) {
        match self {
            CarriageSpec::Cbr(cbr) => aal5::wrap(octets, cbr.encapsulation),
            CarriageSpec::Vbr(vbr) => aal5::wrap(octets, vbr.encapsulation),
            CarriageSpec::Abr(abr) => aal5::wrap(octets, abr.encapsulation),
            CarriageSpec::Ubr(ubr) => aal5::wrap(octets, ubr.encapsulation),
            CarriageSpec::Packet(packet) => packet.wrap(octets),
        }
    }

    /// The same, as the ends of a flow keep it.
    pub fn wrapping(&self) -> Wrapping {
        Wrapping {
            added: self.wrap(0).0 as u32,
            is_cells: self.is_cells(),
        }
    }
}

/// What carriage makes of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Wrapping {
    /// Octets added to it.
    added: u32,
    /// It is then cut into cells.
    is_cells: bool,
}

impl Wrapping {
    /// Octets handed to the layer below for a packet, and the cells it is cut into (none if whole).
    fn wrap(self, octets: u64) -> (u64, u32) {
        let octets = octets + u64::from(self.added);
        let cells = if self.is_cells {
            aal5::cells(octets)
        } else {
            0
        };
        (octets, cells)
    }

    /// Octets that a packet takes on the wire.
    pub fn on_wire(self, octets: u64) -> u64 {
        match self.wrap(octets) {
            (octets, 0) => octets,
            (_, cells) => u64::from(cells) * CELL_OCTETS,
        }
    }

    /// A segment that makes a packet of `octets`, ready to be sent and numbered.
    pub fn frame(self, now: Time, segment: Segment, octets: u64) -> Frame {
        let (octets, cells) = self.wrap(octets);
        let octets = u32::try_from(octets).expect("lowering bounds packets to 16 MiB");
        Frame {
            segment,
            octets,
            cells,
            sent: now,
            number: 0,
            marked: false,
            pdu: 0,
        }
    }
}
