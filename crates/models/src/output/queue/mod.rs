//! The queues of an output: one FIFO queue, or several among which a scheduler chooses.

mod fifo;
mod lists;
mod packets;
mod scheduled;

pub use fifo::FixedFifo;
pub use lists::{Spot, Taken};
pub use packets::PacketFifo;
pub use scheduled::ScheduledQueue;

use kernel::Time;

use super::queued::Queued;
use crate::metrics::Backlog;

/// A FIFO queue: a unit is committed to the link when it is accepted.
pub trait FifoQueue<U: Queued> {
    /// An empty queue in front of a link.
    fn new(pace: U::Pace) -> Self;

    /// Units that wait at `now`, without a unit that starts at `now`.
    fn waiting(&mut self, now: Time) -> u64;

    /// Adds a unit at `now`, when `waiting` units wait for a link with the speed `pace`.
    fn accept(&mut self, now: Time, waiting: u64, unit: &U, pace: U::Pace) -> Departure;

    /// The waiting units and the transmission under way at `now`.
    fn backlog(&mut self, now: Time) -> Backlog;
}

/// The transmission of an accepted unit.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Time of its start.
    pub start: Time,
    /// End of the transmission.
    pub end: Time,
    /// Units that wait once the unit has been accepted.
    pub waiting: u64,
}
