//! Segments, which the two ends of a flow exchange.
//!
//! The fields are those of RFC 9293, section 3.1, and of XTP 4.0, as far as an end reads them. Our
//! own layout: SACK blocks, options and time stamps share space, because a segment is copied with
//! each packet, and the numbers of octets tell the connections of one flow apart.

use kernel::Time;

use super::connection::ConnectionId;

/// A segment of TCP, or a packet of XTP or of a transport with pulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Number of the first user octet; in an acknowledgment with [`WINDOW`], the window, since it has no
    /// octets to number.
    pub seq: u64,
    /// User octets carried; none in a pure acknowledgment.
    pub len: u32,
    /// Number of the next octet expected from the other end: `rseq` of XTP.
    pub ack: u64,
    /// Control bits.
    pub flags: Flags,
    /// The bits [`CWR`], [`WINDOW`], [`PROBE`] and [`CLOCK`].
    bits: u8,
    /// Number of blocks, and the bits [`OPTIONS`], [`STAMP`], [`FIN`], [`DUPLICATE`] and
    /// [`NOT_ECT`].
    blocks: u8,
    /// The blocks, as distances from the cumulative acknowledgment: a window has at most 2^30
    /// octets (RFC 7323, section 2.3), so 32 bits are enough. Options or a time stamp replace the
    /// last block, and an [arrival](Segment::arrival) the third. With [`DUPLICATE`], the first
    /// block is a D-SACK block, whose distances may be negative.
    sacks: [(u32, u32); MOST_SACKS],
}

/// Control bits of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// True in the segment that opens a connection (SYN), and in its answer.
    pub syn: bool,
    /// True if acknowledged data was marked (ECN-Echo): RFC 3168, section 6.1.
    pub ece: bool,
}

/// Fields of a packet of XTP, or of an answer of a receiver that pulls, that a segment of TCP
/// lacks.
// They are bits of one header.
#[allow(clippy::struct_excessive_bools)]
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
    /// True if the packet reports that the data packet at its `seq` arrived trimmed; our own, since
    /// XTP 4.0 is older than trimming.
    pub trimmed: bool,
}

/// Largest number of blocks in an acknowledgment: RFC 2018, section 3.
pub const MOST_SACKS: usize = 4;

/// Largest number of spans in a packet with options, and of SACK blocks beside a time stamp: RFC
/// 2018, section 3.
pub const MOST_SPANS: usize = MOST_SACKS - 1;

/// Places of the blocks that a second time and an arrival replace.
const CLOCK_BLOCK: usize = 1;
const ARRIVAL: usize = 2;

/// Bit in the byte of the number of blocks, set if there are options.
const OPTIONS: u8 = 0x80;

/// Bit in the byte of the number of blocks, set if there is a time stamp.
const STAMP: u8 = 0x40;

/// Bit beside the number of blocks, set if the end that sends the segment closes the connection.
const FIN: u8 = 0x20;

/// Bit beside the number of blocks, set if the first of them is a D-SACK block. A host has no such
/// bit: it compares the block with the cumulative acknowledgment and with the second block (RFC
/// 2883, section 4).
const DUPLICATE: u8 = 0x10;

/// Bit beside the number of blocks, set if the segment is not ECN-capable although its flow is. A host
/// writes it into the header of the packet.
const NOT_ECT: u8 = 0x08;

/// Bit set if the sender has reduced its window in answer to an echo (CWR): RFC 3168, section 6.1.
const CWR: u8 = 0x01;

/// Bit set if the acknowledgment states the window of a receiver whose window changes.
const WINDOW: u8 = 0x02;

/// Bit set if the segment, which has no data, asks a receiver for its window. A receiver on the wire
/// answers because of its number.
const PROBE: u8 = 0x04;

/// Bit set if the segment has the second time of its time stamps, in the place of [`CLOCK_BLOCK`].
const CLOCK: u8 = 0x08;

/// The bits that hold the number of blocks.
const COUNT: u8 = 0x07;

/// An instant in the place of a block.
fn in_halves(at: Time) -> (u32, u32) {
    ((at.ps() >> 32) as u32, at.ps() as u32)
}

/// The instant in the place of a block.
fn in_one((high, low): (u32, u32)) -> Time {
    Time::from_ps(u64::from(high) << 32 | u64::from(low))
}

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

    /// A probe of a closed window: a segment without data, whose number on the wire is one below `una`,
    /// the first unacknowledged octet, so that any receiver answers (RFC 9293, section 3.10.7.4).
    pub fn probe(una: u64) -> Segment {
        Segment {
            seq: una,
            bits: PROBE,
            ..Segment::default()
        }
    }

    /// True if the segment asks a receiver for its window.
    pub fn is_probe(&self) -> bool {
        self.bits & PROBE != 0
    }

    /// The first octet after this segment.
    pub fn end(&self) -> u64 {
        self.seq + u64::from(self.len)
    }

    /// This packet with options; it must not have more than [`MOST_SPANS`] blocks.
    pub fn with_options(mut self, options: Options) -> Segment {
        debug_assert!(self.sacks().len() <= MOST_SPANS);
        let Options {
            request,
            sreq,
            fast_nak,
            missing,
            trimmed,
        } = options;
        let bits = [sreq, fast_nak, missing, trimmed];
        let bits = bits
            .iter()
            .rev()
            .fold(0, |sum, bit| 2 * sum + u32::from(*bit));
        self.sacks[MOST_SPANS] = (request, bits);
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
            trimmed: bits & 8 != 0,
        };
        (self.blocks & OPTIONS != 0).then_some(options)
    }

    /// This segment with a time stamp; it must not have more than [`MOST_SPANS`] blocks.
    pub fn with_stamp(mut self, stamp: Time) -> Segment {
        debug_assert!(self.sacks().len() <= MOST_SPANS);
        self.sacks[MOST_SPANS] = in_halves(stamp);
        self.blocks |= STAMP;
        self
    }

    /// The time stamp, if the segment has one: the instant at which its data were sent, or, in an
    /// acknowledgment, the echoed time stamp.
    pub fn stamp(&self) -> Option<Time> {
        (self.blocks & STAMP != 0).then(|| in_one(self.sacks[MOST_SPANS]))
    }

    /// This segment with the second time of its time stamps, unless it has blocks in the way.
    pub fn with_clock(mut self, at: Time) -> Segment {
        if self.block_count() <= CLOCK_BLOCK {
            self.sacks[CLOCK_BLOCK] = in_halves(at);
            self.bits |= CLOCK;
        }
        self
    }

    /// The instant at which an acknowledgment left (`TSval`, RFC 7323), or, in data, its echo (`TSecr`).
    pub fn clock(&self) -> Option<Time> {
        (self.bits & CLOCK != 0).then(|| in_one(self.sacks[CLOCK_BLOCK]))
    }

    /// This answer with the instant at which the latest of the octets that it acknowledges arrived,
    /// unless it has one, or a block there. An answer that acknowledges all data has no blocks but
    /// one for a duplicate, so it has the space.
    #[inline]
    pub fn with_arrival(mut self, at: Time) -> Segment {
        if usize::from(self.blocks & COUNT) <= ARRIVAL && self.arrival().is_none() {
            self.sacks[ARRIVAL] = in_halves(at);
        }
        self
    }

    /// The instant at which the latest of the acknowledged octets arrived, if the answer has it. No
    /// packet carries it: it is known to the simulator alone, and no sender may act on it.
    #[inline]
    pub fn arrival(&self) -> Option<Time> {
        let at = in_one(self.sacks[ARRIVAL]);
        (self.block_count() <= ARRIVAL && at > Time::ZERO).then_some(at)
    }

    /// This answer as a packet carries it, without the instant of an arrival.
    pub fn without_arrival(mut self) -> Segment {
        if self.arrival().is_some() {
            self.sacks[ARRIVAL] = (0, 0);
        }
        self
    }

    /// This segment, which closes the connection at the end that sends it.
    pub fn with_fin(mut self) -> Segment {
        self.blocks |= FIN;
        self
    }

    /// True if the end that sends the segment closes the connection: RFC 9293, section 3.6.
    pub fn fin(&self) -> bool {
        self.blocks & FIN != 0
    }

    /// This segment, which is not ECN-capable although its flow is.
    pub fn without_ect(mut self) -> Segment {
        self.blocks |= NOT_ECT;
        self
    }

    /// True if the segment is not ECN-capable although its flow is: a SYN or a retransmission (RFC
    /// 3168, sections 6.1.1 and 6.1.5).
    pub fn not_ect(&self) -> bool {
        self.blocks & NOT_ECT != 0
    }

    /// This segment, by which the sender reports that it has reduced its window: RFC 3168, section 6.1.
    pub fn with_cwr(mut self) -> Segment {
        self.bits |= CWR;
        self
    }

    /// True if the sender reports that it has reduced its window.
    pub fn cwr(&self) -> bool {
        self.bits & CWR != 0
    }

    /// This acknowledgment with the receiver's window, of less than 2^32 octets.
    pub fn with_window(mut self, octets: u64) -> Segment {
        debug_assert!(self.len == 0 && self.window().is_none() && octets >> 32 == 0);
        self.seq += octets;
        self.bits |= WINDOW;
        self
    }

    /// The octets from the cumulative acknowledgment on that the receiver may be sent (SEG.WND of RFC
    /// 9293, section 3.4), if the acknowledgment states them: the window of most receivers never
    /// changes.
    pub fn window(&self) -> Option<u64> {
        (self.bits & WINDOW != 0).then_some(self.seq & u64::from(u32::MAX))
    }

    /// The number of the first octet, which a window does not change.
    pub fn number(&self) -> u64 {
        self.seq - self.window().unwrap_or(0)
    }

    /// This segment of a connection whose octets are numbered from zero, with the numbers that it
    /// has among the connections of the flow.
    pub fn of_connection(mut self, id: ConnectionId) -> Segment {
        self.seq += id.base();
        self.ack += id.base();
        self
    }

    /// This segment of the connection `id` with octets numbered from zero.
    pub fn within(mut self, id: ConnectionId) -> Segment {
        self.seq -= id.base();
        self.ack -= id.base();
        self
    }

    /// Adds a SACK block `[start, end)` beyond `ack`, if the segment has space for it.
    pub fn push_sack(&mut self, start: u64, end: u64) {
        let from_ack = |octet: u64| u32::try_from(octet.saturating_sub(self.ack));
        let count = self.blocks & COUNT;
        let room = if self.blocks & (OPTIONS | STAMP) == 0 {
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

    /// The reported blocks `[start, end)` beyond the cumulative acknowledgment, in the order in which
    /// they were added, without a D-SACK block.
    pub fn sacks(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        let first = usize::from(self.blocks & DUPLICATE != 0);
        let blocks = self.sacks[first..usize::from(self.blocks & COUNT)].iter();
        blocks.map(|(start, end)| (self.ack + u64::from(*start), self.ack + u64::from(*end)))
    }

    /// This acknowledgment with a D-SACK block, by which it reports that `[start, end)` has arrived
    /// before: RFC 2883, section 4. It must not have other blocks yet. A block too far from the
    /// acknowledgment is left out.
    pub fn with_duplicate(mut self, start: u64, end: u64) -> Segment {
        debug_assert!(self.blocks & COUNT == 0, "a D-SACK block is the first");
        let from_ack = |octet: u64| i32::try_from(octet.wrapping_sub(self.ack).cast_signed());
        if let (Ok(start), Ok(end)) = (from_ack(start), from_ack(end)) {
            self.sacks[0] = (start.cast_unsigned(), end.cast_unsigned());
            self.blocks = (self.blocks | DUPLICATE) + 1;
        }
        self
    }

    /// The octets `[start, end)` that a D-SACK block reports as having arrived before.
    pub fn duplicate(&self) -> Option<(u64, u64)> {
        let (start, end) = self.sacks[0];
        let octet = |from_ack: u32| self.ack.wrapping_add_signed(from_ack.cast_signed().into());
        (self.blocks & DUPLICATE != 0).then(|| (octet(start), octet(end)))
    }

    /// Number of blocks of the SACK option, with a D-SACK block.
    pub fn block_count(&self) -> usize {
        usize::from(self.blocks & COUNT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::connection::LONGEST_CONNECTION;

    #[test]
    fn a_second_time_takes_the_room_of_the_second_block() {
        let (stamp, clock) = (Time::from_ps(5), Time::from_ps(7 << 40));
        let data = Segment::data(0, 1).with_stamp(stamp).with_clock(clock);
        assert_eq!((data.stamp(), data.clock()), (Some(stamp), Some(clock)));
        let mut ack = Segment::acknowledgment(10).with_stamp(stamp);
        ack.push_sack(20, 30);
        let one = ack.with_clock(clock).with_window(9);
        assert_eq!((one.clock(), one.sacks().len()), (Some(clock), 1));
        ack.push_sack(40, 50);
        assert_eq!(ack.with_clock(clock).clock(), None);
    }

    #[test]
    fn options_take_the_room_of_a_block() {
        for bits in 0..16 {
            let options = Options {
                request: 0xDEAD_BEEF,
                sreq: bits & 1 != 0,
                fast_nak: bits & 2 != 0,
                missing: bits & 4 != 0,
                trimmed: bits & 8 != 0,
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
    fn the_numbers_of_octets_tell_connections_apart() {
        let id = |slot, generation| ConnectionId { slot, generation };
        for id in [id(0, 0), id(3, 5), id(u16::MAX, u16::MAX)] {
            let mut ack = Segment::acknowledgment(LONGEST_CONNECTION).with_fin();
            ack.push_sack(LONGEST_CONNECTION + 5, LONGEST_CONNECTION + 9);
            let sent = ack.of_connection(id);
            assert_eq!(ConnectionId::of(sent.ack), id);
            assert_eq!(ConnectionId::of(sent.seq), id);
            assert_eq!((sent.within(id), sent.fin()), (ack, true));
            assert_eq!(sent.sacks().len(), 1);
        }
        assert!(id(1, 0).is_after(id(1, u16::MAX)));
        assert!(!id(1, 7).is_after(id(1, 7)));
        assert!(!id(1, 6).is_after(id(1, 7)));
    }

    #[test]
    fn a_report_of_a_duplicate_is_the_first_block_and_may_be_below_the_acknowledgment() {
        for (start, end) in [(0, 10), (90, 110), (300, 310)] {
            let mut ack = Segment::acknowledgment(100).with_stamp(Time::ZERO);
            ack = ack.with_duplicate(start, end).without_ect();
            for block in 1..5 {
                ack.push_sack(100 + 10 * block, 105 + 10 * block);
            }
            assert_eq!(ack.duplicate(), Some((start, end)));
            assert_eq!(ack.sacks().collect::<Vec<_>>(), [(110, 115), (120, 125)]);
            assert_eq!(
                (ack.block_count(), ack.fin(), ack.not_ect()),
                (3, false, true)
            );
        }
        let far = Segment::acknowledgment(1 << 40).with_duplicate(0, 10);
        assert_eq!((far.duplicate(), far.block_count()), (None, 0));
        assert_eq!(Segment::acknowledgment(100).duplicate(), None);
    }

    #[test]
    fn a_window_leaves_room_for_everything_else() {
        let id = ConnectionId {
            slot: 3,
            generation: 5,
        };
        for octets in [0, 1, 1 << 30, u32::MAX.into()] {
            let mut ack = Segment::acknowledgment(100).with_stamp(Time::ZERO);
            ack = ack.with_duplicate(0, 10).with_fin().with_window(octets);
            (110..112).for_each(|start| ack.push_sack(start, start + 1));
            let sent = ack.of_connection(id);
            assert_eq!(
                (sent.window(), ConnectionId::of(sent.seq)),
                (Some(octets), id)
            );
            assert_eq!((sent.within(id), ack.sacks().len()), (ack, 2));
            assert_eq!((ack.number(), sent.number()), (0, id.base()));
        }
        assert_eq!(Segment::data(7, 1).with_cwr().window(), None);
        assert!(Segment::data(7, 1).with_cwr().cwr() && size_of::<Segment>() == 56);
    }

    #[test]
    fn an_answer_has_the_instant_of_an_arrival_beside_a_duplicate_and_a_time_stamp() {
        let at = Time::from_ps(0x0123_4567_89AB_CDEF);
        let answer = Segment::acknowledgment(100).with_stamp(Time::from_ps(5));
        let mut answer = answer.with_duplicate(0, 10).with_fin();
        assert_eq!(answer.arrival(), None);
        answer = answer.with_arrival(at);
        assert_eq!(answer.arrival(), Some(at));
        assert_eq!(answer.with_arrival(Time::from_ps(7)), answer);
        assert_eq!(answer.duplicate(), Some((0, 10)));
        assert_eq!(answer.stamp(), Some(Time::from_ps(5)));
        for block in 1..4 {
            answer = Segment::acknowledgment(100);
            (0..block).for_each(|one| answer.push_sack(200 + 10 * one, 205 + 10 * one));
            let known = answer.with_arrival(at);
            assert_eq!(known.arrival().is_some(), block < 3);
            assert!(known.sacks().eq(answer.sacks()));
        }
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
