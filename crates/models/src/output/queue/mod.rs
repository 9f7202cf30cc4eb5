//! The queues of an output: one FIFO queue, or several among which a scheduler chooses.

mod fifo;
mod gated;
mod heads;
mod intact;
mod lists;
mod low_priority;
mod packets;
mod queued;
mod scheduled;
mod units;
mod waiting;

pub use fifo::FixedFifo;
pub use intact::Intact;
pub use lists::{Lists, Spot, Taken};
pub use low_priority::LowPriority;
pub use packets::PacketFifo;
pub use queued::{Departure, FifoQueue, Queued, UnitLength};
pub use scheduled::ScheduledQueue;
