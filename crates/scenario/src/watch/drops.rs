//! What is dropped, as it happens.

use kernel::{Network, Time};
use models::metrics::Drops;
use models::node::Node;

use crate::lower::{Hop, Plan};

/// Cells of a PDU, or a packet, that went no further.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drop {
    /// When.
    pub at: Time,
    /// The link that it was about to enter, or was on: twice its number, and one more from its second
    /// node to its first.
    pub hop: u32,
    /// Flow that it belonged to, by its number in the scenario.
    pub flow: u32,
    /// PDU or packet of the flow that it belonged to; zero of an RM cell.
    pub pdu: u32,
    /// The link lost it; otherwise the output before the link refused it.
    pub on_link: bool,
}

/// Has every drop noted from now on.
pub fn note(network: &mut Network<Node>) {
    for node in &mut network.nodes {
        for port in node.ports_mut() {
            port.meter_mut().drops = Some(Box::default());
        }
        for end in node.losses_mut().iter_mut().flatten() {
            end.meter.drops = Some(Drops::default());
        }
    }
}

/// Takes what was dropped since it was last taken, in order of time.
pub fn take(plan: &Plan, network: &mut Network<Node>) -> Vec<Drop> {
    let mut taken = Vec::new();
    for (number, node) in network.nodes.iter_mut().enumerate() {
        let hops = plan.topology.outputs(number);
        for (hop, port) in hops.iter().zip(node.ports_mut()) {
            if let Some(drops) = &mut port.meter_mut().drops {
                add(plan, *hop, false, &std::mem::take(drops), &mut taken);
            }
        }
        for (hop, end) in hops.iter().zip(node.losses_mut().iter_mut()) {
            if let Some(drops) = end.as_mut().and_then(|end| end.meter.drops.as_mut()) {
                add(plan, *hop, true, &std::mem::take(drops), &mut taken);
            }
        }
    }
    taken.sort_by_key(|drop| drop.at);
    taken
}

fn add(plan: &Plan, hop: Hop, on_link: bool, drops: &Drops, taken: &mut Vec<Drop>) {
    let channels: Vec<_> = plan.channels(hop).collect();
    let noted = drops.times.iter().zip(&drops.vcs).zip(&drops.pdus);
    taken.extend(noted.map(|((at, vc), pdu)| Drop {
        at: *at,
        hop: hop.number(),
        flow: channels[*vc as usize].flow as u32,
        pdu: *pdu,
        on_link,
    }));
}
