//! The measurements of an output, for cells and packets alike: the counts, and the series over time.

use kernel::{Duration, Time};

use super::admission::BufferGate;
use super::control::AbrControl;
use super::port::Output;
use super::queue::{FifoQueue, Queued};
use super::queueing::Queue;
use crate::link::transmitter::Transmitter;
use crate::metrics::{
    AllocationMeter, AllocationSeries, Backlog, LinkCapacity, Measurement, PortMeter, PortReading,
    PortUnit, QueueSeries,
};
use crate::wire::class::Class;
use crate::wire::vc::Vc;

/// The interface through which an output of cells or packets is measured.
pub trait Port {
    /// Counts of this output.
    fn meter(&self) -> &PortMeter;

    /// Counts of this output, mutable.
    fn meter_mut(&mut self) -> &mut PortMeter;

    /// The unit in which the output counts its queue, and the transmission time of this unit.
    fn unit(&self) -> PortUnit;

    /// The waiting units and the transmission in progress at `now`.
    fn backlog(&mut self, now: Time) -> Backlog;

    /// The transmitter to its link.
    fn transmitter(&self) -> &Transmitter;

    /// The transmitter to its link, mutable.
    fn transmitter_mut(&mut self) -> &mut Transmitter;

    /// The gates of its buffers; none without a discard policy.
    fn gates_mut(&mut self) -> &mut [BufferGate] {
        &mut []
    }

    /// Cells or packets put onto the link since the start of the run, and those that the link lost at
    /// their transmission.
    fn put_on_link(&self) -> u64;

    /// Asserts that each unit offered since the start of the run was dropped, was sent, or waits.
    ///
    /// # Panics
    /// If the counts do not add up.
    fn assert_conservation(&self);

    /// Records the queue at intervals of `every` from the start of the run, and each drop.
    fn record(&mut self, every: Duration);

    /// Hands over the recorded queue lengths, in units, up to and including `now`.
    fn take_queue(&mut self, now: Time) -> Option<Box<QueueSeries>>;

    /// Metrics until `now` of each service class that has sent units, with the number of the class;
    /// empty if the output does not distinguish classes.
    fn classes(&mut self, now: Time) -> Vec<(usize, Vec<Measurement>)> {
        let _ = now;
        Vec::new()
    }

    /// The measurements of the rate allocator; none for an output without rate allocator.
    fn allocation(&self) -> Option<&AllocationMeter> {
        None
    }

    /// The measurements of the rate allocator, mutable.
    fn allocation_mut(&mut self) -> Option<&mut AllocationMeter> {
        None
    }

    /// The capacity of its link since counting began; none if the rate of the link never changes.
    fn capacity(&mut self, now: Time) -> Option<LinkCapacity> {
        let _ = now;
        None
    }

    /// Resets the counts at `now`.
    fn begin_counting(&mut self, now: Time) {
        let before = self.backlog(now);
        self.meter_mut().begin(now, before);
        if let Some(meter) = self.allocation_mut() {
            meter.begin();
        }
    }

    /// The counts until `now`.
    fn read(&mut self, now: Time) -> PortReading {
        let after = self.backlog(now);
        let capacity = self.capacity(now);
        PortReading {
            capacity,
            allocation: self.allocation().and_then(AllocationMeter::read),
            retried: self
                .transmitter()
                .retry()
                .map(|retry| retry.meter.occupied(now)),
            ..self.meter().read(now, after)
        }
    }
}

impl<U: Queued, C: AbrControl<U>> Output<U, C> {
    /// Takes the samples of recorded series until `now`.
    #[inline]
    pub(super) fn sample(&mut self, now: Time, control: Option<&mut C>) {
        if self.series.is_some() {
            self.sample_recorded(now, control);
        }
    }

    fn sample_recorded(&mut self, now: Time, control: Option<&mut C>) {
        let Some(series) = &mut self.series else {
            return;
        };
        let queue = &mut self.queue;
        series
            .all
            .catch_up(now, |sampled| queue.waiting(sampled) as f64);
        if let Queue::Scheduled(scheduled) = queue {
            let queue = &mut scheduled.queue;
            if let Some(sender) = queue.credit_sender_mut() {
                sender.sample(now);
            }
            for (vc, of_vc) in (0u32..).map(Vc).zip(&mut series.by_vc) {
                of_vc.catch_up(now, |sampled| queue.waiting_on(vc, sampled) as f64);
            }
            for (class, of_class) in &mut series.by_class {
                let class = Class::ALL[*class];
                of_class.catch_up(now, |sampled| queue.waiting_in(class, sampled) as f64);
            }
        }
        if let Some(meter) = control.and_then(C::meter_mut) {
            meter.hold(now);
        }
    }
}

impl<U: Queued, C> Output<U, C> {
    /// Asserts the conservation of units over the run. A pushed-out unit counts as dropped, so the
    /// accepted units are those that were sent and those that wait.
    fn assert_units_conserved(&self) {
        self.meter.assert_drops_add_up();
        #[cfg(debug_assertions)]
        self.assert_passage();
    }

    #[cfg(debug_assertions)]
    fn assert_passage(&self) {
        let waiting = match &self.queue {
            Queue::Fifo { .. } => 0,
            Queue::Scheduled(scheduled) => scheduled.queue.counted(),
        };
        let (meter, balance) = (&self.meter, &self.balance);
        assert_eq!(
            meter.offered_ever(),
            balance.offered,
            "offered = accepted + dropped"
        );
        assert_eq!(
            meter.accepted_ever().units,
            balance.sent + waiting,
            "accepted = sent + waiting"
        );
    }
}

impl<U: Queued, C: AbrControl<U>> Port for Output<U, C> {
    fn meter(&self) -> &PortMeter {
        &self.meter
    }

    fn meter_mut(&mut self) -> &mut PortMeter {
        &mut self.meter
    }

    fn unit(&self) -> PortUnit {
        U::unit(self.pace, self.measure)
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        self.catch_up(now);
        self.keep_rate(now);
        match &mut self.queue {
            Queue::Fifo { queue, .. } => queue.backlog(now),
            Queue::Scheduled(scheduled) => {
                let queue = &mut scheduled.queue;
                self.meter.elapsed(queue.elapsed(now));
                let mut backlog = queue.backlog(now, self.pace);
                if let Some(retry) = self.transmitter.retry()
                    && queue.next_service() > now
                {
                    backlog.serving = retry.packet_until().since(now);
                }
                backlog
            }
        }
    }

    fn capacity(&mut self, now: Time) -> Option<LinkCapacity> {
        Output::capacity(self, now)
    }

    fn gates_mut(&mut self) -> &mut [BufferGate] {
        match &mut self.queue {
            Queue::Fifo { gate, .. } => std::slice::from_mut(gate),
            Queue::Scheduled(scheduled) => scheduled.gates_mut(),
        }
    }

    fn put_on_link(&self) -> u64 {
        let accepted = self.meter.accepted_ever();
        let unstarted = match &self.queue {
            Queue::Fifo { .. } => 0,
            Queue::Scheduled(scheduled) => scheduled.queue.unstarted(),
        };
        let waiting = unstarted + self.transmitter.pending();
        let is_cells = U::IS_CELL;
        (if is_cells {
            accepted.units
        } else {
            accepted.packets
        }) - waiting
    }

    fn assert_conservation(&self) {
        self.assert_units_conserved();
    }

    fn classes(&mut self, now: Time) -> Vec<(usize, Vec<Measurement>)> {
        match &mut self.queue {
            Queue::Fifo { .. } => Vec::new(),
            Queue::Scheduled(scheduled) => scheduled.classes(now, self.pace),
        }
    }

    fn begin_counting(&mut self, now: Time) {
        let before = self.backlog(now);
        self.begin_counting_capacity(now);
        self.meter.begin(now, before);
        if let Some(meter) = self.allocation_mut() {
            meter.begin();
        }
        if let Queue::Scheduled(scheduled) = &mut self.queue {
            scheduled.begin_counting(now, self.pace);
        }
    }

    fn transmitter(&self) -> &Transmitter {
        &self.transmitter
    }

    fn transmitter_mut(&mut self) -> &mut Transmitter {
        &mut self.transmitter
    }

    fn record(&mut self, every: Duration) {
        let (vcs, classes) = match &mut self.queue {
            Queue::Fifo { .. } => (0, Vec::new()),
            Queue::Scheduled(scheduled) => {
                if let Some(sender) = scheduled.queue.credit_sender_mut() {
                    sender.record(every);
                }
                (scheduled.queue.divided(), scheduled.present())
            }
        };
        self.series = Some(Box::new(QueueSeries::new(every, vcs, &classes)));
        if let Some(meter) = self.allocation_mut() {
            meter.series = Some(Box::new(AllocationSeries::new(every)));
        }
        self.catch_up_at = Time::ZERO;
        self.meter.drops = Some(Box::default());
    }

    fn take_queue(&mut self, now: Time) -> Option<Box<QueueSeries>> {
        self.catch_up(now);
        self.catch_up_at = Time::NEVER;
        self.series.take()
    }

    fn allocation(&self) -> Option<&AllocationMeter> {
        self.control.as_ref()?.meter()
    }

    fn allocation_mut(&mut self) -> Option<&mut AllocationMeter> {
        self.control.as_mut()?.meter_mut()
    }
}
