//! IPv4 datagrams with the segments of a flow.
//!
//! RFC 791, with the bits of RFC 3168 (ECN). User data are zeros, which is ours: the model has only
//! their number.

use std::net::Ipv4Addr;

use kernel::Time;
use models::wire::segment::Segment;

use super::{tcp, udp, xtp};

/// Properties of a flow that its headers show, beyond its segments.
#[derive(Clone, Copy, Debug)]
pub struct Endpoints {
    /// Address of the host that sends user data.
    pub sender: Ipv4Addr,
    /// Address of the host that receives user data.
    pub receiver: Ipv4Addr,
    /// Protocol of the datagrams.
    pub protocol: TransportHeader,
}

/// Protocol of a datagram, with the properties of its headers.
#[derive(Clone, Copy, Debug)]
pub enum TransportHeader {
    /// TCP.
    Tcp(tcp::TcpHeader),
    /// XTP.
    Xtp(xtp::XtpHeader),
    /// UDP.
    Udp(udp::UdpHeader),
}

/// The properties of one packet at one point of its path that its headers state.
#[derive(Clone, Copy, Debug)]
pub struct HeaderFields {
    /// True if the packet travels from the receiver to the sender.
    pub back: bool,
    /// Identification.
    pub number: u16,
    /// Remaining time to live.
    pub ttl: u8,
    /// True if the packet has a congestion mark.
    pub marked: bool,
    /// Time at which the transport sent the packet.
    pub sent: Time,
}

/// Octets of an IPv4 header.
pub const IP_HEADER: u64 = 20;

const DONT_FRAGMENT: u16 = 0x4000;
/// ECN-capable transport, ECT(0).
const CAPABLE: u8 = 0b10;
const CONGESTION_EXPERIENCED: u8 = 0b11;

impl Endpoints {
    /// Appends the headers of the packet with `segment`; returns the octets of the packet.
    pub fn write(&self, segment: &Segment, fields: HeaderFields, data: &mut Vec<u8>) -> u64 {
        let addresses = if fields.back {
            [self.receiver, self.sender]
        } else {
            [self.sender, self.receiver]
        };
        let mut body = Vec::new();
        let number = match &self.protocol {
            TransportHeader::Tcp(header) => {
                header.write(segment, fields, addresses, &mut body);
                tcp::NUMBER
            }
            TransportHeader::Xtp(header) => {
                header.write(segment, fields.back, &mut body);
                xtp::NUMBER
            }
            TransportHeader::Udp(header) => {
                header.write(segment, fields.back, addresses, &mut body);
                udp::NUMBER
            }
        };
        let length = IP_HEADER + body.len() as u64 + u64::from(segment.len);
        let start = data.len();
        data.extend([0x45, self.ecn(segment, fields)]);
        // A length beyond the field is shown as zero, as by hosts that leave segmentation to the
        // interface.
        data.extend(u16::try_from(length).unwrap_or(0).to_be_bytes());
        data.extend(fields.number.to_be_bytes());
        data.extend(DONT_FRAGMENT.to_be_bytes());
        data.extend([fields.ttl, number, 0, 0]);
        data.extend(addresses.iter().flat_map(Ipv4Addr::octets));
        let checksum = fold(sum(&data[start..]));
        data[start + 10..start + 12].copy_from_slice(&checksum.to_be_bytes());
        data.extend(body);
        length
    }

    fn ecn(&self, segment: &Segment, fields: HeaderFields) -> u8 {
        let asks = matches!(&self.protocol, TransportHeader::Tcp(header) if header.ecn);
        // RFC 3168, sections 6.1.1, 6.1.4 and 6.1.5: neither a SYN nor a pure acknowledgment is
        // ECN-capable, nor is a retransmission.
        let is_capable = asks && segment.len > 0 && !segment.not_ect();
        match (is_capable, fields.marked) {
            (false, _) => 0,
            (true, false) => CAPABLE,
            (true, true) => CONGESTION_EXPERIENCED,
        }
    }
}

/// The checksum of a transport header before user data of zeros, which add nothing to the sum.
pub fn checksum(addresses: [Ipv4Addr; 2], protocol: u8, length: u64, header: &[u8]) -> u16 {
    let between = sum(&addresses.map(|address| address.octets()).concat());
    fold(between + u64::from(protocol) + length + sum(header))
}

/// The sum of 16-bit words in network order.
pub fn sum(data: &[u8]) -> u64 {
    let words = data.chunks_exact(2);
    words
        .map(|word| u64::from(u16::from_be_bytes([word[0], word[1]])))
        .sum()
}

/// The checksum of RFC 1071 for words whose sum is `total`.
pub fn fold(mut total: u64) -> u16 {
    while total > 0xFFFF {
        total = (total & 0xFFFF) + (total >> 16);
    }
    !(total as u16)
}
