//! One paced channel: the waiting packets, and the pacer that lets them leave.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::ahead::Ahead;
use super::leaving::{Answer, Change, Leaving};
use super::pacer::Pacer;
use super::packets::{Packets, Waiting};
use super::recording::{PacedSeries, Recording};
use super::run::Run;
use crate::abr::{Departure, Destination, RmCell};
use crate::metrics::{PacedMeter, Pacing};
use crate::vc::Vc;

/// A paced channel.
#[derive(Clone, Debug)]
pub struct Channel {
    vc: Vc,
    pacer: Pacer,
    packets: Packets,
    /// The first waiting cells, if they are committed to start back to back.
    run: Option<Run>,
    /// Cells committed behind the run.
    ahead: Option<Ahead>,
    /// Start times of cells that were committed one by one, because the link was busy.
    starts: VecDeque<Time>,
    /// Turns around the RM cells of the other end.
    destination: Destination,
    /// Counts of this channel.
    pub meter: PacedMeter,
    recording: Recording,
}

impl Channel {
    /// An empty channel.
    pub fn new(vc: Vc, pacer: Pacer) -> Channel {
        Channel {
            vc,
            pacer,
            packets: Packets::default(),
            run: None,
            ahead: None,
            starts: VecDeque::new(),
            destination: Destination::default(),
            meter: PacedMeter::default(),
            recording: Recording::none(),
        }
    }

    /// True if packets on this channel wait for their turn.
    pub fn holds(&self) -> bool {
        !matches!(self.pacer, Pacer::Immediate)
    }

    /// A packet waits from `now` on.
    pub fn push(&mut self, now: Time, packet: Waiting) {
        self.settle(now);
        self.packets.push(packet);
        self.meter.waits(now, self.waiting());
    }

    /// Lets a packet of one cell leave at `now`, and returns true, if no other cell waits or has to
    /// leave before it.
    pub fn passes(&mut self, now: Time) -> bool {
        let is_empty = self.packets.cells() == 0 && self.starts.is_empty();
        if !is_empty || !self.pacer.passes(now) {
            return false;
        }
        self.catch_up(now);
        self.meter.passes(now);
        true
    }

    /// The earliest start of the next cell; [`Time::NEVER`] if there is none.
    #[inline]
    pub fn next_departure(&self) -> Time {
        let run = self.run.map_or(0, |run| run.left);
        let ahead = self.ahead.map_or(0, |ahead| ahead.data);
        let data = self.packets.cells() > u64::from(run + ahead);
        match (&self.pacer, self.ahead) {
            (Pacer::Abr(source), Some(ahead)) => {
                source.next_departure_behind(ahead.at, ahead.data, data)
            }
            (pacer, _) => pacer.next_departure(data),
        }
    }

    /// Adds to `leaving` the cell that starts at `start`, as decided at `now`, and if it `runs`,
    /// the data cells that follow unless something arrives.
    pub fn depart(&mut self, now: Time, start: Time, runs: bool, leaving: &mut Vec<Leaving>) {
        self.settle(now);
        let data = match self.pacer.depart(start, self.packets.cells() > 0) {
            Departure::Data => 1,
            Departure::Rm(rm) => {
                self.count(&rm);
                leaving.push(Leaving::Rm(self.vc, rm));
                0
            }
        };
        if runs {
            self.run_on(start, data);
        }
        self.packets.pieces(self.vc, start, data, self.run, leaving);
        if data > 0 {
            self.packets.forget(1);
            if start > now {
                self.starts.push_back(start);
            } else {
                self.meter.waits(now, self.waiting());
            }
        }
    }

    /// Begins a run of `data` waiting cells behind the cell that starts at `start`.
    fn run_on(&mut self, start: Time, data: u32) {
        let spacing = self.pacer.interval();
        let next = start + spacing;
        let waiting = u32::try_from(self.packets.cells()).unwrap_or(u32::MAX) - data;
        let left = self.pacer.data_from(next).min(waiting);
        if left > 0 {
            self.pacer.run(next, left);
            self.run = Some(Run {
                left,
                next,
                spacing,
            });
        }
    }

    /// Commits the next RM cell behind a run, and adds it to `leaving` with the data cells behind
    /// it; returns its start. Returns none if it is not known yet.
    pub fn look_ahead(&mut self, leaving: &mut Vec<Leaving>) -> Option<Time> {
        let (Some(run), None, Pacer::Abr(source)) = (self.run, self.ahead, &self.pacer) else {
            return None;
        };
        let forward = source.look_ahead()?;
        let waiting = self.packets.cells() - u64::from(run.left);
        let left = forward.data.min(u32::try_from(waiting).unwrap_or(u32::MAX));
        if left == 0 {
            return None;
        }
        leaving.push(Leaving::Rm(self.vc, forward.rm));
        let spacing = run.spacing;
        let behind = Run {
            left,
            next: forward.at + spacing,
            spacing,
        };
        self.packets
            .pieces_behind(self.vc, run.left, behind, leaving);
        self.ahead = Some(Ahead {
            at: forward.at,
            data: left,
            units: leaving.len() as u32,
            last: run.last(),
        });
        Some(forward.at)
    }

    /// The committed cells that have not started, packet by packet, except those in [`Ahead`].
    pub fn committed(&self) -> Vec<Leaving> {
        let mut committed = Vec::new();
        if let Some(run) = self.run {
            self.packets.pieces_behind(self.vc, 0, run, &mut committed);
        }
        committed
    }

    /// An RM cell arrives at `now`; `efci` is the mark of the last data cell before it.
    pub fn receive(&mut self, now: Time, rm: RmCell, efci: bool) -> Answer {
        self.settle(now);
        if rm.backward {
            self.meter.returned += 1;
            let Pacer::Abr(source) = &mut self.pacer else {
                return Answer::default();
            };
            let before = (source.acr().to_bits(), source.interval());
            source.on_backward(&rm);
            let after = (source.acr().to_bits(), source.interval());
            return Answer {
                back: None,
                // An RM cell carries the rate, so a changed rate changes the cell.
                withdrawn: self.ahead.take_if(|_| before != after),
                change: (before.1 != after.1).then(|| self.change(now)).flatten(),
            };
        }
        self.destination.on_data(efci);
        let backward = self.destination.turn_around(rm);
        match &mut self.pacer {
            Pacer::Abr(source) => {
                self.meter.overwritten += u64::from(source.turn_around(backward));
                let recalls = source.backward_is_next();
                Answer {
                    back: None,
                    withdrawn: self.ahead.take(),
                    change: recalls.then(|| self.change(now)).flatten(),
                }
            }
            Pacer::Immediate => {
                self.count(&backward);
                Answer {
                    back: Some(backward),
                    ..Answer::default()
                }
            }
            Pacer::Spaced { .. } | Pacer::Shaped(_) => {
                unreachable!("RM cells travel between ends of ABR")
            }
        }
    }

    /// Changes the committed cells that have not started, if the source now wants other ones.
    fn change(&mut self, now: Time) -> Option<Change> {
        let run = self.run.take()?;
        let Pacer::Abr(source) = &mut self.pacer else {
            return None;
        };
        let last = run.next - run.spacing;
        source.recall(run.left, last);
        let next = source.next_departure(true).max(now);
        if source.data_from(next) < run.left {
            return Some(Change::Recalled(run.left, last));
        }
        // The same cells, at another rate.
        source.run(next, run.left);
        let respaced = Run {
            next,
            spacing: source.interval(),
            ..run
        };
        self.run = Some(respaced);
        Some(Change::Respaced(respaced))
    }

    /// Notes the committed cells that have started until `now`, and the samples due until then,
    /// before anything changes.
    #[inline]
    fn settle(&mut self, now: Time) {
        while let Some(start) = self.starts.front().copied()
            && start <= now
        {
            self.catch_up(start);
            self.starts.pop_front();
            self.meter.waits(start, self.waiting());
        }
        while let Some(run) = self.run
            && run.next <= now
        {
            // All cells together, unless a sample is due in between.
            let started = if now < self.recording.due() {
                run.started(now)
            } else {
                1
            };
            self.catch_up(run.next);
            self.run = run.without(started);
            self.packets.forget(started);
            let later = started - 1;
            let waiting = self.waiting() + u64::from(later);
            self.meter.waits(run.next, waiting);
            self.meter.drains(run.spacing, later);
        }
        if let Some(ahead) = self.ahead
            && ahead.at <= now
        {
            self.begin(ahead);
            return self.settle(now);
        }
        self.catch_up(now);
    }

    /// The cells ahead begin, and are an ordinary run from then on.
    fn begin(&mut self, ahead: Ahead) {
        self.catch_up(ahead.at);
        self.ahead = None;
        let Departure::Rm(rm) = self.pacer.depart(ahead.at, true) else {
            unreachable!("an RM cell was due")
        };
        self.count(&rm);
        let spacing = self.pacer.interval();
        let next = ahead.at + spacing;
        self.pacer.run(next, ahead.data);
        self.run = Some(Run {
            left: ahead.data,
            next,
            spacing,
        });
    }

    /// Records the samples due up to `now`.
    #[inline]
    fn catch_up(&mut self, now: Time) {
        if now >= self.recording.due() {
            let waiting = self.waiting();
            self.recording.sample(now, waiting, self.pacer.acr());
        }
    }

    /// Cells that are not known to have started.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.packets.cells() + self.starts.len() as u64
    }

    /// The allowed rate, in cells per second, if it varies.
    pub fn acr(&self) -> Option<f64> {
        self.pacer.acr()
    }

    /// Time, of the time counted until `now`, in which cells have waited.
    pub fn waited(&mut self, now: Time) -> Duration {
        self.settle(now);
        self.meter.waited(now)
    }

    /// The cause for which cells wait, apart from credit.
    pub fn pacing(&self) -> Pacing {
        self.pacer.pacing()
    }

    /// The channel has no credit from `now` on, which matters if a cell waits for it.
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

    /// Records the channel every `every` from the start on.
    pub fn record(&mut self, every: Duration) {
        if self.holds() {
            self.recording = Recording::every(every, self.pacer.acr().is_some());
        }
    }

    /// Returns the samples up to and including `now`.
    pub fn take_recorded(&mut self, now: Time) -> Option<PacedSeries> {
        self.settle(now);
        self.recording.take()
    }
}
