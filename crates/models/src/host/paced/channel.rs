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
    /// Cells that are committed and will start one after another.
    run: Option<Run>,
    /// Turns around the RM cells of the other end.
    destination: Destination,
    /// What is counted here.
    pub meter: PacedMeter,
    /// When the next sample is due, [`Time::NEVER`] unless the channel is recorded.
    sample_at: Time,
    series: Option<Box<PacedSeries>>,
}

/// A packet that waits, or what has not left of it.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// Its contents.
    pub frame: FrameId,
    /// Its number on the channel.
    pub pdu: u32,
    /// Cells of it, at least one.
    pub cells: u32,
    /// None of them has left.
    pub whole: bool,
}

/// What leaves a paced channel.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// Data cells of a packet, and whether they are the first of it.
    Data(Train, bool),
    /// An RM cell on a virtual channel.
    Rm(Vc, RmCell),
}

/// What an RM cell makes a channel do at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// An RM cell goes back.
    pub back: Option<RmCell>,
    /// So many cells that were committed do not leave, and when the last started that does.
    pub recalled: Option<(u32, Time)>,
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
        self.meter.waits(now, self.waiting());
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
        self.pacer.next_departure(self.cells > 0)
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

    /// What starts at `start`, as is decided at `now`; if it `runs`, with the cells that follow unless
    /// something arrives. Where each wants credit, none does.
    pub fn depart(&mut self, now: Time, start: Time, runs: bool) -> Leaving {
        self.settle(now);
        if let Some(balance) = &mut self.balance {
            balance.spend();
        }
        let runs = runs && self.balance.is_none();
        match self.pacer.depart(start, self.cells > 0) {
            Departure::Data => self.depart_data(start, runs),
            Departure::Rm(rm) => {
                self.count(&rm);
                Leaving::Rm(self.vc, rm)
            }
        }
    }

    fn depart_data(&mut self, start: Time, runs: bool) -> Leaving {
        let packet = self.packets.front_mut().expect("a cell waits");
        let (more, spacing) = if runs && packet.cells > 1 {
            let (ahead, spacing) = self.pacer.ahead(start);
            (ahead.min(packet.cells - 1), spacing)
        } else {
            (0, Duration::ZERO)
        };
        let is_first = std::mem::take(&mut packet.whole);
        packet.cells -= 1 + more;
        let train = Train {
            vc: self.vc,
            pdu: packet.pdu,
            frame: packet.frame,
            kind: Kind::Data,
            cells: 1 + more,
            spacing,
            eom: packet.cells == 0,
            marked: false,
            uniform: true,
        };
        let packet = *packet;
        if train.eom {
            self.packets.pop_front();
        }
        self.cells -= u64::from(train.cells);
        if more > 0 {
            self.pacer.run(more);
            self.run = Some(Run {
                packet,
                left: more,
                next: start + spacing,
                spacing,
            });
        }
        self.meter.waits(start, self.waiting());
        Leaving::Data(train, is_first)
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
                    return self.recall();
                }
            }
            return Answer::default();
        }
        self.destination.on_data(efci);
        let backward = self.destination.turn_around(rm);
        match &mut self.pacer {
            Pacer::Abr(source) => {
                self.meter.overwritten += u64::from(source.turn_around(backward));
                if source.backward_is_next() {
                    return self.recall();
                }
                Answer::default()
            }
            Pacer::Immediate => {
                self.count(&backward);
                Answer {
                    back: Some(backward),
                    recalled: None,
                }
            }
            Pacer::Spaced { .. } => unreachable!("RM cells travel between ends of ABR"),
        }
    }

    /// Takes back the cells of a run that have not started, if there are any.
    fn recall(&mut self) -> Answer {
        let Some(run) = self.run.take() else {
            return Answer::default();
        };
        let (packet, last) = run.recalled();
        if let Pacer::Abr(source) = &mut self.pacer {
            source.recall(packet.cells, last);
        }
        self.cells += u64::from(packet.cells);
        match self.packets.front_mut() {
            Some(front) if front.pdu == packet.pdu => front.cells += packet.cells,
            _ => self.packets.push_front(packet),
        }
        Answer {
            back: None,
            recalled: Some((packet.cells, last)),
        }
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
            self.meter
                .waits(run.next, self.waiting() + u64::from(started) - 1);
            self.meter.drains(run.spacing, started - 1);
        }
        self.catch_up(now);
    }

    /// Cells that have not started.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.cells + self.run.map_or(0, |run| u64::from(run.left))
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
        let waiting = self.waiting();
        if let Some(series) = &mut self.series {
            series.queue.hold(now, waiting as f64);
            if let (Some(of_acr), Some(acr)) = (&mut series.acr, self.pacer.acr()) {
                of_acr.hold(now, acr);
            }
            self.sample_at = series.queue.due();
        }
    }
}
