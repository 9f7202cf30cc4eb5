//! AAL5: a trailer at the end of the last cell.
//!
//! The trailer has 8 octets, among them the length of the packet and a CRC, and padding fills the
//! rest of the cells: ITU-T Recommendation I.363.5.

use parameters::parameters;

use super::{Adaptation, CellAdaptation};

/// Octets of the trailer.
const TRAILER: u64 = 8;
/// The length in the trailer has 16 bits.
const LENGTH: u64 = 65_535;

parameters! {
    /// AAL5: a trailer of 8 octets ends the last cell of each packet.
    pub struct Aal5 {}
}

impl CellAdaptation for Aal5 {
    fn adaptation(&self) -> Adaptation {
        Adaptation {
            segment: 0,
            packet: TRAILER,
            longest: Some(LENGTH),
        }
    }
}
