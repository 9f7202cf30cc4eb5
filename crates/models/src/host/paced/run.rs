//! Runs: data cells that leave back to back, committed ahead of time.
//!
//! As long as nothing arrives at a host whose link carries a single channel, nothing changes the
//! cells that it sends. So with each cell that starts, the data cells behind it are committed, up
//! to the next RM cell. If an arrival changes the rate, the cells that have not started get new
//! times, or are recalled if others go before them. The message about the change travels over this
//! link too, so the switch gets it before the first of the cells would arrive.

use kernel::{Duration, Time};

/// Cells of a run that are not known to have started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Number of cells, at least one.
    pub left: u32,
    /// Start of the next cell.
    pub next: Time,
    /// Interval between cells.
    pub spacing: Duration,
}

impl Run {
    /// Number of cells that start until `now`, at least one.
    #[inline]
    pub fn started(&self, now: Time) -> u32 {
        let later = now.since(self.next).ps() / self.spacing.ps();
        u32::try_from(later + 1).map_or(self.left, |cells| cells.min(self.left))
    }

    /// Start of the last cell.
    pub fn last(&self) -> Time {
        self.next + self.spacing * u64::from(self.left - 1)
    }

    /// The run without its next `cells` cells; none if it has no others.
    #[inline]
    pub fn without(self, cells: u32) -> Option<Run> {
        (self.left > cells).then(|| Run {
            left: self.left - cells,
            next: self.next + self.spacing * u64::from(cells),
            ..self
        })
    }
}
