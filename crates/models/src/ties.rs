//! Ties: the order of events at one instant.
//!
//! If all links have one rate, packets keep arriving at the very instants at which others leave. If
//! one rule decides all these ties, a full buffer may accept every packet of one connection and no
//! packet of another: Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways",
//! 1992, section 3. A random decision favours no connection.
//!
//! Our own rule for random ties: arrivals wait for a picosecond, so that all arrivals of an
//! instant are known before they are ordered (decision 10 in `docs/decisions`;
//! `docs/concepts/kernel-and-ties.md` lists this exception to the order of events). The random
//! numbers are a function of the instant and not of the number of calls, so that nodes may run
//! ahead of one another.

use kernel::random::mix;
use kernel::{Duration, Stream, Time};
use parameters::choices;

use crate::wire::unit::Unit;

choices! {
    /// Order of events at the same instant.
    pub enum TieRule {
        /// Departures go before arrivals, and arrivals are taken in the order of the inputs.
        in_order => InOrder,
        /// A coin decides whether departures or arrivals go first, and arrivals are taken in random
        /// order.
        random => Random,
    }
}

impl TieRule {
    /// Random draw for one node; none if ties are not random.
    pub fn build(self, mut random: Stream) -> Option<Chance> {
        match self {
            TieRule::InOrder => None,
            TieRule::Random => Some(Chance { key: random.bits() }),
        }
    }
}

/// Random numbers, new at each instant.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    key: u64,
}

impl Chance {
    /// True if arrivals at `now` go before departures.
    pub fn arrivals_first(self, now: Time) -> bool {
        self.draw(now, u64::MAX) & 1 == 1
    }

    /// Position of an input in the tie order at `now`: the lowest is served first.
    pub fn tie_order(self, now: Time, input: usize) -> u32 {
        (self.draw(now, input as u64) >> 32) as u32
    }

    /// A number for each instant and purpose.
    fn draw(self, now: Time, purpose: u64) -> u64 {
        mix(mix(self.key ^ now.ps()).wrapping_add(purpose.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }
}

/// The arrivals of one instant at a node that decides ties at random.
#[derive(Clone, Debug)]
pub struct TiedArrivals {
    /// Decides the order.
    pub chance: Chance,
    /// Time at which the units are taken; [`Time::NEVER`] if there are none.
    at: Time,
    /// Units in order, each with the position of its input in the tie order, and its input.
    units: Vec<(u32, usize, Unit)>,
}

/// Time for which arrivals wait.
const WAIT: Duration = Duration::from_ps(1);

impl TiedArrivals {
    /// No unit has arrived yet.
    pub fn new(chance: Chance) -> TiedArrivals {
        TiedArrivals {
            chance,
            at: Time::NEVER,
            units: Vec::new(),
        }
    }

    /// Time at which the tied units are taken; [`Time::NEVER`] if there are none.
    pub fn due(&self) -> Time {
        self.at
    }

    /// A unit arrives at `now`; it goes behind other units of the same input.
    pub fn push(&mut self, now: Time, input: usize, unit: Unit) {
        self.at = now + WAIT;
        let tie_order = self.chance.tie_order(self.at, input);
        let index = self
            .units
            .partition_point(|(other, number, _)| (*other, *number) <= (tie_order, input));
        self.units.insert(index, (tie_order, input, unit));
    }

    /// Takes the tied units, in order; the caller returns the vector by [`TiedArrivals::reuse`].
    pub fn take(&mut self) -> Vec<(u32, usize, Unit)> {
        self.at = Time::NEVER;
        std::mem::take(&mut self.units)
    }

    /// Keeps the vector of [`TiedArrivals::take`] for its next call, so that no call allocates.
    pub fn reuse(&mut self, mut units: Vec<(u32, usize, Unit)>) {
        units.clear();
        self.units = units;
    }

    /// Number of whole packets, without the frames of links with retry, which may be discarded.
    pub fn packets(&self) -> u64 {
        let packets = self.units.iter();
        let packets = packets.filter(|(.., unit)| unit.packet().is_some());
        packets.count() as u64
    }

    /// Number of control frames of links.
    pub fn control_frames(&self) -> u64 {
        let units = self.units.iter();
        let frames = units.filter(|(.., unit)| unit.is_control());
        frames.count() as u64
    }

    /// Number of tied cells, less the recalled ones.
    pub fn cells(&self) -> i64 {
        let units = self.units.iter();
        units
            .map(|(.., unit)| unit.cells() as i64 - unit.recalled() as i64)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use kernel::Seed;

    use super::*;
    use crate::wire::unit::Amendment;

    fn chance() -> Chance {
        let seed = Seed {
            seed: 1,
            replication: 0,
        };
        TieRule::Random
            .build(seed.stream("r", "ties"))
            .expect("chance")
    }

    #[test]
    fn arrivals_go_first_half_of_the_time() {
        let chance = chance();
        let first = (0..1000).filter(|at| chance.arrivals_first(Time::from_ps(at * 1000)));
        // The bound is four standard deviations of 1000 tosses of a coin.
        assert!(first.count().abs_diff(500) < 64);
    }

    #[test]
    fn each_input_goes_first_equally_often_and_keeps_its_order() {
        let recall = |cells| Unit::Amendment(Amendment::Recall(cells));
        let mut tied = TiedArrivals::new(chance());
        let mut first = [0usize; 4];
        for at in 0..1000 {
            for (input, number) in [(0, 0), (1, 0), (1, 1), (2, 0), (3, 0)] {
                tied.push(Time::from_ps(at * 1000), input, recall(number));
            }
            assert_eq!(tied.due(), Time::from_ps(at * 1000 + 1));
            let taken = tied.take();
            first[taken[0].1] += 1;
            let of_one: Vec<Unit> = taken
                .iter()
                .filter(|(_, input, _)| *input == 1)
                .map(|(.., unit)| *unit)
                .collect();
            assert_eq!(of_one, [recall(0), recall(1)]);
            tied.reuse(taken);
            assert_eq!(tied.due(), Time::NEVER);
        }
        // The bound is five standard deviations of a binomial count.
        assert!(
            first.iter().all(|count| count.abs_diff(250) < 69),
            "{first:?}"
        );
    }
}
