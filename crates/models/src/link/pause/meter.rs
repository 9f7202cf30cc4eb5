//! Counts of the pauses of a link in one direction, at both of its ends. SAI has those of a priority
//! as `SAI_PORT_STAT_PFC_n_...`; `metrics::table` gives the names.

use kernel::Time;

use crate::metrics::Stopwatch;
use crate::wire::between::PauseFrame;
use crate::wire::priority::{ByPriority, PrioritySet};

/// Counts at the end that obeys, since counting began.
#[derive(Clone, Copy, Debug, Default)]
pub struct PauseGateMeter {
    /// Pause frames received.
    pub received: u64,
    /// Pause frames received that pause or resume a priority.
    pub received_of: ByPriority<u64>,
    /// Time in which any priority was paused.
    pub paused: Stopwatch,
    /// Time in which a priority was paused.
    pub paused_of: ByPriority<Stopwatch>,
}

impl PauseGateMeter {
    /// A frame arrives.
    pub fn receive(&mut self, frame: PauseFrame) {
        self.received += 1;
        for priority in frame.enabled.iter() {
            self.received_of[priority.index()] += 1;
        }
    }

    /// From `now` on the `paused` priorities are paused, and those `before` were.
    pub fn turn(&mut self, now: Time, before: PrioritySet, paused: PrioritySet) {
        if before.is_empty() != paused.is_empty() {
            self.paused.turn(now, !paused.is_empty());
        }
        for priority in before.differing(paused).iter() {
            self.paused_of[priority.index()].turn(now, paused.has(priority));
        }
    }

    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        let begun = |mut watch: Stopwatch| {
            watch.begin(now);
            watch
        };
        *self = PauseGateMeter {
            paused: begun(self.paused),
            paused_of: self.paused_of.map(begun),
            ..PauseGateMeter::default()
        };
    }
}

/// Counts at the end that pauses, since counting began.
#[derive(Clone, Copy, Debug, Default)]
pub struct PauseReceiverMeter {
    /// Pause frames sent.
    pub sent: u64,
    /// Pause frames sent that pause or resume a priority.
    pub sent_of: ByPriority<u64>,
    /// Octets of all frames on the link.
    pub octets: u64,
    /// Largest number of octets that the input held of a priority beyond the threshold.
    pub headroom: ByPriority<u64>,
    /// Packets of a priority beyond the headroom, which were dropped.
    pub dropped: ByPriority<u64>,
}
