//! The queues of an output: one FIFO queue, or several among which a scheduler chooses.

mod fifo;
mod heads;
mod lists;
mod packets;
mod scheduled;

pub use fifo::FixedFifo;
pub use lists::{Spot, Taken};
pub use packets::PacketFifo;
pub use scheduled::ScheduledQueue;
