//! The next links of the flows that have several paths, at one node.
//!
//! Our own design: a label of such a flow leads to a group of next links instead of one route, so that
//! labels of other flows cost what they cost without any choice.

use kernel::Time;

use super::{Passing, PathChoice};
use crate::wire::connection::ConnectionId;
use crate::wire::contents::Contents;
use crate::wire::vc::{Route, Vc};
use kernel::random::mix;

/// The next links of flows at a node, and the rule that chooses among them.
pub struct Forks {
    choice: Option<Box<dyn PathChoice>>,
    groups: Box<[NextLinks]>,
    /// Times at which routes change, in order.
    changes: Box<[Time]>,
    /// Number of the changes that have happened.
    changed: usize,
    /// Octets for each output, by VC, since counting began.
    forwarded: Box<[Box<[u64]>]>,
}

/// The next links of a flow in one direction.
pub struct NextLinks {
    /// The flow and its direction, as a random number.
    pub flow: u64,
    /// True if the flow has several connections, each of which is chosen for by itself.
    pub by_connection: bool,
    /// The sets of routes that the flow has at some time; the first is the one without outages.
    pub sets: Box<[Box<[Route]>]>,
    /// The set in force before the first change of routes, and after each of them.
    pub in_force: Box<[u32]>,
}

/// No path is left for a packet.
#[derive(Clone, Copy, Debug)]
pub struct NoRoute {
    /// The route that it has without outages.
    pub usual: Route,
}

impl Forks {
    /// The next links at a node that has so many VCs at each output; routes change at `changes`.
    pub fn new(
        choice: Option<Box<dyn PathChoice>>,
        groups: Vec<NextLinks>,
        changes: Box<[Time]>,
        vcs: impl Iterator<Item = usize>,
    ) -> Forks {
        Forks {
            choice,
            groups: groups.into(),
            changes,
            changed: 0,
            forwarded: vcs.map(|vcs| vec![0; vcs].into()).collect(),
        }
    }

    /// The route of a packet that arrives, or is sent, at `now` for a group of next links.
    ///
    /// # Errors
    /// If no path is left.
    pub fn route(&mut self, now: Time, group: Vc, contents: &Contents) -> Result<Route, NoRoute> {
        let has_come = |change: &&Time| **change <= now;
        self.changed += self.changes[self.changed..]
            .iter()
            .take_while(has_come)
            .count();
        let group = group.index();
        let next = &self.groups[group];
        let routes = &next.sets[next.in_force[self.changed] as usize];
        let links = routes.len();
        let chosen = match &mut self.choice {
            Some(choice) if links > 1 => {
                let connection = if next.by_connection {
                    let id = ConnectionId::of(contents.segment.seq);
                    let ConnectionId { slot, generation } = id;
                    mix(next.flow ^ u64::from(slot) << 16 ^ u64::from(generation))
                } else {
                    next.flow
                };
                choice.choose(Passing {
                    now,
                    group,
                    connection,
                    links,
                })
            }
            _ => 0,
        };
        let usual = next.sets[0][0];
        let found = routes.get(chosen).copied().ok_or(NoRoute { usual });
        let Route { output, vc } = found.unwrap_or(usual);
        self.forwarded[output as usize][vc.index()] += u64::from(contents.octets);
        found
    }

    /// Number of groups of next links.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Octets that were forwarded to an output on a VC since counting began.
    pub fn forwarded(&self, output: usize, vc: Vc) -> u64 {
        self.forwarded[output][vc.index()]
    }

    /// Restarts the counts.
    pub fn begin_counting(&mut self) {
        self.forwarded.iter_mut().for_each(|vcs| vcs.fill(0));
    }
}
