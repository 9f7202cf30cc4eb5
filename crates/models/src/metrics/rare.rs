//! Counters that few ports need, kept apart so that the other ports stay small.

use kernel::Duration;

use super::bursts::Bursts;
use super::cause_counts::CauseCounts;

/// What only a port that drops or marks units, sends credits or control frames, or waits for credit has.
#[derive(Clone, Debug, Default)]
pub(super) struct Rare {
    /// Drops by cause.
    pub(super) causes: CauseCounts,
    pub(super) counts: RareCounts,
}

impl Rare {
    /// Restarts the counters.
    pub(super) fn begin(&mut self) {
        self.causes.begin();
        self.counts = self.counts.begun();
    }
}

/// Counters that few ports need; a reading has them as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct RareCounts {
    /// Bursts of drops.
    pub bursts: Bursts,
    /// Accepted units that were dropped later.
    pub removed: u64,
    /// Units marked, if the output marks.
    pub marked: Option<u64>,
    /// Credits and check cells sent, if the port sends any.
    pub credits: Option<u64>,
    /// Octets of the control frames sent, if the port sends any.
    pub link_control: Option<u64>,
    /// Packets trimmed, if the output trims any.
    pub trimmed: Option<TrimmedPackets>,
    /// Packets that went back to their senders, if the output returns any.
    pub returned: Option<ReturnedPackets>,
    /// Time in which the link was idle because all cells waited for credit, on a link with credit.
    pub stalled: Option<Duration>,
}

impl RareCounts {
    /// The counters of the same port, from zero again.
    fn begun(self) -> RareCounts {
        RareCounts {
            bursts: Bursts::default(),
            removed: 0,
            marked: self.marked.map(|_| 0),
            credits: self.credits.map(|_| 0),
            link_control: self.link_control.map(|_| 0),
            trimmed: self.trimmed.map(|_| TrimmedPackets::default()),
            returned: self.returned.map(ReturnedPackets::begun),
            stalled: self.stalled.map(|_| Duration::ZERO),
        }
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

impl ReturnedPackets {
    fn begun(self) -> ReturnedPackets {
        ReturnedPackets { counted: 0, ..self }
    }
}
