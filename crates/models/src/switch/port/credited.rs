//! An output port whose link is controlled by credits, or which sends them.

use kernel::{Duration, Time};

use super::{OutputPort, Queue};
use crate::cell::Cell;
use crate::credit::Room;
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

    /// Sends a credit before all that waits.
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
