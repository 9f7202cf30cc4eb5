//! Whole packets, as routers forward them.

use parameters::{Bytes, parameters};

parameters! {
    /// Packets stay whole from host to host.
    pub struct Packet {
        /// Octets that framing adds to each packet on the wire.
        #[range("0 B", "1 KiB")]
        pub framing: Bytes = "0 B",
    }
}

impl Packet {
    /// Octets on the wire, and no cells.
    pub fn wrap(&self, octets: u64) -> (u64, u32) {
        (octets + self.framing.0, 0)
    }
}
