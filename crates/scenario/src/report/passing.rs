//! The fate of the units of a VC, in octets on the wire of the link that they pass.
//!
//! A packet is segmented into cells between edges, and whole before the first edge and beyond the
//! last. Ours: drops are counted where they happen, and the octets that a unit has taken on earlier
//! links are added here.

use models::cell::CELL_OCTETS;
use models::edge::Edge;
use models::metrics::{FlowReading, Kept, VcShare};

use crate::lower::{Hop, Plan, PlannedVc};

/// Reads the octets on the wire that an edge receives and does not forward.
pub fn read_edge(plan: &Plan, node: usize, edge: &Edge, flows: &mut [FlowReading]) {
    for (hop, kept) in plan.topology.outputs(node).iter().zip(&edge.kept) {
        for (channel, kept) in plan.channels(hop.back()).zip(kept) {
            if channel.in_cells {
                flows[channel.flow].kept[usize::from(channel.back)] = *kept;
            }
        }
    }
}

/// The fate of the octets that a VC carried over a hop, as the hosts and the edges of its flow
/// counted it.
pub fn share(plan: &Plan, hop: Hop, channel: PlannedVc, flow: &FlowReading) -> VcShare {
    let FlowReading {
        sender,
        receiver,
        kept,
        ..
    } = flow;
    let planned = &plan.flows[channel.flow];
    // A receiving host counts the packets that arrive: whole packets, if an edge has reassembled
    // them.
    let is_cut = channel.in_cells && planned.passes_edges();
    let on_wire = |octets: u64, cells: u64| {
        if is_cut { cells * CELL_OCTETS } else { octets }
    };
    let Kept { damaged, control } = kept[usize::from(channel.back)];
    // RM cells travel from edge to edge; PDUs found damaged at the last edge were damaged on the
    // path behind the first edge.
    let control = if channel.in_cells { control } else { 0 };
    let place = planned.path.iter().position(|one| one.link() == hop.link());
    let goes_on = place.is_some_and(|place| {
        if channel.back {
            place >= planned.in_cells().start
        } else {
            place < planned.in_cells().end
        }
    });
    let damaged = if goes_on { damaged } else { 0 };
    if channel.back {
        return VcShare {
            other: on_wire(sender.answered, sender.answered_cells) + control,
            dead: damaged,
            ..VcShare::default()
        };
    }
    VcShare {
        data: true,
        user: receiver.user,
        useful: on_wire(receiver.useful, receiver.useful_cells),
        other: on_wire(receiver.resent, receiver.resent_cells),
        control: receiver.control + control,
        dead: receiver.damaged + damaged,
        ..VcShare::default()
    }
}
