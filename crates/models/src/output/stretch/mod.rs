//! The cells of a stretch, offered to an output in one step.
//!
//! Between two instants at which a PDU begins or ends, each train in progress brings cells at a
//! known spacing. If the discard policy promises its decisions on these cells, and the buffer can
//! neither overflow nor run empty in between, then formulas give the departures, the counts and the
//! waiting times of all these cells (`closed_form.rs`). Results are the same as cell by cell. Where
//! there is no formula, the output refuses the stretch, and the fabric offers its cells one by one.
//!
//! Our own technique: see `docs/decisions/0016-stretches.md`.
//!
//! This file may be written for speed.

pub mod closed_form;

use kernel::{Duration, Time};

use super::control::AbrControl;
use super::discard::Promise;
use super::port::Output;
use super::queue::FifoQueue;
use super::queueing::Queue;
use crate::metrics::DroppedUnit;
use crate::wire::cell::Cell;
use crate::wire::unit::Outlet;
use crate::wire::vc::Vc;
use closed_form::{Accepted, TrainPart, accept};

impl<C: AbrControl<Cell>> Output<Cell, C> {
    /// True if the output may take a stretch in one step, and no other node can notice it.
    #[inline]
    pub fn takes_stretches(&self) -> bool {
        self.promises() && self.transmitter.gathers()
    }

    /// True if the output may take a stretch in one step, and send its cells on as trains.
    #[inline]
    pub fn sends_interleaved(&self) -> bool {
        self.transmitter.sends_interleaved && self.promises()
    }

    #[inline]
    fn promises(&self) -> bool {
        matches!(&self.queue, Queue::Fifo { gate, .. } if gate.promises())
    }

    /// The [`Promise`] of the discard policy about the next cells of a VC.
    pub fn promise(&self, vc: Vc) -> Promise {
        match &self.queue {
            Queue::Fifo { gate, .. } => gate.promise(vc),
            Queue::Scheduled(_) => Promise::Ask,
        }
    }

    /// Takes the samples of the queue that are due at `now`; returns the time of the next sample.
    #[inline]
    pub fn next_sample(&mut self, now: Time) -> Time {
        self.catch_up_if_due(now);
        self.catch_up_at
    }

    /// Time to send a cell.
    #[inline]
    pub fn unit_time(&self) -> Duration {
        self.pace
    }

    /// From now on, offers each cell by itself. Results are the same.
    pub fn offer_cells_singly(&mut self) {
        if let Queue::Fifo { gate, .. } = &mut self.queue {
            gate.promise_nothing();
        }
    }

    /// Offers the cells of a stretch, in order of the first arrival of each train. Returns false, and
    /// changes nothing, if there is no closed form.
    pub fn offer_stretch(&mut self, parts: &mut [TrainPart], out: &mut Outlet<'_>) -> bool {
        if self.transmitter.is_watched() {
            return false;
        }
        let Some(accepting) = self.decide(parts) else {
            return false;
        };
        let Some(accepted) = self.accept_stretch(accepting, parts) else {
            return false;
        };
        self.balance.offer(accepted.cells);
        self.balance.send(accepted.cells);
        let gathers = self.transmitter.gathers();
        for part in parts.iter().filter(|part| part.accepted && gathers) {
            self.transmitter.gather_cells(&part.cell, part.cells);
        }
        if accepting < parts.len() as u64 {
            self.drop_parts(parts);
        }
        if !gathers && accepting > 0 {
            self.send_trains(&accepted, accepting, parts, out);
        }
        true
    }

    /// Takes the [`Promise`] of the discard policy about each train. Returns the number of trains
    /// whose cells the policy accepts; none if a promise is [`Promise::Ask`].
    #[inline]
    fn decide(&self, parts: &mut [TrainPart]) -> Option<u64> {
        let Queue::Fifo { gate, .. } = &self.queue else {
            return None;
        };
        let mut accepting = 0;
        for part in parts {
            if part.last_arrival() >= self.catch_up_at {
                return None;
            }
            part.accepted = match gate.promise(part.cell.vc) {
                Promise::Ask => return None,
                Promise::Accept => true,
                Promise::Drop => false,
            };
            accepting += u64::from(part.accepted);
        }
        Some(accepting)
    }

    /// Puts the cells of the `accepting` trains whose cells the policy accepts into the queue, and
    /// counts them. Returns none, and changes nothing, if no formula gives their departures, or if
    /// the buffer may be too full for one of them; the cells are then offered one by one.
    #[inline]
    fn accept_stretch(&mut self, accepting: u64, parts: &[TrainPart]) -> Option<Accepted> {
        let Queue::Fifo { queue, gate } = &mut self.queue else {
            return None;
        };
        let cell_time = self.pace;
        let accepted = accept(queue.free_at(), cell_time, accepting, parts)?;
        let longest = accepted.longest.ps().div_ceil(cell_time.ps());
        let mut needed = longest;
        if accepting < parts.len() as u64 {
            // The cause of a drop depends on whether the dropped cell would have fitted.
            needed = longest.max(queue.waiting(parts[0].arrival)) + 1;
        }
        // The meter counts the longest queue, so an upper bound suffices if the queue was as long
        // before. Towards a switch it does not suffice, since the order of the cells must be known.
        let suffices =
            accepted.is_exact || self.transmitter.gathers() && longest <= self.meter.max_queue();
        if needed > gate.capacity() || !suffices {
            return None;
        }
        queue.accept_until(accepted.free_at);
        self.meter
            .accept_cells(accepted.cells, accepted.waited, longest);
        Some(accepted)
    }

    /// Commits the accepted cells of a stretch to the link, as trains.
    fn send_trains(
        &mut self,
        accepted: &Accepted,
        accepting: u64,
        parts: &[TrainPart],
        out: &mut Outlet<'_>,
    ) {
        let cell_time = self.pace;
        let taken = || parts.iter().filter(|part| part.accepted);
        if let Some(first) = taken().next()
            && accepting == 1
            && first.spacing > cell_time
        {
            // Cells that wait leave back to back; the other cells keep their spacing.
            let (begin, rest) = (accepted.waiting, first.cells - accepted.waiting);
            if begin > 0 {
                let end = accepted.start + cell_time;
                self.transmitter
                    .send_cells(&first.cell, begin, end, cell_time, out);
            }
            if rest > 0 {
                let end = first.arrival + first.spacing * u64::from(begin) + cell_time;
                self.transmitter
                    .send_cells(&first.cell, rest, end, first.spacing, out);
            }
            return;
        }
        // The cells of the trains leave in turn.
        let spacing = cell_time * accepting;
        let mut end = accepted.start;
        for part in taken() {
            end += cell_time;
            self.transmitter
                .send_cells(&part.cell, part.cells, end, spacing, out);
        }
    }

    /// Drops the cells of a stretch that the policy does not accept; all find free buffer space.
    fn drop_parts(&mut self, parts: &mut [TrainPart]) {
        let is_listed = self.meter.drops.is_some();
        for part in parts.iter().filter(|part| !part.accepted && !is_listed) {
            self.drop_cells(part, part.cells);
        }
        // Drops are listed in order of time, so the earliest drop of any train comes next.
        while is_listed
            && let Some(next) = parts
                .iter_mut()
                .filter(|part| !part.accepted && part.cells > 0)
                .min_by_key(|part| (part.arrival, part.tie_order))
        {
            let dropped = *next;
            next.arrival += next.spacing;
            next.cells -= 1;
            self.drop_cells(&dropped, 1);
        }
    }

    /// Drops `cells` cells of a train; all find free buffer space.
    fn drop_cells(&mut self, part: &TrainPart, cells: u32) {
        let unit = DroppedUnit {
            vc: part.cell.vc.index(),
            pdu: part.cell.part().map(|data| data.pdu),
            eom: false,
            is_packet: false,
        };
        let cells = u64::from(cells);
        self.balance.offer(cells);
        self.meter.note_fit(unit.vc, true, None);
        self.meter.drop_unit(part.arrival, unit, cells);
    }
}
