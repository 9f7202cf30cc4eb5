//! Commitments: data cells that leave back to back and are on the link ahead of time.
//!
//! As long as no unit arrives at a host whose link carries a single VC, nothing changes the cells
//! that the host sends. With each cell that starts, the host therefore commits the data cells
//! behind it, up to the next RM cell. If an arrival changes the rate, the cells that have not
//! started get new start times, or are recalled if other cells must be sent first. The amendment
//! travels over the same link, so it reaches the switch before the first of the amended cells
//! would. Our own technique, to save events: decision 14 in `docs/decisions`.

use kernel::{Duration, Time};

/// Committed cells that are not known to have started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commitment {
    /// Number of cells, at least one.
    pub cells: u32,
    /// Start of the next cell.
    pub next: Time,
    /// Interval between cells.
    pub spacing: Duration,
}

/// The change of the committed cells that have not started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommitmentChange {
    /// All cells of the commitment are recalled: their number, and the start of the last cell that
    /// was sent before them.
    Recalled(u32, Time),
    /// The cells leave at other times.
    Respaced(Commitment),
}

impl Commitment {
    /// Number of the cells that have started by `now`, at least one.
    #[inline]
    pub fn started(&self, now: Time) -> u32 {
        let later = now.since(self.next).ps() / self.spacing.ps();
        u32::try_from(later + 1).map_or(self.cells, |cells| cells.min(self.cells))
    }

    /// Start of the last cell.
    pub fn last(&self) -> Time {
        self.next + self.spacing * u64::from(self.cells - 1)
    }

    /// The commitment without its next `cells` cells; none if no cells are left.
    #[inline]
    pub fn without(self, cells: u32) -> Option<Commitment> {
        (self.cells > cells).then(|| Commitment {
            cells: self.cells - cells,
            next: self.next + self.spacing * u64::from(cells),
            ..self
        })
    }

    /// No cell of the commitment leaves.
    pub fn recall(self) -> CommitmentChange {
        CommitmentChange::Recalled(self.cells, self.next - self.spacing)
    }

    /// The same cells, the first at `next`, and `spacing` apart.
    pub fn respace(self, next: Time, spacing: Duration) -> Commitment {
        Commitment {
            next,
            spacing,
            ..self
        }
    }
}
