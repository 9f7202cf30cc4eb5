//! Tail loss probes: RFC 8985, section 7.
//!
//! After the last segments of a burst no acknowledgment would report their loss. If nothing is
//! acknowledged for two round trips, one segment is sent as a probe, whose acknowledgment reports
//! what is missing.

use kernel::{Duration, Time};

use super::Outstanding;
use crate::wire::segment::Segment;

/// `TLP.max_ack_delay`, the longest delay of an acknowledgment that the sender expects: the 200 ms
/// of most hosts (section 7.2).
const ACKNOWLEDGMENT_DELAY: Duration = Duration::from_ms(200);

/// The probes of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probes {
    /// The probe that is outstanding.
    outstanding: Option<Probe>,
    /// True until a round-trip time is measured after a probe.
    waits: bool,
    /// Values of `una` and `max` when a probe was last scheduled.
    seen: (u64, u64),
}

#[derive(Clone, Copy, Debug)]
struct Probe {
    /// `TLP.end_seq`: the end of all data sent, when the probe was sent.
    end: u64,
    /// `TLP.is_retrans`: true if the probe is a retransmission.
    is_retransmission: bool,
}

impl Probes {
    /// A recovery begins, which ends the episode of a probe: section 7.1.
    pub fn reset(&mut self) {
        self.outstanding = None;
    }

    /// A round-trip time is measured.
    pub fn on_round_trip(&mut self) {
        self.waits = false;
    }

    /// `TLP_calc_PTO`: the time of a probe, if new data was sent or acknowledged since the last
    /// call. The retransmission timer may be due before.
    ///
    /// Departs from section 7.2, which schedules probes that section 7.3 then does not permit: before
    /// the first round-trip time, and while another probe is outstanding. The timeout would wait for
    /// them.
    pub fn schedule(&mut self, now: Time, out: &Outstanding, srtt: Duration) -> Option<Time> {
        let (una, max) = std::mem::replace(&mut self.seen, (out.una, out.max));
        let is_news = out.una > una || out.max > max;
        if !is_news || out.flight() == 0 || srtt == Duration::ZERO || !self.may_be_sent() {
            return None;
        }
        let is_alone = out.flight() <= out.mss;
        let delay = if is_alone {
            ACKNOWLEDGMENT_DELAY
        } else {
            Duration::ZERO
        };
        Some(now + srtt * 2 + delay)
    }

    /// True if a probe may be sent: no other is outstanding, and a round-trip time was measured
    /// since the last one (section 7.3).
    pub fn may_be_sent(&self) -> bool {
        self.outstanding.is_none() && !self.waits
    }

    /// A probe is sent.
    pub fn on_sent(&mut self, out: &Outstanding, is_retransmission: bool) {
        self.outstanding = Some(Probe {
            end: out.max,
            is_retransmission,
        });
        self.waits = true;
        self.seen.1 = out.max;
    }

    /// `TLP_process_ack`: returns true if a probe has repaired a loss. `una` is the first
    /// unacknowledged octet before `segment`.
    ///
    /// Section 7.4.2: a needless probe is revealed by a D-SACK block that reports it (case 1), if the
    /// receiver sends such blocks, or by a duplicate acknowledgment without blocks (case 2).
    pub fn on_ack(&mut self, segment: &Segment, una: u64) -> bool {
        let Some(probe) = self.outstanding.filter(|probe| segment.ack >= probe.end) else {
            return false;
        };
        let reported = segment.duplicate();
        let is_reported = reported.is_some_and(|(_, end)| end == probe.end);
        let goes_beyond = segment.ack > probe.end;
        let is_duplicate = segment.ack == una && segment.sacks().len() == 0;
        if !probe.is_retransmission || goes_beyond || is_duplicate || is_reported {
            self.outstanding = None;
        }
        probe.is_retransmission && goes_beyond && !is_reported
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Duration = Duration::from_ms(100);

    /// `segments` segments of ten octets are outstanding.
    fn outstanding(segments: u64) -> Outstanding {
        Outstanding {
            mss: 10,
            max: 10 * segments,
            ..Outstanding::default()
        }
    }

    #[test]
    fn a_probe_waits_two_round_trips_and_for_a_delayed_acknowledgment_of_one_segment() {
        for (segments, ms) in [(2, 200), (1, 400)] {
            let mut probes = Probes::default();
            let out = outstanding(segments);
            let expected = Some(Time::ZERO + Duration::from_ms(ms));
            assert_eq!(probes.schedule(Time::ZERO, &out, RTT), expected);
            assert_eq!(probes.schedule(Time::ZERO, &out, RTT), None, "nothing new");
        }
    }

    #[test]
    fn only_an_acknowledgment_beyond_a_retransmission_shows_a_loss() {
        for (is_retransmission, una, ack, repaired) in [
            (true, 10, 20, false),
            (true, 20, 30, true),
            (false, 20, 30, false),
            (true, 20, 20, false),
        ] {
            let mut probes = Probes::default();
            probes.on_sent(&outstanding(2), is_retransmission);
            assert!(!probes.may_be_sent());
            let segment = Segment::acknowledgment(ack);
            assert_eq!(probes.on_ack(&segment, una), repaired, "{ack} after {una}");
            probes.on_round_trip();
            // The first acknowledgment of all data leaves open which copy has arrived.
            assert_eq!(probes.may_be_sent(), (una, ack) != (10, 20));
        }
    }
}
