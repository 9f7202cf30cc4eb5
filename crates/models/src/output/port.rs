//! The output of a switch or a router: a buffer, a discard policy, queues and a transmitter.
//! ARCHITECTURE.md draws it, and `docs/decisions/0003-lindley-ports-and-trains.md` gives the reasons.
//!
//! This file may be written for speed.

use std::borrow::Borrow;

use kernel::Time;

use super::admission::Offer;
use super::admitted::Admission;
use super::conservation::UnitBalance;
use super::control::{AbrControl, Queues, Uncontrolled, UnitPassage};
use super::offered::{Offered, Served};
use super::queue::{Departure, FifoQueue, Queued};
use super::queueing::{Queue, Queueing, queues};
use super::scheduled::OfferInstant;
use super::trimmed::Trimmed;
use crate::link::transmitter::Transmitter;
use crate::metrics::{Cause, PortMeter, QueueSeries};
use crate::wire::cell::Cell;
use crate::wire::class::Class;
use crate::wire::contents::RmId;
use crate::wire::unit::Outlet;
use crate::wire::vc::Vc;

/// An output that queues units `U`, cells or packets, with a control `C` of ABR rates.
pub struct Output<U: Queued, C = Uncontrolled> {
    /// The transmitter to the link.
    pub transmitter: Transmitter,
    /// Counts of this output.
    pub meter: PortMeter,
    pub(super) pace: U::Pace,
    pub(super) measure: U::Measure,
    pub(super) queue: Queue<U>,
    pub(super) control: Option<Box<C>>,
    /// Time of the next sample of the queue or of the next action of the control; [`Time::NEVER`]
    /// if neither is to come.
    pub(super) catch_up_at: Time,
    pub(super) series: Option<Box<QueueSeries>>,
    pub(super) balance: UnitBalance,
}

impl<U: Queued, C: AbrControl<U>> Output<U, C> {
    /// An empty output of virtual channels of these classes.
    pub fn new(
        mut transmitter: Transmitter,
        pace: U::Pace,
        measure: U::Measure,
        queueing: Queueing,
        classes: &[Class],
        control: Option<C>,
    ) -> Output<U, C> {
        let mut meter = PortMeter::new(classes.len());
        let marks = control.as_ref().is_some_and(C::marks);
        if marks || queueing.marks() {
            meter.count_marks();
        }
        if queueing.trims() && !U::IS_CELL {
            meter.count_trimmed();
        }
        if queueing.returns() && !U::IS_CELL {
            meter.count_returned();
        }
        if queueing.waits_for_credit() {
            meter.wait_for_credit();
        }
        let mut queue = Queue::new(pace, measure, queueing, classes);
        if control.is_some()
            && let Queue::Fifo { gate, .. } = &mut queue
        {
            gate.promise_nothing();
        }
        if queue.follows_starts() || control.as_ref().is_some_and(C::counts_starts) {
            transmitter.watch();
        }
        Output {
            transmitter,
            meter,
            pace,
            measure,
            queue,
            catch_up_at: control.as_ref().map_or(Time::NEVER, C::due),
            control: control.map(Box::new),
            series: None,
            balance: UnitBalance::default(),
        }
    }

    /// Calls [`Self::catch_up`] if a sample or an action of the control is due at `now`.
    #[inline]
    pub(super) fn catch_up_if_due(&mut self, now: Time) {
        if now >= self.catch_up_at {
            self.catch_up(now);
        }
    }

    /// Takes all samples of the queue, and lets the rate control act, at every instant due until
    /// `now`. The queue changes only when a unit is offered or starts, so one call before each
    /// change suffices.
    #[cold]
    pub(super) fn catch_up(&mut self, now: Time) {
        let mut control = self.control.take();
        let mut due = Time::NEVER;
        if let Some(control) = &mut control {
            due = control.due();
            while due <= now {
                self.sample(due.just_before(), Some(control));
                due = control.act(self.queue.queues(due), now.just_before());
            }
        }
        self.sample(now, control.as_deref_mut());
        self.control = control;
        let sample = self.series.as_ref().map(|series| series.all.due());
        self.catch_up_at = sample.unwrap_or(Time::NEVER).min(due);
    }

    /// A backward RM cell of VC `vc` arrives from the link to which the output leads.
    pub fn on_return(&mut self, now: Time, vc: Vc, contents: RmId, out: &mut Outlet<'_>) {
        // An output without control may still be owed cells of a stretch, and a sample now would
        // miss them.
        if self.control.is_none() {
            return;
        }
        self.catch_up_if_due(now);
        if let Some(control) = &mut self.control {
            let queues = self.queue.queues(now);
            let at = UnitPassage { now, vc, queues };
            control.on_return(at, contents, out.cargo);
        }
    }

    /// Offers a unit to the buffer. The discard policy sees the queue as it was at `queue_at`, which
    /// is `now` or just before `now`, and beside it `elsewhere` units of other outputs in the same
    /// memory. The policy may drop accepted units first, to make room: they join `pushed_out`, if the
    /// caller asks for them.
    #[inline]
    pub fn offer(
        &mut self,
        now: Time,
        queue_at: Time,
        unit: &mut U,
        elsewhere: u64,
        pushed_out: Option<&mut Vec<U>>,
        out: &mut Outlet<'_>,
    ) -> Offered {
        if self.acts() {
            let at = OfferInstant { now, queue_at };
            return self.offer_scheduled(at, unit, elsewhere, pushed_out, out);
        }
        self.offer_fifo(now, queue_at, unit, elsewhere, out)
    }

    /// Offers a unit to a FIFO queue, as [`Output::offer`] does.
    // Inlined: a call for each unit would cost a tenth of what this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn offer_fifo(
        &mut self,
        now: Time,
        queue_at: Time,
        unit: &mut U,
        elsewhere: u64,
        out: &mut Outlet<'_>,
    ) -> Offered {
        self.balance.offer(unit.size());
        self.catch_up_if_due(U::sampled_until(now, queue_at));
        let Queue::Fifo { queue, gate } = &mut self.queue else {
            unreachable!("a FIFO queue does not act")
        };
        let here = queue.waiting(queue_at);
        let marks = self.control.as_deref_mut().is_some_and(|control| {
            let at = UnitPassage {
                now,
                vc: unit.vc(),
                queues: Queues::of(here),
            };
            control.on_offer(at, unit, out.cargo)
        });
        let size = unit.size();
        let offer = Offer {
            at: now,
            queue_at,
            size,
            here,
            elsewhere,
        };
        let meter = &mut self.meter;
        let admission = gate.admit(unit.as_cell().borrow(), offer, meter);
        match admission.carry_out(now, size, marks, meter, || unit.drop_from(out.cargo)) {
            Admission::Dropped => return Offered::Dropped,
            Admission::Accepted => {}
            Admission::Marked => unit.mark(),
        }
        let departure = queue.accept(now, here, unit, self.pace);
        let Departure { start, waiting, .. } = departure;
        let (vc, wait) = (unit.vc().index(), start.since(now));
        meter.accept(vc, size, unit.ends_packet(), wait, waiting);
        if !U::IS_CELL {
            meter.follow_burst(|| waiting);
        }
        self.send(start, departure.end, unit, out);
        Offered::Starts
    }

    /// Drops a unit for `cause` that would otherwise be offered.
    pub fn refuse(&mut self, now: Time, unit: &U, cause: Cause, out: &mut Outlet<'_>) {
        let size = unit.size();
        self.balance.offer(size);
        let dropped = unit.drop_from(out.cargo);
        self.meter.refuse(now, dropped, size, cause);
    }

    /// Offers a unit to scheduled queues.
    fn offer_scheduled(
        &mut self,
        at: OfferInstant,
        unit: &mut U,
        elsewhere: u64,
        mut pushed_out: Option<&mut Vec<U>>,
        out: &mut Outlet<'_>,
    ) -> Offered {
        let OfferInstant { now, queue_at } = at;
        self.balance.offer(unit.size());
        self.catch_up_if_due(U::sampled_until(now, queue_at));
        self.keep_rate(now);
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("a FIFO queue commits what it accepts")
        };
        let marks = self.control.as_deref_mut().is_some_and(|control| {
            let at = UnitPassage {
                now,
                vc: unit.vc(),
                queues: queues(&scheduled.queue, queue_at),
            };
            control.on_offer(at, unit, out.cargo)
        });
        let meter = &mut self.meter;
        let mut admission =
            scheduled.admit(at, unit, elsewhere, pushed_out.as_deref_mut(), meter, out);
        if admission == Admission::Dropped && scheduled.trims_to.is_some() {
            admission = match scheduled.trim(at, unit, elsewhere, pushed_out, meter, out) {
                Trimmed::Decided(admission) => admission,
                Trimmed::Returned => return Offered::Returned,
            };
        }
        let size = unit.size();
        match admission.carry_out(now, size, marks, meter, || unit.drop_from(out.cargo)) {
            Admission::Dropped => {
                scheduled.on_drop(unit.vc());
                return Offered::Dropped;
            }
            Admission::Accepted => {}
            Admission::Marked => unit.mark(),
        }
        let starts = scheduled.accept(now, unit, self.pace, &mut self.meter);
        if starts {
            let end = scheduled.queue.line().free_at();
            self.send(now, end, unit, out);
            return Offered::Starts;
        }
        Offered::Waits
    }

    /// True if packets that do not fit even when they are trimmed go back to their senders.
    pub fn returns(&self) -> bool {
        matches!(&self.queue, Queue::Scheduled(scheduled) if scheduled.returns)
    }

    /// True if the output itself starts units; false if it commits units when it accepts them.
    pub fn acts(&self) -> bool {
        matches!(self.queue, Queue::Scheduled(_))
    }

    /// Time at which the output next starts a unit; [`Time::NEVER`] if no unit waits or all are
    /// committed.
    #[inline]
    pub fn next_service(&self) -> Time {
        match &self.queue {
            Queue::Fifo { .. } => Time::NEVER,
            Queue::Scheduled(scheduled) => scheduled.queue.next_service(),
        }
    }

    /// Starts a unit at `now`, which is [`Output::next_service`], or drops one if the policy decides
    /// so. Does nothing if an outage of the link has begun, or the unit waits for a shaper:
    /// [`Output::next_service`] is then later.
    #[inline]
    pub fn serve(&mut self, now: Time, out: &mut Outlet<'_>) -> Served<U> {
        if self.is_held_by_link(now) {
            return Served::Nothing;
        }
        if matches!(&self.queue, Queue::Scheduled(scheduled) if scheduled.decides()) {
            return self.serve_deciding(now, out);
        }
        self.catch_up_if_due(now);
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("a FIFO queue commits what it accepts")
        };
        let unit = scheduled.serve(now, self.pace, &mut self.meter);
        let end = scheduled.queue.line().free_at();
        self.send(now, end, &unit, out);
        Served::Started(unit)
    }

    /// Sends a unit from `start` to `end`.
    // Inlined: a call for each unit would cost more than this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn send(&mut self, start: Time, end: Time, unit: &U, out: &mut Outlet<'_>) {
        self.balance.send(unit.size());
        if self.transmitter.is_watched() {
            self.follow(start, end, *unit);
        }
        unit.transmit(start, end, &mut self.transmitter, out);
    }

    /// Tells the discard policy, the rate control and the clock of the link that a unit is sent from
    /// `start` to `end`.
    #[cold]
    #[inline(never)]
    fn follow(&mut self, start: Time, end: Time, unit: U) {
        match &mut self.queue {
            // The unit has just joined the queue, and the time of its start is known.
            Queue::Fifo { gate, .. } => {
                if gate.follows_queue() {
                    let size = unit.size();
                    gate.on_join(unit.vc(), size);
                    gate.on_leave(unit.vc(), size, start);
                }
            }
            Queue::Scheduled(scheduled) => scheduled.on_start(&unit, start, end),
        }
        if let Some(control) = &mut self.control {
            control.on_start(&unit, start);
            self.catch_up_at = self.catch_up_at.min(control.due());
        }
    }

    /// Units that wait at `now`, without a unit that starts at `now`.
    #[inline]
    pub fn waiting(&mut self, now: Time) -> u64 {
        self.catch_up_if_due(now);
        self.queue.waiting(now)
    }

    /// Units that are not yet committed to the link: units that wait for the scheduler, and
    /// gathered cells whose PDU has not ended.
    pub fn uncommitted(&self) -> u64 {
        let queued = match &self.queue {
            Queue::Fifo { .. } => 0,
            Queue::Scheduled(scheduled) => scheduled.queue.queued(),
        };
        queued + self.transmitter.pending()
    }
}

impl<C: AbrControl<Cell>> Output<Cell, C> {
    /// The instant at which the queue is as a cell finds it that arrives at `now`, before the
    /// departures of `now`. It must be asked before each such cell.
    pub fn before_departures(&mut self, now: Time) -> Time {
        match &mut self.queue {
            Queue::Fifo { queue, .. } => queue.before_departures(now),
            // A cell that found the link idle is no longer in its queue.
            Queue::Scheduled(_) => now.just_before(),
        }
    }
}
