//! Segments: what the ends of a flow tell each other.

/// What one end tells the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Number of the first user octet.
    pub seq: u64,
    /// User octets carried; none in a pure acknowledgment.
    pub len: u32,
    /// Number of the next octet expected from the other end.
    pub ack: u64,
    /// Control bits.
    pub flags: Flags,
    /// How many blocks of a selective acknowledgment there are.
    blocks: u8,
    /// The blocks, as distances from the cumulative acknowledgment: a window has at most 2^30 octets
    /// (RFC 7323, section 2.3), so that 32 bits are enough.
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

/// Most blocks that an acknowledgment has room for: RFC 2018, section 3.
pub const MOST_SACKS: usize = 4;

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

    /// Adds a block `[start, end)` beyond `ack`, if there is room.
    pub fn push_sack(&mut self, start: u64, end: u64) {
        let from_ack = |octet: u64| u32::try_from(octet.saturating_sub(self.ack));
        if let (Ok(start), Ok(end)) = (from_ack(start), from_ack(end))
            && let Some(free) = self.sacks.get_mut(usize::from(self.blocks))
        {
            *free = (start, end);
            self.blocks += 1;
        }
    }

    /// The blocks `[start, end)` that are reported, in the order in which they were added.
    pub fn sacks(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        let blocks = self.sacks[..usize::from(self.blocks)].iter();
        blocks.map(|(start, end)| (self.ack + u64::from(*start), self.ack + u64::from(*end)))
    }
}
