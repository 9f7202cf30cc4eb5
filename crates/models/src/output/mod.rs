//! Outputs: the buffers, discard policy, queues, scheduler and transmitter in front of a link.
//!
//! ```text
//!  offer --> admission ------------> queue ---------------> transmitter --> link
//!            gate of each buffer:    FIFO, committed at     lose, note,
//!            discard policy, mark    once; or scheduled     gather, commit
//! ```
//!
//! [`Output`] joins these parts, for cells and for whole packets alike; [`units`] holds what
//! differs between them.

pub mod admission;
mod average;
pub mod buffer;
mod choice;
pub mod classes;
pub mod closed_form;
mod conservation;
pub mod control;
mod controlled_delay;
mod credited;
mod deciding;
mod decision;
mod departures;
pub mod discard;
mod intact;
mod low_priority;
pub mod mark;
pub(crate) mod number_set;
mod pdus;
mod port;
mod queue;
mod queued;
mod reading;
mod scheduled;
pub mod scheduler;
pub(crate) mod service_times;
pub mod shares;
pub mod stretch;
pub mod transmitter;
mod units;

pub use port::{Output, Queueing};
pub use reading::Port;
