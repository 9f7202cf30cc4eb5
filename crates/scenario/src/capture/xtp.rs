//! XTP headers around a packet of the model, and the segments of its control packets.
//!
//! The layout and the numbers are those of Wireshark's dissector of XTP 4.0. The dissector reads
//! the edges of spans in the wrong order of octets; here the edges are in network order, like all
//! other fields.

use models::wire::segment::Segment;

use super::datagram::{fold, sum};

/// Protocol number in a datagram.
pub const NUMBER: u8 = 36;

/// Properties of an association that its headers show, beyond its packets.
#[derive(Clone, Copy, Debug)]
pub struct XtpHeader {
    /// Key of the context at the end that sends user data.
    pub key: u64,
}

/// Bit of a key: the packet comes from the other end.
const RETURNED: u64 = 1 << 63;

/// Options of the command, above its lowest octet.
const NOCHECK: u32 = 0x40_0000;
const NOFLOW: u32 = 0x01_0000;
const FASTNAK: u32 = 0x00_8000;
const SREQ: u32 = 0x00_4000;

/// Formats of packets, in the lowest five bits; the version is in the bits above.
const DATA: u32 = 0;
const CONTROL: u32 = 1;
const ERROR_CONTROL: u32 = 3;
const VERSION: u32 = 1 << 5;

impl XtpHeader {
    /// Appends the header of `packet`, and its control segment if it has one.
    pub fn write(self, packet: &Segment, back: bool, data: &mut Vec<u8>) {
        let start = data.len();
        let body = control_segment(packet, back);
        let returned = if back { RETURNED } else { 0 };
        data.extend((self.key | returned).to_be_bytes());
        data.extend(command(packet).to_be_bytes());
        data.extend((packet.len + body.len() as u32).to_be_bytes());
        // The fields checksum and sort, both zero at first.
        data.extend([0; 4]);
        // Only the sending end makes requests.
        data.extend(
            if back {
                0
            } else {
                packet.options().unwrap_or_default().request
            }
            .to_be_bytes(),
        );
        data.extend(packet.seq.to_be_bytes());
        // With NOCHECK the checksum covers the header only.
        let checksum = fold(sum(&data[start..]));
        data[start + 16..start + 18].copy_from_slice(&checksum.to_be_bytes());
        data.extend(body);
    }
}

fn command(packet: &Segment) -> u32 {
    let options = packet.options().unwrap_or_default();
    let bits = [(FASTNAK, options.fast_nak), (SREQ, options.sreq)];
    let asked: u32 = bits
        .iter()
        .map(|(bit, is_set)| bit * u32::from(*is_set))
        .sum();
    let format = match (packet.len, options.missing) {
        (1.., _) => DATA,
        (0, false) => CONTROL,
        (0, true) => ERROR_CONTROL,
    };
    (NOCHECK | NOFLOW | asked) << 8 | VERSION | format
}

/// The control segment, which follows the header of a control packet.
fn control_segment(packet: &Segment, back: bool) -> Vec<u8> {
    let mut body = Vec::new();
    if packet.len > 0 {
        return body;
    }
    body.extend(packet.ack.to_be_bytes());
    // `alloc` is zero, because flow control is off.
    body.extend([0; 8]);
    body.extend(
        if back {
            packet.options().unwrap_or_default().request
        } else {
            0
        }
        .to_be_bytes(),
    );
    if packet.options().unwrap_or_default().missing {
        body.extend((packet.sacks().len() as u32).to_be_bytes());
        for edge in packet.sacks().flat_map(|(start, end)| [start, end]) {
            body.extend(edge.to_be_bytes());
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use models::transport::xtp::format;
    use models::wire::segment::Options;

    use super::*;

    fn written(packet: &Segment, back: bool) -> Vec<u8> {
        let mut data = Vec::new();
        XtpHeader { key: 5 }.write(packet, back, &mut data);
        assert_eq!(fold(sum(&data[..32])), 0, "the checksum of the header");
        let sent = data.len() as u64 + u64::from(packet.len);
        assert_eq!(sent, format::octets(packet));
        data
    }

    #[test]
    fn data_asks_for_answers() {
        let packet = Segment::data(0x0102, 0x1234).with_options(Options {
            request: 7,
            sreq: true,
            fast_nak: true,
            ..Options::default()
        });
        let data = written(&packet, false);
        assert_eq!(data[..8], [0, 0, 0, 0, 0, 0, 0, 5]);
        assert_eq!(data[8..16], [0x41, 0xC0, 0x00, 0x20, 0, 0, 0x12, 0x34]);
        assert_eq!(data[20..], [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1, 2]);
    }

    #[test]
    fn an_answer_tells_of_spans_and_what_it_answers() {
        let mut options = Options {
            request: 9,
            ..Options::default()
        };
        let packet = Segment::acknowledgment(3);
        let control = written(&packet.with_options(options), true);
        assert_eq!((control[0], control[11], control.len()), (0x80, 0x21, 52));
        assert_eq!((control[23], control[39], control[51]), (0, 3, 9));
        options.missing = true;
        let mut packet = packet.with_options(options);
        packet.push_sack(10, 20);
        let error = written(&packet, true);
        assert_eq!((error[11], error[15], error.len()), (0x23, 40, 72));
        assert_eq!((error[55], error[63], error[71]), (1, 10, 20));
    }
}
