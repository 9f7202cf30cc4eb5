//! The units in an output port, and their waiting times: the two sides of Little's law.

use kernel::Duration;

/// Queue of a port, and its transmission under way, at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Number of units waiting.
    pub waiting: u64,
    /// Sum of the remaining waiting times of these units, in picoseconds.
    pub rest: u128,
    /// Remaining time of the transmission under way.
    pub serving: Duration,
}

/// Waiting and idle times at a port since the last reading.
#[derive(Clone, Copy, Debug, Default)]
pub struct Elapsed {
    /// Sum of the waiting times of cells, in picoseconds.
    pub waited: u128,
    /// Time in which the link was idle because all cells waited for credit.
    pub stalled: Duration,
}
