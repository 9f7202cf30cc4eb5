//! Runs: cells of one packet that leave one after another, committed with the first of them.
//!
//! As long as nothing arrives at a host whose link carries one channel alone, nothing changes what it
//! sends. So the cells up to the end of the packet, or to the next RM cell, are committed as one
//! train when the first of them starts. If something arrives that changes the rate, those that have
//! not started are recalled: the switch hears of that before the first of them would arrive, because
//! what recalls them has the same way to go.

use kernel::{Duration, Time};

use super::channel::Waiting;

/// Cells of a run that are not known to have started.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The packet that they belong to.
    pub packet: Waiting,
    /// How many, at least one.
    pub left: u32,
    /// When the next of them starts.
    pub next: Time,
    /// From one to the next.
    pub spacing: Duration,
}

impl Run {
    /// Cells that start until `now`, of which there is one at least.
    #[inline]
    pub fn started(&self, now: Time) -> u32 {
        let later = now.since(self.next).ps() / self.spacing.ps();
        u32::try_from(later + 1).map_or(self.left, |cells| cells.min(self.left))
    }

    /// The run without its next cells; nothing if those are all.
    #[inline]
    pub fn without(self, cells: u32) -> Option<Run> {
        (self.left > cells).then(|| Run {
            left: self.left - cells,
            next: self.next + self.spacing * u64::from(cells),
            ..self
        })
    }

    /// What waits again if it is recalled, and when the cell before that started.
    pub fn recalled(&self) -> (Waiting, Time) {
        let packet = Waiting {
            cells: self.left,
            ..self.packet
        };
        (packet, self.next - self.spacing)
    }
}
