//! The queues of an output: units in order of arrival with one buffer, or queues with a scheduler.

use kernel::Time;

use super::admission::{BufferGate, BufferLayout};
use super::control::Queues;
use super::queue::{FifoQueue, Queued, ScheduledQueue};
use super::scheduled::Scheduled;
use super::scheduler::Scheduling;
use crate::wire::class::Class;

/// The queues of an output, with their buffers.
pub enum Queueing {
    /// One buffer; units leave in order of arrival.
    Fifo(BufferGate),
    /// Buffers, and a scheduler that chooses among their queues.
    Scheduled(BufferLayout, Scheduling),
}

pub(super) enum Queue<U: Queued> {
    /// Units are committed to the link when they are accepted.
    Fifo { queue: U::Fifo, gate: BufferGate },
    /// Units are committed when their transmission starts.
    Scheduled(Box<Scheduled<U>>),
}

impl<U: Queued> Queue<U> {
    pub(super) fn new(
        pace: U::Pace,
        measure: U::Measure,
        queueing: Queueing,
        classes: &[Class],
    ) -> Queue<U> {
        let scheduled = match queueing {
            Queueing::Fifo(gate) if gate.pushes_out() && U::HAS_PRIORITY => {
                Scheduled::pushing_out(gate, classes, measure)
            }
            Queueing::Fifo(gate)
                if gate.decides_at_departure()
                    || (gate.trims_to().is_some() && !U::IS_CELL)
                    || !U::is_sent_as_stored(measure) =>
            {
                let layout = BufferLayout::One(gate);
                Scheduled::new(layout, Scheduling::one_by_one(), classes, measure)
            }
            Queueing::Fifo(gate) => {
                let queue = U::Fifo::new(pace);
                return Queue::Fifo { queue, gate };
            }
            Queueing::Scheduled(layout, scheduling) => {
                Scheduled::new(layout, scheduling, classes, measure)
            }
        };
        Queue::Scheduled(Box::new(scheduled))
    }

    /// True if a discard policy follows each unit that starts.
    pub(super) fn follows_starts(&self) -> bool {
        match self {
            Queue::Fifo { gate, .. } => gate.follows_queue(),
            Queue::Scheduled(scheduled) => scheduled.follows_starts(),
        }
    }

    /// Units that wait at `now`.
    #[inline]
    pub(super) fn waiting(&mut self, now: Time) -> u64 {
        match self {
            Queue::Fifo { queue, .. } => queue.waiting(now),
            Queue::Scheduled(scheduled) => scheduled.queue.waiting(now),
        }
    }

    /// Queue lengths at `now`, as the rate allocator sees them.
    pub(super) fn queues(&mut self, now: Time) -> Queues<'_> {
        match self {
            Queue::Fifo { queue, .. } => Queues::of(queue.waiting(now)),
            Queue::Scheduled(scheduled) => queues(&scheduled.queue, now),
        }
    }
}

/// Lengths of scheduled queues at `now`, as the rate allocator sees them.
pub(super) fn queues<U: Queued>(queue: &ScheduledQueue<U>, now: Time) -> Queues<'_> {
    if queue.is_one() {
        return Queues::of(queue.waiting(now));
    }
    Queues {
        abr: queue.waiting_in(Class::Abr, now),
        by_class: queue.queued_by_class(),
    }
}

impl Queueing {
    /// The queues of an output with these buffers. A scheduler chooses the next unit; without one,
    /// units leave in order of arrival.
    ///
    /// # Panics
    /// If units that leave in order of arrival wait in several buffers, which lowering refuses.
    pub fn new(layout: BufferLayout, scheduling: Option<Scheduling>) -> Queueing {
        match (scheduling, layout) {
            (Some(scheduling), layout) => Queueing::Scheduled(layout, scheduling),
            (None, BufferLayout::One(gate)) => Queueing::Fifo(gate),
            (
                None,
                BufferLayout::PerClass(_) | BufferLayout::PerVc(_) | BufferLayout::PerQueue(_),
            ) => {
                unreachable!("a FIFO output has one buffer")
            }
        }
    }

    /// True if a buffer has a marking rule.
    pub(super) fn marks(&self) -> bool {
        match self {
            Queueing::Fifo(gate) => gate.marks(),
            Queueing::Scheduled(layout, _) => layout.gates().iter().any(BufferGate::marks),
        }
    }

    /// True if packets that do not fit are trimmed.
    pub(super) fn trims(&self) -> bool {
        match self {
            Queueing::Fifo(gate) => gate.trims_to().is_some(),
            Queueing::Scheduled(layout, _) => layout.trims_to().is_some(),
        }
    }

    /// True if packets that do not fit even when they are trimmed go back to their senders.
    pub(super) fn returns(&self) -> bool {
        match self {
            Queueing::Fifo(gate) => gate.returns(),
            Queueing::Scheduled(layout, _) => layout.returns(),
        }
    }

    /// True if units wait for credit.
    pub(super) fn waits_for_credit(&self) -> bool {
        matches!(self, Queueing::Scheduled(_, scheduling) if scheduling.waits_for_credit())
    }
}
