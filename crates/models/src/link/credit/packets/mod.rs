//! The two ends of a direction of a link with credits for whole packets: see `cbfc.rs`, which names
//! the sources.
//!
//! [`CbfcSender`] keeps the credits in use within the limit, and [`CbfcReceiver`] counts what it stores
//! and frees. The two know no link, so tests drive them with a few calls.

mod cost;
mod receiver;
mod sender;
mod shared;

pub use cost::PacketCost;
pub use receiver::{CbfcReceiver, CbfcReceiverMeter, ReceivedVcCredits};
pub use sender::{CbfcSender, CbfcSenderMeter, VcCredits};
pub use shared::{CreditPool, CreditThreshold, SharedCreditsSpec};

use kernel::Duration;

use crate::wire::priority::{Priority, PrioritySet};

/// The credits for whole packets of one direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CbfcTerms {
    /// The priorities whose packets need credits, each of which is a virtual channel.
    pub priorities: PrioritySet,
    /// Credit limit of each virtual channel, without shared credits.
    pub limit: u32,
    /// Credits that virtual channels share; none if there are no such credits.
    pub shared: Option<CreditPool>,
    /// Credits of a packet.
    pub cost: PacketCost,
    /// Least time from the start of a `CF_Update` to that of the next.
    pub min_spacing: Duration,
    /// Longest time from the start of a `CF_Update` of a virtual channel until its next one is due.
    pub max_spacing: Duration,
    /// Time from the start of a `CC_Update` until the next is due.
    pub cc_timer: Duration,
}

impl CbfcTerms {
    /// Most credits in use of a virtual channel.
    pub fn most(&self, vc: Priority) -> u64 {
        self.most_of([vc].into_iter().collect())
    }

    /// Most credits in use of some virtual channels together.
    pub fn most_of(&self, vcs: PrioritySet) -> u64 {
        let reserved = u64::from(self.limit) * vcs.len();
        let shared = self.shared.map_or(0, |shared| {
            let each = shared.alone() * vcs.and(shared.users).len();
            each.min(shared.credits())
        });
        reserved + shared
    }
}

#[cfg(test)]
mod tests;
