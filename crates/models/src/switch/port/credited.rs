//! An output port whose link is controlled by credits, or which sends them.

use kernel::{Duration, Time};

use super::{OutputPort, Queue};
use crate::cell::Cell;
use crate::credit::{Allowance, Room};
use crate::loss::LossyEnd;
use crate::metrics::Series;
use crate::unit::Outlet;
use crate::vc::Vc;

impl OutputPort {
    /// From the start on, a cell leaves only if the far end of the link has room for it.
    pub fn wait_for_credit(&mut self, room: Room) {
        if let Queue::Chosen(queue) = &mut self.queue {
            queue.control(room);
            self.admission.meter.wait_for_credit();
        }
    }

    /// From the start on, the link loses some of what is sent, when it is sent.
    pub fn lose(&mut self, end: LossyEnd) {
        if let Queue::Chosen(queue) = &mut self.queue {
            queue.loss = Some(Box::new(end));
            self.is_watched = true;
        }
    }

    /// What the link loses of what is sent.
    pub fn loss(&self) -> Option<&LossyEnd> {
        match &self.queue {
            Queue::InOrder(_) => None,
            Queue::Chosen(queue) => queue.loss.as_deref(),
        }
    }

    /// The same, to be changed.
    pub fn loss_mut(&mut self) -> Option<&mut LossyEnd> {
        match &mut self.queue {
            Queue::InOrder(_) => None,
            Queue::Chosen(queue) => queue.loss.as_deref_mut(),
        }
    }

    /// Whether the link loses a cell that starts now, and all that belongs to it.
    pub(super) fn loses(&mut self, now: Time, cell: &Cell, out: &mut Outlet<'_>) -> bool {
        let lost = self.loss_mut().is_some_and(|end| end.loses_cell(now, cell));
        if lost {
            cell.release(out.cargo);
        }
        lost
    }

    /// Cells sent of a channel, unless the far end of the link has told that it has forwarded them all.
    pub fn unsettled(&self, vc: Vc) -> Option<u32> {
        match &self.queue {
            Queue::InOrder(_) => None,
            Queue::Chosen(queue) => queue.unsettled(vc),
        }
    }

    /// What an observer may see of the credit of a channel, if the link is controlled.
    pub fn allowance(&self, vc: Vc) -> Option<Allowance> {
        match &self.queue {
            Queue::InOrder(_) => None,
            Queue::Chosen(queue) => queue.allowance(vc),
        }
    }

    /// Gives away what was recorded of the credit of each channel up to and including `now`.
    pub fn take_credit(&mut self, now: Time) -> Vec<(Vc, Series)> {
        let Queue::Chosen(queue) = &mut self.queue else {
            return Vec::new();
        };
        let recorded = queue.grants_mut().map(|grants| grants.take_recorded(now));
        let recorded = recorded.unwrap_or_default();
        (0u32..).map(Vc).zip(recorded).collect()
    }

    /// A credit arrives: the far end of the link has forwarded so many cells of a channel.
    pub fn learn(&mut self, now: Time, vc: Vc, forwarded: u32) {
        if now >= self.look_at {
            self.catch_up(now);
        }
        if let Queue::Chosen(queue) = &mut self.queue {
            self.admission.meter.elapsed(queue.elapsed(now));
            queue.learn(now, vc, forwarded);
        }
    }

    /// Sends a credit or a check before all that waits.
    pub fn urge(&mut self, now: Time, credit: &Cell, out: &mut Outlet<'_>) {
        if now >= self.look_at {
            self.catch_up(now);
        }
        let Queue::Chosen(queue) = &mut self.queue else {
            unreachable!("lowering sees to it that controlled switches choose what to send")
        };
        let meter = &mut self.admission.meter;
        meter.elapsed(queue.elapsed(now));
        let starts = queue.urge(now, credit, self.cell_time);
        meter.accept(credit.vc.index(), 1, false, Duration::ZERO, queue.held());
        meter.credit();
        if starts {
            self.send(now, credit, out);
        }
    }
}
