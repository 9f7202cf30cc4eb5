//! Paced VCs: their packets wait at a host or an edge, and leave cell by cell as a pacer allows.
//!
//! Our own rule: of several VCs that may send, the VC that has been allowed for longest sends
//! first, because TM 4.0 and I.371 state the rates of VCs and not their order.

mod commitment;
mod paced_vc;
mod pacer;
mod packets;
mod recording;

use kernel::{Duration, Time, Tournament};

use crate::abr::{RateCap, RmCell};
use crate::link::credit::{CheckTimer, CreditBuffer, CreditReading, CreditSender};
use crate::metrics::{Below, PacedMeter, Series};
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;
pub use commitment::{Commitment, CommitmentChange};
pub use paced_vc::{PacedVc, Reaction};
pub use pacer::Pacer;
pub use packets::{Leaving, WaitingPacket};
pub use recording::PacedSeries;

/// The paced VCs of a link, at a host or an edge.
#[derive(Clone, Debug)]
pub struct Paced {
    vcs: Vec<PacedVc>,
    /// Index of each virtual channel among the paced VCs; none if the VC is not paced.
    places: Vec<Option<usize>>,
    /// Time of the next cell of each VC; the last entry is the time of the next check cell.
    due: Tournament,
    /// Credits, if the credit receiver at the far end controls the link.
    credit: Option<Box<Credit>>,
    /// RM cells sent since the start of the run.
    pub rm_sent: u64,
    /// RM cells received since the start of the run.
    pub rm_arrived: u64,
    /// Vector for the cells that leave in one call, kept so that no call allocates.
    leaving: Vec<Leaving>,
}

/// Credit of the paced VCs, by index.
#[derive(Clone, Debug)]
struct Credit {
    sender: CreditSender,
    /// Times of check cells, if they are sent.
    checks: Option<CheckTimer>,
}

/// The queue and the rate of one paced VC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacedReading {
    /// Cells that wait.
    pub waiting: u64,
    /// Allowed rate, in cells per second, if it varies.
    pub acr: Option<f64>,
}

/// A VC with a cell that is due.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// Time from which the cell is due.
    pub at: Time,
    /// Index among the paced VCs of the link.
    place: usize,
}

impl Paced {
    /// The paced VCs of a link, with `pacers` by VC; none if no VC is paced.
    pub fn new(pacers: Vec<Option<Pacer>>) -> Option<Paced> {
        let mut vcs = Vec::new();
        let mut places = Vec::with_capacity(pacers.len());
        for (vc, pacer) in (0u32..).map(Vc).zip(pacers) {
            places.push(pacer.map(|pacer| {
                vcs.push(PacedVc::new(vc, pacer));
                vcs.len() - 1
            }));
        }
        (!vcs.is_empty()).then(|| Paced {
            due: Tournament::new(vcs.len()),
            credit: None,
            leaving: Vec::new(),
            vcs,
            places,
            rm_sent: 0,
            rm_arrived: 0,
        })
    }

    /// Time at which the next cell leaves, or joins the FIFO queue of the link.
    #[inline]
    pub fn next_wake(&self) -> Time {
        self.due.first().0
    }

    fn paced_vc(&self, vc: Vc) -> Option<&PacedVc> {
        self.places[vc.index()].map(|place| &self.vcs[place])
    }

    /// The queue and the rate of `vc`, if its packets wait here.
    pub fn reading(&self, vc: Vc) -> Option<PacedReading> {
        let paced_vc = self.paced_vc(vc).filter(|paced_vc| paced_vc.holds())?;
        Some(PacedReading {
            waiting: paced_vc.waiting(),
            acr: paced_vc.acr(),
        })
    }

    /// The bound of the allowed rate of `vc`, if the rate varies.
    pub fn rate_cap(&mut self, vc: Vc) -> Option<RateCap<'_>> {
        let place = self.places[vc.index()]?;
        self.vcs[place].rate_cap()
    }

    /// Number of cells that wait on `vc`.
    pub fn waiting(&self, vc: Vc) -> u64 {
        self.paced_vc(vc).map_or(0, PacedVc::waiting)
    }

    /// True if packets on `vc` wait here.
    #[inline]
    pub fn holds(&self, vc: Vc) -> bool {
        self.paced_vc(vc).is_some_and(PacedVc::holds)
    }

    /// Queues a packet on `vc` at `now`.
    pub fn push(&mut self, now: Time, vc: Vc, packet: WaitingPacket) {
        if let Some(due) = self.push_or_start(now, vc, packet) {
            self.due.set(due.place, due.at);
        }
    }

    /// Queues a packet on `vc` at `now`. Returns the VC if its cell is due at once and before the
    /// cells of all other VCs; the caller then starts the cell.
    pub fn push_or_start(&mut self, now: Time, vc: Vc, packet: WaitingPacket) -> Option<Due> {
        let place = self.places[vc.index()].expect("packets of this VC wait");
        self.vcs[place].push(now, packet);
        self.wait_or_start(now, place)
    }

    /// If no other cell has to leave before it, lets a packet of one cell leave on `vc` at `now`,
    /// and returns true.
    #[inline]
    pub fn passes(&mut self, now: Time, vc: Vc) -> bool {
        let place = self.places[vc.index()].expect("packets of this VC wait");
        let passes = self.credit.is_none() && self.next_wake() > now && self.vcs[place].passes(now);
        if passes {
            self.wait(now, place);
        }
        passes
    }

    /// The VC whose cell leaves next, at [`Paced::next_wake`].
    #[inline]
    pub fn next_due(&self) -> Due {
        let (at, place) = self.due.first();
        Due { at, place }
    }

    /// The cells that a `due` VC puts on the link at `start`: its next cell and, if `commits` is
    /// true, the data cells committed with it. The caller returns the vector by [`Paced::reuse`].
    #[inline]
    pub fn depart(&mut self, due: Due, start: Time, commits: bool) -> Vec<Leaving> {
        let Due { at, place } = due;
        // Cells are committed only behind a cell that starts when it is due, since the link is then
        // free for them.
        let mut commits = commits && self.places.len() == 1 && start == at;
        if let Some(credit) = &mut self.credit {
            credit.sender.sample(at);
            credit.sender.spend(place);
            commits = false;
        }
        let mut leaving = std::mem::take(&mut self.leaving);
        self.vcs[place].depart(at, start, commits, &mut leaving);
        self.wait(at, place);
        leaving
    }

    /// Sends the cell of the VC that has been due for longest; its transmission starts at `start`.
    pub fn depart_one(&mut self, start: Time) -> Leaving {
        let due = self.next_due();
        // Until the cell starts, the VC keeps the rate and the credit that it had when the cell was
        // due.
        self.vcs[due.place].settle(start);
        if let Some(credit) = &mut self.credit {
            credit.sender.sample(start);
        }
        let mut leaving = self.depart(due, start, false);
        // The cell has started, so it no longer counts as waiting.
        self.vcs[due.place].settle(start);
        let cell = leaving.pop().expect("a cell is due");
        self.reuse(leaving);
        cell
    }

    /// Keeps the vector of [`Paced::depart`] for its next call, so that no call allocates.
    #[inline]
    pub fn reuse(&mut self, mut leaving: Vec<Leaving>) {
        leaving.clear();
        self.leaving = leaving;
    }

    /// An RM cell arrives on `vc`; `efci` is the mark of the last data cell before it.
    pub fn receive(&mut self, now: Time, vc: Vc, rm: RmCell, efci: bool) -> Reaction {
        let (reaction, due) = self.receive_or_start(now, vc, rm, efci);
        if let Some(due) = due {
            self.due.set(due.place, due.at);
        }
        reaction
    }

    /// An RM cell arrives on `vc`. Returns the VC too if its cell is due at once and before the
    /// cells of all other VCs; the caller then starts the cell.
    pub fn receive_or_start(
        &mut self,
        now: Time,
        vc: Vc,
        rm: RmCell,
        efci: bool,
    ) -> (Reaction, Option<Due>) {
        let place = self.places[vc.index()].expect("RM cells travel between ends of ABR");
        let reaction = self.vcs[place].receive(now, rm, efci);
        (reaction, self.wait_or_start(now, place))
    }

    /// The committed cells on `vc` that have not started, packet by packet.
    pub fn committed(&self, vc: Vc) -> Vec<Leaving> {
        self.paced_vc(vc)
            .map(PacedVc::committed)
            .unwrap_or_default()
    }

    /// Declares that from the start on a cell leaves only with a credit of the far end.
    pub fn wait_for_credit(&mut self, buffer: CreditBuffer) {
        let vcs = self.vcs.len();
        let checks = buffer.check.map(|every| CheckTimer::new(every, vcs));
        if let Some(checks) = &checks {
            self.due = Tournament::new(vcs + 1);
            self.due.set(vcs, checks.next());
        }
        self.credit = Some(Box::new(Credit {
            sender: CreditSender::new(buffer, vcs),
            checks,
        }));
    }

    /// True if a check cell is due, rather than a cell of a VC.
    #[inline]
    pub fn is_check(&self, due: Due) -> bool {
        due.place == self.vcs.len()
    }

    /// The check cell of the next VC in turn, if the VC has unacknowledged cells.
    pub fn take_check(&mut self) -> Option<Cell> {
        let credit = self.credit.as_mut()?;
        let checks = credit.checks.as_mut()?;
        let place = checks.take();
        self.due.set(self.vcs.len(), checks.next());
        let sent = credit.sender.unsettled(place)?;
        let vc = self.places.iter().position(|one| *one == Some(place))?;
        let vc = Vc(u32::try_from(vc).expect("VCs have numbers"));
        Some(Cell::check(vc, sent))
    }

    /// A credit arrives: `forwarded` counts the cells of the VC that the far end has
    /// forwarded.
    pub fn on_credit(&mut self, now: Time, vc: Vc, forwarded: u32) {
        let place = self.places[vc.index()].expect("cells of this VC wait for credit");
        let (credit, vcs) = (self.credit.as_mut(), &mut self.vcs);
        let credit = credit.expect("the link is controlled");
        let due = &mut self.due;
        credit.sender.sample(now);
        credit.sender.on_credit(place, forwarded, |place| {
            vcs[place].meter.has_credit(now);
            due.set(place, vcs[place].next_departure().max(now));
        });
    }

    /// The credit of `vc` now, if the link has credit-based flow control.
    pub fn allowance(&self, vc: Vc) -> Option<CreditReading> {
        let credit = self.credit.as_ref()?;
        Some(credit.sender.allowance(self.places[vc.index()]?))
    }

    /// Records the queue and the rate of `vc`, if it is paced, every `every` from the start on.
    pub fn record(&mut self, vc: Vc, every: Duration) {
        if let Some(place) = self.places[vc.index()] {
            self.vcs[place].record(every);
        }
    }

    /// Records the credit of every VC every `every` from the start on, if the link has
    /// credit-based flow control.
    pub fn record_credit(&mut self, every: Duration) {
        if let Some(credit) = &mut self.credit {
            credit.sender.record(every);
        }
    }

    /// Returns the samples of the credit of each VC up to and including `now`.
    pub fn take_credit(&mut self, now: Time) -> Vec<(Vc, Series)> {
        let credit = self.credit.as_mut();
        let mut recorded = credit.map_or(Vec::new(), |credit| credit.sender.take_recorded(now));
        let places = (0u32..).map(Vc).zip(&self.places);
        let of_place = |(vc, place): (Vc, &Option<usize>)| {
            let series = recorded.get_mut((*place)?)?;
            Some((vc, std::mem::take(series)))
        };
        places.filter_map(of_place).collect()
    }

    /// Returns the samples of `vc` up to and including `now`, if recorded.
    pub fn take_recorded(&mut self, now: Time, vc: Vc) -> Option<PacedSeries> {
        let place = self.places[vc.index()]?;
        self.vcs[place].take_recorded(now)
    }

    /// The counts of `vc` until `now`, if it is paced.
    pub fn read(&mut self, now: Time, vc: Vc) -> Option<PacedMeter> {
        let place = self.places[vc.index()]?;
        Some(self.vcs[place].read(now))
    }

    /// Time in which cells waited on `vc`, from the start of counting until `now`; none if its
    /// packets wait elsewhere.
    pub fn waited(&mut self, now: Time, vc: Vc) -> Option<Duration> {
        let place = self.places[vc.index()]?;
        let paced_vc = &mut self.vcs[place];
        paced_vc.holds().then(|| paced_vc.waited(now))
    }

    /// The cause for which cells of `vc` wait, and the time until `now` in which they waited for
    /// credit; none if its packets wait elsewhere.
    pub fn below(&mut self, now: Time, vc: Vc) -> Option<Below> {
        let place = self.places[vc.index()]?;
        let is_controlled = self.credit.is_some();
        let paced_vc = &mut self.vcs[place];
        paced_vc.holds().then(|| Below {
            pacing: paced_vc.pacing(),
            credit: is_controlled.then(|| paced_vc.read(now).wanted_credit(now)),
        })
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        for paced_vc in &mut self.vcs {
            paced_vc.begin_counting(now);
        }
    }

    /// The earliest start of the next cell of a VC, as known at `now`; [`Time::NEVER`] if
    /// there is none.
    #[inline]
    fn next_departure(&mut self, now: Time, place: usize) -> Time {
        let paced_vc = &mut self.vcs[place];
        let credit = self.credit.as_ref();
        if credit.is_some_and(|credit| !credit.sender.is_open(place)) {
            paced_vc.wants_credit(now);
            return Time::NEVER;
        }
        paced_vc.next_departure()
    }

    /// Records the time of the next cell of a VC, unless the cell is due at once and before the
    /// cells of all other VCs.
    #[inline]
    fn wait_or_start(&mut self, now: Time, place: usize) -> Option<Due> {
        let next = self.next_departure(now, place);
        if next <= now && self.next_wake() > now {
            return Some(Due { at: now, place });
        }
        self.wait_until(next.max(now), place);
        None
    }

    /// Records the time of the next cell of a VC.
    #[inline]
    fn wait(&mut self, now: Time, place: usize) {
        let next = self.next_departure(now, place);
        self.wait_until(next.max(now), place);
    }

    /// Records the time of the next cell of a VC, which usually has not changed.
    #[inline]
    fn wait_until(&mut self, time: Time, place: usize) {
        if self.due.time(place) != time {
            self.due.set(place, time);
        }
    }
}
