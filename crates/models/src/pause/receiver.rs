//! The end of a link that receives packets, counts what it holds, and pauses the far end.
//!
//! IEEE 802.1Qbb, 2011, clause 36.1: the thresholds are those of the implementation. A priority is
//! paused when it holds more than xoff, and resumed when it holds no more than xon. Our own rule for
//! frames, as hardware with one frame in the making has it: a frame is composed when its
//! transmission starts, so it tells of all changes until then, and at most one waits.

use kernel::Time;

use super::{PauseFrames, PauseReceiverMeter, PauseThresholds};
use crate::wire::priority::{Priority, PrioritySet};
use crate::wire::unit::{ControlFrame, PauseFrame};

/// The receiving end of one link.
#[derive(Clone, Debug)]
pub struct PauseReceiver {
    thresholds: PauseThresholds,
    /// The priorities that may be paused.
    priorities: PrioritySet,
    frames: PauseFrames,
    /// The priorities that hold so much that they are to be paused.
    paused: PrioritySet,
    /// The priorities that the last frame has paused.
    told: PrioritySet,
    /// True if the pauses are to be refreshed.
    refreshes: bool,
    /// Time of the next refreshment; [`Time::NEVER`] if nothing is paused.
    refresh_at: Time,
    /// Pause frames sent since the start of the run.
    pub sent_ever: u64,
    /// Counts of this end.
    pub meter: PauseReceiverMeter,
}

impl PauseReceiver {
    /// An end that holds nothing.
    pub fn new(
        thresholds: PauseThresholds,
        priorities: PrioritySet,
        frames: PauseFrames,
    ) -> PauseReceiver {
        PauseReceiver {
            thresholds,
            priorities,
            frames,
            paused: PrioritySet::default(),
            told: PrioritySet::default(),
            refreshes: false,
            refresh_at: Time::NEVER,
            sent_ever: 0,
            meter: PauseReceiverMeter::default(),
        }
    }

    /// True if packets of a priority are paused instead of dropped.
    #[inline]
    pub fn protects(&self, priority: Priority) -> bool {
        self.priorities.has(priority)
    }

    /// True if a packet fits after which a priority would hold `held` octets; a packet that does not
    /// fit is dropped, and counts as such.
    pub fn admits(&mut self, priority: Priority, held: u64) -> bool {
        let PauseThresholds { xoff, headroom, .. } = self.thresholds;
        let fits = !self.protects(priority) || held <= xoff + headroom;
        self.meter.dropped += u64::from(!fits);
        fits
    }

    /// From now on a priority holds `held` octets.
    pub fn hold(&mut self, priority: Priority, held: u64) {
        if !self.protects(priority) {
            return;
        }
        let PauseThresholds { xoff, xon, .. } = self.thresholds;
        if held > xoff {
            self.meter.headroom = self.meter.headroom.max(held - xoff);
            self.paused.set(priority, true);
        } else if held <= xon {
            self.paused.set(priority, false);
        }
    }

    /// True if a priority is paused, the far end has been told so, and nothing changes while it holds
    /// `held` octets.
    pub fn remains_paused(&self, priority: Priority, held: u64) -> bool {
        let is_told = self.paused.has(priority) && self.told.has(priority);
        is_told && held > self.thresholds.xon
    }

    /// True if the far end does not know what is paused, or must be told again.
    #[inline]
    pub fn wants_frame(&self) -> bool {
        self.paused != self.told || self.refreshes
    }

    /// Time at which a frame must tell the far end of the pauses again.
    #[inline]
    pub fn refresh_at(&self) -> Time {
        self.refresh_at
    }

    /// The pauses are to be refreshed, since it is [`PauseReceiver::refresh_at`].
    pub fn refresh(&mut self) {
        self.refreshes = !self.paused.is_empty();
        self.refresh_at = Time::NEVER;
    }

    /// Octets of a frame on the link.
    pub fn frame_octets(&self) -> u32 {
        self.frames.octets
    }

    /// The frame that starts at `now`.
    pub fn frame(&mut self, now: Time) -> ControlFrame {
        let enabled = self.paused.or(self.told);
        self.told = self.paused;
        self.refreshes = false;
        self.refresh_at = if self.paused.is_empty() {
            Time::NEVER
        } else {
            now + self.frames.refresh()
        };
        self.meter.sent += 1;
        self.sent_ever += 1;
        self.meter.octets += u64::from(self.frames.octets);
        ControlFrame::Pause(PauseFrame {
            enabled,
            paused: self.paused,
            quanta: self.frames.quanta,
        })
    }

    /// Restarts the counts.
    pub fn begin_counting(&mut self) {
        self.meter = PauseReceiverMeter::default();
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;

    use super::*;

    fn priority(number: u8) -> Priority {
        Priority::new(number).expect("a priority")
    }

    fn set(numbers: &[u8]) -> PrioritySet {
        numbers.iter().map(|one| priority(*one)).collect()
    }

    fn receiver() -> PauseReceiver {
        let thresholds = PauseThresholds {
            xoff: 1000,
            xon: 400,
            headroom: 500,
        };
        let frames = PauseFrames {
            octets: 84,
            quanta: 100,
            lasts: Duration::from_us(10),
            response: Duration::ZERO,
        };
        PauseReceiver::new(thresholds, set(&[1, 2]), frames)
    }

    fn told(receiver: &mut PauseReceiver, us: u64) -> (PrioritySet, PrioritySet) {
        let frame = receiver.frame(Time::ZERO + Duration::from_us(us));
        let ControlFrame::Pause(frame) = frame else {
            panic!("{frame:?}")
        };
        (frame.enabled, frame.paused)
    }

    #[test]
    fn a_priority_is_paused_above_xoff_and_resumed_at_xon() {
        let mut receiver = receiver();
        receiver.hold(priority(1), 1000);
        assert!(!receiver.wants_frame());
        receiver.hold(priority(1), 1001);
        assert!(receiver.wants_frame());
        assert!(!receiver.remains_paused(priority(1), 1001));
        assert_eq!(told(&mut receiver, 0), (set(&[1]), set(&[1])));
        receiver.hold(priority(1), 401);
        assert!(!receiver.wants_frame());
        assert!(receiver.remains_paused(priority(1), 401));
        assert!(!receiver.remains_paused(priority(1), 400));
        assert!(!receiver.remains_paused(priority(2), 2000));
        receiver.hold(priority(1), 400);
        assert_eq!(told(&mut receiver, 1), (set(&[1]), set(&[])));
        assert_eq!(receiver.refresh_at(), Time::NEVER);
        assert_eq!((receiver.meter.sent, receiver.meter.headroom), (2, 1));
    }

    #[test]
    fn a_frame_tells_of_all_changes_until_it_starts() {
        let mut receiver = receiver();
        receiver.hold(priority(1), 1200);
        receiver.hold(priority(2), 1300);
        receiver.hold(priority(1), 100);
        assert_eq!(told(&mut receiver, 0), (set(&[2]), set(&[2])));
        receiver.hold(priority(2), 0);
        receiver.hold(priority(2), 1100);
        assert!(!receiver.wants_frame());
    }

    #[test]
    fn a_pause_that_goes_on_is_refreshed_after_half_of_it() {
        let mut receiver = receiver();
        receiver.hold(priority(1), 1200);
        told(&mut receiver, 0);
        assert_eq!(receiver.refresh_at(), Time::ZERO + Duration::from_us(5));
        receiver.refresh();
        assert!(receiver.wants_frame());
        assert_eq!(told(&mut receiver, 5), (set(&[1]), set(&[1])));
        assert!(!receiver.wants_frame());
    }

    #[test]
    fn nothing_fits_beyond_the_headroom_and_other_priorities_are_not_bound() {
        let mut receiver = receiver();
        assert!(receiver.admits(priority(1), 1500));
        assert!(!receiver.admits(priority(1), 1501));
        assert!(receiver.admits(priority(3), 9000));
        receiver.hold(priority(3), 9000);
        assert!(!receiver.wants_frame());
        assert_eq!(receiver.meter.dropped, 1);
    }
}
