//! The transmitter: the only way onto a link, for switches, routers, edges and hosts.
//!
//! A unit passes four stages: the link may lose it; a tap records it for a capture; if the far end
//! reassembles PDUs, the cells of a PDU are gathered; and the unit is committed to the link. Link
//! loss happens here and nowhere else, at the place that [`LossAt`] names. Our own technique:
//! gathering (`docs/decisions/0003-lindley-ports-and-trains.md`).
//!
//! This file may be written for speed.

mod control;
mod retrying;
mod stretch;
mod timeouts;

use kernel::{Duration, Time};

use crate::link::loss::{LossAt, LossyEnd};
use crate::link::retry::{FrameBody, RetryEnd};
use crate::link::tap::{Fate, Tap, TappedPacket};
use crate::wire::aal5::Reassembly;
use crate::wire::cell::{Cell, Payload, Train, TrainOrder};
use crate::wire::contents::Contents;
use crate::wire::unit::{Amendment, Outlet, PacketUnit, Unit};
use crate::wire::vc::Vc;
pub use retrying::Brought;
use stretch::gather;

/// The transmitting end of a link.
#[derive(Default)]
pub struct Transmitter {
    /// Number of the output at its node.
    output: u32,
    /// True if a tap, a loss, a reassembly timer, link-level retry, credits for packets or the output
    /// must see each unit that starts.
    is_watched: bool,
    /// True if the far end takes interleaved trains: see [`TrainOrder`].
    pub sends_interleaved: bool,
    /// Number of trains sent since the last train that joined another on the link; it wraps at 256.
    misses: u8,
    /// By virtual channel, the cells sent since the last end of a PDU, if the far end reassembles
    /// PDUs: the cells of a PDU then arrive as one train, see [`Train`].
    gathered: Option<Box<[Reassembly]>>,
    /// Loss, tap, reassembly timers, link-level retry and credits for packets, which few links have.
    watch: Option<Box<Watch>>,
}

#[derive(Default)]
struct Watch {
    tap: Option<Tap>,
    loss: Option<LossyEnd>,
    timeouts: Option<timeouts::Timeouts>,
    retry: Option<Box<RetryEnd>>,
    /// True if the link has credits for packets.
    is_credited: bool,
}

/// The transmission of a train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentTrain {
    /// Cells that the link does not lose.
    pub survivors: u32,
    /// Time at which the transmission of the train ends; none if all of its cells are lost before
    /// the queue.
    pub until: Option<Time>,
}

impl Transmitter {
    /// The transmitter of output number `output`, to a link with this loss.
    pub fn new(output: usize, loss: Option<LossyEnd>) -> Transmitter {
        let watch = loss.map(|loss| {
            Box::new(Watch {
                loss: Some(loss),
                ..Watch::default()
            })
        });
        Transmitter {
            output: output as u32,
            is_watched: watch.is_some(),
            sends_interleaved: false,
            misses: 0,
            gathered: None,
            watch,
        }
    }

    /// The same transmitter for `vcs` virtual channels, towards a node that reassembles PDUs.
    pub fn gathering(self, vcs: usize) -> Transmitter {
        Transmitter {
            gathered: Some(vec![Reassembly::default(); vcs].into()),
            ..self
        }
    }

    /// True if the cells of a PDU are gathered, and arrive as one train.
    pub fn gathers(&self) -> bool {
        self.gathered.is_some()
    }

    /// Gathered cells whose PDU has not ended, and discarded cells that have not been sent.
    pub fn pending(&self) -> u64 {
        let vcs = self.gathered.iter().flatten();
        let waiting: u64 = vcs.map(|vc| u64::from(vc.pending())).sum();
        waiting + self.discarded()
    }

    /// Installs `tap`, which records the units that are sent from now on.
    pub fn install(&mut self, tap: Tap) {
        self.watch.get_or_insert_default().tap = Some(tap);
        self.is_watched = true;
    }

    /// From now on [`Transmitter::is_watched`] is true, because the output or the interface follows
    /// the units that start.
    pub fn watch(&mut self) {
        self.is_watched = true;
    }

    /// True if a tap, a loss, a reassembly timer, link-level retry, credits for packets or the output
    /// must see each unit that starts.
    #[inline]
    pub fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// The tap, if there is one.
    pub fn tap(&self) -> Option<&Tap> {
        self.watch.as_ref()?.tap.as_ref()
    }

    /// The tap, mutable.
    pub fn tap_mut(&mut self) -> Option<&mut Tap> {
        self.watch.as_mut()?.tap.as_mut()
    }

    /// The losses of the link; none if the link loses nothing.
    pub fn loss(&self) -> Option<&LossyEnd> {
        self.watch.as_ref()?.loss.as_ref()
    }

    /// The losses of the link, mutable.
    pub fn loss_mut(&mut self) -> Option<&mut LossyEnd> {
        self.watch.as_mut()?.loss.as_mut()
    }

    /// True if the link's losses come before the queue: [`LossAt::Queue`].
    pub fn loses_offered(&self) -> bool {
        self.loss().is_some_and(|end| end.at == LossAt::Queue)
    }

    fn loss_at(&mut self, at: LossAt) -> Option<&mut LossyEnd> {
        self.loss_mut().filter(|end| end.at == at)
    }

    /// True if a cell offered at `now` is lost before the queue; its contents are then released.
    pub fn loses_offered_cell(&mut self, now: Time, cell: &Cell, out: &mut Outlet<'_>) -> bool {
        let end = self.loss_at(LossAt::Queue);
        let lost = end.is_some_and(|end| end.loses_cell(now, cell));
        if lost {
            cell.release(out.cargo);
        }
        lost
    }

    /// True if a packet offered at `now` is lost before the queue; its contents are then released.
    #[inline]
    pub fn loses_offered_packet(
        &mut self,
        now: Time,
        packet: &PacketUnit,
        out: &mut Outlet<'_>,
    ) -> bool {
        let end = self.loss_at(LossAt::Queue);
        end.is_some_and(|end| end.loses_packet(now, packet, out.cargo))
    }

    /// Sends a cell from `start` to `end`.
    // Inlined: a call for each cell would cost more than this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn cell(&mut self, start: Time, end: Time, cell: &Cell, out: &mut Outlet<'_>) {
        if self.is_watched
            && self.watch.is_some()
            && self.loses_or_notes_cell(start, end, *cell, out)
        {
            return;
        }
        let train = if let Some(vcs) = &mut self.gathered {
            gather(&mut vcs[cell.vc.index()], cell, out.cargo)
        } else {
            Some(Train::from(*cell))
        };
        if let Some(train) = train {
            if self.sends_interleaved {
                return self.send_or_join(end, train, out);
            }
            out.send(self.output as usize, end, Unit::Cells(train));
        }
    }

    /// True if the link loses a cell that is sent from `start` to `end`; otherwise the tap records
    /// the cell, and a reassembly timer may expire.
    #[cold]
    #[inline(never)]
    fn loses_or_notes_cell(
        &mut self,
        start: Time,
        end: Time,
        cell: Cell,
        out: &mut Outlet<'_>,
    ) -> bool {
        let lossy = self.loss_at(LossAt::Transmission);
        if lossy.is_some_and(|lossy| lossy.loses_cell(start, &cell)) {
            cell.release(out.cargo);
            return true;
        }
        if let Some(tap) = self.tap_mut() {
            tap.cell(end, &cell, out.cargo);
        }
        if let Some(data) = cell.part() {
            self.time_out(end, cell.vc, data, out);
        }
        false
    }

    /// Sends a packet from `start` to `end`; returns true if the link loses it.
    // Inlined: a call for each packet would cost more than this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn packet(
        &mut self,
        start: Time,
        end: Time,
        packet: &PacketUnit,
        out: &mut Outlet<'_>,
    ) -> bool {
        if self.is_watched && self.watch.is_some() {
            return self.watched_packet(start, end, packet, out);
        }
        out.send(self.output as usize, end, Unit::Packet(*packet));
        false
    }

    /// Sends a packet on a link with a loss, a tap, retry or credits for packets; returns true if
    /// the link loses it.
    #[cold]
    #[inline(never)]
    fn watched_packet(
        &mut self,
        start: Time,
        end: Time,
        packet: &PacketUnit,
        out: &mut Outlet<'_>,
    ) -> bool {
        if self.retry_mut().is_some_and(|retry| retry.takes(end)) {
            self.send_numbered(start, end, FrameBody::Packet(*packet), out);
            return false;
        }
        let lossy = self.loss_at(LossAt::Transmission);
        if lossy.is_some_and(|lossy| lossy.loses_packet(start, packet, out.cargo)) {
            return true;
        }
        self.note_packet([start, end], packet, out);
        let unit = self.unit_of(packet);
        out.send(self.output as usize, end, unit);
        false
    }

    /// Sends the cells of a train at `now`: the first cell starts at `start`, and each takes
    /// `cell_time`.
    ///
    /// The tap does not record trains: a host records the packet of a train by
    /// [`Transmitter::note`].
    #[inline]
    pub fn train(
        &mut self,
        now: Time,
        start: Time,
        train: Train,
        cell_time: Duration,
        out: &mut Outlet<'_>,
    ) -> SentTrain {
        if self.is_watched && self.loss().is_some() {
            return self.survivors(now, start, &train, cell_time, out);
        }
        self.commit_train(now, start, train, cell_time, out);
        SentTrain {
            survivors: train.cells,
            until: Some(start + train.spacing * u64::from(train.cells - 1) + cell_time),
        }
    }

    fn commit_train(
        &mut self,
        now: Time,
        start: Time,
        train: Train,
        cell_time: Duration,
        out: &mut Outlet<'_>,
    ) {
        if self.is_watched && self.times_out() {
            return self.commit_timed(start, train, cell_time, out);
        }
        let output = self.output as usize;
        match (&mut self.gathered, &train.payload) {
            (Some(vcs), Payload::Data(data)) => {
                if let Some(gathered) = vcs[train.vc.index()].take(train.cells, data) {
                    let last = start + train.spacing * u64::from(train.cells - 1);
                    let whole = gathered.train(train.vc, data);
                    out.send(output, last + cell_time, Unit::Cells(whole));
                }
            }
            // An announced train is committed together with the cell before it, ahead of its own
            // cells.
            _ if train.order == TrainOrder::Announced => {
                out.send(output, now + cell_time, Unit::Cells(train));
            }
            _ => out.send(output, start + cell_time, Unit::Cells(train)),
        }
    }

    /// Commits the cells of a train that the link does not lose, as trains without gaps.
    ///
    /// A cell lost on the link leaves a gap in the train; a cell lost before the queue leaves none.
    #[inline(never)]
    fn survivors(
        &mut self,
        now: Time,
        start: Time,
        train: &Train,
        cell_time: Duration,
        out: &mut Outlet<'_>,
    ) -> SentTrain {
        let none = train.without_end(0);
        let (mut survivors, mut slots) = (0, 0);
        let (mut run, mut run_start) = (none, start);
        for index in 0..train.cells {
            let end = self.loss_mut().expect("the link loses");
            let takes_time = end.at == LossAt::Transmission;
            let at = start + train.spacing * slots;
            let cell = train.cell(index, train.vc);
            let lost = end.loses_cell(if takes_time { at } else { now }, &cell);
            slots += u64::from(takes_time || !lost);
            if lost {
                cell.release(out.cargo);
            } else {
                if run.cells == 0 {
                    run_start = at;
                }
                run.cells += 1;
                run.payload = cell.payload;
                survivors += 1;
            }
            let has_ended = index + 1 == train.cells || lost && takes_time;
            if has_ended && run.cells > 0 {
                self.commit_train(now, run_start, run, cell_time, out);
                run = none;
            }
        }
        SentTrain {
            survivors,
            until: (slots > 0).then(|| start + train.spacing * (slots - 1) + cell_time),
        }
    }

    /// Records, for a capture, a packet of a host that starts at `start`. `lost` is the number of
    /// its cells that the link loses, if any; for a packet that is not segmented, any number means
    /// that the packet is lost.
    pub fn note(&mut self, start: Time, vc: Vc, contents: Contents, lost: Option<u32>) {
        if let Some(tap) = self.tap_mut() {
            tap.note(TappedPacket {
                at: start,
                until: start,
                inward: false,
                vc,
                contents,
                marked: false,
                fate: lost.map_or(Fate::Whole, |cells| Fate::Lost { cells }),
            });
        }
    }

    /// Sends an amendment, which recalls or respaces announced cells; its transmission takes one
    /// `cell_time`.
    pub fn amend(
        &mut self,
        now: Time,
        cell_time: Duration,
        amendment: Amendment,
        out: &mut Outlet<'_>,
    ) {
        let unit = Unit::Amendment(amendment);
        out.send(self.output as usize, now + cell_time, unit);
    }
}

#[cfg(test)]
mod tests;
