//! Detection of losses by time: RFC 8985, section 6.2.
//!
//! A segment is lost if one that was sent later has arrived, and the round-trip time of that one and
//! a reordering window have passed since the segment was sent. The names of the RFC are given beside
//! ours.

use kernel::{Duration, Time};

use super::segments::{Segments, SentSegment};

/// The segment sent last among those that have arrived, and what follows from it.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    /// `RACK.xmit_ts` and `RACK.end_seq`.
    latest: (Time, u64),
    /// `RACK.rtt`: the latest round-trip time.
    rtt: Duration,
    /// `RACK.min_RTT`, over the life of the connection; none before the first.
    least: Option<Duration>,
    /// `RACK.fack`: end of the highest segment that has arrived.
    highest: u64,
    /// `RACK.reordering_seen`.
    is_reordered: bool,
    /// `RACK.reo_wnd`.
    window: Duration,
    /// `RACK.reo_wnd_mult` beyond one, `RACK.reo_wnd_persist` and `RACK.dsack_round`, once a D-SACK
    /// block has arrived.
    // Boxed: few receivers send such blocks.
    widening: Option<Box<Widening>>,
}

/// The reordering window after reports of needless retransmissions: section 6.2, step 4.
#[derive(Clone, Copy, Debug, Default)]
struct Widening {
    /// Quarters of the minimum round-trip time by which the window is wider.
    quarters: u64,
    /// Number of further recoveries without a report during which the window stays wide.
    persist: u32,
    /// End of the data sent at the last report that counted: one counts in each round trip.
    round: Option<u64>,
}

/// Recoveries for which the window stays wide after a report: section 6.2, step 4.
const PERSISTENCE: u32 = 16;

impl Detection {
    /// `segment` is reported as arrived by an acknowledgment, which echoes the time stamp `stamp`:
    /// steps 1 to 3. Returns true if it gives a round-trip time.
    pub fn on_delivery(&mut self, now: Time, stamp: Option<Time>, segment: &SentSegment) -> bool {
        self.detect_reordering(segment);
        let rtt = now.since(segment.sent);
        if segment.is_resent {
            // The acknowledgment of an earlier copy: the echo shows it, or it comes too soon.
            let is_of_an_earlier_copy = stamp.is_some_and(|stamp| stamp < segment.sent);
            if is_of_an_earlier_copy || self.least.is_some_and(|least| rtt < least) {
                return false;
            }
        }
        self.rtt = rtt;
        // Departs from step 1, which leaves the filter open: a retransmission may be confused with
        // an earlier copy, so that only segments sent once lower the minimum.
        if !segment.is_resent {
            self.least = Some(self.least.map_or(rtt, |least| least.min(rtt)));
        }
        if !segment.is_before(self.latest.0, self.latest.1) {
            self.latest = (segment.sent, segment.end);
        }
        !segment.is_resent
    }

    /// Step 3: a segment that was sent once arrives after one with higher octets.
    fn detect_reordering(&mut self, segment: &SentSegment) {
        if segment.end > self.highest {
            self.highest = segment.end;
        } else if segment.end < self.highest && !segment.is_resent {
            self.is_reordered = true;
        }
    }

    /// `RACK_update_reo_wnd`, step 4: no reordering window before reordering is seen, if the loss is
    /// evident; otherwise a quarter of the minimum round-trip time, at most `srtt`.
    /// D-SACK blocks make the quarter several, if the receiver sends them.
    pub fn update_window(&mut self, is_evident: bool, srtt: Duration) {
        let times = 1 + self.widening.as_ref().map_or(0, |wide| wide.quarters);
        let quarter = self.least.unwrap_or_default() * times / 4;
        self.window = if !self.is_reordered && is_evident {
            Duration::ZERO
        } else if srtt == Duration::ZERO {
            // SACK blocks may give `least` before an acknowledgment gives `srtt`.
            quarter
        } else {
            quarter.min(srtt)
        };
    }

    /// A D-SACK block reports a needless retransmission while the data from `una` to `max` is
    /// outstanding: step 4, once in a round trip.
    pub fn on_duplicate(&mut self, una: u64, max: u64) {
        let wide = self.widening.get_or_insert_default();
        if wide.round.is_none_or(|round| una >= round) {
            wide.round = Some(max);
            wide.quarters += 1;
            wide.persist = PERSISTENCE;
        }
    }

    /// A recovery ends: step 4.
    pub fn on_recovered(&mut self) {
        if let Some(wide) = &mut self.widening {
            wide.persist = wide.persist.saturating_sub(1);
            if wide.persist == 0 {
                wide.quarters = 0;
            }
        }
    }

    /// False if no segment is lost and none will be: those in flight left in the order of their
    /// octets, and the first of them after the latest that has arrived. The latest may be a
    /// retransmission, before which all that is in flight was sent.
    pub fn may_find(&self, segments: &Segments) -> bool {
        let first = segments.first();
        first.is_some_and(|first| !segments.are_in_order() || self.has_overtaken(first))
    }

    /// `RACK_detect_loss`, step 5: returns the octets that are lost now, and the time at which the
    /// last of the others will be, if it does not arrive before.
    pub fn detect(&self, now: Time, segments: &mut Segments) -> (u64, Option<Time>) {
        let mut latest = None;
        let lost = segments.lose(|segment| {
            if !self.has_overtaken(segment) {
                return false;
            }
            let due = self.due(segment);
            if due > now {
                latest = latest.max(Some(due));
            }
            due <= now
        });
        (lost, latest)
    }

    /// True if a segment that was sent after `segment` has arrived.
    pub fn has_overtaken(&self, segment: &SentSegment) -> bool {
        segment.is_before(self.latest.0, self.latest.1)
    }

    /// The time at which `segment` is lost, if one that was sent later has arrived.
    pub fn due(&self, segment: &SentSegment) -> Time {
        segment.sent + self.rtt + self.window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: u64) -> Time {
        Time::from_ps(ms * 1_000_000_000)
    }

    /// Four segments of ten octets, sent 1 ms apart.
    fn four() -> Segments {
        let mut segments = Segments::default();
        (0..4).for_each(|number| segments.sent(at(number), 10 * number, 10 * number + 10));
        segments
    }

    /// The segment that begins at octet `start` arrives at `now`.
    fn deliver(detection: &mut Detection, segments: &mut Segments, now: Time, start: u64) {
        segments.report(start, start + 10, |segment| {
            detection.on_delivery(now, None, segment);
        });
    }

    #[test]
    fn a_segment_is_lost_a_quarter_of_a_round_trip_after_a_later_one() {
        let (mut segments, mut detection) = (four(), Detection::default());
        deliver(&mut detection, &mut segments, at(101), 10);
        detection.update_window(false, Duration::from_ms(100));
        let next = Some(at(125));
        assert_eq!(detection.detect(at(101), &mut segments), (0, next));
        assert_eq!(detection.detect(at(125), &mut segments), (10, None));
        assert_eq!(segments.lost(), 10);
    }

    #[test]
    fn an_evident_loss_waits_only_after_reordering() {
        let (mut segments, mut detection) = (four(), Detection::default());
        deliver(&mut detection, &mut segments, at(103), 30);
        detection.update_window(true, Duration::from_ms(100));
        assert_eq!(detection.window, Duration::ZERO);
        deliver(&mut detection, &mut segments, at(104), 10);
        detection.update_window(true, Duration::from_ms(100));
        assert_eq!(detection.window, Duration::from_ms(25));
        detection.update_window(true, Duration::from_ms(20));
        assert_eq!(detection.window, Duration::from_ms(20));
    }

    #[test]
    fn each_round_trip_with_a_duplicate_widens_the_window_for_sixteen_recoveries() {
        let (mut segments, mut detection) = (four(), Detection::default());
        deliver(&mut detection, &mut segments, at(101), 10);
        let window = |detection: &mut Detection| {
            detection.update_window(false, Duration::from_ms(100));
            detection.window
        };
        for (una, max, ms) in [
            (0, 40, 50),
            (30, 50, 50),
            (40, 60, 75),
            (60, 70, 100),
            (70, 80, 100),
        ] {
            detection.on_duplicate(una, max);
            assert_eq!(window(&mut detection), Duration::from_ms(ms), "at {una}");
        }
        (0..15).for_each(|_| detection.on_recovered());
        assert_eq!(window(&mut detection), Duration::from_ms(100));
        detection.on_recovered();
        assert_eq!(window(&mut detection), Duration::from_ms(25));
    }

    #[test]
    fn a_copy_that_arrives_too_soon_or_echoes_an_earlier_one_gives_no_time() {
        let (mut segments, mut detection) = (four(), Detection::default());
        deliver(&mut detection, &mut segments, at(101), 10);
        segments.sent(at(150), 0, 10);
        let resent = *segments.on_their_way().next().expect("the first");
        assert!(!detection.on_delivery(at(160), None, &resent));
        assert!(!detection.on_delivery(at(260), Some(at(0)), &resent));
        assert_eq!(detection.latest, (at(1), 20));
        detection.on_delivery(at(260), Some(at(150)), &resent);
        assert_eq!(
            (detection.latest, detection.rtt),
            ((at(150), 10), Duration::from_ms(110))
        );
    }
}
