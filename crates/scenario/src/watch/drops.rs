//! What is dropped, as it happens.

use kernel::{Network, Time};
use models::metrics::Drops;
use models::node::Node;

use crate::lower::{Hop, Plan};

/// More are not kept until they are taken: the latest stay.
const MOST: usize = 4096;

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

/// What has been dropped so far.
#[derive(Clone, Debug)]
pub struct Dropped {
    /// Cells and packets of each flow, since the start.
    of_flow: Box<[u64]>,
    /// Those that nobody has taken yet.
    latest: Vec<Drop>,
}

impl Dropped {
    /// Nothing yet.
    pub fn new(plan: &Plan) -> Dropped {
        Dropped {
            of_flow: vec![0; plan.flows.len()].into(),
            latest: Vec::new(),
        }
    }

    /// Cells and packets of a flow, since the start.
    pub fn of_flow(&self, flow: usize) -> u64 {
        self.of_flow[flow]
    }

    /// Takes in what was dropped since it last did.
    pub fn collect(&mut self, plan: &Plan, network: &mut Network<Node>) {
        for (number, node) in network.nodes.iter_mut().enumerate() {
            let hops = plan.topology.outputs(number);
            for (hop, port) in hops.iter().zip(node.ports_mut()) {
                if let Some(drops) = &mut port.meter_mut().drops {
                    self.add(plan, *hop, false, drops);
                }
            }
            for (hop, end) in hops.iter().zip(node.losses_mut().iter_mut()) {
                if let Some(drops) = end.as_mut().and_then(|end| end.meter.drops.as_mut()) {
                    self.add(plan, *hop, true, drops);
                }
            }
        }
        if self.latest.len() > 2 * MOST {
            self.latest = self.take();
        }
    }

    /// Gives away the latest drops, in order of time.
    pub fn take(&mut self) -> Vec<Drop> {
        let mut taken = std::mem::take(&mut self.latest);
        taken.sort_by_key(|drop| drop.at);
        let superfluous = taken.len().saturating_sub(MOST);
        taken.drain(..superfluous);
        taken
    }

    fn add(&mut self, plan: &Plan, hop: Hop, on_link: bool, noted: &mut Drops) {
        let noted = std::mem::take(noted);
        if noted.times.is_empty() {
            return;
        }
        let channels: Vec<_> = plan.channels(hop).collect();
        for ((at, vc), pdu) in noted.times.iter().zip(&noted.vcs).zip(&noted.pdus) {
            let flow = channels[*vc as usize].flow;
            self.of_flow[flow] += 1;
            self.latest.push(Drop {
                at: *at,
                hop: hop.number(),
                flow: flow as u32,
                pdu: *pdu,
                on_link,
            });
        }
    }
}
