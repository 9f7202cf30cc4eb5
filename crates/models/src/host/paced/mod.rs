//! Paced channels: their packets wait at the host, and leave cell by cell, when a pacer says so.

mod ahead;
mod channel;
mod leaving;
mod pacer;
mod packets;
mod recording;
mod run;

use kernel::{Duration, Time, Tournament};

use crate::abr::RmCell;
use crate::cell::{Cell, Kind};
use crate::credit::{Allowance, Grants, Room, Rounds};
use crate::metrics::{Below, PacedMeter, Series};
use crate::vc::Vc;
pub use ahead::Ahead;
pub use channel::Channel;
pub use leaving::{Answer, Change, Leaving};
pub use pacer::Pacer;
pub use packets::Waiting;
pub use recording::PacedSeries;
pub use run::Run;

/// The paced channels of a host.
#[derive(Clone, Debug)]
pub struct Paced {
    channels: Vec<Channel>,
    /// Place of each virtual channel among them, if it has one.
    places: Vec<Option<usize>>,
    /// When the next cell of each channel is due; and behind them the next check, if there are any.
    due: Tournament,
    /// Where the far end of the link controls what is sent.
    credit: Option<Box<Credit>>,
    /// RM cells that the host has sent since the start of the run.
    pub rm_sent: u64,
    /// RM cells that have arrived there.
    pub rm_arrived: u64,
    /// Room for what leaves in one act.
    leaving: Vec<Leaving>,
}

/// Credit of the paced channels, by their places.
#[derive(Clone, Debug)]
struct Credit {
    grants: Grants,
    /// When the far end is told what was sent, if it is.
    rounds: Option<Rounds>,
}

/// What an observer may see of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Cells that wait.
    pub waiting: u64,
    /// Rate that is allowed, in cells per second, if that changes.
    pub acr: Option<f64>,
}

/// A channel of which a cell is due.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// Since when.
    pub at: Time,
    /// Its place among the paced channels of the host.
    place: usize,
}

impl Paced {
    /// The channels of a host, where `pacers` is by virtual channel; nothing if there are none.
    pub fn new(pacers: Vec<Option<Pacer>>) -> Option<Paced> {
        let mut channels = Vec::new();
        let mut places = Vec::with_capacity(pacers.len());
        for (vc, pacer) in (0u32..).map(Vc).zip(pacers) {
            places.push(pacer.map(|pacer| {
                channels.push(Channel::new(vc, pacer));
                channels.len() - 1
            }));
        }
        (!channels.is_empty()).then(|| Paced {
            due: Tournament::new(channels.len()),
            credit: None,
            leaving: Vec::new(),
            channels,
            places,
            rm_sent: 0,
            rm_arrived: 0,
        })
    }

    /// When the next cell leaves, or joins what leaves first in, first out.
    #[inline]
    pub fn next_wake(&self) -> Time {
        self.due.first().0
    }

    fn channel(&self, vc: Vc) -> Option<&Channel> {
        self.places[vc.index()].map(|place| &self.channels[place])
    }

    /// What an observer may see of `vc`, if its packets wait here.
    pub fn level(&self, vc: Vc) -> Option<Level> {
        let channel = self.channel(vc).filter(|channel| channel.holds())?;
        Some(Level {
            waiting: channel.waiting(),
            acr: channel.acr(),
        })
    }

    /// Cells that wait on `vc`.
    pub fn waiting(&self, vc: Vc) -> u64 {
        self.channel(vc).map_or(0, Channel::waiting)
    }

    /// Whether packets on `vc` wait here.
    #[inline]
    pub fn holds(&self, vc: Vc) -> bool {
        self.channel(vc).is_some_and(Channel::holds)
    }

    /// A packet waits on `vc` from `now` on.
    pub fn push(&mut self, now: Time, vc: Vc, packet: Waiting) {
        if let Some(due) = self.push_or_start(now, vc, packet) {
            self.due.set(due.place, due.at);
        }
    }

    /// The same, but a channel that becomes due at once, and before all others, is returned to be
    /// started.
    pub fn push_or_start(&mut self, now: Time, vc: Vc, packet: Waiting) -> Option<Due> {
        let place = self.places[vc.index()].expect("packets of this channel wait");
        self.channels[place].push(now, packet);
        self.wait_or_start(now, place)
    }

    /// Lets a packet of one cell leave on `vc` at `now`, if nothing has to leave before it; whether it
    /// does.
    #[inline]
    pub fn passes(&mut self, now: Time, vc: Vc) -> bool {
        let place = self.places[vc.index()].expect("packets of this channel wait");
        let passes =
            self.credit.is_none() && self.next_wake() > now && self.channels[place].passes(now);
        if passes {
            self.wait(now, place);
        }
        passes
    }

    /// The channel whose cell leaves next, at [`Paced::next_wake`].
    #[inline]
    pub fn next_due(&self) -> Due {
        let (at, place) = self.due.first();
        Due { at, place }
    }

    /// What starts at `start` of a channel that is `due`; if it `runs`, with what follows. To be given
    /// back for reuse.
    #[inline]
    pub fn depart(&mut self, due: Due, start: Time, runs: bool) -> Vec<Leaving> {
        let Due { at, place } = due;
        // What follows must find the link free.
        let mut runs = runs && self.places.len() == 1 && start == at;
        if let Some(credit) = &mut self.credit {
            credit.grants.sample(at);
            credit.grants.spend(place);
            runs = false;
        }
        let mut leaving = std::mem::take(&mut self.leaving);
        self.channels[place].depart(at, start, runs, &mut leaving);
        self.wait(at, place);
        leaving
    }

    /// The cell that starts at `start`, of the channel that has been due for longest.
    pub fn depart_one(&mut self, start: Time) -> Leaving {
        let mut leaving = self.depart(self.next_due(), start, false);
        let cell = leaving.pop().expect("a cell is due");
        self.reuse(leaving);
        cell
    }

    /// Takes back what [`Paced::depart`] gave, so that nothing is allocated.
    #[inline]
    pub fn reuse(&mut self, mut leaving: Vec<Leaving>) {
        leaving.clear();
        self.leaving = leaving;
    }

    /// An RM cell arrives on `vc`; `efci` is that of the last data cell before it.
    pub fn receive(&mut self, now: Time, vc: Vc, rm: RmCell, efci: bool) -> Answer {
        let (answer, due) = self.receive_or_start(now, vc, rm, efci);
        if let Some(due) = due {
            self.due.set(due.place, due.at);
        }
        answer
    }

    /// The same, but a channel that becomes due at once, and before all others, is returned to be
    /// started.
    pub fn receive_or_start(
        &mut self,
        now: Time,
        vc: Vc,
        rm: RmCell,
        efci: bool,
    ) -> (Answer, Option<Due>) {
        let place = self.places[vc.index()].expect("RM cells travel between ends of ABR");
        let answer = self.channels[place].receive(now, rm, efci);
        (answer, self.wait_or_start(now, place))
    }

    /// What leaves on `vc` behind all that is committed, and when it starts, if that can be said at
    /// `now`. To be given back for reuse.
    pub fn look_ahead(&mut self, now: Time, vc: Vc) -> Option<(Time, Vec<Leaving>)> {
        // What follows must find the link free.
        let (Some(place), 1) = (self.places[vc.index()], self.places.len()) else {
            return None;
        };
        let at = self.channels[place].look_ahead(&mut self.leaving)?;
        self.wait(now, place);
        Some((at, std::mem::take(&mut self.leaving)))
    }

    /// What is committed on `vc` and has not started, packet by packet.
    pub fn committed(&self, vc: Vc) -> Vec<Leaving> {
        self.channel(vc).map(Channel::committed).unwrap_or_default()
    }

    /// From the start on, a cell leaves only if there is room for it at the far end of the link.
    pub fn wait_for_credit(&mut self, room: Room) {
        let channels = self.channels.len();
        let rounds = room.check.map(|every| Rounds::new(every, channels));
        if let Some(rounds) = &rounds {
            self.due = Tournament::new(channels + 1);
            self.due.set(channels, rounds.next());
        }
        self.credit = Some(Box::new(Credit {
            grants: Grants::new(room, channels),
            rounds,
        }));
    }

    /// Whether what is due is no cell of a channel, but to tell the far end what was sent.
    #[inline]
    pub fn is_check(&self, due: Due) -> bool {
        due.place == self.channels.len()
    }

    /// What the far end is told of the channel whose turn it is, if that is unsettled.
    pub fn take_check(&mut self) -> Option<Cell> {
        let credit = self.credit.as_mut()?;
        let rounds = credit.rounds.as_mut()?;
        let place = rounds.take();
        self.due.set(self.channels.len(), rounds.next());
        let sent = credit.grants.unsettled(place)?;
        let vc = self.places.iter().position(|one| *one == Some(place))?;
        let vc = Vc(u32::try_from(vc).expect("channels have numbers"));
        Some(Cell::telling(Kind::Check, vc, sent))
    }

    /// A credit arrives: the far end of the link has forwarded so many cells of a channel.
    pub fn learn(&mut self, now: Time, vc: Vc, forwarded: u32) {
        let place = self.places[vc.index()].expect("cells of this channel want credit");
        let (credit, channels) = (self.credit.as_mut(), &mut self.channels);
        let credit = credit.expect("the link is controlled");
        let due = &mut self.due;
        credit.grants.sample(now);
        credit.grants.learn(place, forwarded, |place| {
            channels[place].meter.has_credit(now);
            due.set(place, channels[place].next_departure().max(now));
        });
    }

    /// What an observer may see of the credit of `vc`, if the link is controlled.
    pub fn allowance(&self, vc: Vc) -> Option<Allowance> {
        let credit = self.credit.as_ref()?;
        Some(credit.grants.allowance(self.places[vc.index()]?))
    }

    /// Records the channel of `vc`, if it has one, every `every` from the start on.
    pub fn record(&mut self, vc: Vc, every: Duration) {
        if let Some(place) = self.places[vc.index()] {
            self.channels[place].record(every);
        }
    }

    /// Records the credit of every channel every `every` from the start on, if the link is controlled.
    pub fn record_credit(&mut self, every: Duration) {
        if let Some(credit) = &mut self.credit {
            credit.grants.record(every);
        }
    }

    /// Gives away what was recorded of the credit of each channel up to and including `now`.
    pub fn take_credit(&mut self, now: Time) -> Vec<(Vc, Series)> {
        let credit = self.credit.as_mut();
        let mut recorded = credit.map_or(Vec::new(), |credit| credit.grants.take_recorded(now));
        let places = (0u32..).map(Vc).zip(&self.places);
        let of_place = |(vc, place): (Vc, &Option<usize>)| {
            let series = recorded.get_mut((*place)?)?;
            Some((vc, std::mem::take(series)))
        };
        places.filter_map(of_place).collect()
    }

    /// Gives away what was recorded of the channel of `vc` up to and including `now`, if it was.
    pub fn take_recorded(&mut self, now: Time, vc: Vc) -> Option<PacedSeries> {
        let place = self.places[vc.index()]?;
        self.channels[place].take_recorded(now)
    }

    /// What was counted on the channel of `vc` until `now`, if it has one.
    pub fn read(&mut self, now: Time, vc: Vc) -> Option<PacedMeter> {
        let place = self.places[vc.index()]?;
        Some(self.channels[place].read(now))
    }

    /// How long, of the time counted until `now`, cells have waited on `vc`, if its packets wait here.
    pub fn waited(&mut self, now: Time, vc: Vc) -> Option<Duration> {
        let place = self.places[vc.index()]?;
        let channel = &mut self.channels[place];
        channel.holds().then(|| channel.waited(now))
    }

    /// What holds cells of `vc` back, and for how long they have wanted credit until `now`, if its
    /// packets wait here.
    pub fn below(&mut self, now: Time, vc: Vc) -> Option<Below> {
        let place = self.places[vc.index()]?;
        let is_controlled = self.credit.is_some();
        let channel = &mut self.channels[place];
        channel.holds().then(|| Below {
            pacing: channel.pacing(),
            credit: is_controlled.then(|| channel.read(now).wanted_credit(now)),
        })
    }

    /// Starts to count again at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        for channel in &mut self.channels {
            channel.begin_counting(now);
        }
    }

    /// The earliest start of the next cell of a channel, as is known at `now`, [`Time::NEVER`] if there
    /// is none.
    #[inline]
    fn next_departure(&mut self, now: Time, place: usize) -> Time {
        let channel = &mut self.channels[place];
        let credit = self.credit.as_ref();
        if credit.is_some_and(|credit| !credit.grants.is_open(place)) {
            channel.wants_credit(now);
            return Time::NEVER;
        }
        channel.next_departure()
    }

    /// Notes when the next cell of a channel is due, unless that is at once and before all others.
    #[inline]
    fn wait_or_start(&mut self, now: Time, place: usize) -> Option<Due> {
        let next = self.next_departure(now, place);
        if next <= now && self.next_wake() > now {
            return Some(Due { at: now, place });
        }
        self.wait_until(next.max(now), place);
        None
    }

    /// Notes when the next cell of a channel is due.
    #[inline]
    fn wait(&mut self, now: Time, place: usize) {
        let next = self.next_departure(now, place);
        self.wait_until(next.max(now), place);
    }

    /// Notes when the next cell of a channel is due, which mostly is no other time than before.
    #[inline]
    fn wait_until(&mut self, time: Time, place: usize) {
        if self.due.time(place) != time {
            self.due.set(place, time);
        }
    }
}
