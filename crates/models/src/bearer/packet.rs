//! Whole packets, as routers forward them: RFC 1812, section 5. Our own simplification: framing is
//! a number of octets and a least size, because only the size of a packet on the wire matters here.
//!
//! An Ethernet frame, from its addresses to its checksum, has at least 64 octets, and is padded if its
//! data are fewer: IEEE 802.3, clauses 3.2.8 and 4.4.2, `minFrameSize`.

use parameters::quantity::Quantity;
use parameters::{Bytes, Conflict, parameters};

use super::{AbrParameters, Bearer, Form, Stack, StatedRate, Wrapping, least};
use super::{Encapsulation, OverLinks};
use crate::gcra::Descriptor;
use crate::wire::class::Class;

parameters! {
    /// Whole packets from host to host.
    #[alias("ethernet")]
    #[alias("ip")]
    #[check(check)]
    pub struct PacketBearer {
        /// Framing, or the octets that it adds to each packet on the wire.
        #[range("0 B", "1 KiB")]
        pub framing: Encapsulation<OverLinks> = "0 B",
        /// Least octets of a packet with its framing: a shorter packet is padded to it. If not given,
        /// that of a framing with a name, and none of any other.
        #[alias("mpu")]
        #[alias("minimum_packet_unit")]
        #[range("1 B", "16 KiB")]
        pub minimum: Option<Bytes>,
    }
}

impl PacketBearer {
    fn check(&self) -> Option<Conflict> {
        let (least, stack) = (self.framing.least(), self.framing.stack()?);
        let minimum = self.minimum.filter(|minimum| *minimum < least)?;
        Some(Conflict {
            name: "minimum",
            problem: format!(
                "`{}` is less than the least packet of the framing `{}`",
                minimum.render(),
                stack.word
            ),
            hint: format!("write at least `\"{}\"`, or leave it out", least.render()),
        })
    }
}

impl Bearer for PacketBearer {
    fn wrapping(&self) -> Wrapping {
        let Bytes(octets) = self.minimum.unwrap_or(self.framing.least());
        let least = least(octets);
        Wrapping::new(self.framing.octets(), Form::Whole { least })
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

#[cfg(test)]
mod tests {
    use parameters::{Value, understand, value};

    use super::*;

    fn on_wire(written: &Value, octets: u64) -> u64 {
        let bearer: PacketBearer = understand(written).expect("a bearer");
        bearer.wrapping().on_wire(octets)
    }

    /// IEEE 802.3, clause 4.4.2: 64 octets, and 8 of preamble and 12 of gap around them. So 10 Gbit/s
    /// carry 14.88 million of the shortest frames in a second, the number that RFC 2544 and its
    /// successors test for.
    #[test]
    fn an_acknowledgment_takes_the_smallest_ethernet_frame() {
        let ethernet = value!({ framing = "ethernet" });
        let sizes = [1, 29, 40, 46, 47, 1500].map(|octets| on_wire(&ethernet, octets));
        assert_eq!(sizes, [84, 84, 84, 84, 85, 1538]);
        let in_a_second = 10_000_000_000 / (on_wire(&ethernet, 29) * 8);
        assert_eq!(in_a_second, 14_880_952);
        // The tag and the header of PPPoE are part of the frame that is padded.
        assert_eq!(on_wire(&value!({ framing = "vlan" }), 40), 84);
        assert_eq!(on_wire(&value!({ framing = "vlan" }), 43), 85);
        assert_eq!(on_wire(&value!({ framing = "pppoe" }), 39), 85);
    }

    #[test]
    fn a_rate_limit_of_docsis_counts_64_octets_at_least_without_preamble_and_gap() {
        let docsis = value!({ framing = "docsis" });
        let sizes = [40, 46, 47, 1500].map(|octets| on_wire(&docsis, octets));
        assert_eq!(sizes, [64, 64, 65, 1518]);
    }

    #[test]
    fn octets_without_a_name_have_the_least_size_that_is_written() {
        let stated = value!({ framing = "18 B", minimum = "64 B" });
        assert_eq!([40, 47].map(|octets| on_wire(&stated, octets)), [64, 65]);
        assert_eq!(on_wire(&value!({ framing = "38 B" }), 1), 39);
        let longer = value!({ framing = "ethernet", minimum = "532 B" });
        assert_eq!(on_wire(&longer, 40), 532);
        let shorter = value!({ framing = "ethernet", minimum = "83 B" });
        assert!(understand::<PacketBearer>(&shorter).is_err());
    }
}
