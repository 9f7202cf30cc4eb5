//! Time stamps at the sending end, and the round-trip times that acknowledgments give: RFC 7323,
//! sections 3.2 and 4.

use kernel::Time;

use super::TcpSender;
use crate::transport::{Segment, Transmit};

impl TcpSender {
    /// Transmits a segment, with a time stamp if segments carry them.
    pub(super) fn transmit(&self, now: Time, mut segment: Segment, out: &mut dyn Transmit) {
        if self.timer.timestamps().is_on() {
            segment = segment.with_stamp(now);
            if let Some(echo) = self.echo() {
                segment = segment.with_clock(echo);
            }
        }
        let octets = u64::from(segment.len) + u64::from(self.overhead);
        out.transmit(now, segment, octets);
    }

    /// `segment` acknowledges new data, or opens the connection, and may give a round-trip time.
    pub(super) fn take_round_trip(&mut self, now: Time, segment: &Segment) {
        let (flight, mss) = (self.data.flight(), self.data.mss);
        let expected = self.timer.timestamps().expected_samples(flight, mss);
        if let Some(rtt) = self.timer.acknowledged(now, segment, expected) {
            self.meter.round_trip(rtt);
            if self.records.is_some() {
                self.raise_estimate(segment.ack, rtt);
            }
        }
    }
}
