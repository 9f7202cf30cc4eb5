//! A unit that is committed ahead of time and taken back never arrives, under any runner.

use kernel::{Duration, Network, Node, OnDemand, Outlet, Runner, Stepwise, Time, Windows, Wire};
use proptest::prelude::*;

const SHORTEST: Duration = Duration::from_ps(5);

/// Any mixing that depends on order will do: the multiplier of Knuth's MMIX generator.
fn mix(state: u64, unit: u64) -> u64 {
    (state ^ unit)
        .wrapping_mul(6_364_136_223_846_793_005)
        .rotate_left(23)
        + 1
}

/// A hub that keeps sending to its neighbours, or a neighbour that commits a later answer and may
/// take it back.
#[derive(Clone, Debug)]
struct Party {
    state: u64,
    /// Time of a hub's next act.
    next: Time,
    neighbours: u64,
    /// Start of the last committed answer.
    promised: Time,
    log: Vec<(Time, usize, u64)>,
}

impl Node for Party {
    type Unit = u64;
    type Cargo = ();

    fn next_wake(&self) -> Time {
        self.next
    }

    fn wake(&mut self, now: Time, out: &mut Outlet<'_, u64, ()>) {
        let output = (self.state >> 32) % self.neighbours;
        out.send(output as usize, now + SHORTEST, self.state);
        self.next = now + SHORTEST + Duration::from_ps(self.state % 20);
    }

    fn receive(&mut self, now: Time, input: usize, unit: u64, out: &mut Outlet<'_, u64, ()>) {
        self.log.push((now, input, unit));
        self.state = mix(self.state, unit);
        if self.neighbours > 0 {
            return;
        }
        if self.promised > now {
            if self.state.is_multiple_of(3) {
                return;
            }
            assert!(out.take_back(0).is_some(), "it was promised");
        }
        self.promised = now + Duration::from_ps(self.state % 60);
        out.send(0, self.promised + SHORTEST, self.state);
    }
}

fn logs(runner: &mut impl Runner, seed: u64, delays: &[u64]) -> Vec<Vec<(Time, usize, u64)>> {
    let party = |index: usize| Party {
        state: mix(seed, index as u64),
        next: if index == 0 { Time::ZERO } else { Time::NEVER },
        neighbours: if index == 0 { delays.len() as u64 } else { 0 },
        promised: Time::ZERO,
        log: Vec::new(),
    };
    let wires: Vec<Wire> = (1..)
        .zip(delays)
        .flat_map(|(index, delay)| {
            [(0, index), (index, 0)].map(|(from, to)| Wire {
                from,
                to,
                shortest: SHORTEST,
                propagation: Duration::from_ps(*delay),
            })
        })
        .collect();
    let parties = (0..=delays.len()).map(party).collect();
    let mut network = Network::new(parties, (), &wires);
    runner.run(&mut network, Time::from_ps(3000));
    network.nodes.into_iter().map(|node| node.log).collect()
}

proptest! {
    #[test]
    fn a_unit_that_is_taken_back_never_arrives(
        seed in any::<u64>(),
        delays in prop::collection::vec(0u64..30, 1..5),
    ) {
        let expected = logs(&mut Stepwise, seed, &delays);
        prop_assert!(expected[0].len() > 10);
        prop_assert_eq!(&logs(&mut Windows::default(), seed, &delays), &expected);
        prop_assert_eq!(&logs(&mut OnDemand::default(), seed, &delays), &expected);
    }
}
