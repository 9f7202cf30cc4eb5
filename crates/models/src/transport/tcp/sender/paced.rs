//! The part of a sender whose congestion control asks for samples of the delivery rate and may pace
//! segments, or whose host paces them.
//!
//! These functions stay out of line: other senders pay for one comparison at each call.

use kernel::{Duration, Time};

use super::delivery::DeliveryRate;
use super::pacing::PacingTimer;
use super::window::CongestionWindow;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::congestion::{CongestionControl, Delivery};
use crate::transport::tcp::pacing::{PacingSpec, Sending};
use crate::transport::tcp::recovery::{Outstanding, Recovery};
use crate::wire::segment::Segment;

/// Pacing and records of delivery.
#[derive(Debug)]
pub(super) struct PacedSegments {
    timer: PacingTimer,
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

impl PacedSegments {
    /// The part of a sender with this congestion control; none if nothing needs it.
    pub(super) fn of(spec: &Tcp, control: &dyn CongestionControl) -> Option<PacedSegments> {
        let wants_delivery = control.wants_delivery();
        (wants_delivery || spec.pacing.is_some()).then(|| PacedSegments {
            timer: PacingTimer::default(),
            host: spec.pacing.clone(),
            delivery: wants_delivery.then(DeliveryRate::default),
            sample: None,
            recovers: false,
            recover: 0,
        })
    }
}

impl PacedSegments {
    /// True if pacing allows a segment at `now`; otherwise the pacing timer is set.
    #[cold]
    pub(super) fn allows(&mut self, now: Time) -> bool {
        self.timer.allows(now)
    }

    /// No segment waits for pacing any more, since the sender waits for an acknowledgment.
    pub(super) fn stop(&mut self) {
        self.timer.stop();
    }

    /// Time at which a segment that waits for pacing may leave; [`Time::NEVER`] if none waits.
    pub(super) fn wake(&self) -> Time {
        self.timer.wake()
    }

    /// Records that the application has no more data, with `flight` octets in flight.
    #[cold]
    pub(super) fn note_application_limit(&mut self, flight: u64) {
        if let Some(delivery) = &mut self.delivery {
            delivery.limited_by_application(flight);
        }
    }

    /// Records that `[start, end)` is sent, in a packet with `overhead` octets more, before it counts as
    /// sent.
    #[cold]
    pub(super) fn sent(
        &mut self,
        now: Time,
        (start, end): (u64, u64),
        overhead: u16,
        data: &Outstanding,
        window: &CongestionWindow,
        srtt: Duration,
    ) {
        if let Some(delivery) = &mut self.delivery {
            delivery.sent(now, start, end, data.una == data.max);
        }
        let host = self.host.as_ref().and_then(|host| {
            host.rate(&Sending {
                cwnd: window.octets(),
                ssthresh: window.control.ssthresh(),
                flight: data.flight(),
                srtt,
            })
        });
        let rate = window.control.pacing_rate();
        let octets = end - start + u64::from(overhead);
        self.timer.sent(now, octets, rate.or(host));
    }

    /// Takes the sample that an acknowledgment gives, before everything else.
    #[cold]
    pub(super) fn sample(&mut self, now: Time, segment: &Segment) {
        let delivery = self.delivery.as_mut();
        self.sample = delivery.map(|delivery| delivery.acknowledged(now, segment));
    }

    /// Hands the sample of the latest acknowledgment to the congestion control, before anything is
    /// sent in answer; what is in flight by then is without the losses that it shows.
    #[cold]
    pub(super) fn hand_sample(
        &mut self,
        data: &Outstanding,
        recovery: &mut dyn Recovery,
        control: &mut dyn CongestionControl,
    ) {
        let Some(mut sample) = self.sample.take() else {
            return;
        };
        sample.in_flight = recovery.in_flight(data);
        sample.lost = recovery.newly_lost(data);
        sample.in_recovery = self.goes_on_recovering(data, recovery);
        control.on_delivery(&sample);
    }

    /// True while a recovery goes on for the congestion control. One that ends while data beyond it
    /// is lost is followed by another upon the same acknowledgment, as in Linux
    /// (`tcp_fastretrans_alert`, `tcp_time_to_recover`), so that it does not end at all.
    fn goes_on_recovering(&mut self, data: &Outstanding, recovery: &dyn Recovery) -> bool {
        let is_repairing = recovery.underway() || !data.recovered();
        let was_repairing = !is_repairing && self.recovers;
        let begins_anew = was_repairing && recovery.has_lost();
        if begins_anew && data.una >= self.recover {
            self.recover = data.max;
        }
        self.recovers = is_repairing || data.una < self.recover;
        self.recovers
    }

    /// The last loss was spurious: no recovery goes on.
    pub(super) fn forget_recovery(&mut self) {
        (self.recovers, self.recover) = (false, 0);
    }
}
