//! Segments: each cell carries the header or trailer of its segment in its payload, beside the octets
//! of the packet.
//!
//! AAL3/4 is the best known: 4 octets of each payload are header and trailer of the segment, which
//! leaves 44 of 48, and the common part adds 8 octets to each packet, and pads it to a multiple of
//! four octets, which 44 is too. ITU-T Recommendation I.363.3.

use parameters::{Bytes, parameters};

use super::{Adaptation, CellAdaptation};

/// The length of the common part of AAL3/4 has 16 bits.
const LENGTH: u64 = 65_535;

parameters! {
    /// Fixed segments: each cell has octets for its segment in its payload, as in AAL3/4.
    pub struct FixedSegments {
        /// Octets of each payload that the header and the trailer of the segment take.
        #[range("0 B", "15 B")]
        pub segment: Bytes = "4 B",
        /// Octets that each packet has in addition.
        #[range("0 B", "1 KiB")]
        pub packet: Bytes = "8 B",
    }
}

impl CellAdaptation for FixedSegments {
    fn adaptation(&self) -> Adaptation {
        Adaptation {
            segment: self.segment.0,
            packet: self.packet.0,
            longest: Some(LENGTH),
        }
    }
}
