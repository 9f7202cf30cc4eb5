//! Cells that leave an output port in another order than they came in.

use kernel::{Duration, Time};

use super::pushing_out::admits_pushing_out;
use super::{OutputPort, Queue, queues};
use crate::cell::{Cell, Kind};
use crate::output::admission::{Admission, Waiting};
use crate::output::queue::{Chosen, Taken};
use crate::switch::rate::Passing;
use crate::unit::Outlet;
use crate::vc::Vc;

impl OutputPort {
    /// Offers a cell, when what is due has been done; whether it waits there to be chosen.
    #[inline(never)]
    pub(super) fn offer_chosen(
        &mut self,
        now: Time,
        seen: Time,
        cell: &mut Cell,
        elsewhere: u64,
        out: &mut Outlet<'_>,
    ) -> bool {
        let Queue::Chosen(queue) = &mut self.queue else {
            unreachable!("the queue is served in another order")
        };
        let marks = self.control.as_deref_mut().is_some_and(|control| {
            let at = Passing {
                now,
                vc: cell.vc,
                queues: queues(queue, seen),
            };
            control.on_offer(at, cell, out.cargo)
        });
        let admitted = if self.admission.is_apart() {
            let at = At { now, seen };
            admits_apart(&mut self.admission, queue, at, cell, elsewhere, out)
        } else {
            let waiting = Waiting {
                at: now,
                here: queue.waiting(seen),
                elsewhere,
            };
            self.admission.admits(cell, 1, waiting)
        };
        if !admitted {
            if let Some(meters) = &mut self.class_meters {
                meters[queue.class(cell.vc).index()].refuse();
            }
            self.refuse(now, cell, out);
            return false;
        }
        if marks {
            self.admission.mark(cell);
        }
        let meter = &mut self.admission.meter;
        meter.elapsed(queue.elapsed(now));
        let starts = queue.accept(now, cell, self.cell_time);
        let (vc, waiting) = (cell.vc.index(), queue.held());
        meter.accept(vc, 1, cell.eom, Duration::ZERO, waiting);
        if let Some(meters) = &mut self.class_meters {
            let class = queue.class(cell.vc);
            let (meter, held) = (&mut meters[class.index()], queue.held_in(class));
            meter.waited(now, held - u64::from(!starts));
            meter.accept(held);
            if starts {
                meter.start(now, Duration::ZERO);
            }
        }
        if starts {
            self.send(now, cell, out);
        } else if self.admission.follows_channels() {
            self.note_waiting(cell);
        }
        !starts
    }

    /// Tells a policy of a cell that waits, which has just joined.
    fn note_waiting(&mut self, cell: &Cell) {
        let Queue::Chosen(queue) = &self.queue else {
            return;
        };
        if let Some(shares) = self.admission.shares_in(queue.class(cell.vc)) {
            shares.join(cell.vc, 1);
        } else if let Some(tagged) = self.admission.tagged() {
            tagged.join(cell, queue.last_place());
        }
    }

    /// Starts the cell that the scheduler chooses, when what is due has been done; of which channel,
    /// unless it is a credit.
    #[inline]
    pub(super) fn serve_chosen(&mut self, now: Time, out: &mut Outlet<'_>) -> Option<Vc> {
        let Queue::Chosen(queue) = &mut self.queue else {
            unreachable!("the queue is served in another order")
        };
        self.admission.meter.elapsed(queue.elapsed(now));
        let Taken {
            unit: cell, since, ..
        } = queue.serve(now, self.cell_time);
        let is_passing = matches!(cell.kind, Kind::Data | Kind::Rm);
        if is_passing && let Some(shares) = self.admission.shares_in(queue.class(cell.vc)) {
            shares.leave(cell.vc, 1);
        }
        if let Some(meters) = &mut self.class_meters {
            let class = queue.class(cell.vc);
            let meter = &mut meters[class.index()];
            meter.waited(now, queue.held_in(class) + 1);
            meter.start(now, now.since(since));
        }
        self.send(now, &cell, out);
        is_passing.then_some(cell.vc)
    }
}

/// When a cell is offered.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub now: Time,
    /// It finds what waited then.
    pub seen: Time,
}

/// Whether a cell joins where channels or classes are told apart, or what waits is.
fn admits_apart(
    admission: &mut Admission,
    queue: &mut Chosen,
    at: At,
    cell: &mut Cell,
    elsewhere: u64,
    out: &mut Outlet<'_>,
) -> bool {
    let At { now, seen } = at;
    if admission.is_by_class() {
        let class = queue.class(cell.vc);
        let here = queue.waiting_in(class, seen);
        return admission.admits_in(class, now, cell, here);
    }
    if admission.tagged().is_some() {
        return admits_pushing_out(admission, queue, at, cell, out);
    }
    let here = if admission.is_by_channel() {
        queue.waiting_on(cell.vc, seen)
    } else {
        queue.waiting(seen)
    };
    let waiting = Waiting {
        at: now,
        here,
        elsewhere,
    };
    admission.admits(cell, 1, waiting)
}
