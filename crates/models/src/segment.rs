//! Segments: what the ends of a flow tell each other.

/// What one end tells the other: a segment of TCP, a packet of XTP.
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
    /// How many blocks of a selective acknowledgment there are; and [`OPTIONS`].
    blocks: u8,
    /// The blocks, as distances from the cumulative acknowledgment: a window has at most 2^30 octets
    /// (RFC 7323, section 2.3), so that 32 bits are enough. Options take the room of the last.
    sacks: [(u32, u32); MOST_SACKS],
}

/// Control bits of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Opens a connection, or answers its opening.
    pub syn: bool,
    /// Congestion was experienced on the way here: ECN echo, RFC 3168.
    pub ece: bool,
    /// The window was reduced in answer to an echo: RFC 3168.
    pub cwr: bool,
}

/// What a packet of XTP says beyond a segment of TCP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Number of the request that is made (`sync`), or of the latest that has arrived (`echo`).
    pub request: u32,
    /// Asks for an answer at once: SREQ.
    pub sreq: bool,
    /// Asks for an answer if something is missing before: FASTNAK.
    pub fast_nak: bool,
    /// Tells that something is missing: an error control packet, ECNTL.
    pub missing: bool,
}

/// Most blocks that an acknowledgment has room for: RFC 2018, section 3.
pub const MOST_SACKS: usize = 4;

/// Most spans that a packet with options has room for.
pub const MOST_SPANS: usize = MOST_SACKS - 1;

/// Beside the number of blocks: there are options.
const OPTIONS: u8 = 0x80;

impl Segment {
    /// Data: `len` octets from `seq` on.
    pub fn data(seq: u64, len: u32) -> Segment {
        Segment {
            seq,
            len,
            ..Segment::default()
        }
    }

    /// A pure acknowledgment of everything below `ack`.
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

    /// The same packet with options; it must not have more than [`MOST_SPANS`] blocks.
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

    /// Its options, if it is a packet of XTP.
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

    /// Adds a block `[start, end)` beyond `ack`, if there is room.
    pub fn push_sack(&mut self, start: u64, end: u64) {
        let from_ack = |octet: u64| u32::try_from(octet.saturating_sub(self.ack));
        let (count, room) = match self.blocks & OPTIONS {
            0 => (self.blocks, MOST_SACKS),
            _ => (self.blocks - OPTIONS, MOST_SPANS),
        };
        if let (Ok(start), Ok(end)) = (from_ack(start), from_ack(end))
            && let Some(free) = self.sacks[..room].get_mut(usize::from(count))
        {
            *free = (start, end);
            self.blocks += 1;
        }
    }

    /// The blocks `[start, end)` that are reported, in the order in which they were added.
    pub fn sacks(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        let blocks = self.sacks[..usize::from(self.blocks & !OPTIONS)].iter();
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
}
