//! A network interface of a host: one link, back to back at link rate.
//!
//! Where nothing holds packets back, none can overtake another, so a packet is committed to the link when
//! it is handed over, with the start of its transmission: Lindley's recursion (decision 3 in
//! `docs/decisions`). A unit that the link loses takes its transmission time too, unless the loss
//! comes before the queue. On a link with a gate or retry, packets wait until they start.

use kernel::{Duration, Rate, RememberingRate, Time};

use super::waiting::WaitingPackets;
use crate::abr::RmCell;
use crate::link::line::Line;
use crate::link::tap::PduEnd;
use crate::link::transmitter::Transmitter;
use crate::paced::{CommitmentChange, Due, Leaving, Paced, Pacer, Reaction, WaitingPacket};
use crate::rates::LinkClock;
use crate::wire::cell::{Cell, Data, Train};
use crate::wire::contents::Contents;
use crate::wire::ecn::CongestionField;
use crate::wire::format::CellFormat;
use crate::wire::unit::{Amendment, Outlet, PacketUnit};
use crate::wire::vc::Vc;

/// A network interface.
pub struct Nic {
    pub(super) rate: RememberingRate,
    /// Format of the cells of the network.
    pub cells: CellFormat,
    cell_time: Duration,
    /// The line of a link on which nothing waits until it starts.
    pub(super) line: Line,
    /// Number of the last PDU or packet on each VC.
    pdus: Box<[u32]>,
    /// The paced VCs, if there are any.
    pub paced: Option<Box<Paced>>,
    /// Packets that wait until they start, if the link may be paused, or has credits for packets or
    /// retry.
    pub waiting: Option<Box<WaitingPackets>>,
    /// The clock of the link, if its rate changes.
    pub clock: Option<Box<LinkClock>>,
    /// Cells sent.
    pub cells_sent: u64,
    /// Packets and PDUs handed over.
    pub packets_sent: u64,
    /// The transmitter to the link; its tap records what the host sends and receives.
    pub transmitter: Transmitter,
}

impl Nic {
    /// An interface to a link on which each outgoing virtual channel may have a pacer.
    pub fn new(
        rate: Rate,
        cells: CellFormat,
        pacers: Vec<Option<Pacer>>,
        waiting: Option<WaitingPackets>,
        mut transmitter: Transmitter,
    ) -> Nic {
        if let Some(waiting) = &waiting {
            transmitter.watch();
            if waiting.credit().is_some() {
                transmitter.send_credited();
            }
        }
        let vcs = pacers.len();
        Nic {
            rate: rate.into(),
            cells,
            cell_time: cells.time(rate),
            line: Line::default(),
            pdus: vec![0; vcs].into(),
            paced: Paced::new(pacers).map(Box::new),
            waiting: waiting.map(Box::new),
            clock: None,
            cells_sent: 0,
            packets_sent: 0,
            transmitter,
        }
    }

    /// Sends a packet on `vc`, in cells or whole.
    pub fn send(&mut self, now: Time, vc: Vc, mut contents: Contents, out: &mut Outlet<'_>) {
        let start = self.line.free_at().max(now);
        self.packets_sent += 1;
        let pdu = &mut self.pdus[vc.index()];
        *pdu = pdu.wrapping_add(1);
        contents.number = self.packets_sent as u16;
        contents.pdu = *pdu;
        if let Some(tap) = self.transmitter.tap_mut() {
            tap.hand_over(vc, contents);
        }
        if contents.cells == 0 {
            self.send_packet(now, start, vc, contents, out);
        } else {
            match &mut self.paced {
                Some(paced) if paced.holds(vc) => {
                    let is_alone =
                        contents.cells == 1 && start == now && self.transmitter.loss().is_none();
                    if is_alone && paced.passes(now, vc) {
                        return self.send_cells(now, start, vc, contents, out);
                    }
                    let id = out.cargo.insert(contents);
                    let packet = WaitingPacket::new(id, contents.pdu, contents.cells);
                    if let Some(due) = paced.push_or_start(now, vc, packet) {
                        self.send_due(due, out);
                    }
                }
                _ => self.send_cells(now, start, vc, contents, out),
            }
        }
    }

    fn send_packet(
        &mut self,
        now: Time,
        start: Time,
        vc: Vc,
        contents: Contents,
        out: &mut Outlet<'_>,
    ) {
        let packet = PacketUnit {
            vc,
            contents: out.cargo.insert(contents),
            octets: contents.octets,
            congestion: CongestionField::of(false, contents.segment.not_ect()),
            trimmed: false,
            input: 0,
        };
        if self.transmitter.is_watched() {
            return self.send_watched(now, start, packet, contents, out);
        }
        let time = self.rate.transmission(u64::from(contents.octets) * 8);
        let [start, end] = self.line.commit(start, time);
        self.transmitter.packet(start, end, &packet, out);
    }

    fn send_cells(
        &mut self,
        now: Time,
        start: Time,
        vc: Vc,
        contents: Contents,
        out: &mut Outlet<'_>,
    ) {
        let data = Data::new(contents.pdu, out.cargo.insert(contents), true);
        let train = Train::data(vc, data, contents.cells, self.cell_time);
        let sent = self.commit(now, start, train, out);
        let lost = contents.cells - sent;
        let lost = (lost > 0).then_some(lost);
        self.transmitter.note(start, vc, contents, lost);
        if lost.is_none()
            && let Some(tap) = self.transmitter.tap_mut()
        {
            tap.end(PduEnd {
                vc,
                pdu: contents.pdu,
                start: Time::ZERO + self.line.free_at().since(Time::ZERO + self.cell_time),
            });
        }
    }

    /// Number of VCs on the link.
    pub(super) fn vcs(&self) -> usize {
        self.pdus.len()
    }

    /// Numbers the next packet on `vc`, whose packets have other links too.
    pub fn number_next(&mut self, vc: Vc, number: u32) {
        self.pdus[vc.index()] = number.wrapping_sub(1);
    }

    /// Time of the next cell of a paced VC, or of the next event of a link with a gate or
    /// retry; [`Time::NEVER`] if none is to come.
    #[inline]
    pub fn next_wake(&self) -> Time {
        match &self.paced {
            Some(paced) => paced.next_wake(),
            None => self
                .waiting
                .as_ref()
                .map_or(Time::NEVER, |waiting| waiting.next_act()),
        }
    }

    /// Time by which the packets that were handed over have left, as far as is known, unless they are
    /// paced.
    #[inline]
    pub fn left(&self) -> Time {
        match &self.waiting {
            None => self.line.free_at(),
            Some(waiting) => waiting.left(),
        }
    }

    /// Packets that were handed over, and wait until they start.
    pub fn unstarted(&self) -> u64 {
        self.waiting
            .as_ref()
            .map_or(0, |waiting| waiting.unstarted())
    }

    /// True if the interface acts by itself: it has paced VCs, or a link with a gate or retry.
    pub(super) fn acts(&self) -> bool {
        self.paced.is_some() || self.waiting.is_some()
    }

    /// True if packets on `vc` are paced, or wait until they start.
    pub fn holds(&self, vc: Vc) -> bool {
        let paced = self.paced.as_ref();
        paced.is_some_and(|paced| paced.holds(vc))
            || self
                .waiting
                .as_ref()
                .is_some_and(|waiting| waiting.counts_waits())
    }

    /// Time until `now` in which packets on `vc` waited or were being sent; none if they leave back to
    /// back.
    #[inline]
    pub fn waited(&mut self, now: Time, vc: Vc) -> Option<Duration> {
        match &mut self.paced {
            Some(paced) => paced.waited(now, vc),
            None => self.waiting.as_ref()?.waited(now, vc.index()),
        }
    }

    /// Sends the cell of a paced VC that is due, if one is, or does what is due on a link on which
    /// packets wait until they start.
    ///
    /// Where the link is busy the cell joins the FIFO queue of the link.
    pub fn send_paced(&mut self, out: &mut Outlet<'_>) {
        let Some(paced) = &mut self.paced else {
            return self.serve_waiting(self.next_wake(), out);
        };
        let due = paced.next_due();
        if paced.is_check(due) {
            if let Some(check) = paced.take_check() {
                let now = due.at;
                let start = self.line.free_at().max(now);
                self.commit(now, start, Train::from(check), out);
            }
            return;
        }
        self.send_due(due, out);
    }

    fn send_due(&mut self, due: Due, out: &mut Outlet<'_>) {
        let commits = self.commits();
        let Some(paced) = &mut self.paced else {
            return;
        };
        let now = due.at;
        let start = self.line.free_at().max(now);
        let leaving = paced.depart(due, start, commits);
        self.send_leaving(now, start, leaving, out);
    }

    /// True if cells may be committed before they start. They may not on a lossy link, because
    /// losses are decided cell by cell, nor where cells are gathered until the last cell of their
    /// PDU.
    fn commits(&self) -> bool {
        !self.transmitter.gathers() && !self.is_lossy()
    }

    /// Sends the cells that a paced VC releases at `now`; the first starts at `start`.
    fn send_leaving(
        &mut self,
        now: Time,
        start: Time,
        mut leaving: Vec<Leaving>,
        out: &mut Outlet<'_>,
    ) {
        for unit in leaving.drain(..) {
            match unit {
                Leaving::Rm(vc, rm) => self.send_rm(now, start, vc, rm, out),
                Leaving::Data { train, start, .. } => {
                    if self.transmitter.tap().is_some() {
                        self.note_leaving(unit, out);
                    }
                    self.commit(now, start, train, out);
                }
            }
        }
        if let Some(paced) = &mut self.paced {
            paced.reuse(leaving);
        }
    }

    fn send_rm(&mut self, now: Time, start: Time, vc: Vc, rm: RmCell, out: &mut Outlet<'_>) {
        if let Some(paced) = &mut self.paced {
            paced.rm_sent += 1;
        }
        let cell = Cell::rm(vc, out.cargo.insert_rm(rm));
        self.commit(now, start, Train::from(cell), out);
    }

    /// A credit arrives: `forwarded` counts the cells of the VC that the switch has forwarded.
    pub fn on_credit(&mut self, now: Time, vc: Vc, forwarded: u32) {
        if let Some(paced) = &mut self.paced {
            paced.on_credit(now, vc, forwarded);
        }
    }

    /// An RM cell arrives on `vc`; `efci` is the mark of the last data cell before it.
    pub fn receive_rm(&mut self, now: Time, vc: Vc, rm: RmCell, efci: bool, out: &mut Outlet<'_>) {
        let paced = self.paced.as_mut();
        let paced = paced.expect("RM cells travel between ends of ABR");
        paced.rm_arrived += 1;
        let (Reaction { back, change }, due) = paced.receive_or_start(now, vc, rm, efci);
        if let Some(change) = change {
            self.change(now, change, out);
            self.note_again(now, vc, out);
        }
        if let Some(back) = back {
            let start = self.line.free_at().max(now);
            self.send_rm(now, start, vc, back, out);
        }
        if let Some(due) = due {
            self.send_due(due, out);
        }
    }

    /// Sends an amendment with the changed start times of committed cells to the other end of the
    /// link.
    fn change(&mut self, now: Time, change: CommitmentChange, out: &mut Outlet<'_>) {
        let amendment = match change {
            CommitmentChange::Recalled(cells, last) => {
                self.cells_sent -= u64::from(cells);
                self.line.end_at(last + self.cell_time);
                Amendment::Recall(cells)
            }
            CommitmentChange::Respaced(committed) => {
                self.line.end_at(committed.last() + self.cell_time);
                Amendment::Respace {
                    after: committed.next.since(now),
                    spacing: committed.spacing,
                }
            }
        };
        self.transmitter.amend(now, self.cell_time, amendment, out);
    }

    /// Corrects, in a capture, the times of committed packets whose start times have changed.
    fn note_again(&mut self, now: Time, vc: Vc, out: &Outlet<'_>) {
        if let Some(tap) = self.transmitter.tap_mut() {
            tap.forget_after(now);
            let paced = self.paced.as_ref();
            for leaving in paced.map_or(Vec::new(), |paced| paced.committed(vc)) {
                self.note_leaving(leaving, out);
            }
        }
    }

    /// Records, for a capture, a packet whose first cell leaves, and the start of the last cell of
    /// a PDU.
    fn note_leaving(&mut self, leaving: Leaving, out: &Outlet<'_>) {
        let Leaving::Data {
            train,
            start,
            is_first,
        } = leaving
        else {
            return;
        };
        let data = train.part().expect("these cells carry data");
        if is_first {
            let contents = *out.cargo.get(data.contents);
            self.transmitter.note(start, train.vc, contents, None);
        }
        if data.eom
            && let Some(tap) = self.transmitter.tap_mut()
        {
            tap.end(PduEnd {
                vc: train.vc,
                pdu: data.pdu,
                start: start + train.spacing * u64::from(train.cells - 1),
            });
        }
    }

    /// Commits cells to the link; returns the number that the link does not lose.
    #[inline]
    fn commit(&mut self, now: Time, start: Time, train: Train, out: &mut Outlet<'_>) -> u32 {
        self.cells_sent += u64::from(train.cells);
        let sent = self
            .transmitter
            .train(now, start, train, self.cell_time, out);
        if let Some(until) = sent.until {
            self.line.end_at(until);
        }
        sent.survivors
    }

    /// True if the link loses cells or packets.
    pub fn is_lossy(&self) -> bool {
        self.transmitter.loss().is_some()
    }
}
