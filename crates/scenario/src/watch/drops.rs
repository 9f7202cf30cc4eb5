//! Drops and losses of a run, collected while it goes on.

use kernel::{Network, Time};
use models::metrics::{Cause, Drops};
use models::node::AnyNode;

use crate::lower::{Hop, Plan};

/// Largest number of drops kept between two pauses; earlier drops are forgotten.
const MOST: usize = 1000;

/// The PDU number under which drops of RM cells are listed.
const OF_NO_PDU: u32 = 0;

/// Cells of one PDU, or a packet, that were dropped or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PduDrop {
    /// Time of the first drop.
    pub at: Time,
    /// Time of the last drop.
    pub until: Time,
    /// The link behind the output, in this direction: twice the number of the link, plus one for
    /// the direction from its second node to its first.
    pub hop: u32,
    /// Number of the flow in the scenario.
    pub flow: u32,
    /// Number of the PDU or packet in the flow; zero for an RM cell.
    pub pdu: u32,
    /// True if the link lost the unit, false if the output dropped it.
    pub on_link: bool,
    /// Number of cells; one for a packet.
    pub cells: u32,
    /// Cause of the first drop.
    pub cause: Cause,
    /// Occupancy of the buffer that the first dropped unit found, in cells; none for a loss, and for
    /// a unit that is dropped after it was accepted.
    pub found: Option<f64>,
}

/// Starts to count every drop.
pub fn count(plan: &Plan, network: &mut Network<AnyNode>) {
    for (number, node) in network.nodes.iter_mut().enumerate() {
        let hops = plan.topology.outputs(number);
        for (hop, port) in hops.iter().zip(node.ports_mut()) {
            let drops = Drops::counted(plan.paths.vcs(*hop).len());
            port.meter_mut().drops = Some(Box::new(drops));
        }
        for (hop, end) in hops.iter().zip(node.losses_mut()) {
            if let Some(end) = end {
                end.meter.drops = Some(Drops::counted(plan.paths.vcs(*hop).len()));
            }
        }
    }
}

/// Starts to count every drop, beside the list of a run that records its drops.
pub fn count_beside(plan: &Plan, network: &mut Network<AnyNode>) {
    let counted = |listed: Option<Drops>, vcs: usize| Drops {
        counts: vec![0; vcs].into(),
        ..listed.unwrap_or(Drops {
            is_listed: false,
            ..Drops::default()
        })
    };
    for (number, node) in network.nodes.iter_mut().enumerate() {
        let hops = plan.topology.outputs(number);
        for (hop, port) in hops.iter().zip(node.ports_mut()) {
            let drops = &mut port.meter_mut().drops;
            let listed = drops.take().map(|drops| *drops);
            *drops = Some(Box::new(counted(listed, plan.paths.vcs(*hop).len())));
        }
        for (hop, end) in hops.iter().zip(node.losses_mut()) {
            if let Some(end) = end {
                let drops = &mut end.meter.drops;
                *drops = Some(counted(drops.take(), plan.paths.vcs(*hop).len()));
            }
        }
    }
}

/// Drops and losses so far.
#[derive(Clone, Debug)]
pub struct DropLog {
    /// Dropped cells and packets of each flow, since the start.
    of_flow: Box<[u64]>,
    /// Drops since the last pause.
    latest: Vec<PduDrop>,
}

impl DropLog {
    /// The state before the first drop.
    pub fn new(plan: &Plan) -> DropLog {
        DropLog {
            of_flow: vec![0; plan.paths.flows.len()].into(),
            latest: Vec::new(),
        }
    }

    /// Dropped cells and packets of a flow, since the start.
    pub fn of_flow(&self, flow: usize) -> u64 {
        self.of_flow[flow]
    }

    /// Collects the drops since the last call.
    pub fn collect(&mut self, plan: &Plan, network: &mut Network<AnyNode>) {
        each(network, |node, output, drops| {
            self.add(plan, plan.topology.outputs(node)[output], drops);
        });
        if self.latest.len() > MOST {
            self.latest = self.take();
        }
    }

    /// Adds the counts since the last call, and leaves the lists as they are.
    pub fn tally(&mut self, plan: &Plan, network: &mut Network<AnyNode>) {
        each(network, |node, output, drops| {
            self.add_counts(plan, plan.topology.outputs(node)[output], drops);
        });
    }

    /// Removes and returns the latest drops, in order of time.
    pub fn take(&mut self) -> Vec<PduDrop> {
        let mut taken = std::mem::take(&mut self.latest);
        taken.sort_by_key(|drop| drop.at);
        let superfluous = taken.len().saturating_sub(MOST);
        taken.drain(..superfluous);
        taken
    }

    fn add_counts(&mut self, plan: &Plan, hop: Hop, drops: &mut Drops) {
        for (count, planned) in drops.counts.iter_mut().zip(plan.paths.vcs(hop)) {
            self.of_flow[planned.flow] += std::mem::take(count);
        }
    }

    fn add(&mut self, plan: &Plan, hop: Hop, drops: &mut Drops) {
        self.add_counts(plan, hop, drops);
        if drops.list.is_empty() {
            return;
        }
        // Cells of several VCs may alternate, but each VC finishes a PDU before it begins the next.
        let mut open: Vec<(u32, Option<usize>)> = plan
            .paths
            .vcs(hop)
            .map(|planned| (planned.flow as u32, None))
            .collect();
        // The list keeps its capacity for the next drops.
        for drop in drops.list.drain(..) {
            let (flow, last) = &mut open[drop.vc as usize];
            if let Some(known) = last.map(|last| &mut self.latest[last])
                && known.pdu == drop.pdu
                && known.pdu != OF_NO_PDU
            {
                known.until = drop.at;
                known.cells += 1;
                continue;
            }
            *last = Some(self.latest.len());
            self.latest.push(PduDrop {
                at: drop.at,
                until: drop.at,
                hop: hop.number(),
                flow: *flow,
                pdu: drop.pdu,
                on_link: drop.cause == Cause::Lost,
                cells: 1,
                cause: drop.cause,
                found: drop.found.map(|units| units as f64),
            });
        }
    }
}

/// Lists drops one by one from now on, or only counts them.
pub fn list(network: &mut Network<AnyNode>, is_listed: bool) {
    each(network, |_, _, drops| drops.is_listed = is_listed);
}

/// Visits the drop counts of each output and of the link behind it.
fn each(network: &mut Network<AnyNode>, mut see: impl FnMut(usize, usize, &mut Drops)) {
    for (node, found) in network.nodes.iter_mut().enumerate() {
        for (output, port) in found.ports_mut().into_iter().enumerate() {
            if let Some(drops) = &mut port.meter_mut().drops {
                see(node, output, drops);
            }
        }
        for (output, end) in found.losses_mut().into_iter().enumerate() {
            if let Some(drops) = end.and_then(|end| end.meter.drops.as_mut()) {
                see(node, output, drops);
            }
        }
    }
}
