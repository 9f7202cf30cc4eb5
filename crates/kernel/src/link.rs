//! Links: the only way by which nodes interact.
//!
//! A link holds the units in flight in the order of their arrival times, so the event list of a run
//! needs no entry for each of them. Our own design: `docs/decisions/0002-lookahead-not-a-heap.md`.

use std::collections::VecDeque;

use crate::time::{Duration, Time};

/// Number of units in flight, from the last backwards, that [`Link::join`] tries.
const JOINED: usize = 4;

/// In place of the node at the far end of a link that leads to another part of the network.
pub(crate) const ELSEWHERE: usize = usize::MAX;

/// One direction of a connection: its far end, its delays, and the units in flight.
///
/// A unit is a cell, a packet, or a *train* of cells that follow one another at a known spacing,
/// which arrives when its first cell does; nodes agree on the type. The link does not inspect
/// units; it keeps the committed ones in order of arrival.
#[derive(Clone, Debug)]
pub struct Link<U> {
    /// Node at the far end.
    pub to: usize,
    /// Number of the input at that node.
    pub input: u32,
    /// Time from the end of a unit's transmission to its arrival.
    pub propagation: Duration,
    /// Transmission time of the shortest unit the link may carry.
    pub shortest: Duration,
    /// True if the node at the far end is a leaf: see [`crate::network::Network`].
    pub(crate) to_leaf: bool,
    pub(crate) in_flight: VecDeque<(Time, U)>,
    last: Time,
}

impl<U> Link<U> {
    /// An empty link to input `input` of node `to`.
    pub fn new(to: usize, input: u32, shortest: Duration, propagation: Duration) -> Link<U> {
        Link {
            to,
            input,
            propagation,
            shortest,
            to_leaf: false,
            in_flight: VecDeque::new(),
            last: Time::ZERO,
        }
    }

    /// Moves the units of this link into a link to the node `to`.
    pub(crate) fn taken(&mut self, to: usize) -> Link<U> {
        Link {
            to,
            in_flight: std::mem::take(&mut self.in_flight),
            ..*self
        }
    }

    /// The beginning of this link in the part of the network that sends: it keeps the units until they
    /// are handed to the other part.
    pub(crate) fn outbox(&self) -> Link<U> {
        Link {
            to: ELSEWHERE,
            to_leaf: false,
            in_flight: VecDeque::new(),
            ..*self
        }
    }

    /// Least time from the start of a unit's transmission to its arrival.
    ///
    /// Units are committed when their transmission starts, not when it ends: that gives a link a
    /// lookahead of one transmission time even where propagation is zero.
    pub fn lookahead(&self) -> Duration {
        self.shortest + self.propagation
    }

    /// The units in flight, in order of arrival.
    pub fn units(&self) -> impl Iterator<Item = &U> {
        self.in_flight.iter().map(|(_, unit)| unit)
    }

    /// The units in flight, each with its arrival time, in order of arrival.
    pub fn arrivals(&self) -> impl Iterator<Item = (Time, &U)> {
        self.in_flight
            .iter()
            .map(|(arrival, unit)| (*arrival, unit))
    }

    /// Puts a unit on its way; true if it is now the first to arrive.
    pub(crate) fn commit(&mut self, arrival: Time, unit: U) -> bool {
        assert!(
            arrival >= self.last,
            "units leave a link in the order in which they entered it"
        );
        self.last = arrival;
        self.in_flight.push_back((arrival, unit));
        self.in_flight.len() == 1
    }

    /// Joins a unit that arrives at `arrival` to one of the last units in flight; returns true if
    /// one of them takes it.
    ///
    /// Calls `join` with these units and their arrival times, from the last backwards, until `join`
    /// returns true.
    pub(crate) fn join(
        &mut self,
        arrival: Time,
        mut join: impl FnMut(&mut U, Time) -> bool,
    ) -> bool {
        for (at, unit) in self.in_flight.iter_mut().rev().take(JOINED) {
            if join(unit, *at) {
                assert!(
                    arrival >= self.last,
                    "units leave a link in the order in which they entered it"
                );
                self.last = arrival;
                return true;
            }
        }
        false
    }

    /// The time of the first arrival; [`Time::NEVER`] if no unit is on its way.
    pub(crate) fn first_arrival(&self) -> Time {
        let first = self.in_flight.front();
        first.map_or(Time::NEVER, |(arrival, _)| *arrival)
    }

    /// Takes the unit that arrives first; returns its arrival time, the unit, and the next arrival
    /// time.
    pub(crate) fn take(&mut self) -> (Time, U, Time)
    where
        U: Copy,
    {
        // Copied, since a unit that is moved out may take the compiler several steps.
        let (now, unit) = *self.in_flight.front().expect("a unit was due");
        self.in_flight.pop_front();
        (now, unit, self.first_arrival())
    }
}
