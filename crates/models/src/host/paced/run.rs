//! Runs: data cells that leave one after another, committed ahead of time.
//!
//! As long as nothing arrives at a host whose link carries one channel alone, nothing changes what it
//! sends. So with each cell that starts the data cells behind it are committed, up to the next RM
//! cell. If something arrives that changes the rate, those that have not started are spaced anew, or
//! recalled if others go before them: the switch hears of that before the first of them would arrive,
//! because what tells it has the same way to go.

use kernel::{Duration, Time};

/// Cells of a run that are not known to have started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
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

    /// When the last of them starts.
    pub fn last(&self) -> Time {
        self.next + self.spacing * u64::from(self.left - 1)
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
}
