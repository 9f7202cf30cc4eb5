//! Pacing: segments leave at the rate of the congestion control. Cardwell, Cheng, Hassas Yeganeh,
//! Swett and Jacobson, "BBR Congestion Control", draft-cardwell-iccrg-bbr-congestion-control-02,
//! section 4.6.

use kernel::{Rate, Time};

/// The pacing timer: the time at which the next segment may leave.
#[derive(Clone, Copy, Debug, Default)]
pub struct PacingTimer {
    /// Time at which the next segment may leave.
    next: Time,
    /// True if a segment waits for the time `next`.
    waits: bool,
}

impl PacingTimer {
    /// True if a segment may leave at `now`; otherwise the pacing timer is set.
    pub fn allows(&mut self, now: Time) -> bool {
        self.waits = now < self.next;
        !self.waits
    }

    /// No segment waits any more.
    pub fn stop(&mut self) {
        self.waits = false;
    }

    /// Records that a segment of `octets` has left at `now`.
    pub fn sent(&mut self, now: Time, octets: u64, rate: Option<Rate>) {
        if let Some(rate) = rate {
            self.next = self.next.max(now) + rate.transmission(octets * 8);
        }
    }

    /// Time at which a waiting segment may leave; [`Time::NEVER`] if none waits.
    pub fn wake(&self) -> Time {
        if self.waits { self.next } else { Time::NEVER }
    }
}
