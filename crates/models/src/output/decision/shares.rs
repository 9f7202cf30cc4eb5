//! The occupancy of a queue by virtual channel, for discard policies that compare VCs: selective drop
//! and fair buffer allocation.
//!
//! Goyal, Jain, Kalyanaraman, Fahmy and Kim, "UBR+: Improving Performance of TCP over ATM-UBR
//! Service", Proc. IEEE ICC 1997, section 5; Heinanen and Kilkki, "A Fair Buffer Allocation Scheme",
//! Computer Communications 21(3), 1998, whose subject is the second rule.

use std::collections::VecDeque;

use kernel::Time;
use parameters::{Amount, parameters};

use super::pdus::{Overflow, Pdus};
use super::{Buffer, Decision, Discard, Occupancy};
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;

parameters! {
    /// The parameters of these policies.
    pub struct FairShare {
        /// Queue length beyond which the occupancies of VCs are compared.
        pub threshold: Amount,
        /// Largest occupancy of a VC, as a multiple of the mean over the VCs that have cells waiting.
        #[range(0.01, 100)]
        pub factor: f64 = 0.8,
    }
}

/// A discard policy that drops whole PDUs of VCs with too large a share of the queue.
pub struct ByShare<R> {
    pdus: Pdus,
    shares: Shares,
    /// Queue length beyond which the occupancies of VCs are compared.
    threshold: u64,
    /// The rule for a cell that begins a PDU: true if the PDU may begin, given the length of the
    /// queue, the threshold, and the ratio of [`Shares::relative`] for the VC.
    may_begin: R,
}

impl<R: Fn(u64, u64, [f64; 2]) -> bool> ByShare<R> {
    /// The policy for one buffer, with the rule that decides about new PDUs.
    pub fn new(buffer: &Buffer, overflow: Overflow, threshold: u64, may_begin: R) -> ByShare<R> {
        ByShare {
            pdus: Pdus::new(buffer.vcs, overflow),
            shares: Shares::new(buffer.vcs),
            threshold,
            may_begin,
        }
    }
}

impl<R: Fn(u64, u64, [f64; 2]) -> bool + Send> Discard for ByShare<R> {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        let ByShare {
            pdus,
            shares,
            threshold,
            may_begin,
        } = self;
        shares.catch_up(buffer.at);
        pdus.decision(cell, &buffer, || {
            let relative = shares.relative(cell.vc).map(|units| units as f64);
            may_begin(buffer.queued, *threshold, relative)
        })
    }

    fn follows_queue(&self) -> bool {
        true
    }

    fn threshold(&mut self) -> Option<&mut u64> {
        Some(&mut self.threshold)
    }

    fn on_join(&mut self, vc: Vc, units: u64) {
        self.shares.join(vc, units);
    }

    fn on_leave(&mut self, vc: Vc, units: u64, at: Time) {
        self.shares.leave(vc, units, at);
    }
}

/// The waiting units of each virtual channel.
///
/// A scheduled output reports that a unit leaves when it leaves. A FIFO output reports it when the
/// unit joins, because it then knows the time of the departure.
pub struct Shares {
    units: Box<[u64]>,
    /// Waiting units of all virtual channels.
    total: u64,
    /// Number of virtual channels that have units waiting.
    active: u64,
    /// Units that will leave, in order of time.
    leaving: VecDeque<Leaving>,
}

#[derive(Clone, Copy)]
struct Leaving {
    at: Time,
    vc: Vc,
    units: u64,
}

impl Shares {
    /// `vcs` virtual channels without waiting units.
    pub fn new(vcs: usize) -> Shares {
        Shares {
            units: vec![0; vcs].into(),
            total: 0,
            active: 0,
            leaving: VecDeque::new(),
        }
    }

    /// `units` of a virtual channel join the queue.
    pub fn join(&mut self, vc: Vc, units: u64) {
        let of_vc = &mut self.units[vc.index()];
        self.active += u64::from(*of_vc == 0);
        *of_vc += units;
        self.total += units;
    }

    /// `units` of a virtual channel leave the queue at `at`; successive calls have times that never
    /// fall.
    pub fn leave(&mut self, vc: Vc, units: u64, at: Time) {
        self.leaving.push_back(Leaving { at, vc, units });
    }

    /// Removes the units that have left by `now`.
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

    /// Units of a virtual channel that wait.
    pub fn units(&self, vc: Vc) -> u64 {
        self.units[vc.index()]
    }

    /// The units of a VC divided by the mean over the VCs that have units waiting: numerator and
    /// denominator.
    pub fn relative(&self, vc: Vc) -> [u64; 2] {
        [self.units(vc) * self.active, self.total]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = Time::from_ps;

    #[test]
    fn the_mean_is_over_the_vcs_that_have_units_waiting() {
        let mut shares = Shares::new(3);
        shares.join(Vc(0), 3);
        assert_eq!(shares.relative(Vc(0)), [3, 3]);
        shares.join(Vc(2), 1);
        assert_eq!(shares.relative(Vc(0)), [6, 4]);
        assert_eq!(shares.relative(Vc(1)), [0, 4]);
        shares.leave(Vc(0), 3, AT(1));
        shares.catch_up(AT(1));
        assert_eq!(shares.relative(Vc(2)), [1, 1]);
    }

    #[test]
    fn a_unit_counts_until_it_leaves() {
        let mut shares = Shares::new(2);
        for (vc, at) in [(Vc(0), AT(5)), (Vc(1), AT(7))] {
            shares.join(vc, 2);
            shares.leave(vc, 2, at);
        }
        shares.catch_up(AT(4));
        assert_eq!(shares.relative(Vc(0)), [4, 4]);
        shares.catch_up(AT(5));
        assert_eq!(shares.relative(Vc(0)), [0, 2]);
        shares.catch_up(AT(9));
        assert_eq!(shares.relative(Vc(1)), [0, 0]);
    }
}
