//! Segments, which the two ends of a flow exchange.
//!
//! The fields are those of RFC 9293, section 3.1, and of XTP 4.0, as far as an end reads them. Our
//! own layout: SACK blocks, options and time stamps share space, because a segment is copied with
//! each packet.

use kernel::Time;

/// A segment of TCP, or a packet of XTP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Number of the first user octet.
    pub seq: u64,
    /// User octets carried; none in a pure acknowledgment.
    pub len: u32,
    /// Number of the next octet expected from the other end: `rseq` of XTP.
    pub ack: u64,
    /// Control bits.
    pub flags: Flags,
    /// Number of SACK blocks, and the bits [`OPTIONS`] and [`STAMP`].
    blocks: u8,
    /// The blocks, as distances from the cumulative acknowledgment: a window has at most 2^30
    /// octets (RFC 7323, section 2.3), so 32 bits are enough. Options or a time stamp replace the
    /// last block.
    sacks: [(u32, u32); MOST_SACKS],
}

/// Control bits of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// True in the segment that opens a connection (SYN), and in its answer.
    pub syn: bool,
    /// True if acknowledged data was marked (ECN-Echo): RFC 3168, section 6.1.
    pub ece: bool,
    /// True if the sender has reduced its window in answer to an echo (CWR): RFC 3168, section 6.1.
    pub cwr: bool,
}

/// Fields of a packet of XTP that a segment of TCP lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Number of this request (`sync`), or of the latest request that has arrived (`echo`).
    pub request: u32,
    /// True if the packet requests an answer at once: SREQ.
    pub sreq: bool,
    /// True if the packet requests a report of data that is missing before it: FASTNAK.
    pub fast_nak: bool,
    /// True if the packet reports missing data: an error control packet, ECNTL.
    pub missing: bool,
}

/// Largest number of blocks in an acknowledgment: RFC 2018, section 3.
pub const MOST_SACKS: usize = 4;

/// Largest number of spans in a packet with options, and of SACK blocks beside a time stamp: RFC
/// 2018, section 3.
pub const MOST_SPANS: usize = MOST_SACKS - 1;

/// Bit in the byte of the number of blocks, set if there are options.
const OPTIONS: u8 = 0x80;

/// Bit in the byte of the number of blocks, set if there is a time stamp.
const STAMP: u8 = 0x40;

/// The bits that hold the number of blocks.
const COUNT: u8 = 0x3F;

impl Segment {
    /// Data: `len` octets from `seq` on.
    pub fn data(seq: u64, len: u32) -> Segment {
        Segment {
            seq,
            len,
            ..Segment::default()
        }
    }

    /// A pure acknowledgment of all octets below `ack`.
    pub fn acknowledgment(ack: u64) -> Segment {
        Segment {
            ack,
            ..Segment::default()
        }
    }

    /// The first octet after this segment.
    pub fn end(&self) -> u64 {
        self.seq + u64::from(self.len)
    }

    /// This packet with options; it must not have more than [`MOST_SPANS`] blocks.
    pub fn with_options(mut self, options: Options) -> Segment {
        debug_assert!(self.sacks().len() <= MOST_SPANS);
        let bits = [options.sreq, options.fast_nak, options.missing];
        let bits = bits
            .iter()
            .rev()
            .fold(0, |sum, bit| 2 * sum + u32::from(*bit));
        self.sacks[MOST_SPANS] = (options.request, bits);
        self.blocks |= OPTIONS;
        self
    }

    /// The options of a packet of XTP; none for a segment of TCP.
    pub fn options(&self) -> Option<Options> {
        let (request, bits) = self.sacks[MOST_SPANS];
        let options = Options {
            request,
            sreq: bits & 1 != 0,
            fast_nak: bits & 2 != 0,
            missing: bits & 4 != 0,
        };
        (self.blocks & OPTIONS != 0).then_some(options)
    }

    /// This segment with a time stamp; it must not have more than [`MOST_SPANS`] blocks.
    pub fn with_stamp(mut self, stamp: Time) -> Segment {
        debug_assert!(self.sacks().len() <= MOST_SPANS);
        let ps = stamp.ps();
        self.sacks[MOST_SPANS] = ((ps >> 32) as u32, ps as u32);
        self.blocks |= STAMP;
        self
    }

    /// The time stamp, if the segment has one: the instant at which its data were sent, or, in an
    /// acknowledgment, the echoed time stamp.
    pub fn stamp(&self) -> Option<Time> {
        let (high, low) = self.sacks[MOST_SPANS];
        let ps = u64::from(high) << 32 | u64::from(low);
        (self.blocks & STAMP != 0).then_some(Time::from_ps(ps))
    }

    /// Adds a SACK block `[start, end)` beyond `ack`, if the segment has space for it.
    pub fn push_sack(&mut self, start: u64, end: u64) {
        let from_ack = |octet: u64| u32::try_from(octet.saturating_sub(self.ack));
        let count = self.blocks & COUNT;
        let room = if count == self.blocks {
            MOST_SACKS
        } else {
            MOST_SPANS
        };
        if let (Ok(start), Ok(end)) = (from_ack(start), from_ack(end))
            && let Some(free) = self.sacks[..room].get_mut(usize::from(count))
        {
            *free = (start, end);
            self.blocks += 1;
        }
    }

    /// The reported blocks `[start, end)`, in the order in which they were added.
    pub fn sacks(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        let blocks = self.sacks[..usize::from(self.blocks & COUNT)].iter();
        blocks.map(|(start, end)| (self.ack + u64::from(*start), self.ack + u64::from(*end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_take_the_room_of_a_block() {
        for bits in 0..8 {
            let options = Options {
                request: 0xDEAD_BEEF,
                sreq: bits & 1 != 0,
                fast_nak: bits & 2 != 0,
                missing: bits & 4 != 0,
            };
            let mut packet = Segment::acknowledgment(10).with_options(options);
            for block in 1..5 {
                packet.push_sack(10 + 10 * block, 15 + 10 * block);
            }
            assert_eq!(packet.options(), Some(options));
            let spans: Vec<_> = packet.sacks().collect();
            assert_eq!(spans, [(20, 25), (30, 35), (40, 45)]);
        }
        assert_eq!(Segment::data(0, 1).options(), None);
    }

    #[test]
    fn a_time_stamp_is_exact_and_takes_the_room_of_a_block() {
        for ps in [0, 1, (1 << 32) - 1, 1 << 32, 0x0123_4567_89AB_CDEF] {
            let stamp = Time::from_ps(ps);
            let mut ack = Segment::acknowledgment(10).with_stamp(stamp);
            for block in 1..5 {
                ack.push_sack(10 + 10 * block, 15 + 10 * block);
            }
            assert_eq!((ack.stamp(), ack.options()), (Some(stamp), None));
            let blocks: Vec<_> = ack.sacks().collect();
            assert_eq!(blocks, [(20, 25), (30, 35), (40, 45)]);
        }
        assert_eq!(Segment::data(0, 1).stamp(), None);
    }
}
