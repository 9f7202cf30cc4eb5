//! A network in parts, each with its own nodes, links and cargo, so that each runs on a thread of
//! its own.
//!
//! A link to another part ends in an *outbox*, from which its units are handed to that part. The
//! parts are made when a run begins or continues, and joined when it pauses, so that a reader finds
//! the whole network; only cargo stays apart, since nodes refer to it by number.

use std::{iter, mem};

use crate::network::Network;
use crate::node::{Node, NodeState, Wiring};
use crate::time::{Duration, Time};

/// A node whose units can move to another part of the network.
pub trait Movable: Node<Unit: Send, Cargo: Default + Send> + Send {
    /// A unit with the cargo that belongs to it.
    type Parcel: Send;

    /// Takes the cargo of a unit that leaves its part.
    fn pack(unit: Self::Unit, cargo: &mut Self::Cargo) -> Self::Parcel;

    /// Adds the cargo of a unit that enters a part.
    fn unpack(parcel: Self::Parcel, cargo: &mut Self::Cargo) -> Self::Unit;
}

/// The part of each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    part_of: Vec<usize>,
    parts: usize,
}

impl Division {
    /// The division with these parts of the nodes, numbered from zero.
    pub fn new(part_of: Vec<usize>) -> Division {
        let parts = part_of.iter().max().map_or(1, |last| last + 1);
        Division { part_of, parts }
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The part of a node.
    pub fn part(&self, node: usize) -> usize {
        self.part_of[node]
    }
}

/// A part of a network.
pub(crate) struct Part<N: Node> {
    /// Its nodes, the links that end at them, and the outboxes of the links that leave the part.
    pub network: Network<N>,
    /// The links to each part.
    exits: Vec<Vec<Exit>>,
}

/// A link from one part to another.
struct Exit {
    /// The link that keeps its units in the part that sends.
    outbox: usize,
    /// The number of the link in the part that receives.
    link: usize,
}

/// Takes the nodes, the units on links and the cargo of a network apart; [`unite`] brings them back.
pub(crate) fn divide<N: Movable>(network: &mut Network<N>, division: &Division) -> Vec<Part<N>> {
    if !network.is_in_parts() {
        let others = division.parts - 1;
        network
            .cargo_of_others
            .resize_with(others, N::Cargo::default);
    }
    let others = mem::take(&mut network.cargo_of_others);
    assert_eq!(others.len() + 1, division.parts, "a division is for good");
    let cargos = iter::once(mem::take(&mut network.cargo)).chain(others);
    let parts = cargos.map(|cargo| Part::new(cargo, division.parts));
    let mut parts: Vec<Part<N>> = parts.collect();
    let mut counts = vec![0; parts.len()];
    let numbers = division.part_of.iter().map(|part| {
        counts[*part] += 1;
        counts[*part] - 1
    });
    let numbers: Vec<usize> = numbers.collect();
    // Each link in the part where it ends, in the order in which the network has them.
    let ends = network.wiring.links.iter_mut().map(|link| {
        let part = division.part(link.to);
        let links = &mut parts[part].network.wiring.links;
        links.push(link.taken(numbers[link.to]));
        (part, links.len() - 1)
    });
    let ends: Vec<(usize, usize)> = ends.collect();
    let outputs = network.wiring.states.iter().map(|state| state.first_output);
    let mut outputs: Vec<u32> = outputs.collect();
    outputs.push(network.wiring.departures.len() as u32);
    let nodes = mem::take(&mut network.nodes).into_iter();
    for (number, node) in nodes.enumerate() {
        let part = division.part(number);
        parts[part].add(node, &mut network.wiring.states[number]);
        for output in outputs[number]..outputs[number + 1] {
            let end = ends[network.wiring.departures[output as usize] as usize];
            depart(&mut parts, part, end);
        }
    }
    parts
}

/// Adds an output to the node that was added last to `part`; `end` is the part where its link ends,
/// and the number of the link there.
fn depart<N: Node>(parts: &mut [Part<N>], part: usize, end: (usize, usize)) {
    let (to, link) = end;
    if to == part {
        parts[part].network.wiring.departures.push(link as u32);
        return;
    }
    let kept = parts[to].network.wiring.links[link].outbox();
    let Part { network, exits } = &mut parts[part];
    let outbox = network.wiring.links.len();
    network.wiring.links.push(kept);
    network.wiring.departures.push(outbox as u32);
    exits[to].push(Exit { outbox, link });
}

/// Brings back what [`divide`] has taken apart.
pub(crate) fn unite<N: Movable>(
    network: &mut Network<N>,
    parts: Vec<Part<N>>,
    division: &Division,
) {
    let mut cargos = Vec::new();
    let mut rests = Vec::new();
    for part in parts {
        let Network {
            nodes,
            cargo,
            wiring,
            ..
        } = part.network;
        cargos.push(cargo);
        let nodes = nodes.into_iter().zip(wiring.states);
        rests.push((nodes, wiring.links.into_iter()));
    }
    network.cargo_of_others = cargos.split_off(1);
    network.cargo = cargos.remove(0);
    for link in &mut network.wiring.links {
        let (_, links) = &mut rests[division.part(link.to)];
        *link = links.next().expect("a link of that part").taken(link.to);
    }
    for (number, state) in network.wiring.states.iter_mut().enumerate() {
        let (nodes, _) = &mut rests[division.part(number)];
        let (node, own) = nodes.next().expect("a node of that part");
        network.nodes.push(node);
        (state.next, state.done, state.arrivals) = (own.next, own.done, own.arrivals);
    }
}

impl<N: Node> Part<N> {
    /// A part without nodes, of so many parts.
    fn new(cargo: N::Cargo, parts: usize) -> Part<N> {
        let network = Network {
            nodes: Vec::new(),
            cargo,
            cargo_of_others: Vec::new(),
            wiring: Wiring::default(),
        };
        Part {
            network,
            exits: iter::repeat_with(Vec::new).take(parts).collect(),
        }
    }

    /// Adds a node, whose inputs are the next links.
    fn add(&mut self, node: N, state: &mut NodeState) {
        let Network { nodes, wiring, .. } = &mut self.network;
        let before = wiring.states.last();
        let state = NodeState {
            first_input: before.map_or(0, |before| before.first_input + before.inputs),
            first_output: wiring.departures.len() as u32,
            arrivals: mem::take(&mut state.arrivals),
            ..*state
        };
        nodes.push(node);
        wiring.states.push(state);
    }

    /// The shortest lookahead of the links to other parts; without any, [`Duration::MAX`].
    pub fn lookahead(&self) -> Duration {
        let outboxes = self.exits.iter().flatten();
        let outboxes = outboxes.map(|exit| self.network.wiring.links[exit.outbox].lookahead());
        outboxes.min().unwrap_or(Duration::MAX)
    }
}

/// A unit on its way to another part.
pub(crate) struct Handed<N: Movable> {
    link: usize,
    arrival: Time,
    parcel: N::Parcel,
}

impl<N: Movable> Part<N> {
    /// True if links lead from this part to that one.
    pub fn leads_to(&self, part: usize) -> bool {
        !self.exits[part].is_empty()
    }

    /// Moves the units in the outboxes for another part to `letters`; returns the first arrival.
    pub fn hand_over(&mut self, part: usize, letters: &mut Vec<Handed<N>>) -> Time {
        let mut first = Time::NEVER;
        let Network { wiring, cargo, .. } = &mut self.network;
        for Exit { outbox, link } in &self.exits[part] {
            let outbox = &mut wiring.links[*outbox];
            first = first.min(outbox.first_arrival());
            let units = outbox.in_flight.drain(..);
            letters.extend(units.map(|(arrival, unit)| Handed {
                link: *link,
                arrival,
                parcel: N::pack(unit, cargo),
            }));
        }
        first
    }

    /// Puts a unit from another part on its link.
    pub fn accept(&mut self, handed: Handed<N>) {
        let Network { wiring, cargo, .. } = &mut self.network;
        let link = &mut wiring.links[handed.link];
        let unit = N::unpack(handed.parcel, cargo);
        if link.commit(handed.arrival, unit) {
            let (to, input) = (link.to, link.input);
            wiring.announce(to, input, handed.arrival);
        }
    }
}
