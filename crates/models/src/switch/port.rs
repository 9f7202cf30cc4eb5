//! The output port of a switch: a buffer, a discard policy, a scheduler and a link.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use super::discard::{Buffer, Discard, Occupancy, Verdict};
use super::mark::Mark;
use super::queue::{InOrder, PerVc};
use super::scheduler::Service;
use crate::aal5::Reassembly;
use crate::cell::{CELL_OCTETS, Cell, Train};
use crate::metrics::{Backlog, Capacity, PortMeter, Series};
use crate::port::Port;
use crate::tap::Tap;
use crate::unit::{Outlet, Unit};

/// An output port.
pub struct OutputPort {
    output: usize,
    cell_time: Duration,
    capacity: u64,
    discard: Box<dyn Discard>,
    mark: Option<Box<dyn Mark>>,
    queue: Queue,
    /// Towards a host: what has left on each VC since the last end of a PDU.
    gathered: Option<Vec<Reassembly>>,
    meter: PortMeter,
    /// When the queue is next looked at, [`Time::NEVER`] unless it is recorded.
    sample_at: Time,
    series: Option<Series>,
    tap: Option<Box<Tap>>,
}

enum Queue {
    /// Committed to the link when accepted.
    InOrder(InOrder),
    /// Committed when the link becomes free for them.
    PerVc(PerVc),
}

/// The link of an output port.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Which output of the node it is.
    pub output: usize,
    /// Time to send a cell.
    pub cell_time: Duration,
    /// Cells of a PDU arrive as one, since the far end is a host: see [`Train`].
    pub gathers: bool,
}

impl OutputPort {
    /// An empty port.
    pub fn new(
        line: Line,
        buffer: &Buffer,
        discard: Box<dyn Discard>,
        mark: Option<Box<dyn Mark>>,
        service: Service,
    ) -> OutputPort {
        let vcs = buffer.vcs;
        let mut meter = PortMeter::new(vcs);
        meter.marked = mark.is_some().then_some(0);
        OutputPort {
            output: line.output,
            cell_time: line.cell_time,
            capacity: buffer.capacity,
            discard,
            mark,
            queue: match service {
                Service::InOrder => Queue::InOrder(InOrder::default()),
                Service::Chosen(scheduler) => Queue::PerVc(PerVc::new(scheduler, vcs)),
            },
            gathered: line.gathers.then(|| vec![Reassembly::default(); vcs]),
            meter,
            sample_at: Time::NEVER,
            series: None,
            tap: None,
        }
    }

    #[cold]
    fn catch_up(&mut self, now: Time) {
        if let Some(mut series) = self.series.take() {
            series.catch_up(now, |sampled| self.waiting(sampled) as f64);
            self.sample_at = series.due();
            self.series = Some(series);
        }
    }

    /// Offers a cell to the buffer, while so many cells wait `elsewhere` in the same memory.
    #[inline]
    pub fn offer(&mut self, now: Time, cell: &Cell, elsewhere: u64, out: &mut Outlet<'_>) {
        if now >= self.sample_at {
            self.catch_up(now);
        }
        let waiting = self.waiting(now);
        let buffer = Occupancy {
            queued: waiting + elsewhere,
            capacity: self.capacity,
            size: 1,
        };
        match self.discard.admit(cell, buffer) {
            Verdict::Accept => {
                debug_assert!(buffer.fits(), "a policy accepted what does not fit");
                let mut cell = *cell;
                if let Some(mark) = &mut self.mark
                    && mark.marks(Occupancy {
                        queued: waiting,
                        ..buffer
                    })
                {
                    cell.marked = true;
                    self.meter.mark(1);
                }
                self.accept(now, &cell, out);
            }
            Verdict::Refuse => {
                self.meter.refuse(now, cell.vc.index(), 1, cell.eom);
                if cell.eom {
                    out.cargo.take(cell.frame);
                }
            }
        }
    }

    #[inline]
    fn accept(&mut self, now: Time, cell: &Cell, out: &mut Outlet<'_>) {
        let vc = cell.vc.index();
        match &mut self.queue {
            Queue::InOrder(queue) => {
                let (start, waiting) = queue.accept(now, self.cell_time);
                self.meter
                    .accept(vc, 1, cell.eom, start.since(now), waiting);
                self.send(start, cell, out);
            }
            Queue::PerVc(queue) => {
                self.meter.waited(queue.waited(now));
                let starts = queue.accept(now, cell, self.cell_time);
                self.meter
                    .accept(vc, 1, cell.eom, Duration::ZERO, queue.held());
                if starts {
                    self.send(now, cell, out);
                }
            }
        }
    }

    /// When the port next starts a cell by itself, [`Time::NEVER`] if those it has are committed.
    #[inline]
    pub fn next_service(&self) -> Time {
        match &self.queue {
            Queue::InOrder(_) => Time::NEVER,
            Queue::PerVc(queue) => queue.next_service(),
        }
    }

    /// Starts a cell at `now`, which is [`OutputPort::next_service`].
    pub fn serve(&mut self, now: Time, out: &mut Outlet<'_>) {
        if now >= self.sample_at {
            self.catch_up(now);
        }
        if let Queue::PerVc(queue) = &mut self.queue {
            self.meter.waited(queue.waited(now));
            let cell = queue.serve(now, self.cell_time);
            self.send(now, &cell, out);
        }
    }

    /// Commits a cell that starts at `start` to the link.
    #[inline]
    fn send(&mut self, start: Time, cell: &Cell, out: &mut Outlet<'_>) {
        if let Some(tap) = &mut self.tap {
            tap.cell(start + self.cell_time, cell, out.cargo);
        }
        let train = match &mut self.gathered {
            None => Some(Train::from(*cell)),
            Some(vcs) => vcs[cell.vc.index()].take(cell),
        };
        if let Some(train) = train {
            out.send(self.output, start + self.cell_time, Unit::Cells(train));
        }
    }

    /// Cells that wait at `now`: the one that starts at `now` has left the buffer.
    #[inline]
    pub fn waiting(&mut self, now: Time) -> u64 {
        match &mut self.queue {
            Queue::InOrder(queue) => queue.waiting(now, self.cell_time),
            Queue::PerVc(queue) => queue.waiting(now),
        }
    }

    /// Cells that are not committed to the link, or have left towards a host while their PDU has not
    /// ended.
    pub fn held(&self) -> u64 {
        let queued = match &self.queue {
            Queue::InOrder(_) => 0,
            Queue::PerVc(queue) => queue.held(),
        };
        let gathered = self.gathered.iter().flatten();
        queued + gathered.map(|vc| u64::from(vc.pending())).sum::<u64>()
    }
}

impl Port for OutputPort {
    fn meter(&self) -> &PortMeter {
        &self.meter
    }

    fn meter_mut(&mut self) -> &mut PortMeter {
        &mut self.meter
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            octets: CELL_OCTETS,
            unit_time: self.cell_time.seconds(),
        }
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        match &mut self.queue {
            Queue::InOrder(queue) => queue.backlog(now, self.cell_time),
            Queue::PerVc(queue) => {
                self.meter.waited(queue.waited(now));
                queue.backlog(now, self.cell_time)
            }
        }
    }

    fn tap(&mut self) -> &mut Option<Box<Tap>> {
        &mut self.tap
    }

    fn record(&mut self, every: Duration) {
        self.series = Some(Series::new(every));
        self.sample_at = Time::ZERO;
        self.meter.drops = Some(Series::default());
    }

    fn recorded_queue(&mut self, now: Time) -> Option<&Series> {
        self.catch_up(now);
        self.series.as_ref()
    }
}
