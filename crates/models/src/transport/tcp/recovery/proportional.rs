//! Proportional rate reduction: during a recovery the window shrinks in proportion to the data that
//! arrives.
//!
//! Mathis, Dukkipati and Cheng, "Proportional Rate Reduction for TCP", RFC 6937, 2013, the default
//! of Linux. A sender that halves its window at once sends nothing until half of the old window has
//! arrived, and then one segment for each segment that arrives. With proportional reduction the
//! sender sends one segment for every second segment that arrives, from the start of the recovery
//! on. If more data was lost than the window shrinks by, the sender sends as much data as arrives
//! and one segment more: the slow start reduction bound of section 3. RFC 9937, "Proportional Rate
//! Reduction", 2025, which replaces RFC 6937, adds the segment only for an acknowledgment of new
//! data that shows no further loss (section 6.2). The data outstanding at the start of the recovery is
//! counted as in its section 6.1: without the data that SACK blocks had reported before the
//! acknowledgment that indicated the loss. What that acknowledgment reports is the first that counts
//! as delivered; a recovery that a timer begins counts a segment, as in Linux.

use parameters::choices;

use super::Outstanding;

choices! {
    /// Data that leaves in a recovery with proportional rate reduction once less is in flight than
    /// the window holds.
    pub enum ReductionBound {
        /// As much as arrives, and a segment more for each acknowledgment: RFC 6937, section 3
        /// (PRR-SSRB).
        slow_start => SlowStart,
        /// As much as arrives, and a segment more for an acknowledgment of new data that shows no
        /// further loss: RFC 9937, section 6.2 (SafeACK), and Linux from 4.3 on.
        when_safe => WhenSafe,
    }
}

/// Data that may be sent in one recovery.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proportional {
    /// `RecoverFS`: octets outstanding at the start of the recovery.
    flight: u64,
    /// Octets that had arrived before the recovery.
    before: u64,
    /// `prr_delivered`: octets that have arrived since the start of the recovery.
    delivered: u64,
    /// `DeliveredData`: octets that the latest acknowledgment reported.
    latest: u64,
    /// `prr_out`: octets sent since the start of the recovery.
    sent: u64,
    /// Octets of `sent` that the latest acknowledgment has released before [`Self::allowed`] was
    /// asked: the first retransmission.
    forced: u64,
    /// `sndcnt`: octets that may still be sent for the latest acknowledgment; none until
    /// [`Self::allowed`] has computed them.
    left: Option<u64>,
    /// The first octet that the latest acknowledgment left unacknowledged.
    una: u64,
    /// `SafeACK`: true if the latest acknowledgment covers new data and shows no further loss.
    is_safe: bool,
}

impl Proportional {
    /// A recovery begins with the retransmission of the first segment. All that the acknowledgment
    /// reports that begins it counts, beyond a hole or not: RFC 9937, sections 6.1 and 6.2.
    pub fn begin(out: &Outstanding) -> Proportional {
        let reported = out.sacked.octets(out.una, out.max);
        let latest = out.arrived() - out.arrived_before;
        let first = out.segment(out.una);
        Proportional {
            flight: out.flight() - reported + latest,
            before: out.arrived_before,
            delivered: latest,
            latest,
            sent: first,
            forced: first,
            una: out.una,
            ..Proportional::default()
        }
    }

    /// The recovery goes on with a reduction that began before it, with a window of `prior` octets.
    pub fn go_on(&mut self, [prior, delivered, sent]: [u64; 3]) {
        self.flight = prior;
        self.before = self.before.saturating_sub(delivered);
        self.delivered += delivered;
        self.sent += sent;
    }

    /// An acknowledgment arrives.
    pub fn acknowledged(&mut self, out: &Outstanding) {
        let delivered = out.arrived() - self.before;
        self.latest = delivered - self.delivered;
        self.delivered = delivered;
        self.forced = 0;
        self.left = None;
        self.is_safe = out.una > self.una;
        self.una = out.una;
    }

    /// The latest acknowledgment shows that further data is lost.
    pub fn found_losses(&mut self) {
        self.is_safe = false;
    }

    /// `octets` are sent.
    pub fn sent(&mut self, octets: u64) {
        self.sent += octets;
        self.left = self.left.map(|left| left.saturating_sub(octets));
    }

    /// Octets that may be sent, in whole segments. `pipe` octets were in flight when the latest
    /// acknowledgment arrived; at the end of the recovery the window will be `ssthresh`.
    pub fn allowed(&mut self, pipe: u64, ssthresh: u64, out: &Outstanding) -> u64 {
        let (forced, mss) = (self.forced, out.mss);
        let more = if out.grows_when_safe && !self.is_safe {
            0
        } else {
            mss
        };
        *self.left.get_or_insert_with(|| {
            let (pipe, sent) = (pipe.saturating_sub(forced), self.sent - forced);
            // Departs from RFC 6937, section 3, where the amount is rounded up to a whole octet:
            // here to a whole segment, because segments are sent whole.
            let amount = if pipe > ssthresh {
                let share = (self.delivered * ssthresh).div_ceil(self.flight.max(1) * mss) * mss;
                share.saturating_sub(sent)
            } else {
                let bound = self.delivered.saturating_sub(sent).max(self.latest) + more;
                bound.min(ssthresh - pipe)
            };
            amount.saturating_sub(forced)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sender of ten segments of ten octets, whose window shrinks to five.
    fn begun() -> (Outstanding, Proportional) {
        let mut out = Outstanding {
            mss: 10,
            written: 1_000,
            nxt: 100,
            max: 100,
            ..Outstanding::default()
        };
        out.sacked.insert(10, 20);
        let proportional = Proportional::begin(&out);
        (out, proportional)
    }

    #[test]
    fn one_segment_is_sent_for_every_second_that_arrives() {
        let (mut out, mut proportional) = begun();
        let mut sent = Vec::new();
        // Segment 0 was lost, and segment 1 caused the acknowledgment that reports it; segments 2
        // to 9 arrive one by one.
        for segment in 2..10 {
            out.sacked.insert(segment * 10, segment * 10 + 10);
            proportional.acknowledged(&out);
            let allowed = proportional.allowed(60, 50, &out);
            sent.push(allowed / 10);
            proportional.sent(allowed);
        }
        assert_eq!(sent, [0, 1, 0, 1, 0, 1, 0, 1]);
    }

    #[test]
    fn after_heavy_loss_one_segment_more_is_sent_than_arrives() {
        let (mut out, mut proportional) = begun();
        out.sacked.insert(90, 100);
        proportional.acknowledged(&out);
        assert_eq!(proportional.allowed(10, 50, &out), 20);
        proportional.sent(10);
        assert_eq!(proportional.allowed(10, 50, &out), 10);
    }

    #[test]
    fn without_growth_the_extra_segment_needs_new_data_and_no_further_loss() {
        let (mut out, mut proportional) = begun();
        out.grows_when_safe = true;
        out.sacked.insert(90, 100);
        proportional.acknowledged(&out);
        assert_eq!(proportional.allowed(10, 50, &out), 10, "no new data");
        proportional.sent(10);
        out.acknowledge(20);
        proportional.acknowledged(&out);
        assert_eq!(proportional.allowed(10, 50, &out), 20, "new data");
        proportional.sent(20);
        out.acknowledge(30);
        proportional.acknowledged(&out);
        proportional.found_losses();
        assert_eq!(proportional.allowed(10, 50, &out), 10, "a further loss");
    }

    /// The segments that leave in a recovery of `segments` segments, of which the first `lost` are
    /// lost, while acknowledgments report `merged` of the others at a time.
    fn sent_in_all(segments: u64, lost: u64, keeps: u64, merged: u64) -> (u64, u64) {
        let mss = 10;
        let ssthresh = segments * keeps / 10 * mss;
        let mut out = Outstanding {
            mss,
            written: 100_000,
            nxt: segments * mss,
            max: segments * mss,
            grows_when_safe: true,
            ..Outstanding::default()
        };
        let (mut proportional, mut sent, mut reported, mut acks) = (None, 0, 0, 0);
        while reported < segments - lost {
            let newly = merged.min(segments - lost - reported);
            out.arrived_before = out.arrived();
            reported += newly;
            out.sacked.insert(lost * mss, (lost + reported) * mss);
            acks += 1;
            match &mut proportional {
                None => {
                    proportional = Some(Proportional::begin(&out));
                    sent = 1;
                }
                Some(known) => known.acknowledged(&out),
            }
            let known = proportional.as_mut().expect("it has begun");
            let pipe = (segments - lost - reported + sent) * mss;
            let more = known.allowed(pipe, ssthresh, &out);
            known.sent(more);
            sent += more / mss;
            let share = (reported * ssthresh).div_ceil(segments * mss);
            let bound = share.max(reported).max(1);
            assert!(sent <= bound, "{sent} of {bound} segments after {reported}");
        }
        (sent, acks)
    }

    /// Acknowledgments that are lost or merged change what leaves by no more than a segment each.
    #[test]
    fn as_much_leaves_however_acknowledgments_are_merged() {
        for segments in [10, 20, 37, 60] {
            for (lost, keeps) in [(1, 5), (1, 7), (3, 7), (segments / 2, 5), (segments / 2, 7)] {
                let (single, _) = sent_in_all(segments, lost, keeps, 1);
                for merged in 2..=16 {
                    let (sent, acks) = sent_in_all(segments, lost, keeps, merged);
                    assert!(
                        sent.abs_diff(single) <= acks,
                        "{sent} for {single} with {merged} of {segments}, {lost} lost"
                    );
                }
            }
        }
    }
}
