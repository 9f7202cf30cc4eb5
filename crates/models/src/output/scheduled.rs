//! The part of an output that only a scheduler needs: buffers, queues, and the counts of service
//! classes. It is kept apart so that the path of FIFO outputs stays short.

use std::borrow::Borrow;

use kernel::Time;

use super::admission::{BufferGate, BufferLayout, Offer};
use super::admitted::Admission;
use super::departures::Departures;
use super::queue::{LowPriority, Queued, ScheduledQueue, Taken};
use super::scheduler::Scheduling;
use crate::metrics::{Backlog, ClassMeter, Measurement, PortMeter};
use crate::rates::LinkClock;
use crate::wire::class::Class;
use crate::wire::unit::Outlet;
use crate::wire::vc::Vc;

/// Buffers and queues from which a scheduler chooses.
pub struct Scheduled<U: Queued> {
    pub queue: ScheduledQueue<U>,
    pub(super) layout: BufferLayout,
    /// The PDUs that leave, if a policy decides about units when they are due to start.
    pub(super) departures: Option<Box<Departures>>,
    /// The cells that may be pushed out, if the policy pushes out.
    low_priority: Option<LowPriority>,
    /// Octets that are left of a packet that does not fit; none if such a packet is dropped whole.
    pub(super) trims_to: Option<u32>,
    /// True if packets go back to their senders when even what is left of them does not fit.
    pub(super) returns: bool,
    /// True if a discard policy counts the units that join and leave its buffer, or if cells may be
    /// pushed out.
    pub(super) follows_queue: bool,
    /// The clock of the link, if its rate changes.
    pub(super) clock: Option<Box<LinkClock>>,
    /// Counts of each class, if the scheduler distinguishes classes.
    pub(super) class_meters: Option<Box<[ClassMeter; Class::ALL.len()]>>,
}

/// The time of an offer.
#[derive(Clone, Copy)]
pub struct OfferInstant {
    pub now: Time,
    /// Instant at which the discard policy sees the queue: `now`, or just before `now` if a random
    /// tie puts the arrival before the departures of `now`.
    pub queue_at: Time,
}

impl<U: Queued> Scheduled<U> {
    /// The gates of the buffers.
    pub fn gates_mut(&mut self) -> &mut [BufferGate] {
        self.layout.gates_mut()
    }

    pub fn new(
        layout: BufferLayout,
        scheduling: Scheduling,
        classes: &[Class],
        measure: U::Measure,
    ) -> Scheduled<U> {
        let mut gates = layout.gates().iter();
        let decides = gates.any(BufferGate::decides_at_departure);
        let departures = decides.then(|| Box::new(Departures::new(classes.len())));
        Scheduled {
            follows_queue: layout.gates().iter().any(BufferGate::follows_queue),
            trims_to: layout.trims_to(),
            returns: layout.returns(),
            layout,
            departures,
            low_priority: None,
            clock: None,
            class_meters: scheduling.by_class.then(Box::default),
            queue: ScheduledQueue::new(scheduling, classes, decides, measure),
        }
    }

    /// One queue in which a cell of high priority may push out a cell of low priority. Cells are
    /// committed to the link when they start, because a committed cell cannot be withdrawn.
    pub fn pushing_out(gate: BufferGate, classes: &[Class], measure: U::Measure) -> Scheduled<U> {
        Scheduled {
            low_priority: Some(LowPriority::new(classes.len())),
            follows_queue: true,
            ..Scheduled::new(
                BufferLayout::One(gate),
                Scheduling::one_by_one(),
                classes,
                measure,
            )
        }
    }

    /// True if [`Scheduled::on_start`] must be called.
    pub fn follows_starts(&self) -> bool {
        self.low_priority.is_some()
    }

    /// Decides about a unit.
    #[inline]
    pub fn admit(
        &mut self,
        at: OfferInstant,
        unit: &U,
        elsewhere: u64,
        pushed_out: Option<&mut Vec<U>>,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) -> Admission {
        if self.low_priority.is_some() {
            return self.admit_pushing_out(at, unit, meter, out);
        }
        if self.departures.is_some() {
            return self.admit_to_wait(at, unit, elsewhere, pushed_out, meter, out);
        }
        let (gate, offer) = self.offer(at, unit, elsewhere);
        gate.admit(unit.as_cell().borrow(), offer, meter)
    }

    /// The gate of the buffer of a unit, and the offer of the unit to it.
    #[inline]
    pub(super) fn offer(
        &mut self,
        at: OfferInstant,
        unit: &U,
        elsewhere: u64,
    ) -> (&mut BufferGate, Offer) {
        let (gate, here, elsewhere) = match &mut self.layout {
            BufferLayout::One(gate) => (gate, self.queue.waiting(at.queue_at), elsewhere),
            divided => divided.part_of(unit, &self.queue, at.queue_at, elsewhere),
        };
        let offer = Offer {
            at: at.now,
            queue_at: at.queue_at,
            size: unit.space(self.queue.measure),
            here,
            elsewhere,
        };
        (gate, offer)
    }

    /// Decides about a unit, which may push out a unit of low priority.
    #[inline(never)]
    fn admit_pushing_out(
        &mut self,
        at: OfferInstant,
        unit: &U,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) -> Admission {
        let OfferInstant { now, queue_at } = at;
        let low = self.low_priority.as_mut();
        let cell = unit.as_cell();
        let cell = cell.borrow();
        if let Some(low) = low {
            low.intact.on_offer(cell);
        }
        let is_high = !cell.clp();
        let gate = self.layout.only_gate_mut();
        if is_high && gate.is_full(self.queue.waiting(queue_at)) {
            self.push_out(now, meter, out);
        }
        // No other output shares a buffer from which cells are pushed out.
        let (gate, offer) = self.offer(at, unit, 0);
        let admission = gate.admit(unit.as_cell().borrow(), offer, meter);
        if let Some(low) = &mut self.low_priority {
            let is_whole = admission.keeps_whole(unit.vc(), meter);
            low.intact.on_decision(unit.as_cell().borrow(), is_whole);
        }
        admission
    }

    /// Drops the last waiting unit of low priority, if there is one.
    fn push_out(&mut self, now: Time, meter: &mut PortMeter, out: &mut Outlet<'_>) {
        // Units that are due start before any unit is offered, so every waiting unit is still in
        // its queue.
        let Some((low, spot)) = self.low_priority.as_mut().and_then(|low| {
            let spot = low.take_last()?;
            Some((low, spot))
        }) else {
            return;
        };
        let elapsed = self.queue.elapsed(now);
        let unit = self.queue.withdraw(spot);
        let harm = low.intact.harm(unit.as_cell().borrow());
        meter.elapsed(elapsed);
        meter.push_out(now, unit.drop_from(out.cargo), harm);
    }

    /// A unit of a virtual channel is dropped.
    pub fn on_drop(&mut self, vc: Vc) {
        if let Some(meters) = &mut self.class_meters {
            meters[self.queue.class(vc).index()].drop_unit();
        }
    }

    /// Queues a unit that was admitted; returns true if it starts at once.
    #[inline]
    pub fn accept(&mut self, now: Time, unit: &U, pace: U::Pace, meter: &mut PortMeter) -> bool {
        if self.clock.is_some() {
            self.shape(now, unit);
        }
        let queue = &mut self.queue;
        meter.elapsed(queue.elapsed(now));
        let starts = queue.accept(now, unit, pace);
        let (vc, size, wait) = (unit.vc(), unit.size(), kernel::Duration::ZERO);
        // A unit that a policy decides about waits for this decision, even if the link is idle.
        let left = if self.departures.is_some() {
            queue.waiting(now)
        } else {
            queue.queued()
        };
        meter.accept(vc.index(), size, unit.ends_packet(), wait, left);
        if !U::IS_CELL {
            meter.follow_burst(|| queue.in_octets(left));
        }
        if let Some(meters) = &mut self.class_meters {
            let class = queue.class(vc);
            let (meter, queued) = (&mut meters[class.index()], queue.queued_in(class));
            meter.waited(now, queued - u64::from(!starts));
            meter.accept(queued);
            if starts {
                meter.start(now, wait);
            }
        }
        if !starts && self.follows_queue {
            self.on_join(unit);
        }
        starts
    }

    /// Tells the discard policy that a unit has joined its buffer.
    #[inline(never)]
    fn on_join(&mut self, unit: &U) {
        let class = self.queue.class(unit.vc());
        let space = unit.space(self.queue.measure);
        self.layout.gate_mut(class).on_join(unit.vc(), space);
        if let Some(low) = &mut self.low_priority {
            let index = self.queue.last_index();
            low.on_join(unit.as_cell().borrow(), index);
        }
    }

    /// Removes the unit that the scheduler chooses at `now`.
    // Inlined: a call for each unit would cost a tenth of what this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn serve(&mut self, now: Time, pace: U::Pace, meter: &mut PortMeter) -> U {
        let queue = &mut self.queue;
        meter.elapsed(queue.elapsed(now));
        let Taken { unit, since, .. } = queue.serve(now, pace);
        if self.follows_queue && unit.passes() {
            let class = queue.class(unit.vc());
            let space = unit.space(queue.measure);
            self.layout.gate_mut(class).on_leave(unit.vc(), space, now);
        }
        if let Some(meters) = &mut self.class_meters {
            let class = queue.class(unit.vc());
            let meter = &mut meters[class.index()];
            meter.waited(now, queue.queued_in(class) + 1);
            meter.start(now, now.since(since));
        }
        unit
    }

    /// Records the transmission of a unit from `start` to `end`: the unit can no longer be pushed out.
    pub fn on_start(&mut self, unit: &U, start: Time, end: Time) {
        if let Some(clock) = &mut self.clock {
            let octets = unit.length(self.queue.measure).octets;
            clock.start([start, end], u64::from(octets) * 8);
        }
        if let Some(low) = &mut self.low_priority {
            low.on_start(unit.as_cell().borrow());
        }
    }

    /// The numbers of the classes with virtual channels, if the scheduler distinguishes classes.
    pub fn present(&self) -> Vec<usize> {
        match self.class_meters {
            Some(_) => self.queue.classes(),
            None => Vec::new(),
        }
    }

    /// Metrics until `now` of each class that has sent units, with the number of the class.
    pub fn classes(&mut self, now: Time, pace: U::Pace) -> Vec<(usize, Vec<Measurement>)> {
        let Scheduled {
            queue,
            class_meters,
            ..
        } = self;
        let Some(meters) = class_meters else {
            return Vec::new();
        };
        let classes = meters.iter_mut().enumerate();
        let used = classes.filter(|(_, meter)| meter.is_used());
        used.map(|(number, meter)| {
            let class = Class::ALL[number];
            meter.waited(now, queue.queued_in(class));
            let backlog = backlog_of(class, queue, meter, now, pace);
            (number, meter.metrics(now, backlog, U::unit_time(pace)))
        })
        .collect()
    }

    /// Resets the counts of the classes at `now`.
    pub fn begin_counting(&mut self, now: Time, pace: U::Pace) {
        let meters = self
            .class_meters
            .iter_mut()
            .flat_map(|meters| meters.iter_mut());
        for (class, meter) in Class::ALL.iter().zip(meters) {
            let backlog = backlog_of(*class, &self.queue, meter, now, pace);
            meter.begin(now, backlog);
        }
    }
}

impl BufferLayout {
    /// The gate of the buffer of a unit, the units there that wait at `at` in its queue, and those of
    /// other outputs.
    // Not inlined, since most outputs have one buffer.
    #[inline(never)]
    fn part_of<U: Queued>(
        &mut self,
        unit: &U,
        queue: &ScheduledQueue<U>,
        at: Time,
        elsewhere: u64,
    ) -> (&mut BufferGate, u64, u64) {
        match self {
            BufferLayout::One(gate) => (gate, queue.waiting(at), elsewhere),
            BufferLayout::PerVc(gate) => (gate, queue.waiting_on(unit.vc(), at), elsewhere),
            BufferLayout::PerQueue(gates) => {
                let one = queue.queue_of(unit);
                (&mut gates[one], queue.waiting_of(one, at), 0)
            }
            BufferLayout::PerClass(gates) => {
                let class = queue.class(unit.vc());
                (&mut gates[class.index()], queue.waiting_in(class, at), 0)
            }
        }
    }
}

/// The waiting units of a class and its transmission in progress at `now`; a unit that starts at
/// `now` no longer waits.
fn backlog_of<U: Queued>(
    class: Class,
    queue: &ScheduledQueue<U>,
    meter: &ClassMeter,
    now: Time,
    pace: U::Pace,
) -> Backlog {
    let waiting = queue.waiting_in(class, now);
    let starts = waiting < queue.queued_in(class);
    let unit_time = U::unit_time(pace);
    Backlog {
        waiting,
        queue: waiting,
        rest: 0,
        serving: if starts {
            unit_time
        } else {
            meter.serving(now, unit_time)
        },
    }
}
