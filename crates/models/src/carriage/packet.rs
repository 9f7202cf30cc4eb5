//! Whole packets, as routers forward them.

use parameters::{Bytes, parameters};

parameters! {
    /// Whole packets from host to host.
    pub struct Packet {
        /// Octets that framing adds to each packet on the wire.
        #[range("0 B", "1 KiB")]
        pub framing: Bytes = "0 B",
    }
}
