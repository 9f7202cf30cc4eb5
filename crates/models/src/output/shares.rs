//! Who holds how much of what waits, for policies that look at it.

use std::collections::VecDeque;

use kernel::Time;

use super::discard::{Buffer, Discard, Occupancy, Verdict};
use super::pdus::{Overflow, Pdus};
use crate::cell::Cell;
use crate::vc::Vc;

/// A discard policy that drops whole PDUs of channels with too large a share of the queue.
pub struct ByShare<R> {
    pdus: Pdus,
    shares: Shares,
    /// The rule for the first cell of a PDU: true if it may begin, given the length of the queue and
    /// the ratio of [`Shares::held`] for its channel.
    may_begin: R,
}

impl<R: Fn(u64, [f64; 2]) -> bool> ByShare<R> {
    /// The policy for one buffer, with the rule that decides about new PDUs.
    pub fn new(buffer: &Buffer, overflow: Overflow, may_begin: R) -> ByShare<R> {
        ByShare {
            pdus: Pdus::new(buffer.vcs, overflow),
            shares: Shares::new(buffer.vcs),
            may_begin,
        }
    }
}

impl<R: Fn(u64, [f64; 2]) -> bool> Discard for ByShare<R> {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Verdict {
        let ByShare {
            pdus,
            shares,
            may_begin,
        } = self;
        shares.catch_up(buffer.at);
        pdus.verdict(cell, &buffer, || {
            let held = shares.held(cell.vc).map(|units| units as f64);
            may_begin(buffer.queued, held)
        })
    }

    fn follows_queue(&self) -> bool {
        true
    }

    fn on_join(&mut self, vc: Vc, units: u64) {
        self.shares.join(vc, units);
    }

    fn on_leave(&mut self, vc: Vc, units: u64, at: Time) {
        self.shares.leave(vc, units, at);
    }
}

/// What waits of each virtual channel.
///
/// A unit that joins the queue leaves it at an instant that is told then, or beforehand where the
/// order of departures is known when a unit is accepted.
pub struct Shares {
    units: Box<[u64]>,
    /// Of all channels together.
    total: u64,
    /// Channels of which something waits.
    active: u64,
    /// What will leave, and when, in order.
    leaving: VecDeque<Leaving>,
}

#[derive(Clone, Copy)]
struct Leaving {
    at: Time,
    vc: Vc,
    units: u64,
}

impl Shares {
    /// So many channels of which nothing waits.
    pub fn new(vcs: usize) -> Shares {
        Shares {
            units: vec![0; vcs].into(),
            total: 0,
            active: 0,
            leaving: VecDeque::new(),
        }
    }

    /// `units` of a channel wait.
    pub fn join(&mut self, vc: Vc, units: u64) {
        let of_vc = &mut self.units[vc.index()];
        self.active += u64::from(*of_vc == 0);
        *of_vc += units;
        self.total += units;
    }

    /// `units` of a channel wait until `at`, which is no earlier than for those told of before.
    pub fn leave(&mut self, vc: Vc, units: u64, at: Time) {
        self.leaving.push_back(Leaving { at, vc, units });
    }

    /// Forgets what has left by `now`.
    pub fn catch_up(&mut self, now: Time) {
        while let Some(Leaving { at, vc, units }) = self.leaving.front().copied()
            && at <= now
        {
            self.leaving.pop_front();
            let of_vc = &mut self.units[vc.index()];
            *of_vc -= units;
            self.active -= u64::from(*of_vc == 0);
            self.total -= units;
        }
    }

    /// How many times its equal part of what waits a channel holds, as a ratio of two numbers: what
    /// it has times the channels that have anything, over what all have.
    pub fn held(&self, vc: Vc) -> [u64; 2] {
        [self.units[vc.index()] * self.active, self.total]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = Time::from_ps;

    #[test]
    fn what_waits_is_shared_among_the_channels_that_have_any() {
        let mut shares = Shares::new(3);
        shares.join(Vc(0), 3);
        assert_eq!(shares.held(Vc(0)), [3, 3]);
        shares.join(Vc(2), 1);
        assert_eq!(shares.held(Vc(0)), [6, 4]);
        assert_eq!(shares.held(Vc(1)), [0, 4]);
        shares.leave(Vc(0), 3, AT(1));
        shares.catch_up(AT(1));
        assert_eq!(shares.held(Vc(2)), [1, 1]);
    }

    #[test]
    fn what_is_known_to_leave_is_there_until_it_does() {
        let mut shares = Shares::new(2);
        for (vc, at) in [(Vc(0), AT(5)), (Vc(1), AT(7))] {
            shares.join(vc, 2);
            shares.leave(vc, 2, at);
        }
        shares.catch_up(AT(4));
        assert_eq!(shares.held(Vc(0)), [4, 4]);
        shares.catch_up(AT(5));
        assert_eq!(shares.held(Vc(0)), [0, 2]);
        shares.catch_up(AT(9));
        assert_eq!(shares.held(Vc(1)), [0, 0]);
    }
}
