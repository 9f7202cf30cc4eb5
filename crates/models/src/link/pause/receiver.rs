//! The end of a link that receives packets, counts what it holds, and pauses the far end.
//!
//! IEEE 802.1Qbb, 2011, clause 36.1: the thresholds are those of the implementation. A priority is
//! paused when it holds more than xoff, and resumed when it holds no more than xon. Our own rule for
//! frames, as hardware with one frame in the making has it: a frame is composed when its
//! transmission starts, so it tells of all changes until then, and at most one waits.

use kernel::Time;

use super::{
    DynamicInput, Holding, PauseFrames, PauseLevel, PauseReading, PauseReceiverMeter,
    PauseThresholds, SharedMemory,
};
use crate::wire::between::{ControlFrame, PauseFrame};
use crate::wire::priority::{ByPriority, Priority, PrioritySet};

/// The receiving end of one link.
#[derive(Clone, Debug)]
pub struct PauseReceiver {
    level: Level,
    /// Most octets that a priority holds beyond the level.
    headroom: u64,
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

/// The level above which a priority is paused, and what the priorities hold beyond it where it varies.
#[derive(Clone, Debug)]
enum Level {
    Static { xoff: u64, xon: u64 },
    Dynamic(Box<DynamicInput>),
}

impl PauseReceiver {
    /// An end that holds nothing.
    pub fn new(
        thresholds: PauseThresholds,
        priorities: PrioritySet,
        frames: PauseFrames,
    ) -> PauseReceiver {
        PauseReceiver {
            level: match thresholds.level {
                PauseLevel::Static { xoff, xon } => Level::Static { xoff, xon },
                PauseLevel::Dynamic(level) => Level::Dynamic(Box::new(DynamicInput::new(level))),
            },
            headroom: thresholds.headroom,
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

    /// True if a packet fits, which makes a priority hold what `would` says; a packet that does not fit
    /// is dropped, and counts as such.
    pub fn admits(&mut self, would: Holding, memory: SharedMemory) -> bool {
        let fits = !self.protects(would.priority)
            || match &self.level {
                Level::Static { xoff, .. } => would.held <= xoff + self.headroom,
                Level::Dynamic(dynamic) => dynamic.admits(would, self.headroom, memory),
            };
        self.meter.dropped[would.priority.index()] += u64::from(!fits);
        fits
    }

    /// A packet is stored.
    pub fn store(&mut self, now: Holding, memory: &mut SharedMemory) {
        let Holding { priority, held, .. } = now;
        if !self.protects(priority) {
            return;
        }
        let beyond = match &mut self.level {
            Level::Static { xoff, .. } => held.saturating_sub(*xoff),
            Level::Dynamic(dynamic) => dynamic.store(now, memory),
        };
        if beyond > 0 {
            let most = &mut self.meter.headroom[priority.index()];
            *most = beyond.max(*most);
            self.paused.set(priority, true);
        }
    }

    /// A packet leaves the memory.
    pub fn release(&mut self, now: Holding, memory: &mut SharedMemory) {
        if !self.protects(now.priority) {
            return;
        }
        if let Level::Dynamic(dynamic) = &mut self.level {
            dynamic.release(now, memory);
        }
        self.reconsider(now.priority, now.held, *memory);
    }

    /// Resumes a priority that holds `held` octets, if it holds so little.
    pub fn reconsider(&mut self, priority: Priority, held: u64, memory: SharedMemory) {
        if self.resumes(priority, held, memory) {
            self.paused.set(priority, false);
        }
    }

    fn resumes(&self, priority: Priority, held: u64, memory: SharedMemory) -> bool {
        match &self.level {
            Level::Static { xon, .. } => held <= *xon,
            Level::Dynamic(dynamic) => dynamic.resumes(priority, held, memory),
        }
    }

    /// This end after packets have left, where each priority held `held` octets and holds `left`. It
    /// resumes nothing.
    #[must_use]
    pub fn after(
        &self,
        held: &ByPriority<u64>,
        left: &ByPriority<u64>,
        memory: &mut SharedMemory,
    ) -> PauseReceiver {
        let mut after = self.clone();
        if let Level::Dynamic(dynamic) = &mut after.level {
            for priority in self.priorities.iter() {
                let (held, left) = (held[priority.index()], left[priority.index()]);
                let now = Holding {
                    priority,
                    held: left,
                    space: held - left,
                };
                dynamic.release(now, memory);
            }
        }
        after
    }

    /// Octets of shared memory that the priorities take, which hold `held`.
    pub fn shared(&self, held: &ByPriority<u64>) -> u64 {
        match &self.level {
            Level::Static { .. } => 0,
            Level::Dynamic(dynamic) => dynamic.shared_by(self.priorities, held),
        }
    }

    /// The state of a priority that holds `held` octets while the shared memory is as `memory`; none if
    /// the priority is never paused.
    pub fn reading(
        &self,
        priority: Priority,
        held: u64,
        memory: SharedMemory,
    ) -> Option<PauseReading> {
        let (xoff, xon, beyond) = match &self.level {
            Level::Static { xoff, xon } => (*xoff, *xon, held.saturating_sub(*xoff)),
            Level::Dynamic(dynamic) => {
                let (xoff, xon) = dynamic.thresholds(memory);
                (xoff, xon, dynamic.beyond(priority))
            }
        };
        self.protects(priority).then(|| PauseReading {
            held,
            xoff,
            xon,
            beyond,
            headroom: self.headroom,
            is_paused: self.paused.has(priority),
        })
    }

    /// True if a priority is paused, the far end has been told so, and nothing changes while it holds
    /// `held` octets and the shared memory is as `memory`.
    pub fn remains_paused(&self, priority: Priority, held: u64, memory: SharedMemory) -> bool {
        let is_told = self.paused.has(priority) && self.told.has(priority);
        is_told && !self.resumes(priority, held, memory)
    }

    /// The paused priorities whose threshold follows the free memory.
    pub fn paused_by_free_memory(&self) -> PrioritySet {
        match self.level {
            Level::Static { .. } => PrioritySet::default(),
            Level::Dynamic(_) => self.paused,
        }
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
        for priority in enabled.iter() {
            self.meter.sent_of[priority.index()] += 1;
        }
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
            level: PauseLevel::Static {
                xoff: 1000,
                xon: 400,
            },
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

    const NO_MEMORY: SharedMemory = SharedMemory { octets: 0, used: 0 };

    /// What a priority holds once a packet has come or gone.
    fn holding(number: u8, held: u64) -> Holding {
        Holding {
            priority: priority(number),
            held,
            space: 1,
        }
    }

    fn store(receiver: &mut PauseReceiver, number: u8, held: u64) {
        receiver.store(holding(number, held), &mut NO_MEMORY.clone());
    }

    fn release(receiver: &mut PauseReceiver, number: u8, held: u64) {
        receiver.release(holding(number, held), &mut NO_MEMORY.clone());
    }

    fn remains_paused(receiver: &PauseReceiver, number: u8, held: u64) -> bool {
        receiver.remains_paused(priority(number), held, NO_MEMORY)
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
        store(&mut receiver, 1, 1000);
        assert!(!receiver.wants_frame());
        store(&mut receiver, 1, 1001);
        assert!(receiver.wants_frame());
        assert!(!remains_paused(&receiver, 1, 1001));
        assert_eq!(told(&mut receiver, 0), (set(&[1]), set(&[1])));
        release(&mut receiver, 1, 401);
        assert!(!receiver.wants_frame());
        assert!(remains_paused(&receiver, 1, 401));
        assert!(!remains_paused(&receiver, 1, 400));
        assert!(!remains_paused(&receiver, 2, 2000));
        release(&mut receiver, 1, 400);
        assert_eq!(told(&mut receiver, 1), (set(&[1]), set(&[])));
        assert_eq!(receiver.refresh_at(), Time::NEVER);
        assert_eq!((receiver.meter.sent, receiver.meter.headroom[1]), (2, 1));
    }

    #[test]
    fn a_frame_tells_of_all_changes_until_it_starts() {
        let mut receiver = receiver();
        store(&mut receiver, 1, 1200);
        store(&mut receiver, 2, 1300);
        release(&mut receiver, 1, 100);
        assert_eq!(told(&mut receiver, 0), (set(&[2]), set(&[2])));
        release(&mut receiver, 2, 0);
        store(&mut receiver, 2, 1100);
        assert!(!receiver.wants_frame());
    }

    #[test]
    fn a_pause_that_goes_on_is_refreshed_after_half_of_it() {
        let mut receiver = receiver();
        store(&mut receiver, 1, 1200);
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
        assert!(receiver.admits(holding(1, 1500), NO_MEMORY));
        assert!(!receiver.admits(holding(1, 1501), NO_MEMORY));
        assert!(receiver.admits(holding(3, 9000), NO_MEMORY));
        store(&mut receiver, 3, 9000);
        assert!(!receiver.wants_frame());
        assert_eq!(receiver.meter.dropped[1], 1);
    }
}
