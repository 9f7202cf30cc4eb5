//! Outputs: the buffer, discard policy, scheduler and queues in front of a link.

pub mod admission;
pub mod average;
pub mod buffer;
pub mod classes;
pub mod discard;
pub mod mark;
pub mod numbers;
pub mod pdus;
pub mod queue;
pub mod scheduler;
pub mod services;
pub mod shares;
pub mod tagged;
pub mod transmitter;
