//! What waits at an output: a queue that is served in order of arrival, or queues of which a
//! scheduler chooses.

mod fifo;
mod lists;
mod packets;
mod scheduled;

pub use fifo::FixedFifo;
pub use lists::{Lists, Spot, Taken};
pub use packets::PacketFifo;
pub use scheduled::ScheduledQueue;

use kernel::Time;

use super::queued::Queued;
use crate::metrics::Backlog;

/// A queue that is served in order of arrival: a unit is committed to the link when it is accepted.
pub trait FifoQueue<U: Queued> {
    /// An empty queue in front of a link.
    fn new(pace: U::Pace) -> Self;

    /// What waits at `now`: the unit that starts at `now` has left the buffer.
    fn waiting(&mut self, now: Time) -> u64;

    /// Takes in a unit at `now`, when `waiting` waits before a link of this pace.
    fn accept(&mut self, now: Time, waiting: u64, unit: &U, pace: U::Pace) -> Departure;

    /// What is there at `now`.
    fn backlog(&mut self, now: Time) -> Backlog;
}

/// When a unit that was accepted is sent.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// When it starts.
    pub start: Time,
    /// When all of it has been sent.
    pub end: Time,
    /// What waits once it has been accepted.
    pub waiting: u64,
}
