//! One paced channel: the packets that wait, and who lets them leave.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::pacer::Pacer;
use crate::abr::{Departure, Destination, RmCell};
use crate::cell::{Cell, Kind};
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
}

/// What leaves a paced channel.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// A data cell.
    Data(Cell),
    /// An RM cell on a virtual channel.
    Rm(Vc, RmCell),
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

    /// Whether RM cells travel on it.
    pub fn is_abr(&self) -> bool {
        !matches!(self.pacer, Pacer::Spaced { .. })
    }

    /// A packet waits from `now` on.
    pub fn push(&mut self, now: Time, packet: Waiting) {
        self.catch_up(now);
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

    /// The cell that starts at `start`, as is decided at `now`.
    #[inline]
    pub fn depart(&mut self, now: Time, start: Time) -> Leaving {
        self.catch_up(now);
        if let Some(balance) = &mut self.balance {
            balance.spend();
        }
        match self.pacer.depart(start, self.cells > 0) {
            Departure::Data => {
                self.cells -= 1;
                self.meter.waits(start, self.cells);
                Leaving::Data(self.next_cell())
            }
            Departure::Rm(rm) => {
                self.count(&rm);
                Leaving::Rm(self.vc, rm)
            }
        }
    }

    fn next_cell(&mut self) -> Cell {
        let packet = self.packets.front_mut().expect("a cell waits");
        packet.cells -= 1;
        let cell = Cell {
            vc: self.vc,
            pdu: packet.pdu,
            frame: packet.frame,
            kind: Kind::Data,
            eom: packet.cells == 0,
            marked: false,
        };
        if cell.eom {
            self.packets.pop_front();
        }
        cell
    }

    /// An RM cell arrives at `now`; `efci` is that of the last data cell before it. Returns one that goes
    /// back at once, if one does.
    pub fn receive(&mut self, now: Time, rm: RmCell, efci: bool) -> Option<RmCell> {
        self.catch_up(now);
        if rm.backward {
            if let Pacer::Abr(source) = &mut self.pacer {
                source.on_backward(&rm);
            }
            self.meter.returned += 1;
            return None;
        }
        self.destination.on_data(efci);
        let backward = self.destination.turn_around(rm);
        match &mut self.pacer {
            Pacer::Abr(source) => {
                self.meter.overwritten += u64::from(source.turn_around(backward));
                None
            }
            Pacer::Immediate => {
                self.count(&backward);
                Some(backward)
            }
            Pacer::Spaced { .. } => unreachable!("RM cells travel between ends of ABR"),
        }
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
        self.catch_up(now);
        self.sample_at = Time::NEVER;
        self.series.take().map(|series| *series)
    }

    /// Records the samples due up to `now`, before anything changes.
    #[inline]
    fn catch_up(&mut self, now: Time) {
        if now >= self.sample_at {
            self.sample(now);
        }
    }

    #[cold]
    fn sample(&mut self, now: Time) {
        if let Some(series) = &mut self.series {
            series.queue.hold(now, self.cells as f64);
            if let (Some(of_acr), Some(acr)) = (&mut series.acr, self.pacer.acr()) {
                of_acr.hold(now, acr);
            }
            self.sample_at = series.queue.due();
        }
    }
}
