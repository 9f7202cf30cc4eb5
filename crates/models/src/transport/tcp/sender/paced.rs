//! The part of a sender whose congestion control asks for samples of the delivery rate, and may pace
//! segments.
//!
//! These functions stay out of line: other senders pay for one comparison at each call.

use kernel::Time;

use super::TcpSender;
use super::delivery::DeliveryRate;
use super::pacing::Pacing;
use crate::wire::segment::Segment;

/// Pacing and records of delivery.
#[derive(Debug, Default)]
pub(super) struct Paced {
    pub(super) pacing: Pacing,
    delivery: DeliveryRate,
}

impl TcpSender {
    /// Pacing and records of delivery, if the congestion control needs them.
    #[inline]
    pub(super) fn paced_part(&self) -> Option<&Paced> {
        self.records.as_ref()?.paced.as_ref()
    }

    /// True if the congestion control needs samples of the delivery rate.
    #[inline]
    pub(super) fn is_paced(&self) -> bool {
        self.paced_part().is_some()
    }

    fn paced(&mut self) -> &mut Paced {
        let paced = self
            .records
            .as_mut()
            .and_then(|records| records.paced.as_mut());
        paced.expect("only a paced sender is asked")
    }

    /// True if pacing allows a segment at `now`; otherwise the pacing timer is set.
    #[cold]
    pub(super) fn pace_allows(&mut self, now: Time) -> bool {
        self.paced().pacing.allows(now)
    }

    /// No segment waits for pacing any more, since the sender waits for an acknowledgment.
    pub(super) fn stop_pacing(&mut self) {
        if self.is_paced() {
            self.paced().pacing.stop();
        }
    }

    /// True if a segment has waited for pacing, and may leave at `now`.
    pub(super) fn has_paced_segment(&self, now: Time) -> bool {
        self.paced_part()
            .is_some_and(|paced| paced.pacing.wake() <= now)
    }

    /// Records that the application has no more data.
    #[cold]
    pub(super) fn note_application_limit(&mut self) {
        let flight = self.data.flight();
        self.paced().delivery.limited_by_application(flight);
    }

    /// Records that `[start, end)` is sent.
    #[cold]
    pub(super) fn note_paced(&mut self, now: Time, start: u64, end: u64) {
        let is_idle = self.data.una == self.data.max;
        let octets = end - start + u64::from(self.overhead);
        let rate = self.control.pacing_rate();
        let paced = self.paced();
        paced.delivery.sent(now, start, end, is_idle);
        paced.pacing.sent(now, octets, rate);
    }

    /// Hands the sample that an acknowledgment gives to the congestion control.
    #[cold]
    pub(super) fn sample_delivery(&mut self, now: Time, segment: &Segment) {
        let flight = self.data.max - segment.ack.max(self.data.una);
        let mut sample = self.paced().delivery.acknowledged(now, segment, flight);
        sample.in_recovery = self.recovery.underway() || !self.data.recovered();
        self.control.on_delivery(&sample);
    }
}
