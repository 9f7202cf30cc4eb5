//! Cells committed behind a run: the next RM cell, and the data cells behind it.
//!
//! After an RM cell has come back, the next one usually leaves before another comes. So it is put
//! on the link at once, with its start time, and the host need not act then. If an RM cell that
//! changes the rate arrives before that time, the host takes the committed one back from the link,
//! before any node has seen it.

use kernel::Time;

/// An RM cell that has not started, and the data cells behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// Start of the RM cell.
    pub at: Time,
    /// Number of data cells behind it, at least one.
    pub data: u32,
    /// Number of units on the link.
    pub units: u32,
    /// Start of the cell before them.
    pub last: Time,
}
