//! Samples of the delivery rate: Cheng, Cardwell, Hassas Yeganeh and Jacobson, "Delivery Rate
//! Estimation", draft-cheng-iccrg-delivery-rate-estimation-02, section 3.
//!
//! Samples are kept only for a congestion control that needs them, since every segment has a
//! record.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use crate::transport::tcp::congestion::Delivery;
use crate::wire::segment::Segment;

/// A segment in flight, with the state of the connection when the segment was last sent.
#[derive(Clone, Copy, Debug)]
struct Record {
    start: u64,
    end: u64,
    sent: Time,
    /// Octets that had been delivered when the segment was sent, and the time of the last delivery.
    delivered: u64,
    delivered_at: Time,
    /// Send time of the first segment in the sample.
    first_sent: Time,
    is_app_limited: bool,
    /// True if the segment was sent more than once, so that its acknowledgment gives no round-trip
    /// time.
    is_resent: bool,
    is_delivered: bool,
}

/// Records of the segments in flight, in the order of their octets.
#[derive(Debug, Default)]
pub struct DeliveryRate {
    records: VecDeque<Record>,
    delivered: u64,
    delivered_at: Time,
    first_sent: Time,
    /// While fewer octets are delivered, the application limits the delivery rate: `C.app_limited`.
    app_limited_until: u64,
}

impl DeliveryRate {
    /// Octets `[start, end)` are sent; `is_idle` is true if no other data is outstanding.
    pub fn sent(&mut self, now: Time, start: u64, end: u64, is_idle: bool) {
        if is_idle {
            (self.first_sent, self.delivered_at) = (now, now);
        }
        let mut record = Record {
            start,
            end,
            sent: now,
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            first_sent: self.first_sent,
            is_app_limited: self.app_limited_until > self.delivered,
            is_resent: false,
            is_delivered: false,
        };
        let at = self.records.partition_point(|known| known.start < start);
        match self.records.get_mut(at) {
            // A retransmission may cover more or less than one recorded segment.
            Some(known) if known.start < end => {
                record.is_resent = true;
                record.is_delivered = known.is_delivered;
                record.end = known.end;
                *known = record;
            }
            _ => self.records.insert(at, record),
        }
    }

    /// The application has no more data, with `flight` octets outstanding.
    pub fn limited_by_application(&mut self, flight: u64) {
        self.app_limited_until = (self.delivered + flight).max(1);
    }

    /// The sample that an acknowledgment gives, without what is in flight or lost.
    pub fn acknowledged(&mut self, now: Time, segment: &Segment) -> Delivery {
        let before = self.delivered;
        let mut latest: Option<Record> = None;
        for record in &mut self.records {
            let arrived = record.end <= segment.ack
                || segment
                    .sacks()
                    .any(|(start, end)| start <= record.start && record.end <= end);
            if arrived && !record.is_delivered {
                record.is_delivered = true;
                self.delivered += record.end - record.start;
                self.delivered_at = now;
                let is_later = |known: &Record| {
                    (record.delivered, record.sent) >= (known.delivered, known.sent)
                };
                if latest.as_ref().is_none_or(is_later) {
                    latest = Some(*record);
                }
            }
        }
        while self
            .records
            .front()
            .is_some_and(|record| record.end <= segment.ack)
        {
            self.records.pop_front();
        }
        if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
        let mut sample = Delivery {
            now,
            delivered: self.delivered,
            newly: self.delivered - before,
            ..Delivery::default()
        };
        if let Some(record) = latest {
            self.first_sent = record.sent;
            let sending = record.sent.since(record.first_sent);
            let interval = sending.max(now.since(record.delivered_at));
            sample.prior_delivered = record.delivered;
            sample.is_app_limited = record.is_app_limited;
            sample.rtt = (!record.is_resent).then(|| now.since(record.sent));
            sample.rate = (interval > Duration::ZERO)
                .then(|| (self.delivered - record.delivered) as f64 * 8.0 / interval.seconds());
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_ms(ms)
    }

    #[test]
    fn a_sample_is_the_slower_of_sending_and_delivery() {
        let mut rate = DeliveryRate::default();
        // Ten segments of 1000 octets in 10 ms, delivered in 20 ms.
        for number in 0..10 {
            rate.sent(at(number), number * 1000, (number + 1) * 1000, number == 0);
        }
        let first = rate.acknowledged(at(100), &Segment::acknowledgment(1000));
        assert_eq!(
            (first.delivered, first.newly, first.prior_delivered),
            (1000, 1000, 0)
        );
        assert_eq!(first.rtt, Some(Duration::from_ms(100)));
        // A segment that is sent at 100 ms sees 1000 octets delivered; the rest arrives until 120
        // ms.
        rate.sent(at(100), 10_000, 11_000, false);
        for number in 2..=10 {
            rate.acknowledged(
                at(100 + 2 * number),
                &Segment::acknowledgment(number * 1000),
            );
        }
        let last = rate.acknowledged(at(200), &Segment::acknowledgment(11_000));
        assert_eq!(last.delivered, 11_000);
        // 10,000 octets are delivered in the 100 ms after the delivery of the first 1000.
        assert!(
            (last.rate.expect("a rate") - 800_000.0).abs() < 1.0,
            "{last:?}"
        );
    }

    #[test]
    fn a_retransmission_gives_no_round_trip_time_and_the_application_marks_samples() {
        let mut rate = DeliveryRate::default();
        rate.limited_by_application(0);
        rate.sent(at(0), 0, 1000, true);
        rate.sent(at(50), 0, 1000, false);
        let sample = rate.acknowledged(at(60), &Segment::acknowledgment(1000));
        assert_eq!((sample.rtt, sample.newly), (None, 1000));
        assert!(sample.is_app_limited);
    }
}
