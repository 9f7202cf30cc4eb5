//! Whole packets, as routers forward them: RFC 1812, section 5. Our own simplification: framing is
//! a number of octets, because only the size of a packet on the wire matters here.

use parameters::{Bytes, parameters};

use super::{AbrParameters, Bearer, Form, StatedRate, Wrapping};
use crate::class::Class;
use crate::gcra::Descriptor;

parameters! {
    /// Whole packets from host to host.
    pub struct PacketBearer {
        /// Octets that framing adds to each packet on the wire.
        #[range("0 B", "1 KiB")]
        pub framing: Bytes = "0 B",
    }
}

impl Bearer for PacketBearer {
    fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.framing, Form::Whole)
    }

    fn class(&self) -> Class {
        Class::Ubr
    }

    fn descriptor(&self) -> Option<Descriptor> {
        None
    }

    fn rate_control(&self) -> Option<&AbrParameters> {
        None
    }

    fn rates(&self) -> Vec<StatedRate> {
        Vec::new()
    }
}
