//! TCP headers around a segment of the model.
//!
//! RFC 9293, with the options of RFC 2018 (SACK) and RFC 7323 (window scale and time stamps), and
//! the bits of RFC 3168 (ECN). Time stamps in milliseconds depart from the model, where they are
//! exact: RFC 7323, section 5.4, recommends no finer clock.

use std::net::Ipv4Addr;

use kernel::Time;
use models::wire::connection::ConnectionId;
use models::wire::segment::Segment;

use super::datagram::{HeaderFields, checksum};

/// Protocol number in a datagram.
pub const NUMBER: u8 = 6;

/// One end of a connection, as shown in its headers.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// Port.
    pub port: u16,
    /// Initial sequence number.
    pub initial: u32,
}

/// Properties of a connection that its headers show, beyond its segments.
#[derive(Clone, Copy, Debug)]
pub struct TcpHeader {
    /// The end that sends user data.
    pub sender: Endpoint,
    /// The end that receives user data.
    pub receiver: Endpoint,
    /// Largest segment, in octets of user data.
    pub mss: u64,
    /// Window that both ends advertise, in octets.
    pub window: u64,
    /// Shift of the window in bits.
    pub shift: u8,
    /// True if the handshake negotiates a window scale.
    pub scales: bool,
    /// True if the handshake negotiates selective acknowledgments.
    pub selective: bool,
    /// True if the handshake negotiates explicit congestion notification.
    pub ecn: bool,
    /// Number of ports of the sending end: one, or, where connections of the flow come and go, one
    /// for each slot, as far as there are ports.
    pub ports: u16,
}

/// Octets of a header without options.
const FIXED: usize = 20;

/// Number of dynamic ports: RFC 6335, section 6.
pub const DYNAMIC_PORTS: u16 = 16_384;

const FIN: u8 = 0x01;
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;
const ECE: u8 = 0x40;
const CWR: u8 = 0x80;

impl TcpHeader {
    /// Appends the header of `segment` between two addresses.
    pub fn write(
        &self,
        segment: &Segment,
        fields: HeaderFields,
        addresses: [Ipv4Addr; 2],
        data: &mut Vec<u8>,
    ) {
        let start = data.len();
        let connection = self.of_connection(segment);
        let options = connection.options(segment, fields);
        connection.write_fixed(segment, fields.back, FIXED + options.len(), data);
        data.extend(options);
        let length = (data.len() - start) as u64 + u64::from(segment.len);
        let checksum = checksum(addresses, NUMBER, length, &data[start..]);
        data[start + 16..start + 18].copy_from_slice(&checksum.to_be_bytes());
    }

    /// The connection of a segment: each slot has a port, and each later connection in a slot has
    /// other initial numbers.
    fn of_connection(&self, segment: &Segment) -> TcpHeader {
        let mut connection = *self;
        if self.ports > 1 {
            let ConnectionId { slot, generation } = ConnectionId::of(segment.seq);
            let first = u16::MAX - (DYNAMIC_PORTS - 1);
            let place = (self.sender.port - first).wrapping_add(slot) % self.ports;
            connection.sender.port = first + place;
            for end in [&mut connection.sender, &mut connection.receiver] {
                end.initial = end.initial.wrapping_add(u32::from(generation) << 16);
            }
        }
        connection
    }

    fn write_fixed(&self, segment: &Segment, back: bool, header: usize, data: &mut Vec<u8>) {
        let [source, destination] = if back {
            [self.receiver, self.sender]
        } else {
            [self.sender, self.receiver]
        };
        let opens = segment.flags.syn;
        // FIN takes a number after the last octet: the receiver acknowledges that of the sender
        // together with its own, and the sender that of the receiver by a segment without data.
        let is_last = !opens && !back && segment.len == 0 && !segment.is_probe();
        // A SYN uses the initial sequence number, and user data begin one later: RFC 9293, 3.4.
        let sequence = source
            .initial
            .wrapping_add(u32::from(!opens) + u32::from(is_last))
            .wrapping_add(segment.number() as u32)
            .wrapping_sub(u32::from(segment.is_probe()));
        let acknowledges = !opens || back;
        let closed = is_last || (back && segment.fin());
        let acknowledgment = destination.initial.wrapping_add(1 + u32::from(closed));
        let acknowledgment = acknowledgment.wrapping_add(segment.ack as u32);
        data.extend(source.port.to_be_bytes());
        data.extend(destination.port.to_be_bytes());
        data.extend(sequence.to_be_bytes());
        data.extend((acknowledgment * u32::from(acknowledges)).to_be_bytes());
        data.extend([(header / 4 * 16) as u8, self.flags(segment, back)]);
        // The window of a SYN is never shifted: RFC 7323, section 2.2.
        let shift = if opens { 0 } else { self.shift };
        let offered = segment.window().unwrap_or(self.window);
        let window = u16::try_from(offered >> shift).unwrap_or(u16::MAX);
        data.extend(window.to_be_bytes());
        // Checksum, and no urgent data.
        data.extend([0; 4]);
    }

    fn flags(&self, segment: &Segment, back: bool) -> u8 {
        let opens = segment.flags.syn;
        // RFC 3168, section 6.1.1: a SYN requests ECN with both bits, and its answer grants it with
        // one.
        let echoes = segment.flags.ece || (opens && self.ecn);
        let reduced = segment.cwr() || (opens && self.ecn && !back);
        let bits = [
            (FIN, segment.fin()),
            (SYN, opens),
            (ACK, !opens || back),
            (ECE, echoes),
            (CWR, reduced),
        ];
        bits.iter()
            .map(|(bit, is_set)| bit * u8::from(*is_set))
            .sum()
    }

    /// The options, padded to 32 bits.
    fn options(&self, segment: &Segment, fields: HeaderFields) -> Vec<u8> {
        let mut options = Vec::new();
        if segment.flags.syn {
            options.extend([2, 4]);
            options.extend(u16::try_from(self.mss).unwrap_or(u16::MAX).to_be_bytes());
            if self.selective {
                options.extend([NO_OPERATION, NO_OPERATION, 4, 2]);
            }
            if self.scales {
                options.extend([NO_OPERATION, 3, 3, self.shift]);
            }
        }
        if let Some(stamp) = segment.stamp() {
            // A data segment carries its own time stamp, and an echo only if the other end tunes its
            // window by it: others send no data, and so measure no round-trip time.
            let echo = if fields.back {
                Some(stamp)
            } else {
                segment.clock()
            };
            let echoed = echo.map_or(0, on_clock);
            options.extend([NO_OPERATION, NO_OPERATION, 8, 10]);
            options.extend(on_clock(fields.sent).to_be_bytes());
            options.extend(echoed.to_be_bytes());
        }
        let count = segment.block_count();
        if count > 0 {
            options.extend([NO_OPERATION, NO_OPERATION, 5, 2 + 8 * count as u8]);
            let first = self.sender.initial.wrapping_add(1);
            let blocks = segment.duplicate().into_iter().chain(segment.sacks());
            for edge in blocks.flat_map(|(start, end)| [start, end]) {
                options.extend(first.wrapping_add(edge as u32).to_be_bytes());
            }
        }
        options
    }
}

const NO_OPERATION: u8 = 1;

/// A time stamp in milliseconds, the finest clock that RFC 7323, section 5.4, recommends.
fn on_clock(time: Time) -> u32 {
    (time.ps() / 1_000_000_000) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::capture::datagram::{Endpoints, HeaderFields, TransportHeader, fold, sum};

    fn connection(initial: u32) -> Endpoints {
        let end = |port, initial| Endpoint { port, initial };
        Endpoints {
            sender: Ipv4Addr::new(10, 0, 0, 1),
            receiver: Ipv4Addr::new(10, 0, 0, 2),
            protocol: TransportHeader::Tcp(TcpHeader {
                sender: end(49_152, initial),
                receiver: end(5001, 7),
                mss: 1460,
                window: 1 << 20,
                shift: 5,
                scales: true,
                selective: true,
                ecn: true,
                ports: 1,
            }),
        }
    }

    fn fields(back: bool) -> HeaderFields {
        HeaderFields {
            back,
            number: 1,
            ttl: 64,
            marked: false,
            sent: Time::from_ps(1_234_567_890_123),
        }
    }

    /// The headers of a segment, of IP and of TCP.
    fn written(connection: &Endpoints, segment: &Segment, back: bool) -> (Vec<u8>, Vec<u8>) {
        let mut data = Vec::new();
        connection.write(segment, fields(back), &mut data);
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
    fn a_connection_that_comes_and_goes_has_a_port_and_closes_at_both_ends() {
        let mut connection = connection(100);
        if let TransportHeader::Tcp(header) = &mut connection.protocol {
            header.ports = DYNAMIC_PORTS;
        }
        let id = ConnectionId {
            slot: 16_383,
            generation: 2,
        };
        let (sender, receiver) = (100 + (2 << 16) + 1, 7 + (2 << 16) + 1);
        // Ports, numbers and flags of the last data, of its answer, and of the last segment.
        let of = |segment: Segment, back| {
            let (_, tcp) = written(&connection, &segment.of_connection(id), back);
            let ports = number(&tcp[..4]);
            (
                ports,
                number(&tcp[4..8]),
                number(&tcp[8..12]),
                tcp[13] & !ECE,
            )
        };
        let [there, back] = [65_535 * 65_536 + 5001, 5001 * 65_536 + 65_535];
        let data = Segment::data(0, 10).with_fin();
        assert_eq!(of(data, false), (there, sender, receiver, ACK | FIN));
        let answer = Segment::acknowledgment(10).with_fin();
        assert_eq!(of(answer, true), (back, receiver, sender + 11, ACK | FIN));
        let mut last = Segment::acknowledgment(0);
        last.seq = 10;
        assert_eq!(of(last, false), (there, sender + 11, receiver + 1, ACK));
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
        // A window that does not fit is cut off in the SYN, and shifted afterwards.
        assert_eq!(syn[14..16], [0xFF, 0xFF]);
        let (ip, data) = written(&connection(0), &Segment::data(0, 1), false);
        assert_eq!((ip[1] & 3, &data[14..16]), (2, &[0x80, 0][..]));
    }

    #[test]
    fn a_window_that_changes_and_a_probe_of_it_have_their_numbers() {
        let ack = Segment::acknowledgment(10).with_window(64);
        let (_, closed) = written(&connection(100), &ack, true);
        // Octet 10 is number 111, and the window has a shift of five bits.
        assert_eq!(
            (number(&closed[8..12]), &closed[14..16]),
            (111, &[0, 2][..])
        );
        let (_, probe) = written(&connection(100), &Segment::probe(10), false);
        assert_eq!((number(&probe[4..8]), probe.len()), (110, 20));
        let (_, answer) = written(&connection(100), &Segment::acknowledgment(10), true);
        assert_eq!(answer[4..8], closed[4..8]);
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
    fn time_stamps_are_milliseconds_and_stand_before_blocks() {
        let stamp = Time::from_ps(1_199_999_999_999);
        let (_, data) = written(
            &connection(0),
            &Segment::data(0, 1).with_stamp(stamp),
            false,
        );
        assert_eq!(data[20..], [1, 1, 8, 10, 0, 0, 4, 210, 0, 0, 0, 0]);
        let mut ack = Segment::acknowledgment(1).with_stamp(stamp);
        ack.push_sack(20, 30);
        let (_, ack) = written(&connection(0), &ack, true);
        assert_eq!(ack[20..32], [1, 1, 8, 10, 0, 0, 4, 210, 0, 0, 4, 175]);
        assert_eq!(ack[32..36], [1, 1, 5, 10]);
    }

    #[test]
    fn a_packet_larger_than_any_datagram_has_the_length_zero() {
        let mut data = Vec::new();
        let length = connection(0).write(&Segment::data(0, 70_000), fields(false), &mut data);
        assert_eq!((length, &data[2..4]), (70_040, &[0, 0][..]));
    }

    proptest! {
        /// RFC 1071: the sum over a header with its checksum is all ones.
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
