//! The frames of a capture file, with their times and link types.
//!
//! pcap: draft-ietf-opsawg-pcap; pcapng: draft-ietf-opsawg-pcapng. The crate `pcap-parser` finds the
//! blocks of both.

use kernel::time::PS_PER_SECOND;
use pcap_parser::pcapng::Block;
use pcap_parser::{PcapBlockOwned, PcapError, create_reader};

use super::ReplayRefusal;

/// A captured frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Time in picoseconds since 1970.
    pub at: i128,
    /// Link type of the interface, as in the registry of tcpdump.org.
    pub link: i32,
    /// Captured octets.
    pub data: &'a [u8],
    /// Length of the frame before the capture cut it.
    pub octets: u64,
}

const PS: i128 = PS_PER_SECOND as i128;

/// An interface of a capture.
#[derive(Clone, Copy)]
struct Interface {
    link: i32,
    /// Units of time in a second.
    resolution: u64,
    /// Seconds to add to times.
    offset: i64,
}

impl Interface {
    fn time(self, units: u64) -> i128 {
        i128::from(self.offset) * PS + i128::from(units) * PS / i128::from(self.resolution)
    }
}

/// Hands all frames of a capture to `take`, in the order of the file.
///
/// # Errors
/// The file is no capture, is cut off or is damaged; or `take` refuses a frame.
pub fn each_frame(
    capture: &[u8],
    mut take: impl FnMut(&Frame<'_>) -> Result<(), ReplayRefusal>,
) -> Result<(), ReplayRefusal> {
    // The reader finds the end of the file only while it has space left.
    let mut reader = create_reader(capture.len() + 64, capture).map_err(|_| no_capture(capture))?;
    let mut interfaces = Vec::new();
    let mut frames = 0_u64;
    loop {
        let at = reader.consumed();
        let located = |refusal: ReplayRefusal| ReplayRefusal {
            problem: format!(
                "{}, at octet {at}, in or before packet {}",
                refusal.problem,
                frames + 1
            ),
            ..refusal
        };
        let ends = reader.reader_exhausted();
        let length = match reader.next() {
            Ok((length, block)) => {
                if let Some(frame) = frame(&block, &mut interfaces).map_err(located)? {
                    take(&frame).map_err(located)?;
                    frames += 1;
                }
                length
            }
            Err(PcapError::Eof) => return Ok(()),
            Err(PcapError::Incomplete(_) | PcapError::BufferTooSmall) if !ends => {
                reader.refill().expect("memory can be read");
                continue;
            }
            Err(
                PcapError::UnexpectedEof | PcapError::Incomplete(_) | PcapError::BufferTooSmall,
            ) => return Err(located(cut_off())),
            Err(_) => return Err(located(damaged("a block is damaged"))),
        };
        reader.consume(length);
    }
}

/// The frame of a block; none if the block describes something else, such as an interface.
fn frame<'a>(
    block: &'a PcapBlockOwned<'a>,
    interfaces: &mut Vec<Interface>,
) -> Result<Option<Frame<'a>>, ReplayRefusal> {
    match block {
        PcapBlockOwned::LegacyHeader(header) => {
            let nanoseconds = header.is_nanosecond_precision();
            interfaces.push(Interface {
                link: header.network.0 & 0xFFFF,
                resolution: if nanoseconds {
                    1_000_000_000
                } else {
                    1_000_000
                },
                offset: 0,
            });
        }
        PcapBlockOwned::Legacy(packet) => {
            let interface = interfaces[0];
            let seconds = u64::from(packet.ts_sec) * interface.resolution;
            return Ok(Some(Frame {
                at: interface.time(seconds + u64::from(packet.ts_usec)),
                link: interface.link,
                data: packet.data,
                octets: u64::from(packet.origlen),
            }));
        }
        PcapBlockOwned::NG(Block::SectionHeader(_)) => interfaces.clear(),
        PcapBlockOwned::NG(Block::InterfaceDescription(described)) => {
            let resolution = described.ts_resolution().filter(|units| *units > 0);
            interfaces.push(Interface {
                link: described.linktype.0,
                resolution: resolution.ok_or_else(|| damaged("a clock has no resolution"))?,
                offset: described.ts_offset(),
            });
        }
        PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
            let interface = interfaces.get(packet.if_id as usize);
            let interface = interface.ok_or_else(|| damaged("a packet has no interface"))?;
            let units = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
            let kept = packet.data.len().min(packet.caplen as usize);
            return Ok(Some(Frame {
                at: interface.time(units),
                link: interface.link,
                data: &packet.data[..kept],
                octets: u64::from(packet.origlen),
            }));
        }
        PcapBlockOwned::NG(Block::SimplePacket(_)) => {
            let hint = "capture again with times: a Simple Packet Block has none";
            return Err(ReplayRefusal::new("a packet has no time", hint));
        }
        PcapBlockOwned::NG(_) => {}
    }
    Ok(None)
}

fn no_capture(capture: &[u8]) -> ReplayRefusal {
    let problem = match capture {
        [] => "it is empty",
        [0x1F, 0x8B, ..] => "it is compressed with gzip",
        _ => "it is neither pcap nor pcapng, at octet 0",
    };
    let hint = match capture {
        [0x1F, 0x8B, ..] => "decompress it with `gunzip`",
        _ => "write it with `tcpdump -w`, Wireshark or `cellrelay run --trace pcap`",
    };
    ReplayRefusal::new(problem, hint)
}

fn cut_off() -> ReplayRefusal {
    let hint = "`editcap FILE WHOLE` writes the packets that are whole to another file";
    ReplayRefusal::new("the file is cut off", hint)
}

fn damaged(problem: &str) -> ReplayRefusal {
    let hint = "`editcap FILE WHOLE` writes what can be read to another file";
    ReplayRefusal::new(problem, hint)
}
