//! The units in an output port, and their waiting times. Little's law connects the two.

use kernel::Duration;

/// The queue of a port, and the transmission in progress, at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Number of units waiting: cells, or octets on the wire.
    pub waiting: u64,
    /// Length of the queue: the same number, unless packets take whole cells of a memory.
    pub queue: u64,
    /// Sum of the remaining waiting times of the waiting units, in picoseconds.
    pub rest: u128,
    /// Remaining time of the transmission in progress.
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
