//! Which packets of a capture are meant: addresses, ports and protocol.
//!
//! The fields are those that identify a connection: RFC 6146, section 2, "5-tuple". That an address
//! may be a range is as in capture filters, pcap-filter(7), "net".

use std::net::IpAddr;

use parameters::{
    Parameter, Path, Problem, Problems, Shape, Value, Written, choices, parameters, read_text,
};

parameters! {
    /// Packets of a capture: those that agree with all that is given.
    pub struct PacketFilter {
        /// Source address, or a range of them such as `10.0.0.0/8`.
        pub from: Option<AddressRange>,
        /// Destination address, or a range of them.
        pub to: Option<AddressRange>,
        /// Source port.
        #[range(0, 65535)]
        pub from_port: Option<u32>,
        /// Destination port.
        #[range(0, 65535)]
        pub to_port: Option<u32>,
        /// Protocol over IP.
        pub protocol: Option<Protocol>,
    }
}

choices! {
    /// A protocol over IP.
    pub enum Protocol {
        /// TCP.
        tcp => Tcp,
        /// UDP.
        udp => Udp,
        /// ICMP, of either version of IP.
        icmp => Icmp,
    }
}

/// The fields of a packet that a filter looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketFields {
    /// Source and destination address.
    pub addresses: [IpAddr; 2],
    /// Source and destination port, if the packet has ports: a fragment other than the first has
    /// none.
    pub ports: Option<[u16; 2]>,
    /// Protocol, if it is one that filters name.
    pub protocol: Option<Protocol>,
}

impl PacketFilter {
    /// True if the filter selects a packet with these fields.
    pub fn selects(&self, packet: &PacketFields) -> bool {
        let [from, to] = packet.addresses;
        let address = |range: &Option<AddressRange>, address| {
            range.as_ref().is_none_or(|range| range.contains(address))
        };
        let port = |wanted: Option<u32>, place: usize| {
            wanted.is_none_or(|wanted| {
                let found = packet.ports.map(|ports| u32::from(ports[place]));
                found == Some(wanted)
            })
        };
        address(&self.from, from)
            && address(&self.to, to)
            && port(self.from_port, 0)
            && port(self.to_port, 1)
            && (self.protocol.is_none() || self.protocol == packet.protocol)
    }
}

/// All addresses that begin with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    first: IpAddr,
    /// Number of common bits.
    bits: u32,
}

impl AddressRange {
    /// The range of a text, such as `10.0.0.1` or `2001:db8::/32`; none if it is not a range.
    pub fn parse(text: &str) -> Option<AddressRange> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().ok()?)),
            None => (text, None),
        };
        let first: IpAddr = address.parse().ok()?;
        let most = if first.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        (bits <= most).then_some(AddressRange { first, bits })
    }

    fn contains(&self, address: IpAddr) -> bool {
        let differ = match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                u128::from(first.to_bits() ^ address.to_bits()).checked_shr(32 - self.bits)
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                (first.to_bits() ^ address.to_bits()).checked_shr(128 - self.bits)
            }
            _ => return false,
        };
        // A shift by all bits leaves none that could differ.
        differ.is_none_or(|bits| bits == 0)
    }
}

impl Parameter for AddressRange {
    fn shape() -> Shape {
        Shape::Text
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<AddressRange> {
        let is_address = |text: &str| AddressRange::parse(text).is_some();
        let text = read_text(written, at, problems, is_address, "10.0.0.1")?;
        let range = AddressRange::parse(&text);
        if range.is_none() {
            let problem = format!("{} is not an address", Value::from(text.as_str()).quoted());
            let hint = "write for example `10.0.0.1`, `10.0.0.0/8` or `2001:db8::1`";
            problems.add(Problem::new(at, written.place, problem).hint(hint));
        }
        range
    }

    fn write(&self) -> Value {
        let AddressRange { first, bits } = self;
        let most = if first.is_ipv4() { 32 } else { 128 };
        Value::Text(if *bits == most {
            first.to_string()
        } else {
            format!("{first}/{bits}")
        })
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    fn packet(from: &str, to: &str, ports: Option<[u16; 2]>) -> PacketFields {
        PacketFields {
            addresses: [from, to].map(|address| address.parse().expect("an address")),
            ports,
            protocol: Some(Protocol::Tcp),
        }
    }

    #[test]
    fn a_filter_selects_what_agrees_with_all_that_it_states() {
        let selects = |filter: &Value| {
            let filter: PacketFilter = understand(filter).expect("a filter");
            filter.selects(&packet("10.1.2.3", "192.168.0.1", Some([80, 5000])))
        };
        assert!(selects(&value!({})));
        assert!(selects(&value!({ from = "10.1.2.3", to_port = 5000 })));
        assert!(selects(&value!({ from = "10.0.0.0/8", to = "0.0.0.0/0" })));
        assert!(!selects(&value!({ from = "10.1.2.2" })));
        assert!(!selects(&value!({ from = "10.1.2.3", to_port = 80 })));
        assert!(!selects(&value!({ from = "::/0" })));
        assert!(!selects(&value!({ protocol = "udp" })));
    }

    #[test]
    fn a_packet_without_ports_is_not_one_of_a_port() {
        let filter: PacketFilter = understand(&value!({ from_port = 0 })).expect("a filter");
        assert!(!filter.selects(&packet("10.1.2.3", "10.1.2.4", None)));
    }

    #[test]
    fn ranges_are_written_as_they_are_read_and_others_are_refused() {
        for text in [
            "10.0.0.1",
            "10.0.0.0/8",
            "2001:db8::/32",
            "::1",
            "0.0.0.0/0",
        ] {
            let range = AddressRange::parse(text).expect("a range");
            assert_eq!(range.write(), Value::from(text));
        }
        for text in ["10.0.0", "10.0.0.1/33", "host", "::/129", "10.0.0.1:80"] {
            assert_eq!(AddressRange::parse(text), None, "{text}");
        }
    }
}
