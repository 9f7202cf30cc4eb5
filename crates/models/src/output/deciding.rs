//! Outputs whose policy decides about units when they are due to start, such as CoDel: RFC 8289,
//! section 5.5.
//!
//! A drop is an act of its own, after which the output is due again at the same instant, since the
//! next unit may be dropped as well. A unit that finds the link idle is due at once.

use std::borrow::Borrow;

use kernel::Time;

use super::admitted::Admission;
use super::control::AbrControl;
use super::decision::{Head, HeadDecision};
use super::offered::Served;
use super::port::Output;
use super::queue::Queued;
use super::queueing::Queue;
use super::scheduled::{OfferInstant, Scheduled};
use crate::metrics::{Cause, Harm, PortMeter};
use crate::wire::unit::Outlet;

impl<U: Queued, C: AbrControl<U>> Output<U, C> {
    /// Starts or drops the unit that is due at `now`.
    #[inline(never)]
    pub(super) fn serve_deciding(&mut self, now: Time, out: &mut Outlet<'_>) -> Served<U> {
        // A sample at `now` sees the queue after the drops of `now`.
        self.catch_up_if_due(now.just_before());
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("a FIFO queue commits what it accepts")
        };
        let decision = scheduled.decide(now);
        if decision == HeadDecision::Drop {
            return Served::Dropped(scheduled.drop_head(now, &mut self.meter, out));
        }
        self.catch_up_if_due(now);
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("a FIFO queue commits what it accepts")
        };
        let mut unit = scheduled.serve(now, self.pace, &mut self.meter);
        scheduled.on_departure(&unit);
        if decision == HeadDecision::Mark {
            unit.mark();
            self.meter.mark(unit.size());
        }
        let end = scheduled.queue.line().free_at();
        self.send(now, end, &unit, out);
        Served::Started(unit)
    }
}

impl<U: Queued> Scheduled<U> {
    /// Decides about a unit about which the policy decides again when it is due to start.
    #[inline(never)]
    pub(super) fn admit_to_wait(
        &mut self,
        at: OfferInstant,
        unit: &U,
        elsewhere: u64,
        pushed_out: Option<&mut Vec<U>>,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) -> Admission {
        if let Some(departures) = &mut self.departures {
            departures.intact.on_offer(unit.as_cell().borrow());
        }
        let space = unit.space(self.queue.measure);
        self.make_room(at, space + elsewhere, pushed_out, meter, out);
        let (gate, offer) = self.offer(at, unit, elsewhere);
        let admission = gate.admit(unit.as_cell().borrow(), offer, meter);
        if let Some(departures) = &mut self.departures {
            let is_whole = admission.keeps_whole(unit.vc(), meter);
            departures
                .intact
                .on_decision(unit.as_cell().borrow(), is_whole);
        }
        admission
    }

    /// True if a policy decides about units when they are due to start.
    pub fn decides(&self) -> bool {
        self.departures.is_some()
    }

    /// The decision about the unit that is due to start at `now`.
    pub fn decide(&mut self, now: Time) -> HeadDecision {
        let Some(departures) = &mut self.departures else {
            return HeadDecision::Send;
        };
        let Some((queue, waiting)) = self.queue.head() else {
            // Credits and check cells belong to no queue.
            return HeadDecision::Send;
        };
        let unit = waiting.unit;
        let size = unit.space(self.queue.measure);
        let head = Head {
            at: now,
            vc: unit.vc(),
            not_ect: unit
                .as_cell()
                .borrow()
                .part()
                .is_some_and(|data| data.not_ect),
            sojourn: now.since(waiting.since),
            queue,
            size,
            behind: self.queue.size_of(queue) - size,
        };
        let gate = self.layout.gate_mut(self.queue.class(unit.vc()));
        departures.decision(unit.as_cell().borrow(), || gate.on_head(head))
    }

    /// Drops the unit that is due to start at `now`, and returns it.
    pub fn drop_head(&mut self, now: Time, meter: &mut PortMeter, out: &mut Outlet<'_>) -> U {
        let (queue, _) = self.queue.head().expect("a unit is due");
        self.drop_first(now, queue, Cause::Threshold, meter, out)
    }

    /// Drops units from the longest queue until a unit of `size` fits beside `elsewhere` others, if
    /// the policy does so: RFC 8290, section 4.1. A queue keeps its last unit, so that every output
    /// that is due remains so.
    pub(super) fn make_room(
        &mut self,
        at: OfferInstant,
        taken: u64,
        mut pushed_out: Option<&mut Vec<U>>,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) {
        let [gate] = self.layout.gates() else {
            return;
        };
        let (capacity, Some(batch)) = (gate.capacity(), gate.makes_room()) else {
            return;
        };
        while self.queue.waiting(at.queue_at) + taken > capacity
            || self.layout.gates_mut()[0].holds_most_packets(at.now)
        {
            let longest = self.queue.longest();
            if self.queue.first_of_several(longest).is_none() {
                // Other outputs take the rest of a shared memory.
                return;
            }
            let size = self.queue.size_of(longest);
            let mut packets = 0;
            while packets < batch && 2 * (size - self.queue.size_of(longest)) < size {
                let Some(unit) = self.queue.first_of_several(longest) else {
                    return;
                };
                packets += u64::from(unit.ends_packet());
                if let Some(departures) = &mut self.departures {
                    departures.cut(unit.as_cell().borrow());
                }
                let dropped = self.drop_first(at.now, longest, Cause::PushedOut, meter, out);
                if let Some(pushed_out) = &mut pushed_out {
                    pushed_out.push(dropped);
                }
            }
        }
    }

    /// Drops the first unit of a queue at `now`, and returns it.
    fn drop_first(
        &mut self,
        now: Time,
        queue: usize,
        cause: Cause,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) -> U {
        meter.elapsed(self.queue.elapsed(now));
        let unit = self.queue.discard_first(queue);
        let (vc, space) = (unit.vc(), unit.space(self.queue.measure));
        let size = unit.size();
        let class = self.queue.class(vc);
        if self.follows_queue {
            self.layout.gate_mut(class).on_leave(vc, space, now);
        }
        if let Some(meters) = &mut self.class_meters {
            let meter = &mut meters[class.index()];
            meter.waited(now, self.queue.queued_in(class) + space);
            meter.drop_accepted();
        }
        let harm = self.harm(&unit);
        meter.drop_accepted(now, unit.drop_from(out.cargo), size, harm, cause);
        unit
    }

    /// The harm to the PDU of an accepted unit that is dropped.
    fn harm(&mut self, unit: &U) -> Harm {
        match &mut self.departures {
            Some(departures) if U::IS_CELL => departures.intact.harm(unit.as_cell().borrow()),
            // A packet has been counted as whole when it was accepted.
            _ => Harm::Ended,
        }
    }

    /// A unit starts.
    pub fn on_departure(&mut self, unit: &U) {
        if let Some(departures) = &mut self.departures
            && U::IS_CELL
        {
            departures.intact.on_start(unit.as_cell().borrow());
        }
    }
}
