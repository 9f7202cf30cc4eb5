//! The egress of an output in a scheduled fabric: its scheduler of grants, and the occupancy of its
//! buffer.
//!
//! The egress knows what it has granted and what has left, and counts the difference as occupied. An
//! input that has more credit than packets keeps less than a grant of it, so a buffer of a grant for
//! each input never fills with credit that no packet waits for.

use kernel::{Duration, Time};

use super::lane::Lane;
use super::{ScheduledCells, octets};
use crate::switch::fabric::Inputs;

/// Event for the next grant of an egress.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NextGrant {
    /// There is none, because no lane asks.
    Unasked,
    /// There is one.
    Due,
    /// There is none until a packet arrives: before that nothing can leave, because no cell waits at
    /// the output.
    Full,
}

/// The egress of an output.
pub struct Egress {
    /// The lanes that lead to it, by input.
    lanes: Box<[u32]>,
    /// Octets of a grant.
    grant: u64,
    /// Time from a grant to the next.
    spacing: Duration,
    /// Octets of the buffer.
    buffer: u64,
    /// Earliest time of the next grant.
    ready: Time,
    next: NextGrant,
    /// Place of the lane that comes first in the next round.
    first: usize,
    /// Octets granted since the start.
    granted: u64,
    /// Octets of packets that moved to the output since the start.
    moved: u64,
    /// Cells of the fabric that wait for others: for the rest of their packet, or for packets before it.
    reordering: u64,
    most_reordering: u64,
}

impl Egress {
    /// The egress of an output to which these lanes lead.
    pub fn new(
        spec: &ScheduledCells,
        inputs: &Inputs,
        output: usize,
        lanes: impl Iterator<Item = u32>,
    ) -> Egress {
        let grant = octets(spec.grant, inputs.cells);
        let spacing = inputs.rates[output].transmission(grant * 8).ps() as f64 / spec.speedup;
        Egress {
            lanes: lanes.collect(),
            grant,
            spacing: Duration::from_ps((spacing.round() as u64).max(1)),
            buffer: octets(spec.egress, inputs.cells),
            ready: Time::ZERO,
            next: NextGrant::Unasked,
            first: 0,
            granted: 0,
            moved: 0,
            reordering: 0,
            most_reordering: 0,
        }
    }

    /// True if any lane leads to the output.
    pub fn is_used(&self) -> bool {
        !self.lanes.is_empty()
    }

    /// Octets of a grant.
    pub fn grant(&self) -> u64 {
        self.grant
    }

    /// A request arrives, and its lane asks. Returns the time of the next grant, if an event for it
    /// becomes due.
    pub fn on_request(&mut self, now: Time) -> Option<Time> {
        if self.next != NextGrant::Unasked {
            return None;
        }
        self.next = NextGrant::Due;
        Some(self.ready.max(now))
    }

    /// A packet has left the fabric. Returns the time of the next grant, if an event for it becomes
    /// due: the first time at which the egress would look again.
    pub fn on_release(&mut self, now: Time) -> Option<Time> {
        if self.next != NextGrant::Full {
            return None;
        }
        self.next = NextGrant::Due;
        let late = now.ps().saturating_sub(self.ready.ps());
        Some(self.ready + self.spacing * late.div_ceil(self.spacing.ps()))
    }

    /// Grants credit to the next lane that asks, if a grant fits beside what is granted and has not
    /// left; `waiting` octets wait at the output.
    pub fn grant_next(&mut self, now: Time, waiting: u64, lanes: &mut [Lane]) -> Option<u32> {
        self.ready = now + self.spacing;
        if self.granted + waiting + self.grant > self.moved + self.buffer {
            if waiting == 0 {
                self.next = NextGrant::Full;
            }
            return None;
        }
        let count = self.lanes.len();
        let places = (0..count).map(|step| (self.first + step) % count);
        let asking = |place: &usize| lanes[self.lanes[*place] as usize].asks();
        let place = places.into_iter().find(asking)?;
        let lane = self.lanes[place];
        self.first = (place + 1) % count;
        self.granted += self.grant;
        lanes[lane as usize].expect_grant(self.grant);
        Some(lane)
    }

    /// Time of the next grant, if any lane asks and the buffer may have room; an event is due then.
    pub fn due(&mut self, lanes: &[Lane]) -> Option<Time> {
        if self.next == NextGrant::Full {
            return None;
        }
        let is_asked = self.lanes.iter().any(|lane| lanes[*lane as usize].asks());
        self.next = if is_asked {
            NextGrant::Due
        } else {
            NextGrant::Unasked
        };
        is_asked.then_some(self.ready)
    }

    /// A cell of the fabric arrives.
    pub fn join(&mut self) {
        self.reordering += 1;
    }

    /// A packet of `parts` cells of the fabric, and so many octets, moves to the output.
    pub fn leave(&mut self, parts: u32, octets: u64) {
        self.reordering -= u64::from(parts);
        self.moved += octets;
    }

    /// Notes how many cells of the fabric wait for others.
    pub fn note(&mut self) {
        self.most_reordering = self.most_reordering.max(self.reordering);
    }

    /// Most cells of the fabric that waited for others.
    pub fn most_reordering(&self) -> u64 {
        self.most_reordering
    }

    /// Restarts the counts.
    pub fn begin_counting(&mut self) {
        self.most_reordering = self.reordering;
    }

    /// Asserts that the credit granted was used by packets sent, or is on its way, or is left at the
    /// ingresses.
    pub fn assert_conservation(&self, lanes: &[Lane], cell: u64) {
        let of = || self.lanes.iter().map(|lane| &lanes[*lane as usize]);
        let crossing: u64 = of().map(Lane::crossing).sum();
        let unspent: i64 = of().map(Lane::unspent).sum();
        let granted = i128::from(self.granted);
        let used = i128::from(self.moved + crossing * cell);
        assert_eq!(
            granted,
            used + i128::from(unspent),
            "credit of a scheduled fabric"
        );
    }
}
