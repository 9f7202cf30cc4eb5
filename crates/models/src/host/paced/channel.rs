//! One paced channel: the packets that wait, and who lets them leave.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::pacer::Pacer;
use super::run::Run;
use crate::abr::{Departure, Destination, RmCell};
use crate::cell::{Kind, Train};
use crate::credit::{Balance, Room};
use crate::frame::FrameId;
use crate::metrics::{PacedMeter, Series};
use crate::vc::Vc;

/// A paced channel.
#[derive(Clone, Debug)]
pub struct Channel {
    vc: Vc,
    pacer: Pacer,
    /// Room at the far end of the link, where that controls what is sent.
    balance: Option<Balance>,
    packets: VecDeque<Waiting>,
    /// Cells of them.
    cells: u64,
    /// The first of those, if they are committed and will start one after another.
    run: Option<Run>,
    /// Turns around the RM cells of the other end.
    destination: Destination,
    /// What is counted here.
    pub meter: PacedMeter,
    /// When the next sample is due, [`Time::NEVER`] unless the channel is recorded.
    sample_at: Time,
    series: Option<Box<PacedSeries>>,
}

/// A packet that waits, or what has not started of it.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// Its contents.
    pub frame: FrameId,
    /// Its number on the channel.
    pub pdu: u32,
    /// Cells of it.
    pub total: u32,
    /// Those that have not started, at least one.
    pub cells: u32,
}

impl Waiting {
    /// A packet of which nothing has left.
    pub fn new(frame: FrameId, pdu: u32, cells: u32) -> Waiting {
        Waiting {
            frame,
            pdu,
            total: cells,
            cells,
        }
    }
}

/// What leaves a paced channel.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// Data cells of a packet.
    Data {
        /// The cells.
        train: Train,
        /// When the first of them starts.
        start: Time,
        /// It is the first of the packet.
        is_first: bool,
    },
    /// An RM cell on a virtual channel.
    Rm(Vc, RmCell),
}

/// What an RM cell makes a channel do at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// An RM cell goes back.
    pub back: Option<RmCell>,
    /// What becomes of cells that are committed and have not started, if that changes.
    pub change: Option<Change>,
}

/// What becomes of cells that are committed and have not started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// So many do not leave; the last that does started at this instant.
    Recalled(u32, Time),
    /// So many leave at other times.
    Respaced(Run),
}

/// A paced channel over time.
#[derive(Clone, Debug)]
pub struct PacedSeries {
    /// Cells that wait.
    pub queue: Series,
    /// Allowed cell rate, cells per second, where that changes.
    pub acr: Option<Series>,
}

impl Channel {
    /// An empty channel.
    pub fn new(vc: Vc, pacer: Pacer) -> Channel {
        Channel {
            vc,
            pacer,
            balance: None,
            packets: VecDeque::new(),
            cells: 0,
            run: None,
            destination: Destination::default(),
            meter: PacedMeter::default(),
            sample_at: Time::NEVER,
            series: None,
        }
    }

    /// Whether packets wait here.
    pub fn holds(&self) -> bool {
        !matches!(self.pacer, Pacer::Immediate)
    }

    /// A packet waits from `now` on.
    pub fn push(&mut self, now: Time, packet: Waiting) {
        self.settle(now);
        self.packets.push_back(packet);
        self.cells += u64::from(packet.cells);
        self.meter.waits(now, self.cells);
    }

    /// The earliest start of the next cell, [`Time::NEVER`] if there is none.
    #[inline]
    pub fn next_departure(&self) -> Time {
        if self
            .balance
            .as_ref()
            .is_some_and(|balance| !balance.is_open())
        {
            return Time::NEVER;
        }
        let committed = self.run.map_or(0, |run| u64::from(run.left));
        self.pacer.next_departure(self.cells > committed)
    }

    /// From the start on, a cell leaves only if there is room for it at the far end of the link.
    pub fn wait_for_credit(&mut self, room: Room) {
        self.balance = Some(Balance::new(room));
    }

    /// A credit says how many cells the far end of the link has forwarded.
    pub fn learn(&mut self, forwarded: u32) {
        if let Some(balance) = &mut self.balance {
            balance.learn(forwarded);
        }
    }

    /// Adds to `leaving` what starts at `start`, as is decided at `now`; and if it `runs`, the data cells
    /// that follow unless something arrives. Where each wants credit, none does.
    pub fn depart(&mut self, now: Time, start: Time, runs: bool, leaving: &mut Vec<Leaving>) {
        self.settle(now);
        if let Some(balance) = &mut self.balance {
            balance.spend();
        }
        let data = match self.pacer.depart(start, self.cells > 0) {
            Departure::Data => 1,
            Departure::Rm(rm) => {
                self.count(&rm);
                leaving.push(Leaving::Rm(self.vc, rm));
                0
            }
        };
        if runs && self.balance.is_none() {
            self.run_on(start, data);
        }
        let run = self.run.map_or(0, |run| run.left);
        self.pieces(start, data, data + run, leaving);
        if data > 0 {
            self.forget(1);
            self.meter.waits(start, self.cells);
        }
    }

    /// Begins a run behind the cell that starts at `start`, which takes `data` cells of those that wait.
    fn run_on(&mut self, start: Time, data: u32) {
        let spacing = self.pacer.interval();
        let next = start + spacing;
        let waiting = u32::try_from(self.cells).unwrap_or(u32::MAX) - data;
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

    /// Adds to `leaving` the first `cells` of those that wait, packet by packet: `data` of them start
    /// at `start`, the others follow as a run.
    fn pieces(&self, start: Time, data: u32, cells: u32, leaving: &mut Vec<Leaving>) {
        let (next, spacing) = self
            .run
            .map_or((start, Duration::ZERO), |run| (run.next, run.spacing));
        let mut left = cells;
        for packet in &self.packets {
            if left == 0 {
                return;
            }
            let before = cells - left;
            let follows = before >= data;
            let of_packet = left.min(packet.cells);
            let train = Train {
                vc: self.vc,
                pdu: packet.pdu,
                frame: packet.frame,
                kind: Kind::Data,
                cells: of_packet,
                spacing,
                eom: of_packet == packet.cells,
                // Rule 12 of ABR sources.
                marked: false,
                clp: false,
                uniform: true,
                follows,
            };
            leaving.push(Leaving::Data {
                train,
                start: if follows {
                    next + spacing * u64::from(before - data)
                } else {
                    start
                },
                is_first: packet.cells == packet.total,
            });
            left -= of_packet;
        }
    }

    /// What is committed and has not started, packet by packet.
    pub fn committed(&self) -> Vec<Leaving> {
        let mut committed = Vec::new();
        if let Some(run) = self.run {
            self.pieces(run.next, 0, run.left, &mut committed);
        }
        committed
    }

    /// Cells that waited have started.
    fn forget(&mut self, cells: u32) {
        self.cells -= u64::from(cells);
        let mut left = cells;
        while left > 0 {
            let packet = self.packets.front_mut().expect("a cell waits");
            let of_packet = left.min(packet.cells);
            packet.cells -= of_packet;
            left -= of_packet;
            if packet.cells == 0 {
                self.packets.pop_front();
            }
        }
    }

    /// An RM cell arrives at `now`; `efci` is that of the last data cell before it.
    pub fn receive(&mut self, now: Time, rm: RmCell, efci: bool) -> Answer {
        self.settle(now);
        if rm.backward {
            self.meter.returned += 1;
            if let Pacer::Abr(source) = &mut self.pacer {
                let before = source.interval();
                source.on_backward(&rm);
                if source.interval() != before {
                    return Answer {
                        back: None,
                        change: self.change(now),
                    };
                }
            }
            return Answer::default();
        }
        self.destination.on_data(efci);
        let backward = self.destination.turn_around(rm);
        match &mut self.pacer {
            Pacer::Abr(source) => {
                self.meter.overwritten += u64::from(source.turn_around(backward));
                let recalls = source.backward_is_next();
                Answer {
                    back: None,
                    change: recalls.then(|| self.change(now)).flatten(),
                }
            }
            Pacer::Immediate => {
                self.count(&backward);
                Answer {
                    back: Some(backward),
                    change: None,
                }
            }
            Pacer::Spaced { .. } | Pacer::Shaped(_) => {
                unreachable!("RM cells travel between ends of ABR")
            }
        }
    }

    /// Changes what is committed and has not started, if anything is, as the source wants it now.
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

    /// Takes note of the cells of a run that have started until `now`, and of the samples due until
    /// then, before anything changes.
    #[inline]
    fn settle(&mut self, now: Time) {
        while let Some(run) = self.run
            && run.next <= now
        {
            // All together, unless a sample is due in between.
            let started = if now < self.sample_at {
                run.started(now)
            } else {
                1
            };
            self.catch_up(run.next);
            self.run = run.without(started);
            self.forget(started);
            let later = started - 1;
            self.meter.waits(run.next, self.cells + u64::from(later));
            self.meter.drains(run.spacing, later);
        }
        self.catch_up(now);
    }

    /// Cells that have not started, as far as that is known.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.cells
    }

    /// Starts to count again at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        self.settle(now);
        self.meter.begin(now);
    }

    /// What was counted until `now`.
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
            self.sample_at = Time::ZERO;
            self.series = Some(Box::new(PacedSeries {
                queue: Series::new(every),
                acr: self.pacer.acr().map(|_| Series::new(every)),
            }));
        }
    }

    /// Gives away what was recorded up to and including `now`.
    pub fn take_recorded(&mut self, now: Time) -> Option<PacedSeries> {
        self.settle(now);
        self.sample_at = Time::NEVER;
        self.series.take().map(|series| *series)
    }

    /// Records the samples due up to `now`.
    #[inline]
    fn catch_up(&mut self, now: Time) {
        if now >= self.sample_at {
            self.sample(now);
        }
    }

    #[cold]
    fn sample(&mut self, now: Time) {
        let waiting = self.cells;
        if let Some(series) = &mut self.series {
            series.queue.hold(now, waiting as f64);
            if let (Some(of_acr), Some(acr)) = (&mut series.acr, self.pacer.acr()) {
                of_acr.hold(now, acr);
            }
            self.sample_at = series.queue.due();
        }
    }
}
