//! Whole packets, as routers forward them: RFC 1812, section 5. Our own simplification: framing is
//! a number of octets, because only the size of a packet on the wire matters here.

use parameters::parameters;

use super::{AbrParameters, Bearer, Form, Stack, StatedRate, Wrapping};
use super::{Encapsulation, OverLinks};
use crate::gcra::Descriptor;
use crate::wire::class::Class;

parameters! {
    /// Whole packets from host to host.
    #[alias("ethernet")]
    #[alias("ip")]
    pub struct PacketBearer {
        /// Framing, or the octets that it adds to each packet on the wire.
        #[range("0 B", "1 KiB")]
        pub framing: Encapsulation<OverLinks> = "0 B",
    }
}

impl Bearer for PacketBearer {
    fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.framing.octets(), Form::Whole)
    }

    fn named_headers(&self) -> Option<(&'static str, &'static Stack)> {
        Some(("framing", self.framing.stack()?))
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
