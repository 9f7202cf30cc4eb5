//! The algorithm of one output.

use kernel::Time;

use super::activity::Activity;
use super::averaging::{Averaged, Averaging, Measured};
use super::channel::Channel;
use super::interval::{Interval, is_none};
use super::target::{Available, Target};
use super::{Erica, Fairness, IntervalCount};
use crate::abr::RmCell;
use crate::class::{ByClass, Class};
use crate::metrics::{Allocation, AllocationMeter};
use crate::switch::rate::{Allocator, Passing, Queues, Supply};
use crate::vc::Vc;

pub struct State {
    spec: Erica,
    supply: Supply,
    target: Box<dyn Target>,
    averaging: Option<Box<dyn Averaging>>,
    interval: Interval,
    /// ABR cells that come may end it.
    arrivals_end_it: bool,
    channels: Vec<Channel>,
    activity: Activity,
    /// What the last interval came to.
    averaged: Averaged,
    /// No cell came in it, and none waited at its end.
    was_quiet: bool,
    fair_share: f64,
    largest: Largest,
    meter: AllocationMeter,
}

/// The largest rate that was given to any channel.
struct Largest {
    /// In the last interval.
    before: f64,
    /// In this one.
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
        // Until something was measured, all is thought to be well, and everybody may have all.
        let load = 1.0;
        State {
            spec: spec.clone(),
            supply: supply.clone(),
            target,
            averaging: spec.averaging.as_ref().map(|spec| spec.build(&())),
            interval: Interval::new(spec),
            arrivals_end_it: spec.cells.is_some() && spec.count != IntervalCount::AbrOut,
            channels: vec![Channel::default(); supply.buffer.vcs],
            activity: Activity::new(decay),
            averaged: Averaged { load, capacity },
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
        }
    }

    /// Counts an ABR cell.
    #[inline]
    fn count(&mut self, at: Passing<'_>) {
        let channel = &mut self.channels[at.vc.index()];
        if channel.seen == self.interval.number && !self.arrivals_end_it {
            channel.cells += 1;
            self.interval.cells += 1;
        } else {
            self.count_with_care(at);
        }
    }

    /// Counts an ABR cell, be it the first of its channel or the last of the interval.
    #[inline(never)]
    fn count_with_care(&mut self, at: Passing<'_>) {
        self.see(at.vc);
        self.channels[at.vc.index()].cells += 1;
        self.interval.cells += 1;
        if self.arrivals_end_it {
            self.towards_the_end(at);
        }
    }

    /// The interval may end with a cell, which still belongs to it.
    #[inline]
    fn towards_the_end(&mut self, at: Passing<'_>) {
        if self.interval.counts_down(at.now) {
            self.end_interval(at.now, at.queues);
        }
    }

    /// A channel is active.
    #[inline]
    fn see(&mut self, vc: Vc) {
        let number = self.interval.number;
        let channel = &mut self.channels[vc.index()];
        if channel.seen != number {
            let at_once = self.spec.immediate_fair_share;
            let ago = channel.see(number);
            self.activity.wake(ago, channel.mcr, at_once);
            if at_once {
                self.share();
            }
        }
    }

    fn end_interval(&mut self, now: Time, queues: Queues<'_>) {
        let length = now.since(self.interval.since).seconds();
        let measured = Measured {
            cells: self.interval.cells as f64,
            capacity: self.target.capacity(Available {
                link: self.supply.link,
                taken: self.supply.taken(&self.interval.asked(length)),
                guaranteed: self.supply.guaranteed(),
                queue: queues.abr,
            }),
            length,
        };
        self.averaged = match &mut self.averaging {
            Some(averaging) => averaging.average(measured),
            None => Averaged {
                load: measured.load(),
                capacity: measured.capacity,
            },
        };
        self.was_quiet = self.interval.is_quiet() && queues.abr == 0 && is_none(queues.by_class);
        self.activity.end_interval();
        self.interval.end(now, *queues.by_class);
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

    /// Shares the capacity equally.
    fn share(&mut self) {
        let counted = self.activity.counted;
        let promised = match self.spec.fairness {
            Fairness::Maximum => 0.0,
            Fairness::McrPlusEqualShare => counted.guaranteed,
        };
        let active = counted.channels.max(1.0);
        self.fair_share = (self.averaged.capacity - promised).max(0.0) / active;
        self.meter.present.active = active;
        self.meter.present.fair_share = self.fair_share;
    }

    /// What the algorithm would have a channel send, whatever others say.
    fn explicit_rate(&mut self, channel: Channel) -> f64 {
        let entitled = match self.spec.fairness {
            Fairness::Maximum => 0.0,
            Fairness::McrPlusEqualShare => channel.mcr,
        };
        let current = if self.spec.per_vc_rate {
            f64::from(channel.cells_before(self.interval.number)) / self.interval.length_before
        } else {
            channel.ccr
        };
        let current = (current - entitled).max(0.0);
        let Averaged { load, capacity } = self.averaged;
        // With no cells there is nothing to be divided, and with no capacity nothing to be had.
        let share = if load > 0.0 { current / load } else { 0.0 };
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
    fn on_cell(&mut self, at: Passing<'_>) -> bool {
        self.count(at);
        false
    }

    fn on_forward(&mut self, at: Passing<'_>, rm: &mut RmCell) {
        let channel = &mut self.channels[at.vc.index()];
        channel.ccr = rm.ccr;
        channel.mcr = rm.mcr;
        self.count(at);
    }

    fn on_backward(&mut self, at: Passing<'_>, rm: &mut RmCell) {
        if self.spec.bidirectional_counting {
            self.see(at.vc);
        }
        let channel = self.channels[at.vc.index()];
        let told = channel.told_in(self.interval.number);
        let rate = match told.filter(|_| self.spec.one_feedback_per_interval) {
            Some(rate) => rate,
            None => self.explicit_rate(channel),
        };
        self.channels[at.vc.index()].tell(self.interval.number, rate);
        // The minimum was promised when the channel was set up, whatever there is to be shared.
        rm.er = rm.er.min(rate.max(rm.mcr));
    }

    fn on_other(&mut self, at: Passing<'_>, class: Class) {
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

    fn act(&mut self, queues: Queues<'_>) {
        self.end_interval(self.interval.due(), queues);
    }

    fn pass(&mut self, until: Time) {
        if !self.was_quiet || self.averaging.is_some() || !self.activity.is_none() {
            return;
        }
        // As nothing comes, again, every interval comes to what the one before did.
        let Averaged { capacity, .. } = self.averaged;
        while self.interval.due() <= until {
            let due = self.interval.due();
            let length = due.since(self.interval.since).seconds();
            self.interval.end(due, ByClass::default());
            let next = self.meter.present;
            self.meter.interval_ended(length, 0.0, capacity, next);
            self.largest.before = self.largest.now;
            self.largest.now = self.fair_share;
        }
    }

    fn meter(&self) -> Option<&AllocationMeter> {
        Some(&self.meter)
    }

    fn meter_mut(&mut self) -> Option<&mut AllocationMeter> {
        Some(&mut self.meter)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use parameters::{Fraction, Record};

    use super::super::averaging::AveragingSpec;
    use super::super::averaging::cells::Cells;
    use super::super::{DecayCount, MaxAlloc};
    use super::*;
    use crate::switch::discard::Buffer;
    use crate::switch::scheduler::SchedulerSpec;

    /// What is told, and what is measured, over silences of many intervals, which it passes over or
    /// goes through one by one.
    fn over_silences(spec: &Erica, passes: bool) -> (Vec<f64>, Time, String) {
        let supply = Supply {
            buffer: Buffer::of_cells(1000, 53, 4),
            link: 100_000.0,
            scheduler: SchedulerSpec::default(),
        };
        let mut output = State::new(spec, &supply);
        let mut told = Vec::new();
        for (ms, vc) in [
            (1, 0),
            (2, 1),
            (73, 1),
            (74, 0),
            (1000, 0),
            (1001, 2),
            (1003, 0),
        ] {
            let now = Time::ZERO + Duration::from_ms(ms);
            while output.due() <= now {
                output.act(Queues::of(0));
                if passes {
                    output.pass(now.just_before());
                }
            }
            let at = Passing {
                now,
                vc: Vc(vc),
                queues: Queues::of(0),
            };
            let mut rm = RmCell {
                er: 1e6,
                ccr: 30_000.0,
                ..RmCell::default()
            };
            output.on_forward(at, &mut rm);
            output.on_cell(at);
            output.on_backward(at, &mut rm);
            told.push(rm.er);
        }
        (told, output.due(), format!("{:?}", output.meter))
    }

    #[test]
    fn silences_may_be_passed_over() {
        let changes: [fn(&mut Erica); 5] = [
            |_| {},
            |erica| {
                erica.max_alloc = Some(MaxAlloc {
                    delta: Fraction(0.1),
                });
            },
            |erica| {
                erica.decay_count = Some(DecayCount {
                    decay: Fraction(0.5),
                });
            },
            |erica| {
                erica.bidirectional_counting = true;
                erica.cells = Some(2);
            },
            |erica| {
                let alpha = Fraction(0.2);
                let cells = Cells {
                    alpha,
                    ..Cells::defaults()
                };
                erica.averaging = Some(AveragingSpec::Cells(cells));
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut spec = Erica {
                interval: Duration::from_ms(3),
                ..Erica::defaults()
            };
            change(&mut spec);
            let [passed, apart] = [true, false].map(|passes| over_silences(&spec, passes));
            assert_eq!(passed, apart, "change {number}");
        }
    }
}
