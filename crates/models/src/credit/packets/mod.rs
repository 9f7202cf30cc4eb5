//! The two ends of a direction of a link with credits for whole packets: see `cbfc.rs`, which names
//! the sources.
//!
//! [`CbfcSender`] keeps the credits in use within the limit, and [`CbfcReceiver`] counts what it stores
//! and frees. The two know no link, so tests drive them with a few calls.

mod cost;
mod receiver;
mod sender;

pub use cost::PacketCost;
pub use receiver::{CbfcReceiver, CbfcReceiverMeter};
pub use sender::{CbfcSender, CbfcSenderMeter};

use kernel::Duration;

use crate::wire::priority::PrioritySet;

/// The credits for whole packets of one direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CbfcTerms {
    /// The priorities whose packets need credits, each of which is a virtual channel.
    pub priorities: PrioritySet,
    /// Credit limit of each virtual channel.
    pub limit: u32,
    /// Credits of a packet.
    pub cost: PacketCost,
    /// Least time from the start of a `CF_Update` to that of the next.
    pub min_spacing: Duration,
    /// Longest time from the start of a `CF_Update` of a virtual channel until its next one is due.
    pub max_spacing: Duration,
    /// Time from the start of a `CC_Update` until the next is due.
    pub cc_timer: Duration,
}

#[cfg(test)]
mod tests;
