//! PTM: Ethernet frames in codewords of 65 octets, as on VDSL2.
//!
//! One octet of each codeword describes the other 64. The next frame begins in the codeword in
//! which the frame before it ended, so there is no padding. A frame has an octet before it (S), an
//! octet that marks its end (C) and a checksum of two octets (TC-CRC). IEEE 802.3, clause 61.3;
//! ITU-T Recommendation G.992.3, annex N. The frames are those of the MAC of Ethernet, without
//! preamble and gap, so they have 64 octets at least: clauses 61.2 and 4.4.2.

use parameters::{Bytes, parameters};

use super::{AbrParameters, Bearer, Form, Stack, StatedRate, Wrapping, least};
use super::{Encapsulation, OverPtm};
use crate::gcra::Descriptor;
use crate::wire::class::Class;

/// Octets of a codeword, and octets of frames in it.
pub(super) const CODEWORD: [u16; 2] = [65, 64];

/// Octets of S, C and TC-CRC.
const AROUND: u64 = 4;

parameters! {
    /// Ethernet frames in codewords of 65 octets, 64 of them for frames (PTM, on VDSL2).
    #[alias("vdsl")]
    pub struct Ptm {
        /// Encapsulation before the codewords, or the octets that it adds to each packet: 18 for
        /// Ethernet with its checksum. An encapsulation with a name pads a frame to 64 octets.
        #[range("0 B", "1 KiB")]
        pub encapsulation: Encapsulation<OverPtm> = "ethernet",
    }
}

impl Bearer for Ptm {
    fn wrapping(&self) -> Wrapping {
        let added = Bytes(self.encapsulation.octets().0 + AROUND);
        let Bytes(frame) = self.encapsulation.least();
        let least = least(frame + AROUND);
        Wrapping::new(added, Form::Codewords { least })
    }

    fn named_headers(&self) -> Option<(&'static str, &'static Stack)> {
        Some(("encapsulation", self.encapsulation.stack()?))
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
    use parameters::{ParameterTable, understand, value};

    use super::*;

    #[test]
    fn a_packet_with_its_encapsulation_takes_a_sixty_fourth_more() {
        let bridged = Ptm::defaults().wrapping();
        assert_eq!(bridged.on_wire(64 * 10 - 22), 650);
        assert_eq!(bridged.on_wire(64 * 10 - 21), 652);
        let pppoe: Ptm = understand(&value!({ encapsulation = "pppoe" })).expect("a bearer");
        assert_eq!(pppoe.wrapping().on_wire(1500), 1554);
    }

    #[test]
    fn a_frame_has_64_octets_before_it_is_cut_into_codewords() {
        let on_wire = |encapsulation: &str| {
            let ptm = understand::<Ptm>(&value!({ encapsulation = encapsulation }));
            ptm.expect("a bearer").wrapping().on_wire(40)
        };
        // 68 octets with S, C and TC-CRC, and a sixty-fourth of them.
        assert_eq!(
            ["ethernet", "vlan", "pppoe_vlan"].map(on_wire),
            [70, 70, 76]
        );
        assert_eq!(on_wire("18 B"), 63);
    }
}
