//! IPv4 headers, and those of TCP or UDP, around a segment of the model.
//!
//! RFC 791; RFC 768 for UDP; [`tcp`](super::tcp) for TCP. User data are zeros.

use std::net::Ipv4Addr;

use models::segment::Segment;

use super::tcp::Tcp;

/// One end of a connection, as its headers show it.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// Address of its host.
    pub address: Ipv4Addr,
    /// Port.
    pub port: u16,
    /// Initial sequence number of TCP.
    pub initial: u32,
}

/// What the headers of a connection show beyond its segments.
#[derive(Clone, Copy, Debug)]
pub struct Connection {
    /// The end that sends user data.
    pub sender: Endpoint,
    /// The end that takes it.
    pub receiver: Endpoint,
    /// Whether explicit congestion notification is agreed upon.
    pub ecn: bool,
    /// What stands between the header of IPv4 and the data.
    pub protocol: Protocol,
}

/// Transport protocol.
#[derive(Clone, Copy, Debug)]
pub enum Protocol {
    /// TCP, with what its headers show beyond segments.
    Tcp(Tcp),
    /// UDP.
    Udp,
}

/// What is on the way of one packet.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// From the receiver to the sender.
    pub back: bool,
    /// Identification.
    pub number: u16,
    /// Time to live that is left.
    pub ttl: u8,
    /// Congestion was experienced.
    pub marked: bool,
}

/// Octets of an IPv4 header.
const IP_HEADER: usize = 20;
/// Octets of a UDP header.
const UDP_HEADER: usize = 8;

const DONT_FRAGMENT: u16 = 0x4000;
/// ECN-capable transport, ECT(0).
const CAPABLE: u8 = 0b10;
const CONGESTION_EXPERIENCED: u8 = 0b11;

impl Connection {
    /// Appends the headers of the packet that carries `segment`; returns the octets of the packet.
    pub fn write(&self, segment: &Segment, passage: Passage, data: &mut Vec<u8>) -> u64 {
        let ends = if passage.back {
            [self.receiver, self.sender]
        } else {
            [self.sender, self.receiver]
        };
        let start = data.len();
        let (number, checksum_at) = match &self.protocol {
            Protocol::Tcp(_) => (6, 16),
            Protocol::Udp => (17, 6),
        };
        let mut header = Vec::new();
        match &self.protocol {
            Protocol::Tcp(tcp) => tcp.write(segment, passage.back, self.ecn, ends, &mut header),
            Protocol::Udp => write_udp(segment, ends, &mut header),
        }
        let inner = header.len() as u64 + u64::from(segment.len);
        let length = IP_HEADER as u64 + inner;
        self.write_ip(segment, passage, ends, (number, length), data);
        // The data are zeros, and add nothing to the sum.
        let addresses = &data[start + 12..start + IP_HEADER];
        let pseudo = sum(addresses) + u64::from(number) + inner;
        let checksum = fold(pseudo + sum(&header));
        header[checksum_at..checksum_at + 2].copy_from_slice(&checksum.to_be_bytes());
        data.extend(header);
        length
    }

    fn write_ip(
        &self,
        segment: &Segment,
        passage: Passage,
        [source, destination]: [Endpoint; 2],
        (protocol, length): (u8, u64),
        data: &mut Vec<u8>,
    ) {
        let start = data.len();
        // RFC 3168, sections 6.1.1 and 6.1.4: neither a SYN nor a pure acknowledgment is capable.
        let ecn = match (self.ecn && segment.len > 0, passage.marked) {
            (false, _) => 0,
            (true, false) => CAPABLE,
            (true, true) => CONGESTION_EXPERIENCED,
        };
        data.extend([0x45, ecn]);
        // A datagram larger than any is told by zero, as of hosts that leave segmentation to others.
        data.extend(u16::try_from(length).unwrap_or(0).to_be_bytes());
        data.extend(passage.number.to_be_bytes());
        data.extend(DONT_FRAGMENT.to_be_bytes());
        data.extend([passage.ttl, protocol, 0, 0]);
        data.extend(source.address.octets());
        data.extend(destination.address.octets());
        let checksum = fold(sum(&data[start..]));
        data[start + 10..start + 12].copy_from_slice(&checksum.to_be_bytes());
    }
}

fn write_udp(segment: &Segment, [source, destination]: [Endpoint; 2], data: &mut Vec<u8>) {
    data.extend(source.port.to_be_bytes());
    data.extend(destination.port.to_be_bytes());
    // A datagram larger than any is told by zero: RFC 2675, section 4.
    let length = UDP_HEADER as u64 + u64::from(segment.len);
    data.extend(u16::try_from(length).unwrap_or(0).to_be_bytes());
    data.extend([0; 2]);
}

/// The sum of 16-bit words in network order.
fn sum(data: &[u8]) -> u64 {
    let words = data.chunks_exact(2);
    words
        .map(|word| u64::from(u16::from_be_bytes([word[0], word[1]])))
        .sum()
}

/// The checksum of RFC 1071 over what sums to `total`.
fn fold(mut total: u64) -> u16 {
    while total > 0xFFFF {
        total = (total & 0xFFFF) + (total >> 16);
    }
    !(total as u16)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn connection(initial: u32) -> Connection {
        let end = |last, port, initial| Endpoint {
            address: Ipv4Addr::new(10, 0, 0, last),
            port,
            initial,
        };
        Connection {
            sender: end(1, 49_152, initial),
            receiver: end(2, 5001, 7),
            ecn: true,
            protocol: Protocol::Tcp(Tcp {
                mss: 1460,
                window: 1 << 20,
                shift: 5,
                scales: true,
                selective: true,
            }),
        }
    }

    fn passage(back: bool) -> Passage {
        Passage {
            back,
            number: 1,
            ttl: 64,
            marked: false,
        }
    }

    /// The headers of a segment, of IP and of TCP.
    fn written(connection: &Connection, segment: &Segment, back: bool) -> (Vec<u8>, Vec<u8>) {
        let mut data = Vec::new();
        connection.write(segment, passage(back), &mut data);
        let tcp = data.split_off(20);
        (data, tcp)
    }

    fn number(octets: &[u8]) -> u32 {
        u32::from_be_bytes(octets.try_into().expect("four octets"))
    }

    #[test]
    fn a_segment_is_numbered_after_the_syn_and_wraps() {
        let mut opening = Segment::default();
        opening.flags.syn = true;
        let connection = connection(u32::MAX);
        let (_, syn) = written(&connection, &opening, false);
        assert_eq!((number(&syn[4..8]), number(&syn[8..12])), (u32::MAX, 0));
        let (_, answer) = written(&connection, &opening, true);
        assert_eq!((number(&answer[4..8]), number(&answer[8..12])), (7, 0));
        let (_, data) = written(&connection, &Segment::data(0, 10), false);
        assert_eq!((number(&data[4..8]), number(&data[8..12])), (0, 8));
        let (_, data) = written(&connection, &Segment::data((1 << 32) + 5, 10), false);
        assert_eq!(number(&data[4..8]), 5);
        let (_, ack) = written(&connection, &Segment::acknowledgment(15), true);
        assert_eq!((number(&ack[4..8]), number(&ack[8..12])), (8, 15));
    }

    #[test]
    fn opening_agrees_on_options_and_on_ecn() {
        let mut opening = Segment::default();
        opening.flags.syn = true;
        let (ip, syn) = written(&connection(0), &opening, false);
        assert_eq!(syn[20..], [2, 4, 5, 180, 1, 1, 4, 2, 1, 3, 3, 5]);
        // SYN, ECE and CWR; the answer has ACK in place of CWR, and neither is ECN-capable.
        assert_eq!((ip[1] & 3, syn[13]), (0, 0xC2));
        let (_, answer) = written(&connection(0), &opening, true);
        assert_eq!(answer[13], 0x52);
        // A window that does not fit is cut, and shifted from then on.
        assert_eq!(syn[14..16], [0xFF, 0xFF]);
        let (ip, data) = written(&connection(0), &Segment::data(0, 1), false);
        assert_eq!((ip[1] & 3, &data[14..16]), (2, &[0x80, 0][..]));
    }

    #[test]
    fn blocks_are_reported_by_their_numbers_on_the_wire() {
        let mut segment = Segment::acknowledgment(10);
        segment.push_sack(20, 30);
        segment.push_sack(50, 60);
        let (_, ack) = written(&connection(100), &segment, true);
        assert_eq!(ack[12] >> 4, 10);
        assert_eq!(ack[20..24], [1, 1, 5, 18]);
        let edges: Vec<u32> = ack[24..].chunks(4).map(number).collect();
        assert_eq!(edges, [121, 131, 151, 161]);
    }

    #[test]
    fn a_packet_larger_than_any_datagram_has_the_length_zero() {
        let mut data = Vec::new();
        let length = connection(0).write(&Segment::data(0, 70_000), passage(false), &mut data);
        assert_eq!((length, &data[2..4]), (70_040, &[0, 0][..]));
    }

    #[test]
    fn a_datagram_is_of_udp_and_its_checksum_holds() {
        let connection = Connection {
            protocol: Protocol::Udp,
            ..connection(0)
        };
        let (ip, udp) = written(&connection, &Segment::data(7, 100), false);
        assert_eq!((ip[9], &ip[2..4]), (17, &128_u16.to_be_bytes()[..]));
        assert_eq!(udp[..6], [0xC0, 0, 0x13, 0x89, 0, 108]);
        let pseudo = sum(&ip[12..]) + 17 + 108;
        assert_eq!(fold(pseudo + sum(&udp)), 0);
    }

    proptest! {
        /// RFC 1071: over a header with its checksum the sum is all ones.
        #[test]
        fn checksums_hold(
            initial in any::<u32>(),
            seq in any::<u64>(),
            len in 0_u32..20_000_000,
            sacks in 0_u64..5,
            back in any::<bool>(),
        ) {
            let mut segment = Segment::data(seq, len);
            segment.ack = seq / 3;
            for block in 0..sacks {
                segment.push_sack(segment.ack + 10 * block + 5, segment.ack + 10 * block + 9);
            }
            let (ip, tcp) = written(&connection(initial), &segment, back);
            prop_assert_eq!(fold(sum(&ip)), 0);
            let length = tcp.len() as u64 + u64::from(len);
            let pseudo = sum(&ip[12..]) + 6 + (length >> 16) + (length & 0xFFFF);
            prop_assert_eq!(fold(pseudo + sum(&tcp)), 0);
        }
    }
}
