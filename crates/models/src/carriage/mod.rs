//! Carriage: how the packets of a flow travel. One table of a scenario changes it.

use kernel::Time;

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

    /// A segment that makes a packet of `octets`, ready to be sent and numbered.
    pub fn frame(&self, now: Time, segment: Segment, octets: u64) -> Frame {
        let (octets, cells) = self.wrap(octets);
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
