//! Scheduled queues. A unit is committed to the link only when its transmission starts, since the
//! scheduler may send a unit that arrives later before it.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::gated::QueueGate;
use super::lists::{Lists, Spot, Taken};
use super::{Queued, UnitLength};
use crate::link::line::Line;
use crate::output::scheduler::{QueuePer, Scheduler, Scheduling};
use crate::wire::class::{ByClass, Class};
use crate::wire::vc::Vc;

/// The queues of one output among which a scheduler chooses.
pub struct ScheduledQueue<U: Queued> {
    /// The format of cells, or the memory of packets, which determines the lengths of units.
    pub measure: U::Measure,
    pub(super) scheduler: Box<dyn Scheduler>,
    queue_per: QueuePer,
    pub(super) queues: Lists<U>,
    /// Queue and class of each VC.
    vcs: Box<[VcQueue]>,
    /// The queue of trimmed packets; none if they wait with the other packets of their VC.
    of_headers: Option<u32>,
    /// The gate that holds units back although the link is free, if there is one.
    pub(super) gate: Option<Box<QueueGate>>,
    /// Credits and check cells, which leave before the units of all queues.
    pub(super) urgent: VecDeque<U>,
    /// True if a control frame waits for the end of the unit that is being sent.
    pub(super) control_waits: bool,
    /// Number of queues whose first unit may be sent, plus that of waiting credits and check cells,
    /// and of the waiting control frame.
    pub(super) ready: usize,
    /// Units that have not started: cells, or octets of memory.
    pub(super) waiting: u64,
    /// Units that have not started, by class.
    pub(super) by_class: ByClass<u64>,
    /// True if a unit that finds the link idle waits: until a policy has decided about it, or until the
    /// next act of its host.
    waits_when_idle: bool,
    line: Line,
    /// Earliest start of the next unit: when the line is free, or later; [`Time::NEVER`] while
    /// link-level retry holds the queue back.
    pub(super) start_at: Time,
    /// Time until which [`ScheduledQueue::elapsed`] has counted.
    pub(super) counted_until: Time,
}

/// The queue and the class of a virtual channel.
#[derive(Clone, Copy)]
struct VcQueue {
    queue: u32,
    class: Class,
}

impl<U: Queued> ScheduledQueue<U> {
    /// Empty queues for virtual channels of these classes. `waits_when_idle` is true if a unit that
    /// finds the link idle waits all the same.
    pub fn new(
        scheduling: Scheduling,
        classes: &[Class],
        waits_when_idle: bool,
        measure: U::Measure,
    ) -> ScheduledQueue<U> {
        let Scheduling {
            scheduler,
            queue_per,
            groups,
            of_headers,
            credit,
            packets,
            ..
        } = scheduling;
        let vcs = (0u32..).zip(classes).map(|(vc, &class)| VcQueue {
            queue: match queue_per {
                QueuePer::Output => 0,
                QueuePer::Vc => vc,
                QueuePer::Class => class.index() as u32,
                QueuePer::Group => groups[vc as usize],
            },
            class,
        });
        let queues = match queue_per {
            QueuePer::Output => 1,
            QueuePer::Vc => classes.len(),
            QueuePer::Class => Class::ALL.len(),
            QueuePer::Group => {
                let last = groups.iter().chain(&of_headers).max();
                last.map_or(0, |last| *last as usize + 1)
            }
        };
        ScheduledQueue {
            measure,
            scheduler,
            queue_per,
            queues: Lists::new(queues, measure),
            vcs: vcs.collect(),
            of_headers,
            gate: QueueGate::of(credit, packets, classes.len()),
            urgent: VecDeque::new(),
            control_waits: false,
            ready: 0,
            waiting: 0,
            by_class: [0; Class::ALL.len()],
            waits_when_idle,
            line: Line::default(),
            start_at: Time::ZERO,
            counted_until: Time::ZERO,
        }
    }

    /// True if the first unit of `queue`, of `octets`, may be sent.
    #[inline]
    fn is_open(&self, queue: usize, octets: u32) -> bool {
        match self.gate.as_deref() {
            None => true,
            Some(gate) => gate.is_open(queue, octets),
        }
    }

    /// True if a unit of a queue may be sent at once: it passes the gate, and overtakes none that
    /// does not.
    #[inline]
    fn may_pass(&self, queue: usize, octets: u32) -> bool {
        match self.gate.as_deref() {
            None => true,
            Some(QueueGate::Credit(sender)) => sender.is_open(queue),
            Some(gate) => self.queues.size(queue) == 0 && gate.is_open(queue, octets),
        }
    }

    /// A unit passes the gate, and spends its credit; returns true if the next unit of the queue may
    /// pass too.
    #[inline]
    fn spend(&mut self, now: Time, queue: usize, unit: &U) -> bool {
        match self.gate.as_deref_mut() {
            Some(QueueGate::Credit(sender)) => sender.spend(queue),
            Some(QueueGate::Packets(_)) => {
                let UnitLength { octets, .. } = unit.length(self.measure);
                self.pass_gate(now, queue, octets)
            }
            None => true,
        }
    }

    /// Queues a credit or a check cell at `now`; returns true if it starts at once.
    pub fn send_first(&mut self, now: Time, unit: &U, pace: U::Pace) -> bool {
        if self.is_idle(now) {
            self.transmit(now, unit.time(pace));
            return true;
        }
        self.urgent.push_back(*unit);
        self.ready += 1;
        self.waiting += unit.space(self.measure);
        false
    }

    /// True if no unit may be sent and none is being sent.
    pub fn is_idle(&self, now: Time) -> bool {
        self.ready == 0 && self.start_at <= now
    }

    /// Queues a unit at `now`; returns true if it starts at once instead.
    pub fn accept(&mut self, now: Time, unit: &U, pace: U::Pace) -> bool {
        let class = self.class(unit.vc());
        let queue = self.queue_of(unit);
        let UnitLength { space, octets } = unit.length(self.measure);
        if self.is_idle(now) && self.may_pass(queue, octets) {
            if !self.waits_when_idle {
                self.scheduler.pass(queue, octets);
                self.spend(now, queue, unit);
                self.transmit(now, unit.time(pace));
                return true;
            }
            self.scheduler.idle();
            self.start_at = now;
        }
        if self.queues.push(queue, unit, now) {
            if self.is_open(queue, octets) {
                self.scheduler.begin(queue, octets);
                self.ready += 1;
            } else {
                self.hold_back(now, queue, true);
            }
        }
        self.waiting += space;
        self.by_class[class.index()] += space;
        false
    }

    /// The line of the link.
    #[inline]
    pub fn line(&self) -> Line {
        self.line
    }

    /// The line of the link, mutable, for what link-level retry sends.
    pub fn line_mut(&mut self) -> &mut Line {
        &mut self.line
    }

    /// Earliest start of the next unit; [`Time::NEVER`] while link-level retry holds the queue back.
    pub fn start_at(&self) -> Time {
        self.start_at
    }

    /// Lets no unit start before `resumes`.
    pub fn hold_until(&mut self, resumes: Time) {
        self.start_at = self.start_at.max(resumes);
    }

    /// Holds back all units while link-level retry has the line, or lets them start when the line is
    /// free; a queue that was held begins again at `now` at the earliest. A held queue has no next
    /// service.
    pub fn hold(&mut self, now: Time, is_held: bool) {
        let free_at = self.line.free_at();
        self.start_at = match (is_held, self.start_at) {
            (true, _) => Time::NEVER,
            (false, Time::NEVER) => free_at.max(now),
            (false, before) => before.max(free_at),
        };
    }

    /// Sends a unit, or a control frame, that starts at `now`.
    #[inline]
    pub(super) fn transmit(&mut self, now: Time, time: Duration) {
        self.start_at = self.line.occupy(now, time);
    }

    /// Time at which the next transmission starts: when the link is free, if a unit may be sent;
    /// otherwise [`Time::NEVER`]. A unit that the gate holds back may not be sent.
    #[inline]
    pub fn next_service(&self) -> Time {
        if self.ready > 0 {
            self.start_at
        } else {
            Time::NEVER
        }
    }

    /// Starts the next unit at `now`, which is [`ScheduledQueue::next_service`].
    // Inlined: a call for each unit would cost a third of what this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn serve(&mut self, now: Time, pace: U::Pace) -> Taken<U> {
        if let Some(unit) = self.urgent.pop_front() {
            self.waiting -= unit.space(self.measure);
            self.ready -= 1;
            self.transmit(now, unit.time(pace));
            return Taken::alone(unit, now);
        }
        let queue = self.scheduler.next().expect("a queue has a unit");
        let taken = self.queues.pop(queue);
        let more = self.spend(now, queue, &taken.unit) && taken.more;
        let next = more.then(|| self.queues.first_length(queue).octets);
        self.scheduler.served(queue, next);
        self.ready -= usize::from(!more);
        let class = self.vcs[taken.unit.vc().index()].class;
        let space = taken.unit.space(self.measure);
        self.waiting -= space;
        self.by_class[class.index()] -= space;
        self.transmit(now, taken.unit.time(pace));
        taken
    }

    /// The queue of a virtual channel, except of its trimmed packets.
    pub(super) fn queue_of_vc(&self, vc: Vc) -> usize {
        self.vcs[vc.index()].queue as usize
    }

    /// The queue of a unit.
    #[inline]
    pub fn queue_of(&self, unit: &U) -> usize {
        match self.of_headers {
            Some(queue) if unit.is_trimmed() => queue as usize,
            _ => self.queue_of_vc(unit.vc()),
        }
    }

    /// The service class of a virtual channel.
    #[inline]
    pub fn class(&self, vc: Vc) -> Class {
        self.vcs[vc.index()].class
    }

    /// The numbers of the classes that have virtual channels.
    pub fn classes(&self) -> Vec<usize> {
        let is_present = |class: &Class| self.vcs.iter().any(|vc| vc.class == *class);
        let present = Class::ALL.into_iter().filter(is_present);
        present.map(Class::index).collect()
    }

    /// Number of virtual channels with a queue of their own: all of them, or zero.
    pub fn divided(&self) -> usize {
        match self.queue_per {
            QueuePer::Vc => self.vcs.len(),
            QueuePer::Output | QueuePer::Class | QueuePer::Group => 0,
        }
    }

    /// True if all virtual channels share one queue.
    pub fn is_one(&self) -> bool {
        self.queue_per == QueuePer::Output
    }

    /// The index in the pool of the last unit of the only queue.
    pub fn last_index(&self) -> u32 {
        self.queues.last_index(0)
    }

    /// Withdraws a unit from the only queue. Units must be withdrawn in the reverse order of their
    /// arrival.
    pub fn withdraw(&mut self, spot: Spot) -> U {
        let Taken { unit, more, .. } = self.queues.withdraw(0, spot);
        if !more {
            self.scheduler.served(0, None);
            self.ready -= 1;
        }
        let space = unit.space(self.measure);
        self.waiting -= space;
        self.by_class[self.class(unit.vc()).index()] -= space;
        unit
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::output::scheduler::{OutputVcs, SchedulerSpec};
    use crate::wire::cell::{Cell, Data};
    use crate::wire::contents::ContentsId;
    use crate::wire::format::CellFormat;

    #[test]
    fn the_cell_that_starts_at_an_instant_waits_no_longer() {
        let classes = [Class::Ubr; 2];
        let spec: SchedulerSpec = understand(&value!({ round_robin = {} })).unwrap();
        let vcs = OutputVcs::new(classes.into());
        let scheduling = spec.scheduling(&vcs).expect("round robin chooses");
        let mut queue = ScheduledQueue::new(scheduling, &classes, false, CellFormat::ATM);
        let cell_time = Duration::from_us(1);
        let [first, second] = [Vc(0), Vc(1)];
        let cell = |vc| Cell::data(vc, Data::new(0, ContentsId(0), false));
        for vc in [first, first, second] {
            queue.accept(Time::ZERO, &cell(vc), cell_time);
        }
        let waiting = |now| [first, second].map(|vc| queue.waiting_on(vc, now));
        assert_eq!(waiting(Time::ZERO), [1, 1]);
        assert_eq!(waiting(Time::ZERO + cell_time), [1, 0]);
        assert_eq!(queue.waiting(Time::ZERO + cell_time), 1);
    }
}
