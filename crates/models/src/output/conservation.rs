//! Conservation at an output: each unit offered was dropped, was sent, or waits.

use super::port::{Output, Queue};
use super::queued::Queued;

/// The units that came to an output and that started, since the start of the run. They are counted
/// apart from the meter, to check it, and only where debug assertions are on.
#[derive(Debug, Default)]
pub(super) struct Passage {
    offered: u64,
    sent: u64,
}

impl Passage {
    /// `size` units are offered.
    #[inline]
    pub(super) fn offer(&mut self, size: u64) {
        if cfg!(debug_assertions) {
            self.offered += size;
        }
    }

    /// `size` units start, or are committed to the link with their later start.
    #[inline]
    pub(super) fn send(&mut self, size: u64) {
        if cfg!(debug_assertions) {
            self.sent += size;
        }
    }
}

impl<U: Queued, C> Output<U, C> {
    /// Asserts the conservation of units over the run. A unit that is pushed out counts as dropped,
    /// so the accepted units are those sent and those that wait.
    pub(super) fn assert_units_conserved(&self) {
        self.meter.assert_drops_add_up();
        if !cfg!(debug_assertions) {
            return;
        }
        let Passage { offered, sent } = self.passage;
        let waiting = match &self.queue {
            Queue::Fifo { .. } => 0,
            Queue::Scheduled(scheduled) => scheduled.queue.held(),
        };
        assert_eq!(
            self.meter.offered_ever(),
            offered,
            "offered = accepted + dropped"
        );
        assert_eq!(
            self.meter.accepted_ever().units,
            sent + waiting,
            "accepted = sent + waiting"
        );
    }
}
