//! Runners: who acts when.
//!
//! [`Stepwise`] is the specification: one act at a time, always the earliest in the whole network.
//! [`Windows`] lets every node run alone through a window that is no longer than the shortest
//! lookahead of any link, since nothing that another node does within the window can arrive in it
//! (conservative synchronisation; Fujimoto, "Parallel Discrete Event Simulation", CACM 33(10),
//! 1990). Both give each node the same acts in the same order, which `tests/equivalence.rs` proves.
//!
//! This file may be written for speed.

use crate::network::Network;
use crate::node::Node;
use crate::time::{Duration, Time};

/// Drives the nodes of a network through time.
pub trait Runner {
    /// Runs until every node has done all it does before `end`.
    fn run<N: Node>(&mut self, network: &mut Network<N>, end: Time);
}

/// One act at a time, in the order (time, own act before arrival, node, input).
#[derive(Clone, Copy, Debug, Default)]
pub struct Stepwise;

impl Runner for Stepwise {
    fn run<N: Node>(&mut self, network: &mut Network<N>, end: Time) {
        loop {
            let act = (0..network.nodes.len())
                .map(|node| {
                    let wake = network.nodes[node].next_wake();
                    let (arrival, input) = network.next_arrival(node);
                    if wake <= arrival {
                        (wake, node, None)
                    } else {
                        (arrival, node, Some(input))
                    }
                })
                .min_by_key(|(time, node, input)| (*time, input.is_some(), *node));
            match act {
                Some((now, node, None)) if now < end => network.advance(node, now, now),
                Some((now, node, Some(input))) if now < end => network.deliver(node, input, now),
                _ => return,
            }
        }
    }
}

/// Nodes advance one after another through windows as long as the lookahead.
#[derive(Clone, Debug, Default)]
pub struct Windows {
    /// How many windows were run, for benchmarks.
    pub windows: u64,
    /// How many times a node was let run in a window, for benchmarks.
    pub visits: u64,
    /// Extra length of a window, only for the test that shows that none is allowed.
    pub excess: Duration,
    /// Order in which nodes are visited, only for the test that shows that none matters.
    pub order: Option<Vec<usize>>,
}

impl Runner for Windows {
    fn run<N: Node>(&mut self, network: &mut Network<N>, end: Time) {
        let length = network.lookahead() + self.excess;
        assert!(
            length > Duration::ZERO,
            "a link without lookahead cannot be run in windows"
        );
        for node in 0..network.nodes.len() {
            network.agenda[node] = network.nodes[node]
                .next_wake()
                .min(network.next_arrival(node).0);
        }
        loop {
            let start = network.agenda.iter().copied().min().unwrap_or(Time::NEVER);
            if start >= end {
                return;
            }
            self.windows += 1;
            let horizon = (start + length).min(end);
            for index in 0..network.nodes.len() {
                let node = self.order.as_ref().map_or(index, |order| order[index]);
                self.visits += u64::from(visit(network, node, horizon));
            }
        }
    }
}

/// Lets `node` run to the end of the window; false if it has nothing to do in it.
#[inline]
fn visit<N: Node>(network: &mut Network<N>, node: usize, horizon: Time) -> bool {
    if network.agenda[node] >= horizon {
        return false;
    }
    loop {
        let (arrival, input) = network.next_arrival(node);
        if arrival >= horizon {
            break;
        }
        network.advance(node, arrival, horizon);
        network.deliver(node, input, horizon);
    }
    network.advance(node, horizon.just_before(), horizon);
    network.agenda[node] = network
        .next_arrival(node)
        .0
        .min(network.nodes[node].next_wake());
    true
}
