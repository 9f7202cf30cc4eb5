//! The output of an edge to a link that carries cells: a queue of packets for each virtual channel.
//!
//! A VC starts a cell when its pacer allows it and the link is free. Our own rule: of several such
//! VCs, the VC that has been allowed for longest sends first, so VCs without a rate of their own
//! take turns.

use kernel::{Duration, Rate, Time};

use crate::bearer::Wrapping;
use crate::link::line::Line;
use crate::link::transmitter::Transmitter;
use crate::metrics::{Backlog, DroppedUnit, Elapsed, PortMeter, PortUnit, QueueSeries};
use crate::output::Port;
use crate::output::admission::{BufferGate, Offer};
use crate::output::admitted::Admission;
use crate::paced::{Leaving, Paced, Reaction, WaitingPacket};
use crate::wire::cell::Cell;
use crate::wire::contents::{Contents, RmId};
use crate::wire::format::CellFormat;
use crate::wire::unit::{Outlet, PacketUnit};
use crate::wire::vc::Vc;

/// An output to a link that carries cells.
pub struct CellPort {
    /// The transmitter to the link.
    pub transmitter: Transmitter,
    cells: CellFormat,
    cell_time: Duration,
    /// Admission to the queues of packets; each VC has one queue.
    gate: BufferGate,
    /// Counts of this output.
    pub meter: PortMeter,
    /// Size of the packets of each VC in cells.
    bearers: Vec<Wrapping>,
    /// Queue and pacer of each VC.
    pub paced: Paced,
    line: Line,
    /// Cells that wait, in all queues.
    waiting: u64,
    /// Instant up to which the waiting time of the queued cells has been counted.
    counted: Time,
    /// Cells sent.
    pub cells_sent: u64,
    /// RM cells among the cells sent.
    pub rm_sent: u64,
    series: Option<Box<QueueSeries>>,
}

impl CellPort {
    /// An empty output to a link of rate `link`, with a pacer for each VC.
    pub fn new(
        transmitter: Transmitter,
        (link, cells): (Rate, CellFormat),
        gate: BufferGate,
        bearers: Vec<Wrapping>,
        paced: Paced,
    ) -> CellPort {
        let mut meter = PortMeter::new(bearers.len());
        if gate.marks() {
            meter.count_marks();
        }
        CellPort {
            transmitter,
            cells,
            cell_time: cells.time(link),
            gate,
            meter,
            bearers,
            paced,
            line: Line::default(),
            waiting: 0,
            counted: Time::ZERO,
            cells_sent: 0,
            rm_sent: 0,
            series: None,
        }
    }

    /// Offers a packet to the queue of `vc`.
    pub fn offer(&mut self, now: Time, packet: PacketUnit, vc: Vc, out: &mut Outlet<'_>) {
        self.catch_up(now);
        let contents = out.cargo.take(packet.contents);
        let (_, cells) = self.bearers[vc.index()].wrap(u64::from(contents.octets));
        let size = u64::from(cells);
        // A discard policy sees a packet as a PDU of one cell.
        let whole = Cell::from(&PacketUnit { vc, ..packet });
        let offer = Offer {
            at: now,
            queue_at: now,
            size,
            here: self.paced.waiting(vc),
            elsewhere: 0,
        };
        let meter = &mut self.meter;
        let admission = self.gate.admit(&whole, offer, meter);
        let drop_unit = || DroppedUnit {
            vc: vc.index(),
            pdu: Some(contents.pdu),
            eom: true,
            is_packet: true,
        };
        let admission = admission.carry_out(now, size, false, meter, drop_unit);
        if admission == Admission::Dropped {
            return;
        }
        let cut = Contents {
            cells,
            marked: packet.congestion.is_marked() || admission == Admission::Marked,
            ..contents
        };
        let packets = WaitingPacket::new(out.cargo.insert(cut), contents.pdu, cells);
        self.paced.push(now, vc, packets);
        self.waiting += size;
        self.serve(now, out);
        // A cell that starts at once is not counted as waiting.
        self.count(vc, size, true);
    }

    /// Counts accepted cells of a VC; `eom` is true if they end a PDU. Their waiting time follows
    /// from the lengths of the queue.
    #[inline]
    fn count(&mut self, vc: Vc, cells: u64, eom: bool) {
        self.meter
            .accept(vc.index(), cells, eom, Duration::ZERO, self.waiting);
    }

    /// An RM cell arrives over the link, for the end of its VC at this edge; `efci` is the mark of
    /// the last data cell before it.
    pub fn receive_rm(&mut self, now: Time, vc: Vc, id: RmId, efci: bool, out: &mut Outlet<'_>) {
        let rm = out.cargo.take_rm(id);
        let reaction = self.paced.receive(now, vc, rm, efci);
        debug_assert!(reaction == Reaction::default(), "cells leave one by one");
        self.serve(now, out);
    }

    /// A credit arrives over the link: the far end has forwarded `forwarded` cells of a VC.
    pub fn on_credit(&mut self, now: Time, vc: Vc, forwarded: u32, out: &mut Outlet<'_>) {
        self.paced.on_credit(now, vc, forwarded);
        self.serve(now, out);
    }

    /// Time at which the next cell starts.
    pub fn next_service(&self) -> Time {
        self.paced.next_wake().max(self.line.free_at())
    }

    /// Starts a cell at `now`, if a pacer allows it.
    pub fn serve(&mut self, now: Time, out: &mut Outlet<'_>) {
        if self.next_service() > now {
            return;
        }
        self.catch_up(now);
        let due = self.paced.next_due();
        if self.paced.is_check(due) {
            if let Some(check) = self.paced.take_check() {
                self.count(check.vc, 1, false);
                self.meter.credit();
                self.transmit(now, &check, out);
            }
            return;
        }
        let cell = match self.paced.depart_one(now) {
            Leaving::Data { train, .. } => {
                self.waiting -= 1;
                train.cell(0, train.vc)
            }
            Leaving::Rm(vc, rm) => {
                self.rm_sent += 1;
                self.count(vc, 1, false);
                Cell::rm(vc, out.cargo.insert_rm(rm))
            }
        };
        self.transmit(now, &cell, out);
    }

    /// Sends a cell that starts now.
    fn transmit(&mut self, now: Time, cell: &Cell, out: &mut Outlet<'_>) {
        self.cells_sent += 1;
        let end = self.line.occupy(now, self.cell_time);
        self.transmitter.cell(now, end, cell, out);
    }

    /// Counts and records the waiting cells until `now`, before their number changes.
    fn catch_up(&mut self, now: Time) {
        let span = now.since(self.counted);
        self.counted = now;
        self.meter.elapsed(Elapsed {
            waited: u128::from(span.ps()) * u128::from(self.waiting),
            ..Elapsed::default()
        });
        if let Some(series) = &mut self.series {
            series.all.hold(now, self.waiting as f64);
            for (vc, of_vc) in (0u32..).map(Vc).zip(&mut series.by_vc) {
                of_vc.hold(now, self.paced.waiting(vc) as f64);
            }
        }
    }
}

impl Port for CellPort {
    fn meter(&self) -> &PortMeter {
        &self.meter
    }

    fn meter_mut(&mut self) -> &mut PortMeter {
        &mut self.meter
    }

    fn unit(&self) -> PortUnit {
        PortUnit::of_cells(self.cells.octets(), self.cell_time)
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        self.catch_up(now);
        Backlog {
            waiting: self.waiting,
            queue: self.waiting,
            // `catch_up` counts the waiting times of the queued cells until now.
            rest: 0,
            serving: self.line.free_at().max(now).since(now),
        }
    }

    fn gates_mut(&mut self) -> &mut [BufferGate] {
        std::slice::from_mut(&mut self.gate)
    }

    fn put_on_link(&self) -> u64 {
        self.cells_sent - self.transmitter.pending()
    }

    fn assert_conservation(&self) {
        self.meter.assert_drops_add_up();
        assert_eq!(
            self.meter.accepted_ever().units,
            self.cells_sent + self.waiting,
            "accepted = sent + waiting"
        );
    }

    fn transmitter(&self) -> &Transmitter {
        &self.transmitter
    }

    fn transmitter_mut(&mut self) -> &mut Transmitter {
        &mut self.transmitter
    }

    fn record(&mut self, every: Duration) {
        self.series = Some(Box::new(QueueSeries::new(every, self.bearers.len(), &[])));
        self.meter.drops = Some(Box::default());
        let vcs = 0..self.bearers.len() as u32;
        vcs.for_each(|vc| self.paced.record(Vc(vc), every));
    }

    fn take_queue(&mut self, now: Time) -> Option<Box<QueueSeries>> {
        self.catch_up(now);
        self.series.take()
    }
}
