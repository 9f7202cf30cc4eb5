//! The segments in flight, with the time at which each was last sent: RFC 8985, section 5.2.

use std::collections::VecDeque;

use kernel::Time;

/// Octets `[start, end)`, as they were last sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentSegment {
    /// First octet.
    pub start: u64,
    /// `Segment.end_seq`: the octet after the last one.
    pub end: u64,
    /// `Segment.xmit_ts`: time of the latest transmission.
    pub sent: Time,
    /// `Segment.retransmitted`: true if the octets were sent more than once.
    pub is_resent: bool,
    /// `Segment.lost`: true if the latest transmission is considered lost.
    pub is_lost: bool,
    /// True if a SACK block has reported the octets.
    pub has_arrived: bool,
}

impl SentSegment {
    /// `RACK_sent_after`: true if this segment was sent before the segment that ends at `end` and
    /// was sent at `sent`. Segments that leave at the same time are in the order of their octets.
    pub fn is_before(&self, sent: Time, end: u64) -> bool {
        (self.sent, self.end) < (sent, end)
    }
}

/// The segments from the first unacknowledged octet to the last one sent, in order.
#[derive(Clone, Debug, Default)]
pub struct Segments {
    queue: VecDeque<SentSegment>,
    /// Octets that are considered lost and were not sent again.
    lost: u64,
    /// Number of segments reported by SACK blocks: `RACK.segs_sacked`.
    arrived: usize,
    /// End of the data that was sent again.
    resent_until: u64,
}

impl Segments {
    /// `[start, end)` is sent at `now`.
    pub fn sent(&mut self, now: Time, start: u64, end: u64) {
        let is_resent = self.queue.back().is_some_and(|last| start < last.end);
        let mut at = self.queue.len();
        if is_resent {
            self.resent_until = self.resent_until.max(end);
            // A retransmission may cover more or less than one segment.
            let range = self.isolate(start, end);
            at = range.start;
            for old in self.queue.drain(range) {
                self.lost -= if old.is_lost { old.end - old.start } else { 0 };
                self.arrived -= usize::from(old.has_arrived);
            }
        }
        let segment = SentSegment {
            start,
            end,
            sent: now,
            is_resent,
            is_lost: false,
            has_arrived: false,
        };
        self.queue.insert(at, segment);
    }

    /// All octets below `ack` have arrived; `delivered` gets each segment for which this is new.
    pub fn acknowledge(&mut self, ack: u64, mut delivered: impl FnMut(&SentSegment)) {
        self.cut(ack);
        while let Some(segment) = self.queue.pop_front_if(|segment| segment.end <= ack) {
            self.lost -= if segment.is_lost {
                segment.end - segment.start
            } else {
                0
            };
            self.arrived -= usize::from(segment.has_arrived);
            if !segment.has_arrived {
                delivered(&segment);
            }
        }
    }

    /// SACK blocks report `[start, end)`; `delivered` gets each segment for which this is new. A part
    /// of a segment is no segment: `tcp_match_skb_to_sack` of Linux.
    pub fn report(&mut self, start: u64, end: u64, mut delivered: impl FnMut(&SentSegment)) {
        let from = self.queue.partition_point(|segment| segment.start < start);
        let until = self.queue.partition_point(|segment| segment.end <= end);
        for segment in self.queue.range_mut(from..until.max(from)) {
            if segment.has_arrived {
                continue;
            }
            self.lost -= if segment.is_lost {
                segment.end - segment.start
            } else {
                0
            };
            self.arrived += 1;
            (segment.is_lost, segment.has_arrived) = (false, true);
            delivered(segment);
        }
    }

    /// The segments that are not known to have arrived, and are not considered lost.
    pub fn on_their_way(&mut self) -> impl Iterator<Item = &mut SentSegment> {
        let segments = self.queue.iter_mut();
        segments.filter(|segment| !segment.has_arrived && !segment.is_lost)
    }

    /// Considers those segments lost for which `is_lost` holds; returns their octets.
    pub fn lose(&mut self, mut is_lost: impl FnMut(&SentSegment) -> bool) -> u64 {
        let mut octets = 0;
        for segment in self.on_their_way() {
            if is_lost(segment) {
                segment.is_lost = true;
                octets += segment.end - segment.start;
            }
        }
        self.lost += octets;
        octets
    }

    /// Considers no segment lost, until time or later arrivals show again that it is.
    pub fn find_again(&mut self) {
        self.lost = 0;
        for segment in &mut self.queue {
            segment.is_lost = false;
        }
    }

    /// True if the segments in flight were sent in the order of their octets and none has arrived.
    pub fn are_in_order(&self) -> bool {
        let first = self.queue.front().map_or(u64::MAX, |first| first.start);
        self.arrived == 0 && first >= self.resent_until
    }

    /// Number of segments reported by SACK blocks.
    pub fn arrived(&self) -> usize {
        self.arrived
    }

    /// Octets that are considered lost and were not sent again.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// True if a segment is outstanding that was considered lost, or was sent again since.
    pub fn has_lost(&self) -> bool {
        let has_resent = self.first().is_some_and(|it| it.start < self.resent_until);
        let is_missing = |segment: &SentSegment| segment.is_resent && !segment.has_arrived;
        self.lost > 0 || (has_resent && self.queue.iter().any(is_missing))
    }

    /// The first segment that is considered lost.
    pub fn first_lost(&self) -> Option<SentSegment> {
        let mut segments = self.queue.iter();
        let is_any = self.lost > 0;
        is_any.then(|| segments.find(|segment| segment.is_lost).copied())?
    }

    /// The segment with the lowest octets.
    pub fn first(&self) -> Option<&SentSegment> {
        self.queue.front()
    }

    /// The segment with the highest octets.
    pub fn last(&self) -> Option<SentSegment> {
        self.queue.back().copied()
    }

    /// Indices of the segments of `[start, end)`, after those that cross a bound are cut there.
    fn isolate(&mut self, start: u64, end: u64) -> std::ops::Range<usize> {
        let from = self.cut(start);
        from..self.cut(end)
    }

    /// Cuts the segment that contains octet `at` before this octet; returns the index of the first
    /// segment from `at` on.
    fn cut(&mut self, at: u64) -> usize {
        let index = self.queue.partition_point(|segment| segment.end <= at);
        let Some(segment) = self.queue.get_mut(index) else {
            return index;
        };
        if segment.start >= at {
            return index;
        }
        let rest = SentSegment {
            start: at,
            ..*segment
        };
        segment.end = at;
        self.arrived += usize::from(rest.has_arrived);
        self.queue.insert(index + 1, rest);
        index + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: u64) -> Time {
        Time::from_ps(ms * 1_000_000_000)
    }

    /// Three segments of ten octets, sent 1 ms apart.
    fn three() -> Segments {
        let mut segments = Segments::default();
        (0..3).for_each(|number| segments.sent(at(number), 10 * number, 10 * number + 10));
        segments
    }

    #[test]
    fn each_segment_is_delivered_once() {
        let mut segments = three();
        let mut delivered = Vec::new();
        segments.report(10, 20, |segment| delivered.push(segment.start));
        segments.report(10, 20, |segment| delivered.push(segment.start));
        assert_eq!((segments.arrived(), segments.are_in_order()), (1, false));
        segments.acknowledge(30, |segment| delivered.push(segment.start));
        assert_eq!(delivered, [10, 0, 20]);
        assert_eq!((segments.arrived(), segments.are_in_order()), (0, true));
    }

    #[test]
    fn a_lost_segment_is_sent_again_in_parts() {
        let mut segments = three();
        assert_eq!(segments.lose(|segment| segment.start == 0), 10);
        segments.sent(at(5), 0, 4);
        assert_eq!(segments.lost(), 6);
        let first = segments.first_lost().expect("the rest");
        assert_eq!((first.start, first.end, first.is_resent), (4, 10, false));
        segments.sent(at(6), 4, 10);
        assert_eq!((segments.lost(), segments.first_lost()), (0, None));
        assert!(!segments.are_in_order());
    }

    #[test]
    fn an_acknowledgment_may_cut_a_segment_and_a_block_may_not() {
        let mut segments = three();
        let mut octets = 0;
        segments.report(12, 30, |segment| octets += segment.end - segment.start);
        assert_eq!((octets, segments.arrived()), (10, 1));
        segments.report(12, 18, |segment| octets += segment.end - segment.start);
        segments.acknowledge(15, |segment| octets += segment.end - segment.start);
        assert_eq!((octets, segments.arrived()), (10 + 10 + 5, 1));
        assert_eq!(segments.first().expect("the rest").start, 15);
    }
}
