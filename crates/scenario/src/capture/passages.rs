//! The place of each virtual channel among the hops of its flow. The numbers are our own: they index the
//! departures of a packet in a trace.

use crate::lower::{Hop, Plan};

/// A virtual channel of a link, as one hop on the path of a flow.
#[derive(Clone, Copy)]
pub struct Passage {
    /// Number of the flow.
    pub flow: usize,
    /// True if the packets of the VC travel to the sending host.
    pub back: bool,
    /// Position of the link on the path, or among the links of a flow with several paths, counted from
    /// zero.
    pub place: usize,
}

/// The flow and position of each virtual channel of a hop.
pub fn passages(plan: &Plan, hop: Hop) -> Vec<Passage> {
    plan.paths
        .vcs(hop)
        .map(|planned| {
            let flow = &plan.paths.flows[planned.flow];
            let place = flow.hops().position(|other| match &flow.mesh {
                Some(_) if planned.back => other == hop.back(),
                Some(_) => other == hop,
                None => other.link() == hop.link(),
            });
            let place = place.expect("a VC is on a path of its flow");
            Passage {
                flow: planned.flow,
                back: planned.back,
                place: if planned.back && flow.mesh.is_none() {
                    flow.path.len() - 1 - place
                } else {
                    place
                },
            }
        })
        .collect()
}
