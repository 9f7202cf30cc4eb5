//! One paced VC: its waiting packets, and the pacer that decides when their cells leave.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::commitment::{Commitment, CommitmentChange};
use super::pacer::Pacer;
use super::packets::{Leaving, PacketQueue, WaitingPacket};
use super::recording::{PacedRecording, PacedSeries};
use crate::abr::{AbrCell, Destination, RateCap, RmCell};
use crate::metrics::{CellLimit, PacedMeter};
use crate::wire::vc::Vc;

/// A paced VC.
#[derive(Clone, Debug)]
pub struct PacedVc {
    vc: Vc,
    pacer: Pacer,
    packets: PacketQueue,
    /// The commitment of the first waiting cells to start back to back.
    committed: Option<Commitment>,
    /// Start times of cells that were committed singly, because the link was busy.
    starts: VecDeque<Time>,
    /// Turns around the RM cells of the other end.
    destination: Destination,
    /// Counts of this VC.
    pub meter: PacedMeter,
    recording: PacedRecording,
}

/// Immediate effect of an RM cell on a VC.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// An RM cell that goes back.
    pub back: Option<RmCell>,
    /// Change of the committed cells that have not started; none if they stay as they are.
    pub change: Option<CommitmentChange>,
}

impl PacedVc {
    /// An empty VC.
    pub fn new(vc: Vc, pacer: Pacer) -> PacedVc {
        PacedVc {
            vc,
            pacer,
            packets: PacketQueue::default(),
            committed: None,
            starts: VecDeque::new(),
            destination: Destination::default(),
            meter: PacedMeter::default(),
            recording: PacedRecording::none(),
        }
    }

    /// True if packets wait on this VC; false if they leave at once.
    pub fn holds(&self) -> bool {
        !matches!(self.pacer, Pacer::Immediate)
    }

    /// Queues a packet at `now`.
    pub fn push(&mut self, now: Time, packet: WaitingPacket) {
        self.settle(now);
        self.packets.push(packet);
        self.meter.waits(now, self.waiting());
    }

    /// If no other cell waits or has to leave before it, lets a packet of one cell leave at `now`,
    /// and returns true.
    pub fn passes(&mut self, now: Time) -> bool {
        let is_empty = self.packets.cells() == 0 && self.starts.is_empty();
        if !is_empty || !self.pacer.passes(now) {
            return false;
        }
        self.catch_up(now);
        self.meter.passes(now);
        true
    }

    /// The earliest start of the next cell; [`Time::NEVER`] if no cell waits.
    #[inline]
    pub fn next_departure(&self) -> Time {
        let committed = self.committed.map_or(0, |committed| committed.cells);
        let data = self.packets.cells() > u64::from(committed);
        self.pacer.next_departure(data)
    }

    /// Adds to `leaving` the cell that starts at `start`, as decided at `now`. If `commits` is
    /// true, adds also the data cells that will follow if no unit arrives.
    pub fn depart(&mut self, now: Time, start: Time, commits: bool, leaving: &mut Vec<Leaving>) {
        self.settle(now);
        let data = match self.pacer.depart(start, self.packets.cells() > 0) {
            AbrCell::Data => 1,
            AbrCell::Rm(rm) => {
                self.count(&rm);
                leaving.push(Leaving::Rm(self.vc, rm));
                0
            }
        };
        if commits {
            self.commit(start, data);
        }
        self.packets
            .pieces(self.vc, start, data, self.committed, leaving);
        if data > 0 {
            self.packets.forget(1);
            if start > now {
                self.starts.push_back(start);
            } else {
                self.meter.waits(now, self.waiting());
            }
        }
    }

    /// Commits the data cells behind the cell that starts at `start`; `data` is 1 if that cell
    /// carries data, and 0 if not.
    fn commit(&mut self, start: Time, data: u32) {
        let spacing = self.pacer.interval();
        let next = start + spacing;
        let waiting = u32::try_from(self.packets.cells()).unwrap_or(u32::MAX) - data;
        let cells = self.pacer.data_from(next).min(waiting);
        if cells > 0 {
            self.pacer.run(next, cells);
            self.committed = Some(Commitment {
                cells,
                next,
                spacing,
            });
        }
    }

    /// The committed cells that have not started, packet by packet.
    pub fn committed(&self) -> Vec<Leaving> {
        let mut pieces = Vec::new();
        if let Some(committed) = self.committed {
            let next = committed.next;
            self.packets
                .pieces(self.vc, next, 0, self.committed, &mut pieces);
        }
        pieces
    }

    /// An RM cell arrives at `now`; `efci` is the mark of the last data cell before it.
    pub fn receive(&mut self, now: Time, rm: RmCell, efci: bool) -> Reaction {
        self.settle(now);
        if rm.backward {
            self.meter.returned += 1;
            let Pacer::Abr(source) = &mut self.pacer else {
                return Reaction::default();
            };
            let before = source.interval();
            source.on_backward(&rm);
            let is_changed = source.interval() != before;
            return Reaction {
                back: None,
                change: is_changed.then(|| self.change(now)).flatten(),
            };
        }
        self.destination.on_data(efci);
        let backward = self.destination.turn_around(rm);
        match &mut self.pacer {
            Pacer::Abr(source) => {
                self.meter.overwritten += u64::from(source.turn_around(backward));
                let recalls = source.backward_is_next();
                Reaction {
                    back: None,
                    change: recalls.then(|| self.change(now)).flatten(),
                }
            }
            Pacer::Immediate => {
                self.count(&backward);
                Reaction {
                    back: Some(backward),
                    change: None,
                }
            }
            Pacer::Spaced { .. } | Pacer::Shaped(_) => {
                unreachable!("RM cells travel between ends of ABR")
            }
        }
    }

    /// Changes the committed cells that have not started, if the source now sends at other times or
    /// other cells first.
    fn change(&mut self, now: Time) -> Option<CommitmentChange> {
        let committed = self.committed.take()?;
        let Pacer::Abr(source) = &mut self.pacer else {
            return None;
        };
        source.recall(committed.cells, committed.next - committed.spacing);
        let next = source.next_departure(true).max(now);
        if source.data_from(next) < committed.cells {
            return Some(committed.recall());
        }
        // No RM cell goes first, so the committed cells keep their order and get new start times.
        source.run(next, committed.cells);
        let respaced = committed.respace(next, source.interval());
        self.committed = Some(respaced);
        Some(CommitmentChange::Respaced(respaced))
    }

    /// Counts the committed cells that have started until `now`, and takes the samples due until
    /// `now`; the caller changes the VC only after this call.
    #[inline]
    pub fn settle(&mut self, now: Time) {
        while let Some(start) = self.starts.front().copied()
            && start <= now
        {
            self.catch_up(start);
            self.starts.pop_front();
            self.meter.waits(start, self.waiting());
        }
        while let Some(committed) = self.committed
            && committed.next <= now
        {
            // If a sample is due, cells are counted one by one, because the sample reads the number
            // of waiting cells.
            let started = if now < self.recording.due() {
                committed.started(now)
            } else {
                1
            };
            self.catch_up(committed.next);
            self.committed = committed.without(started);
            self.packets.forget(started);
            let later = started - 1;
            let waiting = self.waiting() + u64::from(later);
            self.meter.waits(committed.next, waiting);
            self.meter.drains(committed.spacing, later);
        }
        self.catch_up(now);
    }

    /// Records the samples due up to `now`.
    #[inline]
    fn catch_up(&mut self, now: Time) {
        if now >= self.recording.due() {
            let waiting = self.waiting();
            self.recording.sample(now, waiting, self.pacer.acr());
        }
    }

    /// Cells that wait: those in the queue, and committed cells whose start has not been counted.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.packets.cells() + self.starts.len() as u64
    }

    /// The bound of the allowed rate, if the rate varies.
    pub fn rate_cap(&mut self) -> Option<RateCap<'_>> {
        self.pacer.rate_cap()
    }

    /// The allowed rate, in cells per second, if it varies.
    pub fn acr(&self) -> Option<f64> {
        self.pacer.acr()
    }

    /// Time in which cells waited, from the start of counting until `now`.
    pub fn waited(&mut self, now: Time) -> Duration {
        self.settle(now);
        self.meter.waited(now)
    }

    /// The cause for which cells wait, apart from a lack of credit.
    pub fn pacing(&self) -> CellLimit {
        self.pacer.pacing()
    }

    /// Records that the VC has no credit from `now` on. The time without credit counts if a cell
    /// waits.
    pub fn wants_credit(&mut self, now: Time) {
        if self.packets.cells() > 0 {
            self.meter.wants_credit(now);
        }
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        self.settle(now);
        self.meter.begin(now);
    }

    /// The counts until `now`.
    pub fn read(&mut self, now: Time) -> PacedMeter {
        self.settle(now);
        self.meter
    }

    /// Counts an RM cell that is sent.
    fn count(&mut self, rm: &RmCell) {
        let meter = &mut self.meter;
        let sent = match (rm.backward, rm.clp) {
            (true, _) => &mut meter.turned_around,
            (false, false) => &mut meter.in_rate,
            (false, true) => &mut meter.out_of_rate,
        };
        *sent += 1;
    }

    /// Records the queue and the rate every `every` from the start on.
    pub fn record(&mut self, every: Duration) {
        if self.holds() {
            self.recording = PacedRecording::every(every, self.pacer.acr().is_some());
        }
    }

    /// Returns the samples up to and including `now`.
    pub fn take_recorded(&mut self, now: Time) -> Option<PacedSeries> {
        self.settle(now);
        self.recording.take()
    }
}
