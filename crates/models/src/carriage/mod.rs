//! Carriage: how the packets of a flow travel. One table of a scenario changes it.

use kernel::Time;

use crate::aal5;
use crate::frame::Frame;
use crate::segment::Segment;

parameters::registry! {
    /// How the packets of a flow are carried.
    pub enum CarriageSpec {
        ubr => Ubr,
        packet => Packet,
    } default ubr
}

impl CarriageSpec {
    /// Whether packets are cut into cells.
    pub fn is_cells(&self) -> bool {
        matches!(self, CarriageSpec::Ubr(_))
    }

    /// Octets handed to the layer below for a packet, and the cells it is cut into (none if whole).
    pub fn wrap(&self, octets: u64) -> (u64, u32) {
        match self {
            CarriageSpec::Ubr(ubr) => ubr.wrap(octets),
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
    /// A segment that makes a packet of `octets`, ready to be sent and numbered.
    pub fn frame(self, now: Time, segment: Segment, octets: u64) -> Frame {
        let octets = octets + u64::from(self.added);
        let cells = if self.is_cells {
            aal5::cells(octets)
        } else {
            0
        };
        let octets = u32::try_from(octets).expect("lowering bounds packets to 16 MiB");
        Frame {
            segment,
            octets,
            cells,
            sent: now,
            number: 0,
            pdu: 0,
        }
    }
}
