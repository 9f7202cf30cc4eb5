//! Time stamps: every segment carries its send time, and every acknowledgment echoes the send time
//! of a segment, so that each acknowledgment of new data gives a round-trip time, also for
//! retransmitted segments.
//!
//! Jacobson, Braden and Borman, "TCP Extensions for High Performance", RFC 1323, 1992; Borman,
//! Braden, Jacobson and Scheffenegger, RFC 7323, 2014, which replaces it. The echo follows the
//! rules of RFC 7323, section 4.3, under either choice. Departs from section 5.4, where a clock
//! ticks every millisecond to every second: a time stamp is exact, and the estimator of the timeout
//! reads it in the ticks of its own clock, if it has one. The other use of time stamps, protection
//! against wrapped sequence numbers (PAWS, section 5), is left out, because sequence numbers do not
//! wrap here.

use kernel::Time;
use parameters::choices;

use crate::wire::segment::Segment;

choices! {
    /// Time stamps in every segment, and the weight of the round-trip times that they give.
    pub enum Timestamps {
        /// No time stamps: one segment is timed at a time.
        off => Off,
        /// Each round-trip time has full weight, however many a round trip gives: RFC 1323.
        rfc1323 => Rfc1323,
        /// Each round-trip time has a smaller weight, so that the estimate averages over as many
        /// round trips as with one sample in each: RFC 7323, appendix G.
        rfc7323 => Rfc7323,
    }
}

impl Timestamps {
    /// True if segments carry time stamps.
    pub fn is_on(self) -> bool {
        self != Timestamps::Off
    }

    /// Octets of the option, padded: RFC 7323, appendix A.
    pub fn octets(self) -> u64 {
        if self.is_on() { 12 } else { 0 }
    }

    /// Expected number of samples in a round trip, with `flight` octets outstanding in segments of
    /// `mss`: RFC 7323, appendix G, where one acknowledgment covers two segments.
    pub fn expected_samples(self, flight: u64, mss: u64) -> u64 {
        match self {
            Timestamps::Off | Timestamps::Rfc1323 => 1,
            Timestamps::Rfc7323 => flight.div_ceil(2 * mss).max(1),
        }
    }
}

/// The time stamp that a receiver echoes: RFC 7323, section 4.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// TS.Recent.
    stamp: Time,
    /// Last.ACK.sent.
    acknowledged: u64,
}

impl Recent {
    /// A segment arrives. Its time stamp will be echoed if its first octet is not beyond the octet
    /// acknowledged last. A delayed acknowledgment therefore echoes the first segment that it
    /// covers, an acknowledgment of data beyond a hole the last segment before the hole, and an
    /// acknowledgment of data that fills the hole the segment with this data.
    pub fn note(&mut self, segment: &Segment) {
        if let Some(stamp) = segment.stamp()
            && stamp >= self.stamp
            && segment.seq <= self.acknowledged
        {
            self.stamp = stamp;
        }
    }

    /// The acknowledgment `segment`, which is sent now, with the time stamp to echo.
    pub fn echo(&mut self, segment: Segment) -> Segment {
        self.acknowledged = segment.ack;
        segment.with_stamp(self.stamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_weighs_one_over_half_the_segments_in_flight() {
        let expected = |flight| Timestamps::Rfc7323.expected_samples(flight, 1000);
        assert_eq!([0, 1, 2000, 2001, 64_000].map(expected), [1, 1, 1, 2, 32]);
        assert_eq!(Timestamps::Rfc1323.expected_samples(64_000, 1000), 1);
    }

    #[test]
    fn a_time_stamp_older_than_the_last_is_not_echoed() {
        let mut recent = Recent::default();
        for (ps, echoed) in [(5, 5), (3, 5), (9, 9)] {
            recent.note(&Segment::data(0, 10).with_stamp(Time::from_ps(ps)));
            let ack = recent.echo(Segment::acknowledgment(10));
            assert_eq!(ack.stamp(), Some(Time::from_ps(echoed)));
        }
    }
}
