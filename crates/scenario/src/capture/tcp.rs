//! TCP headers.
//!
//! RFC 9293, with the options of RFC 2018 (SACK) and RFC 7323 (window scale), and the bits of RFC
//! 3168 (ECN).

use models::segment::Segment;

use super::datagram::Endpoint;

/// What the headers of a connection show beyond its segments.
#[derive(Clone, Copy, Debug)]
pub struct Tcp {
    /// Largest segment, in octets of user data.
    pub mss: u64,
    /// Window that both ends advertise, in octets.
    pub window: u64,
    /// By how many bits it is shifted.
    pub shift: u8,
    /// Whether a shift is agreed upon when the connection opens.
    pub scales: bool,
    /// Whether selective acknowledgments are.
    pub selective: bool,
}

/// Octets of a header without options.
const TCP_HEADER: usize = 20;

const SYN: u8 = 0x02;
const ACK: u8 = 0x10;
const ECE: u8 = 0x40;
const CWR: u8 = 0x80;
const NO_OPERATION: u8 = 1;

impl Tcp {
    /// Appends the header of a segment, without its checksum; `back` if it goes to the sender.
    pub fn write(
        &self,
        segment: &Segment,
        back: bool,
        ecn: bool,
        [source, destination]: [Endpoint; 2],
        data: &mut Vec<u8>,
    ) {
        // Blocks are of user data, which one end only sends.
        let sender = if back { destination } else { source };
        let options = self.options(segment, sender.initial);
        let header = TCP_HEADER + options.len();
        let opens = segment.flags.syn;
        // A SYN takes the first number; only one end sends user data.
        let sequence = source
            .initial
            .wrapping_add(u32::from(!opens))
            .wrapping_add(segment.seq as u32);
        let acknowledges = !opens || back;
        let acknowledgment = destination.initial.wrapping_add(1);
        let acknowledgment = acknowledgment.wrapping_add(segment.ack as u32);
        data.extend(source.port.to_be_bytes());
        data.extend(destination.port.to_be_bytes());
        data.extend(sequence.to_be_bytes());
        data.extend((acknowledgment * u32::from(acknowledges)).to_be_bytes());
        data.extend([(header / 4 * 16) as u8, flags(segment, back, ecn)]);
        // The window of a SYN is never shifted: RFC 7323, section 2.2.
        let shift = if opens { 0 } else { self.shift };
        let window = u16::try_from(self.window >> shift).unwrap_or(u16::MAX);
        data.extend(window.to_be_bytes());
        // Checksum, and no urgent data.
        data.extend([0; 4]);
        data.extend(options);
    }

    /// The options, padded to 32 bits; user data is numbered from after `initial`.
    fn options(&self, segment: &Segment, initial: u32) -> Vec<u8> {
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
        let blocks = segment.sacks();
        if blocks.len() > 0 {
            options.extend([NO_OPERATION, NO_OPERATION, 5, 2 + 8 * blocks.len() as u8]);
            let first = initial.wrapping_add(1);
            for edge in blocks.flat_map(|(start, end)| [start, end]) {
                options.extend(first.wrapping_add(edge as u32).to_be_bytes());
            }
        }
        options
    }
}

fn flags(segment: &Segment, back: bool, ecn: bool) -> u8 {
    let opens = segment.flags.syn;
    // RFC 3168, section 6.1.1: a SYN asks for ECN with both bits, and its answer grants it by one.
    let echoes = segment.flags.ece || (opens && ecn);
    let reduced = segment.flags.cwr || (opens && ecn && !back);
    let bits = [
        (SYN, opens),
        (ACK, !opens || back),
        (ECE, echoes),
        (CWR, reduced),
    ];
    bits.iter()
        .map(|(bit, is_set)| bit * u8::from(*is_set))
        .sum()
}
