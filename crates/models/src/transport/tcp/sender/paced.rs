//! The part of a sender whose congestion control asks for samples of the delivery rate and may pace
//! segments, or whose host paces them.
//!
//! These functions stay out of line: other senders pay for one comparison at each call.

use kernel::Time;

use super::TcpSender;
use super::delivery::DeliveryRate;
use super::pacing::PacingTimer;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::congestion::{CongestionControl, Delivery};
use crate::transport::tcp::pacing::{PacingSpec, Sending};
use crate::wire::segment::Segment;

/// Pacing and records of delivery.
#[derive(Debug)]
pub(super) struct Paced {
    pub(super) pacing: PacingTimer,
    /// The pacing by the host, if the congestion control does not pace.
    host: Option<PacingSpec>,
    /// Records of delivery, if the congestion control asks for samples.
    delivery: Option<DeliveryRate>,
    /// The sample of the acknowledgment that is being taken, until the congestion control gets it.
    sample: Option<Delivery>,
    /// True if the last sample was taken in a recovery.
    recovers: bool,
    /// End of the data sent when a recovery ended and went on.
    recover: u64,
}

impl Paced {
    /// The part of a sender with this congestion control; none if nothing needs it.
    pub(super) fn of(spec: &Tcp, control: &dyn CongestionControl) -> Option<Paced> {
        let wants_delivery = control.wants_delivery();
        (wants_delivery || spec.pacing.is_some()).then(|| Paced {
            pacing: PacingTimer::default(),
            host: spec.pacing.clone(),
            delivery: wants_delivery.then(DeliveryRate::default),
            sample: None,
            recovers: false,
            recover: 0,
        })
    }
}

impl TcpSender {
    /// Pacing and records of delivery, if the congestion control needs them.
    #[inline]
    pub(super) fn paced_part(&self) -> Option<&Paced> {
        self.records.as_ref()?.paced.as_ref()
    }

    /// True if segments may be paced.
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
        let flight = self.recovery.in_flight(&self.data);
        if let Some(delivery) = &mut self.paced().delivery {
            delivery.limited_by_application(flight);
        }
    }

    /// Records that `[start, end)` is sent.
    #[cold]
    pub(super) fn note_paced(&mut self, now: Time, start: u64, end: u64) {
        let is_idle = self.data.una == self.data.max;
        let octets = end - start + u64::from(self.overhead);
        let sending = Sending {
            cwnd: self.window.octets(),
            ssthresh: self.window.control.ssthresh(),
            flight: self.data.flight(),
            srtt: self.timer.srtt(),
        };
        let rate = self.window.control.pacing_rate();
        let paced = self.paced();
        if let Some(delivery) = &mut paced.delivery {
            delivery.sent(now, start, end, is_idle);
        }
        let host = paced.host.as_ref().and_then(|host| host.rate(&sending));
        paced.pacing.sent(now, octets, rate.or(host));
    }

    /// Takes the sample that an acknowledgment gives, before everything else.
    #[cold]
    pub(super) fn sample_delivery(&mut self, now: Time, segment: &Segment) {
        let paced = self.paced();
        let delivery = paced.delivery.as_mut();
        paced.sample = delivery.map(|delivery| delivery.acknowledged(now, segment));
    }

    /// Hands the sample of the latest acknowledgment to the congestion control, before anything is
    /// sent in answer; what is in flight by then is without the losses that it shows.
    #[cold]
    pub(super) fn hand_delivery(&mut self) {
        let paced = self.records.as_mut().and_then(|all| all.paced.as_mut());
        let Some(mut sample) = paced.and_then(|paced| paced.sample.take()) else {
            return;
        };
        sample.in_flight = self.recovery.in_flight(&self.data);
        sample.lost = self.recovery.newly_lost(&self.data);
        sample.in_recovery = self.goes_on_recovering();
        self.window.control.on_delivery(&sample);
    }

    /// True while a recovery goes on for the congestion control. One that ends while data beyond it
    /// is lost is followed by another upon the same acknowledgment, as in Linux
    /// (`tcp_fastretrans_alert`, `tcp_time_to_recover`), so that it does not end at all.
    fn goes_on_recovering(&mut self) -> bool {
        let (una, max) = (self.data.una, self.data.max);
        let is_repairing = self.recovery.underway() || !self.data.recovered();
        let was_repairing = !is_repairing && self.paced().recovers;
        let begins_anew = was_repairing && self.recovery.has_lost();
        let paced = self.paced();
        if begins_anew && una >= paced.recover {
            paced.recover = max;
        }
        paced.recovers = is_repairing || una < paced.recover;
        paced.recovers
    }

    /// The last loss was spurious: no recovery goes on.
    pub(super) fn forget_recovery(&mut self) {
        if self.is_paced() {
            (self.paced().recovers, self.paced().recover) = (false, 0);
        }
    }
}
