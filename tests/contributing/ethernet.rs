//! Ethernet: whole packets in frames, with all that a frame takes on the wire.
//!
//! IEEE 802.3, clause 3: a preamble of 8 octets, a header of 14, a checksum of 4 and an interpacket
//! gap of 12. A frame of fewer than 64 octets is padded: clause 4.4.2.

use parameters::{Bytes, parameters};

use super::{AbrParameters, Bearer, Form, StatedRate, Wrapping};
use crate::gcra::Descriptor;
use crate::wire::class::Class;

/// Octets of the smallest frame, with its preamble and gap.
const LEAST: u16 = 84;

parameters! {
    /// Whole packets in Ethernet frames.
    pub struct Ethernet {
        /// Octets that a frame adds to its packet on the wire; a VLAN tag takes 4 more.
        #[range("38 B", "100 B")]
        pub overhead: Bytes = "38 B",
    }
}

impl Bearer for Ethernet {
    fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.overhead, Form::Whole { least: LEAST })
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

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    #[test]
    fn a_frame_takes_more_than_its_packet_and_84_octets_at_least() {
        let sizes = [40, 1500].map(|octets| Ethernet::defaults().wrapping().on_wire(octets));
        assert_eq!(sizes, [84, 1538]);
    }
}
