//! The fate of the units of a VC, in octets on the wire of the link that they pass.
//!
//! On a path with edges a packet is whole before the first edge and beyond the last, and in cells
//! between them. Our own method: a drop is counted at the node where it happens, and the octets
//! that the unit has occupied on earlier links are added here.

use models::edge::Edge;
use models::metrics::{FlowReading, UnforwardedOctets, VcShare};

use crate::lower::{Hop, Plan, PlannedVc};

/// Reads the octets on the wire that an edge receives and does not forward.
pub fn read_edge(plan: &Plan, node: usize, edge: &Edge, flows: &mut [FlowReading]) {
    for (hop, unforwarded) in plan.topology.outputs(node).iter().zip(&edge.unforwarded) {
        for (planned, unforwarded) in plan.paths.vcs(hop.back()).zip(unforwarded) {
            if planned.in_cells {
                flows[planned.flow].unforwarded[usize::from(planned.back)] = *unforwarded;
            }
        }
    }
}

/// The fate of no octets.
pub fn nothing(planned: PlannedVc) -> VcShare {
    VcShare {
        data: !planned.back,
        ..VcShare::default()
    }
}

/// The fate of the octets that a VC carried over a hop, as the hosts and the edges of its flow
/// counted it.
pub fn share(plan: &Plan, hop: Hop, planned: PlannedVc, flow: &FlowReading) -> VcShare {
    let FlowReading {
        sender,
        receiver,
        unforwarded,
        ..
    } = flow;
    let planned_flow = &plan.paths.flows[planned.flow];
    // A receiving host counts arriving packets. If an edge has reassembled them, they are whole
    // packets.
    let is_cut = planned.in_cells && planned_flow.passes_edges();
    let on_wire = |octets: u64, cells: u64| {
        if is_cut {
            cells * plan.cells().octets()
        } else {
            octets
        }
    };
    let UnforwardedOctets { damaged, control } = unforwarded[usize::from(planned.back)];
    // RM cells travel from edge to edge; a PDU that the last edge finds damaged was damaged on the
    // path between the edges.
    let control = if planned.in_cells { control } else { 0 };
    let place = planned_flow
        .path
        .iter()
        .position(|one| one.link() == hop.link());
    // A flow with several paths passes no edges.
    let goes_on = place.is_some_and(|place| {
        if planned.back {
            place >= planned_flow.in_cells().start
        } else {
            place < planned_flow.in_cells().end
        }
    });
    let damaged = if goes_on { damaged } else { 0 };
    if planned.back {
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
        other: on_wire(receiver.duplicate, receiver.duplicate_cells),
        control: receiver.control + control,
        dead: receiver.damaged + damaged,
        ..VcShare::default()
    }
}
