//! The blocks of a pcapng file, as far as a capture needs them.
//!
//! draft-ietf-opsawg-pcapng, sections 3 and 4: all fields are little-endian and padded to 32 bits.

use kernel::Time;

/// Link-layer header of the packets of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkType {
    /// An IP datagram: `LINKTYPE_RAW`.
    RawIp,
    /// Four octets with the VPI and VCI, then an AAL5 PDU without its trailer: `LINKTYPE_SUNATM`.
    SunAtm,
}

impl LinkType {
    fn number(self) -> u16 {
        match self {
            LinkType::RawIp => 101,
            LinkType::SunAtm => 123,
        }
    }
}

/// A captured packet; `data` holds the octets that are kept.
#[derive(Clone, Copy, Debug)]
pub struct CapturedPacket<'a> {
    /// Time at which the packet passed.
    pub at: Time,
    /// Kept octets.
    pub data: &'a [u8],
    /// Length of the packet in octets.
    pub length: u64,
    /// True if the packet arrives, false if it leaves.
    pub inward: bool,
    /// True if the checksum of the packet is wrong.
    pub damaged: bool,
    /// Comment on the packet.
    pub comment: Option<&'a str>,
}

const SECTION: u32 = 0x0A0D_0D0A;
const INTERFACE: u32 = 1;
const STATISTICS: u32 = 5;
const PACKET: u32 = 6;

const COMMENT: u16 = 1;
const APPLICATION: u16 = 4;
const INTERFACE_NAME: u16 = 2;
const INTERFACE_SPEED: u16 = 8;
const RESOLUTION: u16 = 9;
const FLAGS: u16 = 2;
const RECEIVED: u16 = 4;
const DROPPED: u16 = 5;

const INWARD: u32 = 1;
const OUTWARD: u32 = 2;
/// Link-layer-dependent error: the check sum is wrong.
const CRC_ERROR: u32 = 1 << 24;

/// Begins a file written by `application`, with a comment on the whole file.
pub fn section(file: &mut Vec<u8>, application: &str, comment: &str) {
    let block = Block::begin(file, SECTION);
    file.extend(0x1A2B_3C4D_u32.to_le_bytes());
    file.extend([1_u16, 0].map(u16::to_le_bytes).concat());
    // The length of the section is unknown while it is written.
    file.extend(u64::MAX.to_le_bytes());
    option(file, COMMENT, comment.as_bytes());
    option(file, APPLICATION, application.as_bytes());
    block.end(file);
}

/// Describes the one interface of a file, with times in nanoseconds.
pub fn interface(file: &mut Vec<u8>, link: LinkType, name: &str, bits_per_second: u64) {
    let block = Block::begin(file, INTERFACE);
    file.extend([link.number(), 0].map(u16::to_le_bytes).concat());
    // Each packet has its own captured length, so the interface has no fixed limit.
    file.extend(0_u32.to_le_bytes());
    option(file, INTERFACE_NAME, name.as_bytes());
    option(file, INTERFACE_SPEED, &bits_per_second.to_le_bytes());
    option(file, RESOLUTION, &[9]);
    block.end(file);
}

/// Adds a packet.
pub fn packet(file: &mut Vec<u8>, packet: &CapturedPacket<'_>) {
    let block = Block::begin(file, PACKET);
    file.extend(0_u32.to_le_bytes());
    stamp(file, packet.at);
    for length in [packet.data.len() as u64, packet.length] {
        let length = u32::try_from(length).expect("lowering bounds packets to 16 MiB");
        file.extend(length.to_le_bytes());
    }
    file.extend(packet.data);
    pad(file, packet.data.len());
    let direction = if packet.inward { INWARD } else { OUTWARD };
    let error = if packet.damaged { CRC_ERROR } else { 0 };
    option(file, FLAGS, &(direction | error).to_le_bytes());
    if let Some(comment) = packet.comment {
        option(file, COMMENT, comment.as_bytes());
    }
    block.end(file);
}

/// Ends a file at `now`, with the numbers of packets and of damaged PDUs.
pub fn statistics(file: &mut Vec<u8>, now: Time, passed: u64, damaged: u64) {
    let block = Block::begin(file, STATISTICS);
    file.extend(0_u32.to_le_bytes());
    stamp(file, now);
    option(file, RECEIVED, &passed.to_le_bytes());
    option(file, DROPPED, &damaged.to_le_bytes());
    block.end(file);
}

/// The beginning of a block whose length is not yet known.
struct Block {
    start: usize,
}

impl Block {
    fn begin(file: &mut Vec<u8>, kind: u32) -> Block {
        let start = file.len();
        file.extend(kind.to_le_bytes());
        file.extend([0; 4]);
        Block { start }
    }

    /// Ends the options, and writes the length at both ends.
    fn end(self, file: &mut Vec<u8>) {
        file.extend([0; 4]);
        let length = u32::try_from(file.len() + 4 - self.start).expect("a block is small");
        file[self.start + 4..self.start + 8].copy_from_slice(&length.to_le_bytes());
        file.extend(length.to_le_bytes());
    }
}

/// Nanoseconds, the upper half first.
fn stamp(file: &mut Vec<u8>, at: Time) {
    let nanoseconds = at.ps() / 1000;
    file.extend(((nanoseconds >> 32) as u32).to_le_bytes());
    file.extend((nanoseconds as u32).to_le_bytes());
}

fn option(file: &mut Vec<u8>, code: u16, value: &[u8]) {
    // An option has at most 65535 octets; a longer comment is cut off.
    let value = &value[..value.len().min(usize::from(u16::MAX))];
    file.extend(code.to_le_bytes());
    file.extend((value.len() as u16).to_le_bytes());
    file.extend(value);
    pad(file, value.len());
}

fn pad(file: &mut Vec<u8>, length: usize) {
    file.resize(file.len() + length.next_multiple_of(4) - length, 0);
}
