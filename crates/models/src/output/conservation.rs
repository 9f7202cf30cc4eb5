//! Conservation at an output: each unit offered was dropped, was sent, or waits.

use super::port::Output;
#[cfg(debug_assertions)]
use super::port::Queue;
use super::queued::Queued;

/// The units that were offered to an output and the units that started, since the start of the run.
/// The counts are independent of the meter and check it; only builds with debug assertions keep
/// them.
#[derive(Debug, Default)]
pub(super) struct Passage {
    #[cfg(debug_assertions)]
    offered: u64,
    #[cfg(debug_assertions)]
    sent: u64,
}

#[cfg(debug_assertions)]
impl Passage {
    /// `size` units are offered.
    pub(super) fn offer(&mut self, size: u64) {
        self.offered += size;
    }

    /// `size` units start, or are committed to the link with their later start.
    pub(super) fn send(&mut self, size: u64) {
        self.sent += size;
    }
}

#[cfg(not(debug_assertions))]
impl Passage {
    #[inline]
    pub(super) fn offer(&mut self, _size: u64) {}

    #[inline]
    pub(super) fn send(&mut self, _size: u64) {}
}

impl<U: Queued, C> Output<U, C> {
    /// Asserts the conservation of units over the run. A unit that is pushed out counts as dropped,
    /// so the accepted units are those sent and those that wait.
    pub(super) fn assert_units_conserved(&self) {
        self.meter.assert_drops_add_up();
        #[cfg(debug_assertions)]
        self.assert_passage();
    }

    #[cfg(debug_assertions)]
    fn assert_passage(&self) {
        let waiting = match &self.queue {
            Queue::Fifo { .. } => 0,
            Queue::Scheduled(scheduled) => scheduled.queue.held(),
        };
        let (meter, passage) = (&self.meter, &self.passage);
        assert_eq!(
            meter.offered_ever(),
            passage.offered,
            "offered = accepted + dropped"
        );
        assert_eq!(
            meter.accepted_ever().units,
            passage.sent + waiting,
            "accepted = sent + waiting"
        );
    }
}
