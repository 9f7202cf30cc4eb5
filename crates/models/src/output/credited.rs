//! Credit-based flow control at an output, which waits for the credits of its own link and sends
//! credits for another link: the FCVC of Kung and Chapman, 1993 (see `credit/counts.rs`).

use kernel::{Duration, Time};

use super::control::AbrControl;
use super::port::Output;
use super::queue::ScheduledQueue;
use super::queueing::Queue;
use crate::link::credit::CreditReading;
use crate::metrics::Series;
use crate::wire::cell::Cell;
use crate::wire::unit::Outlet;
use crate::wire::vc::Vc;

impl<C: AbrControl<Cell>> Output<Cell, C> {
    fn scheduled(&self) -> Option<&ScheduledQueue<Cell>> {
        match &self.queue {
            Queue::Fifo { .. } => None,
            Queue::Scheduled(scheduled) => Some(&scheduled.queue),
        }
    }

    /// Number of cells sent on a VC, for a check cell; none if credits have acknowledged all of
    /// them.
    pub fn unsettled(&self, vc: Vc) -> Option<u32> {
        self.scheduled()?.unsettled(vc)
    }

    /// The credit of a VC, for gauges; none if the link is not controlled.
    pub fn allowance(&self, vc: Vc) -> Option<CreditReading> {
        self.scheduled()?.allowance(vc)
    }

    /// Hands over the recorded credit of each virtual channel, up to and including `now`.
    pub fn take_credit(&mut self, now: Time) -> Vec<(Vc, Series)> {
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            return Vec::new();
        };
        let sender = scheduled.queue.credit_sender_mut();
        let recorded = sender.map(|sender| sender.take_recorded(now));
        let recorded = recorded.unwrap_or_default();
        (0u32..).map(Vc).zip(recorded).collect()
    }

    /// A credit arrives: the far end of the link has forwarded `forwarded` cells of a virtual
    /// channel.
    ///
    /// # Panics
    /// If cells leave in order of arrival: a FIFO output does not wait for credit.
    pub fn on_credit(&mut self, now: Time, vc: Vc, forwarded: u32) {
        self.catch_up_if_due(now);
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("a FIFO output receives no credits")
        };
        let queue = &mut scheduled.queue;
        self.meter.elapsed(queue.elapsed(now));
        queue.on_credit(now, vc, forwarded);
    }

    /// Sends a credit or a check cell, before all waiting cells.
    ///
    /// # Panics
    /// If cells leave in order of arrival.
    pub fn send_first(&mut self, now: Time, credit: &Cell, out: &mut Outlet<'_>) {
        self.catch_up_if_due(now);
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("lowering gives controlled switches scheduled queues")
        };
        let queue = &mut scheduled.queue;
        self.meter.elapsed(queue.elapsed(now));
        let starts = queue.send_first(now, credit, self.pace);
        let (end, queued) = (queue.line().free_at(), queue.queued());
        let vc = credit.vc.index();
        self.balance.offer(1);
        self.meter.accept(vc, 1, false, Duration::ZERO, queued);
        self.meter.credit();
        if starts {
            self.send(now, end, credit, out);
        }
    }
}
