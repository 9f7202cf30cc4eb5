//! The output port of a switch: a buffer, a discard policy, a scheduler and a link.
//!
//! This file may be written for speed. Cells that leave in another order than they came in are the
//! business of [`chosen`], and what a port tells of itself that of [`reading`].

mod chosen;
mod credited;
mod pushing_out;
mod reading;

use kernel::{Duration, Time};

use super::rate::{Control, Passing, Queues};
use crate::cell::Cell;
use crate::class::Class;
use crate::frame::FrameId;
use crate::metrics::{ClassMeter, Dropped, QueueSeries};
use crate::output::admission::{Admission, Waiting};
use crate::output::queue::{Chosen, InOrder};
use crate::output::scheduler::Service;
use crate::output::scheduler::fifo::OneByOne;
use crate::output::transmitter::Transmitter;
use crate::unit::Outlet;
use crate::vc::Vc;

/// An output port.
pub struct OutputPort {
    /// The way onto the link.
    pub transmitter: Transmitter,
    /// True if an allocator or a discard policy follows the cells that start.
    is_followed: bool,
    /// Time to send a cell.
    cell_time: Duration,
    admission: Admission,
    queue: Queue,
    /// What is counted of each, where they are told apart.
    class_meters: Option<Box<[ClassMeter; Class::ALL.len()]>>,
    /// What tells ABR sources their rates, if anything does.
    control: Option<Box<Control>>,
    /// When the queue is next looked at, [`Time::NEVER`] unless it is recorded or an allocator asks.
    look_at: Time,
    series: Option<Box<QueueSeries>>,
}

enum Queue {
    /// Committed to the link when accepted.
    InOrder(InOrder),
    /// Committed when the link becomes free for them.
    Chosen(Box<Chosen>),
}

impl Queue {
    /// What waits at `now`, for an allocator.
    fn queues(&self, now: Time) -> Queues<'_> {
        match self {
            Queue::InOrder(queue) => Queues::of(queue.waiting(now)),
            Queue::Chosen(queue) => queues(queue, now),
        }
    }
}

/// The same of queues that are served as a scheduler chooses.
fn queues(queue: &Chosen, now: Time) -> Queues<'_> {
    if queue.is_one() {
        return Queues::of(queue.waiting(now));
    }
    Queues {
        abr: queue.waiting_in(Class::Abr, now),
        by_class: queue.held_by_class(),
    }
}

impl OutputPort {
    /// An empty port of virtual channels of these classes.
    pub fn new(
        transmitter: Transmitter,
        cell_time: Duration,
        mut admission: Admission,
        mut service: Service,
        classes: &[Class],
    ) -> OutputPort {
        // What is committed to the link cannot be pushed out.
        if admission.tagged().is_some() && matches!(service, Service::InOrder) {
            service = OneByOne::service();
        }
        let by_class = matches!(service, Service::Chosen { by_class: true, .. });
        OutputPort {
            transmitter,
            is_followed: admission.follows_channels(),
            cell_time,
            admission,
            queue: match service {
                Service::InOrder => Queue::InOrder(InOrder::new(cell_time)),
                Service::Chosen {
                    scheduler,
                    division,
                    ..
                } => Queue::Chosen(Box::new(Chosen::new(scheduler, division, classes))),
            },
            class_meters: by_class.then(Box::default),
            control: None,
            look_at: Time::NEVER,
            series: None,
        }
    }

    /// Lets an allocator tell ABR sources their rates from the start on.
    pub fn control(&mut self, control: Control) {
        if control.allocator.marks() {
            self.admission.meter.marked = Some(0);
        }
        self.look_at = self.look_at.min(control.allocator.due());
        self.is_followed |= control.allocator.counts_starts();
        self.control = Some(Box::new(control));
    }

    /// Does what is due until `now`, each at its own instant: since what waits changes only when a cell
    /// is offered or starts, it suffices to call this before.
    #[cold]
    fn catch_up(&mut self, now: Time) {
        let mut control = self.control.take();
        let mut due = Time::NEVER;
        if let Some(control) = &mut control {
            due = control.allocator.due();
            while due <= now {
                self.sample(due.just_before(), Some(control));
                due = control
                    .allocator
                    .act(self.queue.queues(due), now.just_before());
            }
        }
        self.sample(now, control.as_deref_mut());
        self.control = control;
        let sample = self.series.as_ref().map(|series| series.all.due());
        self.look_at = sample.unwrap_or(Time::NEVER).min(due);
    }

    /// An RM cell on this channel comes back by the input beside this output.
    pub fn on_return(&mut self, now: Time, vc: Vc, contents: FrameId, out: &mut Outlet<'_>) {
        if now >= self.look_at {
            self.catch_up(now);
        }
        if let Some(control) = &mut self.control {
            let queues = self.queue.queues(now);
            let at = Passing { now, vc, queues };
            control.on_return(at, contents, out.cargo);
        }
    }

    /// Offers a cell to the buffer, where it finds what waited at the instant `seen`, which is `now` or
    /// just before, and so many `elsewhere` in the same memory; whether it waits there to be chosen.
    #[inline]
    pub fn offer(
        &mut self,
        now: Time,
        seen: Time,
        cell: &mut Cell,
        elsewhere: u64,
        out: &mut Outlet<'_>,
    ) -> bool {
        if now >= self.look_at {
            self.catch_up(now);
        }
        let Queue::InOrder(queue) = &mut self.queue else {
            return self.offer_chosen(now, seen, cell, elsewhere, out);
        };
        let here = queue.waiting(seen);
        let control = self.control.as_deref_mut();
        let at = Passing {
            now,
            vc: cell.vc,
            queues: Queues::of(here),
        };
        let marks = control.is_some_and(|control| control.on_offer(at, cell, out.cargo));
        let waiting = Waiting {
            at: now,
            here,
            elsewhere,
        };
        if !self.admission.admits(cell, 1, waiting) {
            self.refuse(now, cell, out);
            return false;
        }
        if marks {
            self.admission.mark(cell);
        }
        let (start, waiting) = queue.accept(now, here);
        let (vc, wait) = (cell.vc.index(), start.since(now));
        self.admission.meter.accept(vc, 1, cell.eom, wait, waiting);
        self.send(start, cell, out);
        false
    }

    #[inline]
    fn refuse(&mut self, now: Time, cell: &Cell, out: &mut Outlet<'_>) {
        let dropped = Dropped {
            vc: cell.vc.index(),
            pdu: (!cell.is_rm()).then_some(cell.pdu),
            eom: cell.eom,
        };
        self.admission.meter.refuse(now, dropped, 1);
        cell.release(out.cargo);
    }

    /// Whether the port starts cells by itself, rather than commit them when they are accepted.
    pub fn acts(&self) -> bool {
        matches!(self.queue, Queue::Chosen(_))
    }

    /// When the port next starts a cell by itself, [`Time::NEVER`] if those it has are committed.
    #[inline]
    pub fn next_service(&self) -> Time {
        match &self.queue {
            Queue::InOrder(_) => Time::NEVER,
            Queue::Chosen(queue) => queue.next_service(),
        }
    }

    /// Starts a cell at `now`, which is [`OutputPort::next_service`]; of which channel, unless it is a
    /// credit.
    #[inline]
    pub fn serve(&mut self, now: Time, out: &mut Outlet<'_>) -> Option<Vc> {
        if now >= self.look_at {
            self.catch_up(now);
        }
        self.serve_chosen(now, out)
    }

    /// Commits a cell that starts at `start` to the link.
    // A call for each cell would cost more than all that happens here.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn send(&mut self, start: Time, cell: &Cell, out: &mut Outlet<'_>) {
        if self.is_followed {
            self.follow(start, *cell);
        }
        let end = start + self.cell_time;
        self.transmitter.cell(start, end, cell, out);
    }

    /// Tells an allocator and a discard policy that a cell starts at `start`.
    #[cold]
    #[inline(never)]
    fn follow(&mut self, start: Time, cell: Cell) {
        if let Some(tagged) = self.admission.tagged() {
            tagged.start(&cell);
        }
        if let Some(control) = &mut self.control {
            control.on_start(&cell, start);
            self.look_at = self.look_at.min(control.allocator.due());
        }
        // In order, it has just been accepted, and what will leave before it is known.
        if let (Queue::InOrder(_), Some(shares)) = (&self.queue, self.admission.shares()) {
            shares.join_until(start, cell.vc, 1);
        }
    }

    /// Cells that wait at `now`: the one that starts at `now` has left the buffer.
    #[inline]
    pub fn waiting(&mut self, now: Time) -> u64 {
        if now >= self.look_at {
            self.catch_up(now);
        }
        self.queued(now)
    }

    /// The same, when the samples due until `now` have been taken.
    #[inline]
    fn queued(&mut self, now: Time) -> u64 {
        match &mut self.queue {
            Queue::InOrder(queue) => queue.waiting(now),
            Queue::Chosen(queue) => queue.waiting(now),
        }
    }

    /// Cells that are not committed to the link, or have left towards a host while their PDU has not
    /// ended.
    pub fn held(&self) -> u64 {
        let queued = match &self.queue {
            Queue::InOrder(_) => 0,
            Queue::Chosen(queue) => queue.held(),
        };
        queued + self.transmitter.pending()
    }
}
