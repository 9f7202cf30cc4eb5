//! UDP headers around a datagram of the model.
//!
//! RFC 768; RFC 2675 for datagrams too long for the length field.

use std::net::Ipv4Addr;

use models::wire::segment::Segment;

use super::datagram::checksum;

/// Protocol number in a datagram.
pub const NUMBER: u8 = 17;

/// Properties of a flow that its headers show, beyond its datagrams.
#[derive(Clone, Copy, Debug)]
pub struct UdpHeader {
    /// Port of the end that sends user data.
    pub sender: u16,
    /// Port of the end that receives user data.
    pub receiver: u16,
}

/// Octets of a header.
const OCTETS: u64 = 8;

impl UdpHeader {
    /// Appends the header of `segment` between two addresses.
    pub fn write(
        self,
        segment: &Segment,
        back: bool,
        addresses: [Ipv4Addr; 2],
        data: &mut Vec<u8>,
    ) {
        let start = data.len();
        let [source, destination] = if back {
            [self.receiver, self.sender]
        } else {
            [self.sender, self.receiver]
        };
        data.extend(source.to_be_bytes());
        data.extend(destination.to_be_bytes());
        let length = OCTETS + u64::from(segment.len);
        // A length too long for its field is shown as zero: RFC 2675, section 4.
        data.extend(u16::try_from(length).unwrap_or(0).to_be_bytes());
        data.extend([0; 2]);
        let checksum = checksum(addresses, NUMBER, length, &data[start..]);
        data[start + 6..start + 8].copy_from_slice(&checksum.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::datagram::{fold, sum};
    use super::*;

    #[test]
    fn the_checksum_of_a_datagram_holds() {
        let header = UdpHeader {
            sender: 49_152,
            receiver: 5001,
        };
        let addresses = [1, 2].map(|last| Ipv4Addr::new(10, 0, 0, last));
        let mut udp = Vec::new();
        header.write(&Segment::data(7, 100), false, addresses, &mut udp);
        assert_eq!(udp[..6], [0xC0, 0, 0x13, 0x89, 0, 108]);
        // The addresses, the protocol and the length, as in the pseudo-header of RFC 768.
        let pseudo = 2 * 0x0A00 + 1 + 2 + 17 + 108;
        assert_eq!(fold(pseudo + sum(&udp)), 0);
    }

    #[test]
    fn a_datagram_larger_than_any_has_the_length_zero() {
        let header = UdpHeader {
            sender: 1,
            receiver: 2,
        };
        let mut udp = Vec::new();
        header.write(
            &Segment::data(0, 70_000),
            true,
            [Ipv4Addr::LOCALHOST; 2],
            &mut udp,
        );
        assert_eq!(udp[..6], [0, 2, 0, 1, 0, 0]);
    }
}
