//! Counters that few ports need, kept apart so that the other ports stay small.

use kernel::Duration;

use super::bursts::Bursts;
use super::cause_counts::CauseCounts;

/// Counters of a port that drops or marks units, sends credits or control frames, or waits for credit.
#[derive(Clone, Debug, Default)]
pub(super) struct Rare {
    /// Drops by cause.
    pub(super) causes: CauseCounts,
    /// Bursts of drops.
    pub(super) bursts: Bursts,
    /// Accepted units that were dropped later.
    pub(super) removed: u64,
    /// Units marked, if the output marks.
    pub(super) marked: Option<u64>,
    /// Credits and check cells sent, if the port sends any.
    pub(super) sent: Option<u64>,
    /// Octets of the control frames sent, if the port sends any.
    pub(super) link_control: Option<u64>,
    /// Packets trimmed, if the output trims any.
    pub(super) trimmed: Option<TrimmedPackets>,
    /// Packets that went back to their senders, if the output returns any.
    pub(super) returned: Option<ReturnedPackets>,
    /// Time in which the link was idle because all cells waited for credit, on a link with credit.
    pub(super) stalled: Option<Duration>,
}

impl Rare {
    /// Restarts the counters.
    pub(super) fn begin(&mut self) {
        self.causes.begin();
        self.bursts = Bursts::default();
        self.removed = 0;
        self.marked = self.marked.map(|_| 0);
        self.sent = self.sent.map(|_| 0);
        self.link_control = self.link_control.map(|_| 0);
        self.trimmed = self.trimmed.map(|_| TrimmedPackets::default());
        if let Some(returned) = &mut self.returned {
            returned.counted = 0;
        }
        self.stalled = self.stalled.map(|_| Duration::ZERO);
    }
}

/// Packets that an output has trimmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrimmedPackets {
    /// All of them.
    pub all: u64,
    /// Trimmed packets that did not fit into their queue, and were dropped.
    pub dropped: u64,
    /// Trimmed packets that did not fit into their queue, and went back to their senders.
    pub returned: u64,
}

/// Packets that did not fit even when they were trimmed, and went back to their senders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReturnedPackets {
    /// Since counting began.
    pub counted: u64,
    /// Since the start of the run, for the conservation laws.
    pub ever: u64,
}
