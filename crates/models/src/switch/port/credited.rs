//! An output port whose link is controlled by credits, or which sends them.

use kernel::{Duration, Time};

use super::{OutputPort, Queue};
use crate::cell::Cell;
use crate::credit::{Allowance, Room};
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
