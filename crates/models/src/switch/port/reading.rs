//! What an output port tells of itself.

use kernel::{Duration, Time};

use super::{OutputPort, Queue};
use crate::cell::CELL_OCTETS;
use crate::class::Class;
use crate::metrics::{
    AllocationMeter, AllocationSeries, Backlog, Capacity, ClassMeter, PortMeter, QueueSeries,
};
use crate::output::queue::Chosen;
use crate::port::Port;
use crate::switch::rate::Control;
use crate::tap::Tap;
use crate::vc::Vc;

impl OutputPort {
    /// Records what is recorded, until `now`.
    #[inline]
    pub(super) fn sample(&mut self, now: Time, control: Option<&mut Control>) {
        if self.series.is_some() {
            self.sample_recorded(now, control);
        }
    }

    fn sample_recorded(&mut self, now: Time, control: Option<&mut Control>) {
        if let Some(mut series) = self.series.take() {
            series
                .all
                .catch_up(now, |sampled| self.queued(sampled) as f64);
            if let Queue::Chosen(queue) = &mut self.queue {
                if let Some(grants) = queue.grants_mut() {
                    grants.sample(now);
                }
                for (vc, of_vc) in (0u32..).map(Vc).zip(&mut series.by_vc) {
                    of_vc.catch_up(now, |sampled| queue.waiting_on(vc, sampled) as f64);
                }
                for (class, of_class) in &mut series.by_class {
                    let class = Class::ALL[*class];
                    of_class.catch_up(now, |sampled| queue.waiting_in(class, sampled) as f64);
                }
            }
            self.series = Some(series);
            if let Some(meter) = control.and_then(|control| control.allocator.meter_mut()) {
                meter.hold(now);
            }
        }
    }

    /// The numbers of the classes that are told apart here and of which there are channels.
    fn present(&self) -> Vec<usize> {
        match &self.queue {
            Queue::Chosen(queue) if self.class_meters.is_some() => queue.classes(),
            _ => Vec::new(),
        }
    }
}

/// What is there of a class at `now`; a cell that starts then waits no longer.
fn backlog_of(
    class: Class,
    queue: &Chosen,
    meter: &ClassMeter,
    now: Time,
    cell_time: Duration,
) -> Backlog {
    let waiting = queue.waiting_in(class, now);
    let starts = waiting < queue.held_in(class);
    Backlog {
        waiting,
        rest: 0,
        serving: if starts {
            cell_time
        } else {
            meter.serving(now, cell_time)
        },
    }
}

impl Port for OutputPort {
    fn meter(&self) -> &PortMeter {
        &self.admission.meter
    }

    fn meter_mut(&mut self) -> &mut PortMeter {
        &mut self.admission.meter
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            octets: CELL_OCTETS,
            unit_time: self.cell_time.seconds(),
        }
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        self.catch_up(now);
        match &mut self.queue {
            Queue::InOrder(queue) => queue.backlog(now),
            Queue::Chosen(queue) => {
                self.admission.meter.elapsed(queue.elapsed(now));
                queue.backlog(now, self.cell_time)
            }
        }
    }

    fn classes(&mut self, now: Time) -> Vec<(usize, Vec<(&'static str, f64)>)> {
        let (Some(meters), Queue::Chosen(queue)) = (&mut self.class_meters, &self.queue) else {
            return Vec::new();
        };
        let classes = meters.iter_mut().enumerate();
        let used = classes.filter(|(_, meter)| meter.is_used());
        used.map(|(number, meter)| {
            let class = Class::ALL[number];
            meter.waited(now, queue.held_in(class));
            let backlog = backlog_of(class, queue, meter, now, self.cell_time);
            (number, meter.metrics(now, backlog, self.cell_time))
        })
        .collect()
    }

    fn begin_counting(&mut self, now: Time) {
        let before = self.backlog(now);
        self.admission.meter.begin(now, before);
        if let Some(meter) = self.allocation_mut() {
            meter.begin();
        }
        let (Some(meters), Queue::Chosen(queue)) = (&mut self.class_meters, &self.queue) else {
            return;
        };
        for (class, meter) in Class::ALL.iter().zip(meters.iter_mut()) {
            let backlog = backlog_of(*class, queue, meter, now, self.cell_time);
            meter.begin(now, backlog);
        }
    }

    fn install(&mut self, tap: Tap) {
        self.transmitter.install(tap);
    }

    fn tap(&mut self) -> Option<&mut Tap> {
        self.transmitter.tap_mut()
    }

    fn record(&mut self, every: Duration) {
        let vcs = match &mut self.queue {
            Queue::InOrder(_) => 0,
            Queue::Chosen(queue) => {
                if let Some(grants) = queue.grants_mut() {
                    grants.record(every);
                }
                queue.divided()
            }
        };
        let classes = self.present();
        self.series = Some(Box::new(QueueSeries::new(every, vcs, &classes)));
        let control = self.control.as_deref_mut();
        if let Some(meter) = control.and_then(|control| control.allocator.meter_mut()) {
            meter.series = Some(Box::new(AllocationSeries::new(every)));
        }
        self.look_at = Time::ZERO;
        self.admission.meter.drops = Some(Box::default());
    }

    fn take_queue(&mut self, now: Time) -> Option<Box<QueueSeries>> {
        self.catch_up(now);
        self.look_at = Time::NEVER;
        self.series.take()
    }

    fn allocation(&self) -> Option<&AllocationMeter> {
        self.control.as_ref()?.allocator.meter()
    }

    fn allocation_mut(&mut self) -> Option<&mut AllocationMeter> {
        self.control.as_mut()?.allocator.meter_mut()
    }
}
