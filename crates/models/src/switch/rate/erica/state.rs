//! The ERICA algorithm of one output: Kalyanaraman, dissertation, Ohio State University, 1997, chapter
//! 6 and appendix C.

use kernel::Time;

use super::activity::Activity;
use super::averaging::{Averaged, Averaging, IntervalMeasurement};
use super::interval::{Interval, is_none};
use super::target::{Available, Target};
use super::vc_state::VcState;
use super::{Erica, Fairness, IntervalCount};
use crate::abr::RmCell;
use crate::metrics::{Allocation, AllocationMeter};
use crate::output::scheduler::ClassDemand;
use crate::switch::rate::{Allocator, Queues, Supply, UnitPassage};
use crate::wire::class::Class;
use crate::wire::vc::Vc;

pub struct State {
    spec: Erica,
    supply: Supply,
    target: Box<dyn Target>,
    averaging: Option<Box<dyn Averaging>>,
    interval: Interval,
    /// True if an arriving ABR cell may end the averaging interval.
    arrivals_end_it: bool,
    vcs: Vec<VcState>,
    activity: Activity,
    /// Load factor and capacity at the end of the last interval, from which feedback is computed.
    averaged: Averaged,
    /// Target capacity of an interval without cells of other classes and without a queue.
    idle_capacity: f64,
    /// True if no cell arrived in the last interval, and none waited at its end.
    was_quiet: bool,
    fair_share: f64,
    largest: Largest,
    meter: AllocationMeter,
}

/// The largest explicit rate given to any VC.
struct Largest {
    /// The largest rate given in the last interval.
    before: f64,
    /// The largest rate given in the present interval.
    now: f64,
}

impl State {
    pub fn new(spec: &Erica, supply: &Supply) -> State {
        let target = spec.target.build(&());
        let capacity = target.capacity(Available {
            link: supply.link,
            taken: 0.0,
            guaranteed: supply.guaranteed(),
            queue: 0,
        });
        let decay = spec.decay_count.as_ref().map_or(0.0, |count| count.decay.0);
        // Before the first measurement the load factor is one, and each VC may have the whole
        // capacity.
        let load = 1.0;
        State {
            spec: spec.clone(),
            supply: supply.clone(),
            averaging: spec.averaging.as_ref().map(|spec| spec.build(&())),
            interval: Interval::new(spec),
            arrivals_end_it: spec.cells.is_some() && spec.count != IntervalCount::AbrOut,
            vcs: vec![VcState::default(); supply.buffer.vcs],
            activity: Activity::new(decay),
            averaged: Averaged { load, capacity },
            idle_capacity: target.capacity(Available {
                link: supply.link,
                taken: supply.taken(&ClassDemand::NONE),
                guaranteed: supply.guaranteed(),
                queue: 0,
            }),
            was_quiet: false,
            fair_share: capacity,
            largest: Largest {
                before: capacity,
                now: capacity,
            },
            meter: AllocationMeter::new(Allocation {
                capacity,
                load,
                active: 1.0,
                fair_share: capacity,
            }),
            target,
        }
    }

    /// Counts an ABR cell.
    #[inline]
    fn count(&mut self, at: UnitPassage<'_>) {
        let vc_state = &mut self.vcs[at.vc.index()];
        if vc_state.active_in == self.interval.number && !self.arrivals_end_it {
            vc_state.cells += 1;
            self.interval.cells += 1;
        } else {
            self.count_with_care(at);
        }
    }

    /// Counts an ABR cell that may be the first of its VC in the interval, or end the interval.
    #[inline(never)]
    fn count_with_care(&mut self, at: UnitPassage<'_>) {
        self.activate(at.vc);
        self.vcs[at.vc.index()].cells += 1;
        self.interval.cells += 1;
        if self.arrivals_end_it {
            self.towards_the_end(at);
        }
    }

    /// Ends the interval if the arriving cell completes it; the cell belongs to the interval.
    #[inline]
    fn towards_the_end(&mut self, at: UnitPassage<'_>) {
        if self.interval.counts_down(at.now) {
            self.end_interval(at.now, at.queues);
        }
    }

    /// Counts a VC as active in this interval.
    // Inlined: a call for each VC in each interval would cost as much as the function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn activate(&mut self, vc: Vc) {
        let number = self.interval.number;
        let vc_state = &mut self.vcs[vc.index()];
        if vc_state.active_in != number {
            let at_once = self.spec.immediate_fair_share;
            let ago = vc_state.activate(number);
            self.activity.wake(ago, vc_state.mcr, at_once);
            if at_once {
                self.share();
            }
        }
    }

    fn end_interval(&mut self, now: Time, queues: Queues<'_>) {
        let length = self.interval.seconds_until(now);
        let is_idle = self.interval.is_idle() && queues.abr == 0;
        let measured = IntervalMeasurement {
            cells: self.interval.cells as f64,
            capacity: if is_idle {
                self.idle_capacity
            } else {
                self.capacity(length, queues.abr)
            },
            length,
        };
        self.averaged = match &mut self.averaging {
            Some(averaging) => averaging.average(measured),
            None => Averaged {
                load: measured.load(),
                capacity: measured.capacity,
            },
        };
        self.was_quiet = is_idle && self.interval.cells == 0 && is_none(queues.by_class);
        self.activity.end_interval();
        self.interval.end(now, length, *queues.by_class);
        self.meter.interval_ended(
            length,
            measured.cells,
            measured.capacity,
            Allocation {
                load: self.averaged.load,
                capacity: self.averaged.capacity,
                ..self.meter.present
            },
        );
        self.share();
        self.largest = Largest {
            before: self.largest.now,
            now: self.fair_share,
        };
    }

    /// Target capacity of an interval of `length` seconds, given the demand of other classes and
    /// the length of the ABR queue.
    #[inline(never)]
    fn capacity(&self, length: f64, queue: u64) -> f64 {
        self.target.capacity(Available {
            link: self.supply.link,
            taken: self.supply.taken(&self.interval.demand(length)),
            guaranteed: self.supply.guaranteed(),
            queue,
        })
    }

    /// Ends all intervals until `until` in one step: without arrivals and without a queue, each has
    /// the results of the interval before.
    #[inline]
    fn pass(&mut self, until: Time) {
        if !self.was_quiet || self.averaging.is_some() || !self.activity.is_none() {
            return;
        }
        let Averaged { capacity, .. } = self.averaged;
        while self.interval.due() <= until {
            let due = self.interval.due();
            let length = self.interval.seconds_until(due);
            self.interval.pass(due, length);
            self.meter.interval_passed(length, capacity);
            self.largest.before = self.largest.now;
            self.largest.now = self.fair_share;
        }
    }

    /// Computes the fair share: the capacity divided by the number of active VCs.
    fn share(&mut self) {
        let counted = self.activity.counted;
        let promised = match self.spec.fairness {
            Fairness::Maximum => 0.0,
            Fairness::McrPlusEqualShare => counted.guaranteed,
        };
        let active = counted.vcs.max(1.0);
        self.fair_share = (self.averaged.capacity - promised).max(0.0) / active;
        self.meter.present.active = active;
        self.meter.present.fair_share = self.fair_share;
    }

    /// The last feedback to a VC, if it was below the minimum cell rate (MCR) of the VC.
    ///
    /// Such a VC sends at its MCR, a rate that `max_alloc` must not offer to other VCs. Our own
    /// rule, because the publications of ERICA do not say how MCRs and `max_alloc` combine: with
    /// `max_alloc` the next rate of the VC is computed as if the VC had obeyed the feedback. The
    /// rates then meet the criterion "maximum of MCR or max-min share" of TM 4.0.
    fn feedback_below_minimum(&self, vc_state: VcState) -> Option<f64> {
        if self.spec.max_alloc.is_none() || self.spec.fairness != Fairness::Maximum {
            return None;
        }
        let feedback = vc_state.feedback_before(self.interval.number)?;
        (feedback < vc_state.mcr).then_some(feedback)
    }

    /// The explicit rate of a VC at this output, before the limits of other outputs and the MCR.
    fn explicit_rate(&mut self, vc_state: VcState) -> f64 {
        let entitled = match self.spec.fairness {
            Fairness::Maximum => 0.0,
            Fairness::McrPlusEqualShare => vc_state.mcr,
        };
        let current = if self.spec.per_vc_rate {
            f64::from(vc_state.cells_before(self.interval.number)) / self.interval.length_before
        } else {
            vc_state.ccr
        };
        let current = (current - entitled).max(0.0);
        let Averaged { load, capacity } = self.averaged;
        let base = self
            .feedback_below_minimum(vc_state)
            .map_or(current, |feedback| feedback.min(current));
        // Without arrivals the load factor is zero; without capacity it is infinite, and the VC's
        // share is zero.
        let share = if load > 0.0 { base / load } else { 0.0 };
        let mut rate = share.max(self.fair_share);
        if let Some(max_alloc) = &self.spec.max_alloc
            && load <= 1.0 + max_alloc.delta.0
        {
            rate = rate.max(self.largest.before);
        }
        self.largest.now = self.largest.now.max(rate);
        if self.spec.fair_share_first && current < self.fair_share {
            rate = rate.min(self.fair_share);
        }
        (entitled + rate).min(capacity)
    }
}

impl Allocator for State {
    fn on_cell(&mut self, at: UnitPassage<'_>) -> bool {
        self.count(at);
        false
    }

    fn on_forward(&mut self, at: UnitPassage<'_>, rm: &mut RmCell) {
        let vc_state = &mut self.vcs[at.vc.index()];
        vc_state.ccr = rm.ccr;
        vc_state.mcr = rm.mcr;
        self.count(at);
    }

    fn on_backward(&mut self, at: UnitPassage<'_>, rm: &mut RmCell) {
        if self.spec.bidirectional_counting {
            self.activate(at.vc);
        }
        let vc_state = self.vcs[at.vc.index()];
        let feedback = vc_state.feedback_in(self.interval.number);
        let rate = match feedback.filter(|_| self.spec.one_feedback_per_interval) {
            Some(rate) => rate,
            None => self.explicit_rate(vc_state),
        };
        self.vcs[at.vc.index()].set_feedback(self.interval.number, rate);
        // The MCR was guaranteed when the VC was set up, so the feedback is never below it.
        rm.er = rm.er.min(rate.max(rm.mcr));
    }

    fn on_other(&mut self, at: UnitPassage<'_>, class: Class) {
        self.interval.others[class.index()] += 1;
        if self.spec.count == IntervalCount::AllIn {
            self.towards_the_end(at);
        }
    }

    fn counts_starts(&self) -> bool {
        self.spec.count == IntervalCount::AbrOut && self.spec.cells.is_some()
    }

    fn on_start(&mut self, start: Time) {
        self.interval.starts(start);
    }

    fn due(&self) -> Time {
        self.interval.due()
    }

    fn act(&mut self, queues: Queues<'_>, until: Time) -> Time {
        self.end_interval(self.interval.due(), queues);
        if queues.abr == 0 {
            self.pass(until);
        }
        self.interval.due()
    }

    fn meter(&self) -> Option<&AllocationMeter> {
        Some(&self.meter)
    }

    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        Some(&mut self.meter)
    }
}
