//! The packets that leave an output.

use std::iter::FusedIterator;
use std::vec;

use kernel::{Network, Time};
use models::link::tap::{Fate, TappedPacket};
use models::node::AnyNode;
use scenario::lower::{Hop, Plan};
use scenario::scope::{Name, Place};

use crate::Error;

/// An output whose packets a [`Simulation`](crate::Simulation) notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tap(pub(crate) usize);

/// A packet that left an output, whole or in cells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Packet {
    /// Instant of departure: the start of transmission at the output of a host or a router, the end
    /// of transmission of the last cell at an output with cells.
    pub at: Time,
    /// The flow.
    pub flow: Name,
    /// True if the packet travels from the receiving host to the sending host.
    pub back: bool,
    /// Number of the packet in its direction of the flow, counted from one by the host that sends
    /// it.
    pub number: u32,
    /// Length in octets with headers, without the overhead of cells and links.
    pub octets: u32,
    /// Number of cells; zero for a packet that stays whole.
    pub cells: u32,
    /// Instant at which the transport sent the packet.
    pub sent: Time,
    /// True if the network has marked the packet: EFCI in any of its cells, or CE.
    pub marked: bool,
    /// Condition of the packet.
    pub fate: Fate,
}

/// The packets that left an output, in order of time.
#[derive(Clone, Debug)]
pub struct Packets(vec::IntoIter<Packet>);

impl Iterator for Packets {
    type Item = Packet;

    fn next(&mut self) -> Option<Packet> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Packets {}

impl FusedIterator for Packets {}

/// An output at which a tap notes the packets.
pub(crate) struct TapPoint {
    output: Place,
    node: usize,
    number: usize,
    hop: Hop,
}

impl TapPoint {
    /// Installs a tap at an output.
    pub(crate) fn install(
        plan: &Plan,
        network: &mut Network<AnyNode>,
        output: &Place,
    ) -> Result<TapPoint, Error> {
        let nodes = 0..plan.topology.nodes.len();
        let mut points = nodes.flat_map(|node| {
            let hops = plan.topology.outputs(node).iter().enumerate();
            hops.map(move |(number, hop)| TapPoint {
                output: Place::before(plan, *hop),
                node,
                number,
                hop: *hop,
            })
        });
        let point = points
            .find(|point| point.output == *output)
            .ok_or_else(|| {
                let hint = "`Scenario::links` gives all outputs".to_string();
                Error::unknown((format!("there is no output `{output}`"), hint))
            })?;
        let channels = plan.paths.vcs(point.hop).len();
        network.nodes[point.node].install(point.number, models::link::tap::Tap::new(channels));
        Ok(point)
    }

    pub(crate) fn output(&self) -> &Place {
        &self.output
    }

    /// Takes the packets that left before `now`.
    pub(crate) fn take(&self, plan: &Plan, network: &mut Network<AnyNode>, now: Time) -> Packets {
        let channels: Vec<(Name, bool)> = plan
            .paths
            .vcs(self.hop)
            .map(|channel| (Name::of_flow(plan, channel.flow), channel.back))
            .collect();
        let tap = network.nodes[self.node].tap(self.number);
        let passed = tap.expect("a tap was installed").take_before(now);
        let leaving = passed.iter().filter(|passing| !passing.inward);
        let packets = leaving.map(|passing| packet(passing, &channels[passing.vc.index()]));
        Packets(packets.collect::<Vec<Packet>>().into_iter())
    }
}

fn packet(passing: &TappedPacket, (flow, back): &(Name, bool)) -> Packet {
    let contents = &passing.contents;
    Packet {
        at: passing.at,
        flow: flow.clone(),
        back: *back,
        number: contents.pdu,
        octets: contents.octets,
        cells: contents.cells,
        sent: contents.sent,
        marked: passing.marked,
        fate: passing.fate,
    }
}
