//! The output port of a switch: a buffer, a discard policy and a link, first in, first out.
//!
//! The queue is kept as two numbers. Service is first in, first out and every cell takes the same
//! time, so when a cell is accepted its departure is known (Lindley's recursion), and nothing can
//! overtake it or take it back: it is committed to its link at once. What waits at any later
//! instant follows from when the oldest waiting cell starts.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use super::discard::{Discard, Occupancy, Verdict};
use crate::aal5::Reassembly;
use crate::cell::{CELL_OCTETS, Cell, Train};
use crate::metrics::{Backlog, Capacity, PortMeter, Series};
use crate::port::Port;
use crate::unit::{Outlet, Unit};

/// An output port.
pub struct OutputPort {
    output: usize,
    cell_time: Duration,
    capacity: u64,
    discard: Box<dyn Discard>,
    /// When the last accepted cell has been sent.
    free_at: Time,
    waiting: u64,
    /// When the first of the waiting cells starts; they follow one cell time apart.
    first_start: Time,
    /// Towards a host: what has left on each VC since the last end of a PDU.
    gathered: Option<Vec<Reassembly>>,
    meter: PortMeter,
    /// When the queue is next looked at, [`Time::NEVER`] unless it is recorded.
    sample_at: Time,
    queue: Option<Series>,
}

impl OutputPort {
    /// An empty port of `vcs` virtual channels; `gathers` tells that the far end is a host.
    pub fn new(
        output: usize,
        cell_time: Duration,
        capacity: u64,
        discard: Box<dyn Discard>,
        vcs: usize,
        gathers: bool,
    ) -> OutputPort {
        OutputPort {
            output,
            cell_time,
            capacity,
            discard,
            free_at: Time::ZERO,
            waiting: 0,
            first_start: Time::ZERO,
            gathered: gathers.then(|| vec![Reassembly::default(); vcs]),
            meter: PortMeter::new(vcs),
            sample_at: Time::NEVER,
            queue: None,
        }
    }

    #[cold]
    fn catch_up(&mut self, now: Time) {
        if let Some(mut queue) = self.queue.take() {
            queue.catch_up(now, |sampled| self.waiting(sampled) as f64);
            self.sample_at = queue.due();
            self.queue = Some(queue);
        }
    }

    /// Offers a cell to the buffer.
    #[inline]
    pub fn offer(&mut self, now: Time, cell: &Cell, out: &mut Outlet<'_>) {
        if now >= self.sample_at {
            self.catch_up(now);
        }
        let buffer = Occupancy {
            queued: self.waiting(now),
            capacity: self.capacity,
            size: 1,
        };
        match self.discard.admit(cell, buffer) {
            Verdict::Accept => self.accept(now, cell, out),
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
        debug_assert!(
            self.waiting < self.capacity,
            "a policy accepted what does not fit"
        );
        let start = self.free_at.max(now);
        if start > now {
            if self.waiting == 0 {
                self.first_start = start;
            }
            self.waiting += 1;
        }
        self.free_at = start + self.cell_time;
        self.meter
            .accept(cell.vc.index(), 1, cell.eom, start.since(now), self.waiting);
        let train = match &mut self.gathered {
            None => Some(Train::from(*cell)),
            Some(vcs) => vcs[cell.vc.index()].take(cell),
        };
        if let Some(train) = train {
            out.send(self.output, self.free_at, Unit::Cells(train));
        }
    }

    /// Cells that wait at `now`: the one that starts at `now` has left the buffer.
    #[inline]
    fn waiting(&mut self, now: Time) -> u64 {
        while self.waiting > 0 && self.first_start <= now {
            self.waiting -= 1;
            self.first_start += self.cell_time;
        }
        self.waiting
    }

    /// Cells that have left towards a host and whose PDU has not ended.
    pub fn gathering(&self) -> u64 {
        self.gathered
            .iter()
            .flatten()
            .map(|vc| u64::from(vc.pending()))
            .sum()
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
        let waiting = self.waiting(now);
        let serving = if waiting > 0 {
            self.first_start
        } else {
            self.free_at
        }
        .since(now);
        // They start one cell time apart: an arithmetic series.
        let [first, each] = [serving, self.cell_time].map(|span| u128::from(span.ps()));
        let count = u128::from(waiting);
        let rest = first * count + each * (count * count.saturating_sub(1) / 2);
        Backlog {
            waiting,
            rest,
            serving,
        }
    }

    fn record(&mut self, every: Duration) {
        self.queue = Some(Series::new(every));
        self.sample_at = Time::ZERO;
        self.meter.drops = Some(Series::default());
    }

    fn recorded_queue(&mut self, now: Time) -> Option<&Series> {
        self.catch_up(now);
        self.queue.as_ref()
    }
}
